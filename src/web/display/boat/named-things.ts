/** Changes of the entry `names` of the settings. Pure. */
import { type NamedThing, nameOfThing, type Thing, thingId } from "../../../core/n2k/thing.ts";
import { nameSettings } from "../../../core/settings/names.ts";
import { say } from "../languages/say.ts";

type Entry = Readonly<Record<string, unknown>>;

/** The names of an entry, by the NAME of the device. */
export const namesIn = (entry: Entry): ReadonlyMap<string, readonly NamedThing[]> =>
  nameSettings.read(entry).settings.things;

/** The name of a thing of the device with these NAMEs; empty without one. */
export const nameIn = (entry: Entry, names: readonly string[], { pgn, key }: Thing): string =>
  nameOfThing(
    names.flatMap((each) => namesIn(entry).get(each) ?? []),
    pgn,
    key,
  ) ?? "";

/** Another screen has named a thing or a device since the name was begun here; the next save replaces that name. */
export class NamedMeanwhile extends Error {
  constructor(name: string) {
    super(
      say("Another screen has changed the name meanwhile, to {name}: save again to keep yours.", { name: name || "–" }),
    );
  }
}

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
