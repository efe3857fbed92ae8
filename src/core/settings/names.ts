/**
 * The names that the crew gives to things: the entry `names` of `settings` in deploy.json.
 *
 *     {"name": "names", "things": [{"device": "13830568260498030592", "pgn": 127505,
 *      "key": {"instance": 2, "fluidType": "Fuel"}, "name": "Day tank"}]}
 *
 * An item that cannot be used gives a warning and is left out.
 */
import * as z from "zod";
import { namedThing } from "../n2k/named-thing.ts";
import { type NamedThing, type Thing, thingId, thingKeyNames, thingOf } from "../n2k/thing.ts";
import { digitsOfName } from "../nav/settings.ts";
import { eachItem, entry, type Warn, type Warning, warningsOf } from "../report/read-entry.ts";

/** Maximum things; a boat has some hundreds. */
const MAX_THINGS = 1000;

const thing = z.strictObject({
  device: digitsOfName.describe("NAME of the device, in decimal digits"),
  ...namedThing.shape,
});

const schema = z.object({
  things: z
    .array(thing)
    .max(MAX_THINGS)
    .optional()
    .describe("names of tanks, batteries, engines, switches and sensors, by device, PGN and key fields"),
});

export interface NameSettings {
  /** Things by the NAME of their device in decimal digits. */
  readonly things: ReadonlyMap<string, readonly NamedThing[]>;
}

type Device = string;

/** The thing of an item and its device, or what of the item cannot be used. */
function readThing(item: unknown): readonly [Device, NamedThing] | Warning {
  const { data, error } = thing.safeParse(item);
  if (error !== undefined) return warningsOf(error)[0]!;
  const { device, pgn, key, name } = data;
  const of = thingOf(pgn, key);
  if (of === undefined) return { path: ["pgn"], problem: `${pgn} is no PGN whose things have names` };
  const unknown = Object.keys(key).find((member) => !thingKeyNames(pgn)!.includes(member));
  return unknown === undefined
    ? [device, { ...of, name }]
    : { path: ["key", unknown], problem: `is no key field of PGN ${pgn}` };
}

function readThings(items: unknown, warn: Warn): NameSettings["things"] | undefined {
  const things = new Map<Device, Map<string, NamedThing>>();
  const add = (item: unknown): Warning | undefined => {
    const read = readThing(item);
    if ("problem" in read) return read;
    const [device, named] = read;
    const ofDevice = things.get(device) ?? new Map<string, NamedThing>();
    if (ofDevice.has(thingId(named))) return { path: [], problem: "names a thing that is named above" };
    things.set(device, ofDevice.set(thingId(named), named));
    return undefined;
  };
  if (!eachItem(items, { name: "things", max: MAX_THINGS }, warn, add)) return undefined;
  return new Map([...things].map(([device, ofDevice]) => [device, [...ofDevice.values()]]));
}

export const nameSettings = entry<NameSettings>("names", {
  title: "Names",
  schema,
  byDefault: { things: new Map() },
  members: { things: readThings },
});

/** The name of a thing, of which a member of its key may not be known; undefined if those that fit have different names. */
export function nameAmong(things: readonly NamedThing[], { pgn, key }: Thing): string | undefined {
  const isMeant = (named: NamedThing): boolean =>
    named.pgn === pgn && Object.entries(key).every(([member, value]) => named.key[member] === value);
  const names = new Set(things.filter(isMeant).map(({ name }) => name));
  return names.size === 1 ? [...names][0] : undefined;
}
