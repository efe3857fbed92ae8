/** Alarms and faults of a boat in words, for the list of boats. */
import { countText } from "../instruments/units.ts";
import { durationText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import type { HullAlarm, HullFault, HullRow } from "./hulls.ts";

/** An alarm in a few words: "Shallow water", "Close approach, VEERKRACHT". */
export const alarmWordsOf = ({ title, name }: HullAlarm): string =>
  name === undefined ? said(title) : `${said(title)}, ${name}`;

export function faultWordsOf(fault: HullFault): string {
  switch (fault.kind) {
    case "offLine":
      return say("hub-cand is off line");
    case "refused":
      return fault.reason === undefined
        ? say("configuration refused")
        : say("{what}: {text}", { what: say("configuration refused"), text: fault.reason });
    case "notAsked":
      return say("configuration not asked for: {duration}", { duration: durationText(fault.seconds) });
    case "notUnderstood":
      return say("settings not understood: {count}", { count: countText(fault.count) });
    case "framesLost":
      return say("frames lost: {count}", { count: countText(fault.count) });
    case "messagesLost":
      return say("messages lost on the way: {count}", { count: countText(fault.count) });
  }
}

export const wordsOf = ({ hull, faults }: HullRow): readonly string[] => [
  ...(hull.alarms ?? []).map(alarmWordsOf),
  ...faults.map(faultWordsOf),
];
