/** Changes of the entry `names` of the settings. Pure. */
import { type NamedThing, type Thing, thingId } from "../../../core/n2k/thing.ts";
import { nameSettings } from "../../../core/settings/names.ts";

type Entry = Readonly<Record<string, unknown>>;

/** The names of an entry, by the NAME of the device. */
export const namesIn = (entry: Entry): ReadonlyMap<string, readonly NamedThing[]> =>
  nameSettings.read(entry).settings.things;

const isOf = (item: unknown, devices: readonly string[], { pgn, key }: Thing): boolean => {
  const other = item as Partial<Thing> & { readonly device?: unknown };
  const isOfDevice = devices.some((device) => other?.device === device);
  return isOfDevice && other.pgn === pgn && thingId({ pgn, key: other.key ?? {} }) === thingId({ pgn, key });
};

/**
 * The entry with a new name for a thing of the device with these NAMEs, under the first; an empty name removes it. Items
 * that cannot be read stay.
 */
export function withName(entry: Entry, names: readonly string[], thing: Thing, name: string): Entry {
  const { things } = entry;
  const others = (Array.isArray(things) ? (things as unknown[]) : []).filter((item) => !isOf(item, names, thing));
  return { ...entry, things: name === "" ? others : [...others, { device: names[0], ...thing, name }] };
}
