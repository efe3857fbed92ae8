/**
 * Inputs of the alarms besides the reports: each hazard lists its inputs, and what the monitor listens to follows
 * from the lists. Several inputs may be of one PGN; each of them hears its messages.
 */
import type { Definition, Message } from "../n2k/definition.ts";
import type { BusAlerts } from "./bus-alerts.ts";
import type { Distress } from "./distress.ts";
import type { Heard } from "./heard.ts";
import type { KeptInput, LatestMessages } from "./latest-messages.ts";
import type { NominalVolts } from "./nominal-volts.ts";
import type { Notices } from "./notices.ts";
import type { PilotWatch } from "./pilot-watch.ts";

/** The memories that inputs write to. */
export interface Memory {
  readonly latest: LatestMessages;
  readonly nominalVolts: NominalVolts;
  readonly distress: Distress;
  readonly notices: Notices;
  readonly busAlerts: BusAlerts;
  readonly pilots: PilotWatch;
}

export interface Input<Kind extends Definition = Definition> extends KeptInput<Kind> {
  /** Takes a message, which may be kept; `heard` is valid for the time of the call. */
  hear(memory: Memory, message: Message<Kind>, heard: Heard): void;
}

/** An input whose messages go to a memory by `hear`. */
export const heardBy = <Kind extends Definition>(definition: Kind, hear: Input<Kind>["hear"]): Input<Kind> => ({
  definition,
  hear,
});

/**
 * Messages of which the last of each instance and device is kept, for `latest` and `reported` of the situation. The key
 * is the member that tells instances apart, or computes their number. `use` prepares a message; undefined: skip it.
 *
 * @example kept(engineParametersRapid, { key: "engineInstance" })
 */
export function kept<Kind extends Definition>(
  definition: Kind,
  {
    key,
    use = (message) => message,
  }: {
    readonly key: (keyof Message<Kind> & string) | ((heard: Heard) => number);
    readonly use?: (message: Message<Kind>) => Message<Kind> | undefined;
  },
): Input<Kind> {
  const input: Input<Kind> = heardBy(definition, ({ latest }, message, heard) => {
    const used = use(message);
    const instance: unknown = typeof key === "function" ? key(heard) : message[key];
    if (used !== undefined && typeof instance === "number") latest.hear(input, used, instance, heard);
  });
  return input;
}
