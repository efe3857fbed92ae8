/**
 * The settings of the navigation report: the entry `navigation` of `settings` in deploy.json.
 *
 * An entry with an invalid member is refused, and the settings before it stay in force; in a valid member only the
 * invalid items are left out. Each gives a warning.
 */
import * as z from "zod";
import { inUnit } from "../report/marks.ts";
import { accept, entry, type Warn, type Warning } from "../report/read-entry.ts";
import type { Device } from "./devices.ts";
import type { RankOf } from "./sources.ts";

/** Quantities with a priority. `wind` is for the apparent and the true wind, `environment` for each of its members. */
export const priorityKeys = [
  "position",
  "course",
  "heading",
  "speed",
  "rateOfTurn",
  "variation",
  "leeway",
  "wind",
  "depth",
  "environment",
  "date",
] as const;
export type PriorityKey = (typeof priorityKeys)[number];

export interface NavigationSettings {
  /** Time constant of the wind's damping in seconds; 0: no damping. */
  readonly windDamping: number;
  /** MMSI of own ship, which is not an AIS target. */
  readonly ownMmsi: number | undefined;
  /** Names that the crew gave to devices, by NAME in decimal digits. */
  readonly friendlyNames: ReadonlyMap<string, string>;
  /** Devices by NAME in decimal digits or by friendly name, the preferred one first. */
  readonly priority: Readonly<Partial<Record<PriorityKey, readonly string[]>>>;
  /** Variation from the bus, or from the World Magnetic Model wherever the position is known. */
  readonly variation: "bus" | "model";
  /** Whether the settings come from an entry of deploy.json. */
  readonly configLoaded: boolean;
}

const HIGHEST_NAME = 2n ** 64n - 1n;

const isName = (text: string): boolean => /^(0|[1-9]\d{0,19})$/.test(text) && BigInt(text) <= HIGHEST_NAME;

const anObject = z.record(z.string(), z.unknown(), "must be an object");
/** A NAME in settings, as text, because JSON numbers of 64 bits would be rounded. */
export const digitsOfName = z.string("must be a text").refine(isName, "is no NAME in decimal digits");
const friendlyName = z.string("must be a string").min(1, "must not be empty");
const item = z.string("must be a NAME in decimal digits, in quotes, or a friendly name").min(1, "must not be empty");
const aList = z.array(z.unknown(), "must be a list");

/** The members of the entry, from which form and reference are made too. */
const schema = z.object({
  windDamping: inUnit(
    "s",
    z.number("must be a number of seconds").min(0, "must be 0 or more").default(2),
    (seconds) => `time constant of the wind's damping, ${seconds}; 0 is none`,
  ),
  ownMmsi: z
    .int("must be an MMSI")
    .min(100_000_000, "must be an MMSI of nine digits")
    .max(999_999_999, "must be an MMSI")
    .optional()
    .describe("MMSI of this boat, which is left out of the AIS report"),
  friendlyNames: z
    .record(z.string(), friendlyName)
    .optional()
    .describe("names for devices, by NAME in decimal digits; the device's model without one"),
  priority: z
    .object(Object.fromEntries(priorityKeys.map((key) => [key, z.array(item).optional()])))
    .optional()
    .describe("for each quantity the preferred devices, by NAME or by friendly name, the best first"),
  variation: z
    .enum(["bus", "model"], 'must be "bus" or "model"')
    .default("bus")
    .describe("variation from the bus, or from the World Magnetic Model at the boat's position"),
});

function readFriendlyNames(value: unknown, warn: Warn): NavigationSettings["friendlyNames"] | undefined {
  const names = accept(anObject, value, ["friendlyNames"], warn);
  if (names === undefined) return undefined;
  const usable = Object.entries(names).flatMap(([name, given]) => {
    const place = ["friendlyNames", name];
    if (accept(digitsOfName, name, place, warn) === undefined) return [];
    const friendly = accept(friendlyName, given, place, warn);
    return friendly === undefined ? [] : [[name, friendly] as const];
  });
  return new Map(usable);
}

function readPriority(value: unknown, warn: Warn): NavigationSettings["priority"] | undefined {
  const lists = accept(anObject, value, ["priority"], warn);
  let isUsable = lists !== undefined;
  const priority: Partial<Record<PriorityKey, readonly string[]>> = {};
  for (const [key, list] of Object.entries(lists ?? {})) {
    const known = priorityKeys.find((one) => one === key);
    const place = ["priority", key];
    if (known === undefined) {
      warn(place, "is no quantity");
      continue;
    }
    const items = accept(aList, list, place, warn);
    isUsable &&= items !== undefined;
    priority[known] = items?.flatMap((one, index) => accept(item, one, [...place, index], warn) ?? []) ?? [];
  }
  return isUsable ? priority : undefined;
}

export const navigationSettings = entry<NavigationSettings>("navigation", {
  title: "Navigation",
  schema,
  byDefault: {
    ...schema.pick({ windDamping: true, variation: true }).parse({}),
    ownMmsi: undefined,
    friendlyNames: new Map(),
    priority: {},
    configLoaded: false,
  },
  members: {
    windDamping: schema.shape.windDamping.unwrap(),
    ownMmsi: schema.shape.ownMmsi.unwrap(),
    friendlyNames: readFriendlyNames,
    priority: readPriority,
    variation: schema.shape.variation.unwrap(),
  },
  present: { configLoaded: true },
  unknown: "is no member",
  keeps: "entry",
});

/** The friendly names of a device that has these NAMEs, in their order. */
export const friendlyNamesIn = (
  friendlyNames: NavigationSettings["friendlyNames"],
  names: readonly bigint[],
): readonly string[] => names.flatMap((name) => friendlyNames.get(String(name)) ?? []);

/** A warning for each name in the priorities that is neither a friendly name nor, by `isHeard`, the name of a device. */
export function unknownNames(
  { priority, friendlyNames }: NavigationSettings,
  isHeard: (name: string) => boolean,
): readonly Warning[] {
  const given = new Set(friendlyNames.values());
  return priorityKeys.flatMap((key) =>
    (priority[key] ?? [])
      .filter((name) => !given.has(name) && !isHeard(name))
      .map((name) => ({ path: ["priority", key], problem: `no device has the name ${name}` })),
  );
}

/**
 * Ranks devices by a priority list, from 0; unlisted ones come last. A device is listed by one of the names that
 * `namesOf` has for it: NAMEs, friendly names, or its model.
 */
export function rankIn(list: readonly string[] | undefined, namesOf: (device: Device) => readonly string[]): RankOf {
  if (list === undefined || list.length === 0) return () => 0;
  const ranks = new Map<string, number>();
  list.forEach((name, rank) => {
    if (!ranks.has(name)) ranks.set(name, rank);
  });
  return (device) => namesOf(device).reduce((best, name) => Math.min(best, ranks.get(name) ?? best), list.length);
}
