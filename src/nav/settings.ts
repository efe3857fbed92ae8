/**
 * What the boat's owner wants of the navigation report: the entry `navigation` of `settings` in deploy.json.
 *
 * An entry with a member that cannot be used is broken, and the settings before it stay; of a member that is well made only
 * the items that cannot be used are left out. Both are told in a sentence.
 */
import * as z from "zod";
import type { Device } from "./devices.ts";

/** What a priority can be given for. `wind` serves the apparent and the true wind, `environment` each of its members. */
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
  /** Time constant of the wind's damping in seconds; 0 is none. */
  readonly windDamping: number;
  /** MMSI of this boat, which is no AIS target. */
  readonly ownMmsi: number | undefined;
  /** What the crew calls a device, by its NAME in decimal digits. */
  readonly friendlyNames: ReadonlyMap<string, string>;
  /** Devices by NAME in decimal digits or by friendly name, the preferred one first. */
  readonly priority: Readonly<Partial<Record<PriorityKey, readonly string[]>>>;
  /** Variation: as the bus says it, or from the World Magnetic Model wherever the position is known. */
  readonly variation: "bus" | "model";
  /** Whether these settings come from an entry of deploy.json. */
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
const windDamping = z.number("must be a number of seconds").min(0, "must be 0 or more");
const ownMmsi = z.int("must be an MMSI").min(1, "must be an MMSI").max(999_999_999, "must be an MMSI");
const variation = z.enum(["bus", "model"], 'must be "bus" or "model"');
const aName = z.string().refine(isName, "is no NAME in decimal digits");
const friendlyName = z.string("must be a string").min(1, "must not be empty");
const aList = z.array(z.unknown(), "must be a list");
const item = z.string("must be a NAME in decimal digits, in quotes, or a friendly name").min(1, "must not be empty");

/**
 * The settings of the entry, whatever it is, and a sentence for each thing in it that cannot be used. Without an entry
 * (undefined) the defaults hold; a broken one leaves those that were in force `before`.
 */
export function readNavigationSettings(
  entry: unknown,
  before = defaultSettings,
): { settings: NavigationSettings; warnings: readonly string[] } {
  if (entry === undefined) return { settings: defaultSettings, warnings: [] };
  const warnings: string[] = [];
  let isBroken = false;
  /** The value if the schema takes it; else undefined and a sentence. */
  const accept = <Value>(schema: z.ZodType<Value>, value: unknown, where: string): Value | undefined => {
    const result = schema.safeParse(value);
    if (!result.success) warnings.push(`${where} ${result.error.issues[0]!.message}`);
    return result.data;
  };
  /** The same for what the settings cannot do without. */
  const need = <Value>(schema: z.ZodType<Value>, value: unknown, where: string): Value | undefined => {
    const accepted = accept(schema, value, where);
    isBroken ||= accepted === undefined;
    return accepted;
  };
  const members = need(anObject, entry, "the entry") ?? {};
  const member = <Value>(schema: z.ZodType<Value>, key: string): Value | undefined =>
    Object.hasOwn(members, key) ? need(schema, members[key], key) : undefined;

  const friendlyNames = new Map<string, string>();
  for (const [name, value] of Object.entries(member(anObject, "friendlyNames") ?? {})) {
    if (accept(aName, name, `friendlyNames: ${name}`) === undefined) continue;
    const friendly = accept(friendlyName, value, `friendlyNames: ${name}`);
    if (friendly !== undefined) friendlyNames.set(name, friendly);
  }
  const priority: Partial<Record<PriorityKey, readonly string[]>> = {};
  for (const [key, value] of Object.entries(member(anObject, "priority") ?? {})) {
    const known = priorityKeys.find((one) => one === key);
    if (known === undefined) {
      warnings.push(`priority: ${key} is no quantity`);
      continue;
    }
    const items = need(aList, value, `priority: ${key}`) ?? [];
    priority[known] = items.flatMap((one, index) => accept(item, one, `priority: ${key}: item ${index + 1}`) ?? []);
  }
  const settings: NavigationSettings = {
    windDamping: member(windDamping, "windDamping") ?? defaultSettings.windDamping,
    ownMmsi: member(ownMmsi, "ownMmsi"),
    friendlyNames,
    priority,
    variation: member(variation, "variation") ?? defaultSettings.variation,
    configLoaded: true,
  };
  return { settings: isBroken ? before : settings, warnings };
}

/**
 * The place of a device in a priority list, from 0; behind the list when it is not listed. A device goes by its NAME or
 * by the name that the report shows for it.
 */
export function placeIn(
  list: readonly string[] | undefined,
  friendlyNameOf: (device: Device) => string | undefined,
): (device: Device) => number {
  if (list === undefined || list.length === 0) return () => 0;
  const places = new Map<string, number>();
  list.forEach((name, place) => {
    if (!places.has(name)) places.set(name, place);
  });
  const placeOf = (name: string | undefined): number =>
    (name === undefined ? undefined : places.get(name)) ?? list.length;
  return (device) =>
    Math.min(placeOf(device.name === undefined ? undefined : device.digits), placeOf(friendlyNameOf(device)));
}
