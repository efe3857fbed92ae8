/** Ships that endanger the boat, as its own watch says. */
import type { ActiveAlarm } from "../alarms/alarms.ts";
import { shipMark } from "../alarms/places.ts";
import { frameTick } from "../frame-tick.ts";
import type { Target } from "../traffic.ts";

/** Whether the boat's own watch raises an alarm of it, on the page as it is drawn. */
export const isDangerous = ({ mmsi }: Target): boolean => isGrave(shipMark(mmsi, frameTick.value));

/** A warning, as of a beacon that is tested, is no danger. */
const isGrave = (alarm: ActiveAlarm | undefined): boolean => alarm !== undefined && alarm.severity !== "warning";

export function Danger({ target, now }: { readonly target: Target; readonly now: number }) {
  const alarm = shipMark(target.mmsi, now);
  if (alarm === undefined) return null;
  return <span class="warn-mark">{alarm.kind === "cpa" ? "close" : alarm.title.toLowerCase()}</span>;
}
