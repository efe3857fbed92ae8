/** The language of the hazards: what a reading is, and how an alarm with its settings is defined. */
import * as z from "zod";
import type { Definition } from "../../n2k/definition.ts";
import type { Position } from "../../nav/great-circle.ts";
import type { Severity } from "../severities.ts";
import type { Situation } from "../situation.ts";

/**
 * A value and its limit: `beyond` may raise the alarm, `within` may end it, and the zone between keeps what is. The subject
 * tells alarms of one kind apart: an instance, an MMSI.
 */
export interface Reading {
  readonly subject?: number | undefined;
  /** Tells them apart where a number does not; part of a topic. */
  readonly key?: string;
  /** Severity of this reading, for a kind whose alarms differ in it. */
  readonly severity?: Severity;
  /** Name of the ship, the device or the program. */
  readonly name?: string | undefined;
  readonly value?: number | undefined;
  readonly limit?: number | undefined;
  /** Unit of value and limit, where it is not that of the kind. */
  readonly unit?: string | undefined;
  /** Until the closest approach. */
  readonly minutes?: number | undefined;
  /** The thing itself, or the device that reports it. */
  readonly text?: string | undefined;
  /** Where it is: nautical miles and degrees true from the boat now, and as it was first reported. */
  readonly place?: Place | undefined;
  /** For which it has to be beyond its limit, where that is not the delay of the kind. */
  readonly seconds?: number | undefined;
  /** Answered where it comes from. */
  readonly answered?: "silenced" | "acknowledged" | undefined;
  /** Acknowledged here before hub-cand was started. */
  readonly wasAcknowledged?: boolean | undefined;
  readonly zone: "beyond" | "between" | "within";
}

export interface Place {
  readonly position?: Position | undefined;
  readonly range?: number | undefined;
  readonly bearing?: number | undefined;
  readonly first?:
    | {
        readonly at: string;
        readonly position?: Position | undefined;
        readonly boat?: Position | undefined;
      }
    | undefined;
}

/** Tells alarms of one kind apart. */
export type Key = string | number | undefined;
type IsTracked = (key: Key) => boolean;

export interface Hazard<Settings> {
  readonly title: string;
  /** `each`: that of the reading. */
  readonly severity: Severity | "each";
  /** Unit of value and limit. */
  readonly unit?: string;
  readonly settings: z.ZodType<Settings>;
  /** Messages of the bus, beside the reports. */
  readonly reads?: readonly Definition[];
  /** None while there is no data. A reading within its limit is needed only for a subject that is tracked. */
  readonly readings: (situation: Situation, settings: Settings, isTracked: IsTracked) => readonly Reading[];
  /** Whether the alarm is not raised now although its limit is exceeded. */
  readonly isQuiet?: (situation: Situation) => boolean;
  /** Ends only when it was acknowledged too. */
  readonly isLatched?: true;
  /** Its readings are all that there is: one that is missing is over. */
  readonly isListed?: true;
  /** Sounds elsewhere too, where an answer given here is not known. */
  readonly isAnsweredElsewhere?: true;
}

export const alarm = <Shape extends z.core.$ZodLooseShape>(
  seconds: number,
  shape: Shape,
  hazard: Omit<Hazard<z.output<z.ZodObject<typeof common & Shape>>>, "settings">,
) => ({
  ...hazard,
  settings: z
    .strictObject(
      { enabled: common.enabled, ...shape, delay: common.delay.default(seconds) },
      {
        error: (issue) =>
          issue.code === "unrecognized_keys" ? `has no member ${issue.keys.join(", ")}` : "must be an object",
      },
    )
    .meta({ title: hazard.title }),
});

const isEnabled = (standard: boolean) =>
  z.boolean("must be true or false").default(standard).describe("the alarm is on");

const common = {
  enabled: isEnabled(true),
  delay: z
    .number("must be a number of seconds")
    .min(0, "must be 0 or more")
    .max(600, "must be 600 or less")
    .describe("seconds for which the limit has to be exceeded"),
};

/** Settings of an alarm that is off until it is asked for. */
export const offByDefault = { enabled: isEnabled(false) };

/** A number of the settings; `unit` is also that of the value. */
export const limit = (standard: number, [min, max]: readonly [number, number], unit: string, text: string) =>
  z
    .number(`must be a number of ${unit}`)
    .min(min, `must be ${min} or more`)
    .max(max, `must be ${max} or less`)
    .default(standard)
    .describe(`${text}, ${unit}`);

export const below = (value: number, limit: number, margin: number): Reading["zone"] =>
  value < limit ? "beyond" : value >= limit + margin ? "within" : "between";

export const above = (value: number, limit: number, margin: number): Reading["zone"] =>
  value > limit ? "beyond" : value <= limit - margin ? "within" : "between";

/** One reading, or none for a value that is not known. */
export const one = <Value extends number>(
  value: Value | null | undefined,
  reading: (value: Value) => Omit<Reading, "value">,
) => (value == null ? [] : [{ value, ...reading(value) }]);

/** The readings of all instances that have one. */
export function readingsOf<Instance>(
  instances: ReadonlyMap<number, Instance>,
  reading: (instance: Instance, subject: number) => Reading | undefined,
): readonly Reading[] {
  const readings: Reading[] = [];
  instances.forEach((instance, subject) => {
    const one = reading(instance, subject);
    if (one !== undefined) readings.push(one);
  });
  return readings;
}

export const ALL_CLEAR: Reading = { zone: "within" };

export const isMoored = ({ isMoored }: Situation): boolean => isMoored;
