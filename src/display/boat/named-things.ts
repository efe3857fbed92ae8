/** The entry `names` of the settings as the display changes it. Pure. */
import { type NamedThing, type Thing, thingId } from "../../n2k/thing.ts";
import { readNameSettings } from "../../settings/names.ts";

type Entry = Readonly<Record<string, unknown>>;

/** The names of an entry, by the NAME of the device. */
export const namesIn = (entry: Entry): ReadonlyMap<string, readonly NamedThing[]> =>
  readNameSettings(entry).settings.things;

const isOf = (item: unknown, device: string, { pgn, key }: Thing): boolean => {
  const other = item as Partial<Thing> & { readonly device?: unknown };
  return (
    other?.device === device && other.pgn === pgn && thingId({ pgn, key: other.key ?? {} }) === thingId({ pgn, key })
  );
};

/** The entry with another name of a thing; with an empty one without any. Items that are not understood stay. */
export function withName(entry: Entry, device: string, thing: Thing, name: string): Entry {
  const { things } = entry;
  const others = (Array.isArray(things) ? (things as unknown[]) : []).filter((item) => !isOf(item, device, thing));
  return { ...entry, things: name === "" ? others : [...others, { device, ...thing, name }] };
}
