/** Names of things on the display: in force, or typed and not in force yet; and the thing that is being named. */
import { signal } from "@preact/signals";
import { type NamedThing, nameOfThing, type Thing, thingOf } from "../../../core/n2k/thing.ts";
import type { PgnData } from "../../../core/topics/pgn-data.ts";
import { namesOf } from "./device-names.ts";
import { hull } from "./hull.ts";
import { store } from "./store.ts";

/** Names of the edited project, by the NAME of the device; undefined without an edited project. */
export const editedNames = signal<ReadonlyMap<string, readonly NamedThing[]>>();

interface ShownName {
  /** The name; undefined for a thing without one. */
  readonly name: string | undefined;
  readonly isInForce: boolean;
}

/** The name of the thing that a message of the device at an address is about. */
export function nameOf(address: number, data: PgnData): ShownName {
  const information = store.infos.get(address)?.data;
  const inForce = nameOfThing(information?.names, data.pgn, data);
  if (information === undefined || editedNames.value === undefined) return { name: inForce, isInForce: true };
  const edited = editedNames.value;
  const things = namesOf(information.name).flatMap((each) => edited.get(each) ?? []);
  const name = nameOfThing(things, data.pgn, data);
  return { name, isInForce: name === inForce };
}

/** The thing that is being named. */
export interface Naming {
  /** NAME of its device in decimal digits. */
  readonly device: string;
  readonly thing: Thing;
  readonly before: string;
}

export const naming = signal<Naming>();

/**
 * The first state of the form that names a thing; undefined if it cannot be named: ashore, for a device without a NAME,
 * for a PGN without keys.
 */
export function namingOf(address: number, data: PgnData): Naming | undefined {
  const device = store.infos.get(address)?.data.name;
  const thing = thingOf(data.pgn, data);
  if (hull !== undefined || device === undefined || thing === undefined) return undefined;
  return { device, thing, before: nameOf(address, data).name ?? "" };
}
