/** Faults of engines and transmissions (SAE J1939) in words. */
import type { Message } from "../../../core/n2k/definition.ts";
import type { activeTroubleCodes } from "../../../core/n2k/j1939/diagnostics.ts";
import { say } from "../languages/say.ts";

type Faults = Message<typeof activeTroubleCodes>;
type Fault = NonNullable<Faults["faults"]>[number];

/**
 * The words for a fault.
 *
 * @example faultText({ spn: 100, parameter: "Engine oil pressure", fmi: 17, failure: … })
 * // "Engine oil pressure (SPN 100): data valid but below normal range, least severe"
 */
export function faultText({ spn, parameter, fmi, failure, occurrences = 0 }: Fault): string {
  const what = parameter === undefined ? `SPN ${spn ?? say("unknown")}` : `${parameter} (SPN ${spn})`;
  const times = occurrences > 1 ? `, ${say("{count} times", { count: occurrences })}` : "";
  return say("{what}: {text}", { what, text: `${failure ?? `FMI ${fmi ?? say("unknown")}`}${times}` });
}

/** Faults that a message has; no fault is a parameter 0 too. */
export const faultsOf = ({ faults = [] }: Faults): readonly Fault[] => faults.filter(({ spn }) => spn !== 0);

const lamps = [
  ["redStopLamp", "stop"],
  ["amberWarningLamp", "warning"],
  ["protectLamp", "protect"],
  ["malfunctionLamp", "malfunction"],
] as const;

/** The lamps that are on: "Lamps: stop, warning"; empty without one. */
export function lampsText(message: Faults): string {
  const on = lamps.filter(([name]) => message[name] === "On").map(([, word]) => word);
  if (on.length === 0) return "";
  return say("{count:Lamp|Lamps}: {lamps}", { count: on.length, lamps: on.map((word) => say(word)).join(", ") });
}
