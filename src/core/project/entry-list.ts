/**
 * A list of entries with an index of their keys: find, put and remove in constant time for any length of the list.
 *
 * If a file written by others has several entries with one key, the first one counts and the others are kept.
 */
import { type Json, type JsonObject, own, rounded } from "./json.ts";

type Key = Json | undefined;

export type KeyOf = (entry: JsonObject) => Key;

/** The member of an entry that is its key. */
export const member =
  (name: string): KeyOf =>
  (entry) =>
    rounded(own(entry, name));

export const byName = member("name");

/** The index that made an array, while the index has not changed. */
const indexes = new WeakMap<readonly JsonObject[], EntryList>();

export class EntryList {
  readonly #keyOf: KeyOf;
  /** Removed entries leave their places empty, so that the places of the others stay. */
  readonly #entries: (JsonObject | undefined)[];
  /** The place of the first entry of each key, and those of the others. */
  readonly #places = new Map<Key, number>();
  readonly #laterPlaces = new Map<Key, number[]>();
  #array: readonly JsonObject[] | undefined;

  constructor(list: readonly JsonObject[], keyOf: KeyOf) {
    this.#array = list;
    this.#keyOf = keyOf;
    this.#entries = [...list];
    for (const [place, entry] of list.entries()) this.#enter(keyOf(entry), place);
  }

  /**
   * An index of a list that is part of an entry. A run of changes makes one, which moves from each list to the next.
   */
  static of(list: readonly JsonObject[], keyOf: KeyOf): EntryList {
    const known = indexes.get(list);
    if (known !== undefined && known.#array === list && known.#keyOf === keyOf) return known;
    const index = new EntryList(list, keyOf);
    indexes.set(list, index);
    return index;
  }

  #enter(key: Key, place: number): void {
    const later = this.#laterPlaces.get(key);
    if (later !== undefined) later.push(place);
    else if (this.#places.has(key)) this.#laterPlaces.set(key, [place]);
    else this.#places.set(key, place);
  }

  #leave(key: Key): void {
    const later = this.#laterPlaces.get(key);
    if (later === undefined) {
      this.#places.delete(key);
      return;
    }
    this.#places.set(key, later.shift()!);
    if (later.length === 0) this.#laterPlaces.delete(key);
  }

  /**
   * A number that stays the same while the entry is in the list, in the order of the list; undefined if there is no
   * entry.
   */
  placeOf(key: Key): number | undefined {
    return this.#places.get(key);
  }

  get(key: Key): JsonObject | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#entries[place];
  }

  /** Replaces the entry of the same key or appends the entry; false if the list has this very object. */
  put(entry: JsonObject): boolean {
    const key = this.#keyOf(entry);
    const place = this.#places.get(key);
    if (place === undefined) {
      this.append(entry);
      return true;
    }
    if (this.#entries[place] === entry) return false;
    this.#entries[place] = entry;
    this.#array = undefined;
    return true;
  }

  /** Adds an entry at the end, even if its key exists. */
  append(entry: JsonObject): void {
    this.#enter(this.#keyOf(entry), this.#entries.push(entry) - 1);
    this.#array = undefined;
  }

  /** Puts an entry in place of the one at a place, with the same key. */
  putAt(place: number, entry: JsonObject): void {
    this.#entries[place] = entry;
    this.#array = undefined;
  }

  /** Puts an entry in place of the one of that key, whose key it need not have. */
  replace(key: Key, entry: JsonObject): void {
    const place = this.#places.get(key);
    if (place === undefined) return this.append(entry);
    this.#leave(key);
    this.#entries[place] = entry;
    this.#enter(this.#keyOf(entry), place);
    this.#array = undefined;
  }

  /** False if there was none. */
  remove(key: Key): boolean {
    const place = this.#places.get(key);
    if (place === undefined) return false;
    this.#leave(key);
    this.#entries[place] = undefined;
    this.#array = undefined;
    return true;
  }

  *[Symbol.iterator](): Generator<readonly [place: number, entry: JsonObject]> {
    for (const [place, entry] of this.#entries.entries()) if (entry !== undefined) yield [place, entry];
  }

  /** The entries; the same array while nothing has changed. */
  toArray(): readonly JsonObject[] {
    if (this.#array === undefined) {
      this.#array = this.#entries.filter((entry) => entry !== undefined);
      indexes.set(this.#array, this);
    }
    return this.#array;
  }
}
