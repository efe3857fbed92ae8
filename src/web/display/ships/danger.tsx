/** Ships that endanger the boat, according to its own watch. */

import type { ActiveAlarm } from "../alarms/alarms.ts";
import { shipMark } from "../alarms/places.ts";
import { frameTick } from "../data/frame-tick.ts";
import { said, say } from "../languages/say.ts";
import type { Target } from "./traffic.ts";

/** Whether the boat's own watch raises an alarm about a ship, at the time of the frame. */
export const isDangerous = ({ mmsi }: Target): boolean => isGrave(shipMark(mmsi, frameTick.value));

/** A warning, such as one about a tested beacon, is not a danger. */
const isGrave = (alarm: ActiveAlarm | undefined): boolean =>
  alarm?.severity === "emergency" || alarm?.severity === "alarm";

export function Danger({ target, now }: { readonly target: Target; readonly now: number }) {
  const alarm = shipMark(target.mmsi, now);
  if (alarm === undefined) return null;
  return <span class="warn-mark">{alarm.kind === "cpa" ? say("close") : said(alarm.title).toLocaleLowerCase()}</span>;
}
