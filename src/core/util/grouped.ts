/** Values and lists by key. `Map.getOrInsertComputed` and `Map.groupBy` are not in Node.js 20. */

/** The value of a key, which is made if it is missing. */
export function entryOf<Key, Value>(
  entries: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => NoInfer<Value>,
): Value {
  const known = entries.get(key);
  if (known !== undefined) return known;
  const made = make();
  entries.set(key, made);
  return made;
}

/** Sets the value of a key as the newest one; beyond `most` values the oldest leaves. */
export function setNewest<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value, most: number): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size > most) entries.delete(entries.keys().next().value!);
}

export const addTo = <Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void =>
  void entryOf(lists, key, () => []).push(item);

/** The items by their keys; keys and items in the order in which they come. */
export function groupedBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): ReadonlyMap<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}
