/**
 * The settings of the navigation report: the entry `navigation` of `settings` in deploy.json.
 *
 * An entry with an invalid member is refused, and the settings before it stay in force; in a valid member only the
 * invalid items are left out. Each gives a warning.
 */
import * as z from "zod";
import { type EntryReading, readEntry } from "../report/read-entry.ts";
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

export const defaultSettings: NavigationSettings = {
  windDamping: 2,
  ownMmsi: undefined,
  friendlyNames: new Map(),
  priority: {},
  variation: "bus",
  configLoaded: false,
};

const HIGHEST_NAME = 2n ** 64n - 1n;

const isName = (text: string): boolean => /^(0|[1-9]\d{0,19})$/.test(text) && BigInt(text) <= HIGHEST_NAME;

const anObject = z.record(z.string(), z.unknown(), "must be an object");
/** A NAME in settings, as text, because JSON numbers of 64 bits would be rounded. */
export const digitsOfName = z.string("must be a text").refine(isName, "is no NAME in decimal digits");
const friendlyName = z.string("must be a string").min(1, "must not be empty");
const item = z.string("must be a NAME in decimal digits, in quotes, or a friendly name").min(1, "must not be empty");
const aList = z.array(z.unknown(), "must be a list");

/** The members of the entry, from which form and reference are made too. */
export const navigationEntry = z.object({
  windDamping: z
    .number("must be a number of seconds")
    .min(0, "must be 0 or more")
    .default(defaultSettings.windDamping)
    .describe("time constant of the wind's damping, seconds; 0 is none"),
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
    .default(defaultSettings.variation)
    .describe("variation from the bus, or from the World Magnetic Model at the boat's position"),
});

/**
 * Reads the entry, which may be any JSON value: its settings, and a warning for each invalid part. Without an entry
 * (undefined) these are the defaults; an invalid entry leaves the settings of `before` in force.
 */
export const readNavigationSettings = (entry: unknown, before = defaultSettings): EntryReading<NavigationSettings> =>
  readEntry(
    entry,
    { byDefault: defaultSettings, before, shape: navigationEntry.shape, unknown: (key) => `${key} is no member` },
    (members, warn) => readMembers(members, warn) ?? before,
  );

/** Undefined if a value is invalid without which the entry is refused. */
function readMembers(
  members: Readonly<Record<string, unknown>>,
  warn: (warning: string) => void,
): NavigationSettings | undefined {
  let isInvalid = false;
  /** The value if it is valid; otherwise undefined and a warning. */
  const accept = <Value>(schema: z.ZodType<Value>, value: unknown, where: string): Value | undefined => {
    const result = schema.safeParse(value);
    if (!result.success) warn(`${where} ${result.error.issues[0]!.message}`);
    return result.data;
  };
  /** The same for a value without which the entry is refused. */
  const need = <Value>(schema: z.ZodType<Value>, value: unknown, where: string): Value | undefined => {
    const accepted = accept(schema, value, where);
    isInvalid ||= accepted === undefined;
    return accepted;
  };
  const member = <Value>(schema: z.ZodType<Value>, key: string): Value | undefined =>
    Object.hasOwn(members, key) ? need(schema, members[key], key) : undefined;

  const friendlyNames = new Map<string, string>();
  for (const [name, value] of Object.entries(member(anObject, "friendlyNames") ?? {})) {
    if (accept(digitsOfName, name, `friendlyNames: ${name}`) === undefined) continue;
    const friendly = accept(friendlyName, value, `friendlyNames: ${name}`);
    if (friendly !== undefined) friendlyNames.set(name, friendly);
  }
  const priority: Partial<Record<PriorityKey, readonly string[]>> = {};
  for (const [key, value] of Object.entries(member(anObject, "priority") ?? {})) {
    const known = priorityKeys.find((one) => one === key);
    if (known === undefined) {
      warn(`priority: ${key} is no quantity`);
      continue;
    }
    const items = need(aList, value, `priority: ${key}`) ?? [];
    priority[known] = items.flatMap((one, index) => accept(item, one, `priority: ${key}: item ${index + 1}`) ?? []);
  }
  const settings: NavigationSettings = {
    windDamping: member(navigationEntry.shape.windDamping, "windDamping") ?? defaultSettings.windDamping,
    ownMmsi: member(navigationEntry.shape.ownMmsi, "ownMmsi"),
    friendlyNames,
    priority,
    variation: member(navigationEntry.shape.variation, "variation") ?? defaultSettings.variation,
    configLoaded: true,
  };
  return isInvalid ? undefined : settings;
}

/** A reason for each name in the priorities that is neither a friendly name nor, by `isHeard`, the name of a device. */
export function unknownNames(
  { priority, friendlyNames }: NavigationSettings,
  isHeard: (name: string) => boolean,
): readonly string[] {
  const given = new Set(friendlyNames.values());
  return priorityKeys.flatMap((key) =>
    (priority[key] ?? [])
      .filter((name) => !given.has(name) && !isHeard(name))
      .map((name) => `priority: ${key}: no device has the name ${name}`),
  );
}

/**
 * Ranks devices by a priority list, from 0; unlisted ones come last. A device is listed by its NAME or by the name that
 * the report has for it.
 */
export function rankIn(
  list: readonly string[] | undefined,
  friendlyNameOf: (device: Device) => string | undefined,
): RankOf {
  if (list === undefined || list.length === 0) return () => 0;
  const ranks = new Map<string, number>();
  list.forEach((name, rank) => {
    if (!ranks.has(name)) ranks.set(name, rank);
  });
  const rankOf = (name: string | undefined): number =>
    (name === undefined ? undefined : ranks.get(name)) ?? list.length;
  return (device) =>
    Math.min(rankOf(device.name === undefined ? undefined : device.digits), rankOf(friendlyNameOf(device)));
}
