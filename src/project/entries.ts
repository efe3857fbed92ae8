/** Entries of a section by their key: find, put and remove them in a draft. */
import {
  type Draft,
  dropEntry,
  type Entry,
  entriesOf,
  findEntry,
  type ListSection,
  putEntry,
  setSection,
} from "./document.ts";
import { equal, type Json, type JsonObject, without } from "./json.ts";
import { Refusal } from "./refusal.ts";

/** The entry of that key or 404 `no such <section> entry`. */
export function needEntry(draft: Draft, section: ListSection, key: string, value: Json): Entry {
  const entry = findEntry(entriesOf(draft.project, section), key, value);
  if (entry === undefined) throw new Refusal(404, `no such ${section} entry`);
  return entry;
}

/** Puts an entry into its section: in its place, or at the end. An equal entry in its place leaves the draft as it is. */
export function storeEntry(draft: Draft, section: ListSection, key: string, entry: Entry): void {
  const list = entriesOf(draft.project, section);
  const after = putEntry(list, key, entry);
  if (after !== list) setSection(draft, section, after);
}

/** Takes an entry out of its section; 404 if there is none. */
export function removeEntry(draft: Draft, section: ListSection, key: string, value: Json): void {
  needEntry(draft, section, key, value);
  setSection(draft, section, dropEntry(entriesOf(draft.project, section), key, value));
}

/**
 * An entry with its keys first; they win over the body's.
 *
 * @example
 * keyed({ name: "bilge" }, { unit: "cm", name: "other" }); // { name: "bilge", unit: "cm" }
 */
export const keyed = (keys: JsonObject, body: JsonObject): Entry => ({
  ...keys,
  ...without(body, ...Object.keys(keys)),
});

/**
 * True if a body is what a GET has shown: it is taken back as it is, with members, kinds and an order of members that a new
 * entry would not be given.
 */
export const isUnchanged = (body: Json | undefined, stored: Json | undefined): boolean =>
  stored !== undefined && equal(body, stored);
