/** The language of the hazards: how an alarm with its settings is defined. */
import * as z from "zod";
import { inUnit, mark } from "../../report/marks.ts";
import { type ReportUnit, unitWords } from "../../report/unit-words.ts";
import type { Severity } from "../constants.ts";
import type { Key, Reading, Source } from "../reading.ts";
import type { Input } from "../reads.ts";
import type { Situation } from "../situation.ts";

/** Whether there is a track of a key, and of a source whether it is in danger there. */
export type IsTracked = (key: Key, source?: Source) => boolean;

export interface Hazard<Settings> {
  readonly title: string;
  /** `each`: the severity of the reading. */
  readonly severity: Severity | "each";
  /** Unit of value and limit. */
  readonly unit?: string;
  readonly settings: z.ZodType<Settings>;
  /** Its inputs of the bus in addition to the reports. */
  readonly reads?: readonly Input[];
  /** The readings; none without data. A reading within its limit is needed only for a subject that is tracked. */
  readonly readings: (situation: Situation, settings: Settings, isTracked: IsTracked) => readonly Reading[];
  /** Whether all devices measure one thing, so that an answer for one of them is for all. */
  readonly isOfOneThing?: boolean;
  /** Whether its values swing, in waves or with a load: it rings too when they are beyond their limit often. */
  readonly swings?: true;
  /** Whether the alarm is suppressed now although its limit is exceeded. */
  readonly isQuiet?: (situation: Situation) => boolean;
  /** The alarm does not end before it has been acknowledged; `each`: where the reading says so. */
  readonly isLatched?: true | "each";
  /**
   * Its readings are complete: an alarm without a reading is over. A function tells whether the device that has reported
   * it is still there to take it back.
   */
  readonly isListed?: true | ((situation: Situation, reading: Reading) => boolean);
  /** Whether it can watch, for a kind whose readings are complete; absent: always. */
  readonly canWatch?: (situation: Situation) => boolean;
  /** The alarm also sounds at a device that does not get the answers given here. */
  readonly isAnsweredElsewhere?: true;
}

type Definition<Shape extends z.core.$ZodLooseShape> = Omit<
  Hazard<z.output<z.ZodObject<typeof common & Shape>>>,
  "settings"
> & {
  /** Seconds for which the limit has to be exceeded, by default. */
  readonly delay: number;
  /** Its settings besides `enabled` and `delay`, or another default of `enabled`. */
  readonly settings?: Shape;
};

/** An alarm with its settings. */
export const alarm = <Shape extends z.core.$ZodLooseShape = Record<never, never>>({
  delay,
  settings = {} as Shape,
  ...hazard
}: Definition<Shape>) => ({
  ...hazard,
  settings: z
    .strictObject(
      { enabled: common.enabled, ...settings, delay: common.delay.default(delay) },
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
  delay: inUnit(
    "s",
    z.number("must be a number of seconds").min(0, "must be 0 or more").max(600, "must be 600 or less"),
    (seconds) => `${seconds} for which the limit has to be exceeded`,
  ),
};

/** Settings of an alarm that is off until a crew switches it on. */
export const offByDefault = { enabled: isEnabled(false) };

/**
 * A number of the settings; the value has the same unit. `text` says what is limited; with a side, a function places
 * "above which it rings" in it, and a text has it at its end.
 *
 * @example limit(2, [0.1, 100], "m", { below: "depth" }) // "depth below which it rings, metres"
 */
export function limit(
  standard: number,
  [min, max]: readonly [number, number],
  unit: ReportUnit,
  text: string | Readonly<Partial<Record<"above" | "below", string | ((rings: string) => string)>>>,
) {
  const [[side, of] = []] = typeof text === "string" ? [] : Object.entries(text);
  const rings = `${side} which it rings`;
  const said = of === undefined ? text : typeof of === "string" ? `${of} ${rings}` : of(rings);
  const words = unitWords[unit];
  const schema = z
    .number(`must be a number of ${words}`)
    .min(min, `must be ${min} or more`)
    .max(max, `must be ${max} or less`)
    .default(standard);
  return mark(inUnit(unit, schema, `${said}, ${words}`), side === undefined ? {} : { side: side as "above" | "below" });
}

/** Minutes for which an answer counts while the danger lasts. */
export const term = limit(5, [1, 120], "min", "time after which an acknowledged alarm sounds again while it lasts");

export const isAtBerth = ({ isAtBerth }: Situation): boolean => isAtBerth;
