/** Entries of a section by their key. */
import type { Draft, Entry, ListSection, SectionName } from "./document.ts";
import { equal, type Json, type JsonObject, without } from "./json.ts";
import { Refusal } from "./refusal.ts";

/** The entry of that key or 404 `no such <section> entry`. */
export const needEntry = (draft: Draft, section: ListSection, key: Json): Entry =>
  existing(section, draft.find(section, key));

/** The entry of a section; 404 if there is none. */
export function existing(section: SectionName, entry: Entry | undefined): Entry {
  if (entry === undefined) throw new Refusal(404, `no such ${section} entry`);
  return entry;
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
 * True if a body is the response of a GET: it is stored unchanged, even with members, types and an order of members
 * that a new entry would not have.
 */
export const isUnchanged = (body: Json | undefined, stored: Json | undefined): boolean =>
  stored !== undefined && equal(body, stored);
