/** Lists by key. `Map.groupBy` is not in Node.js 20. */

/** Adds an item to the list of a key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The items by their keys; keys and items in the order in which they come. */
export function groupedBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): ReadonlyMap<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}
