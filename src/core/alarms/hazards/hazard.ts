/** The language of the hazards: what a reading is, and how an alarm with its settings is defined. */
import * as z from "zod";
import type { Device } from "../../nav/devices.ts";
import type { Position } from "../../nav/great-circle.ts";
import { inUnit, mark } from "../../report/marks.ts";
import { type ReportUnit, unitWords } from "../../report/unit-words.ts";
import type { Sentence } from "../../text/sentence.ts";
import { type Severity, severities } from "../constants.ts";
import type { ByInstance, Latest } from "../latest-messages.ts";
import type { Input } from "../reads.ts";
import type { Situation } from "../situation.ts";

/**
 * A value and its limit: `beyond` may raise the alarm, `within` may end it, and the zone between keeps what is. The
 * subject tells alarms of one kind apart: an instance, an MMSI.
 */
export interface Reading {
  readonly subject?: number | undefined;
  /** See the report. */
  readonly press?: string | undefined;
  /** Distinguishes subjects without a number, or several of one number; part of a topic. */
  readonly key?: string | number;
  /** The message that it is of, whose thing the crew may have named. */
  readonly of?: Latest<unknown>;
  /** All devices that send this instance, where they are several. */
  readonly among?: readonly Device[] | undefined;
  /** Identifies the device, or what it measures, where it is of no one message. */
  readonly by?: Source | undefined;
  /** Severity of this reading, for a kind whose alarms differ in severity. */
  readonly severity?: Severity;
  /** A step of the danger: when it rises above that of its answer, the alarm sounds again. */
  readonly level?: number;
  /** Title of this reading, if it is not that of the kind. */
  readonly title?: string | undefined;
  /** Name of the ship, the device or the program. */
  readonly name?: string | undefined;
  readonly value?: number | undefined;
  readonly limit?: number | undefined;
  /** Unit of value and limit, if it is not that of the kind. */
  readonly unit?: string | undefined;
  /** Minutes until the closest approach. */
  readonly minutes?: number | undefined;
  /** The thing itself, or the device that reports it: parts of one text. */
  readonly sentences?: readonly Sentence[] | undefined;
  /** The place: nautical miles and degrees true from the boat now, and the place first reported. */
  readonly place?: Place | undefined;
  /** Seconds for which the value has to be beyond its limit, if not the delay of the kind. */
  readonly seconds?: number | undefined;
  /** Seconds within the limit after which the alarm ends, if not three. */
  readonly endSeconds?: number | undefined;
  /** The danger is over by computation alone: the alarm does not end before it has been acknowledged. */
  readonly isLatched?: boolean;
  /** Address of the device that has raised a notice; that of another reading is in `of`. */
  readonly source?: number | undefined;
  /** The answer that the alarm has got at its origin. */
  readonly answered?: "silenced" | "acknowledged" | undefined;
  /** The alarm was acknowledged here before hub-cand was started. */
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
        readonly clockSetSec?: number | undefined;
        readonly position?: Position | undefined;
        readonly boat?: Position | undefined;
      }
    | undefined;
}

/** Identifies a device by its number, or what one measures by a text. */
export type Source = number | string;

/** Distinguishes the alarms of one kind. */
export type Key = string | number | undefined;
type IsTracked = (key: Key) => boolean;

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

export const below = (value: number, limit: number, margin: number): Reading["zone"] =>
  value < limit ? "beyond" : value >= limit + margin ? "within" : "between";

export const above = (value: number, limit: number, margin: number): Reading["zone"] =>
  value > limit ? "beyond" : value <= limit - margin ? "within" : "between";

/** One reading, or none if the value is not known. */
export const one = <Value extends number>(value: Value | null | undefined, reading: (value: Value) => Reading) =>
  value == null ? [] : [{ value, ...reading(value) }];

const zones: readonly Reading["zone"][] = ["beyond", "between", "within"];

/** How far a value is beyond its limit, in its unit; negative: within. */
const excess = ({ zone, value = 0, limit = 0 }: Reading): number =>
  Math.abs(value - limit) * (zone === "beyond" ? 1 : -1);

/** The place in `severities`; the readings of a kind have one, or none has. */
const rankOf = ({ severity }: Reading): number => severities.indexOf(severity!);

/** The worse of two readings of one thing, by their zones, severities and values; the first of equal ones. */
export function worse(one: Reading, other: Reading): Reading {
  const apart = zones.indexOf(other.zone) - zones.indexOf(one.zone) || rankOf(other) - rankOf(one);
  return apart < 0 || (apart === 0 && excess(other) > excess(one)) ? other : one;
}

/** The readings of all devices of all instances; undefined or none of a device without a value. */
export function readingsOf<Content>(
  instances: ByInstance<Content>,
  readings: (message: Content, subject: number, device: Device) => Reading | readonly Reading[] | undefined,
): readonly Reading[] {
  const all: Reading[] = [];
  instances.forEach((devices, subject) => {
    const among = devices.length > 1 ? devices.map(({ device }) => device) : undefined;
    for (const of of devices) {
      const read = readings(of.message, subject, of.device) ?? [];
      // Members before a spread take V8 a twentieth of the time of members after it.
      for (const reading of "zone" in read ? [read] : read) all.push({ of, among, ...reading });
    }
  });
  return all;
}

export const ALL_CLEAR: Reading = { zone: "within" };

export const isAtBerth = ({ isAtBerth }: Situation): boolean => isAtBerth;
