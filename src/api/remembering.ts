/**
 * Work on values that come again and again. A store reads a file each time, so an edit by hand is seen at once, but gives the
 * same array as long as the file holds the same bytes; what they come to is worked out once and goes when the array does.
 */

/** The same function, which nobody asks twice for one object; a result that throws is not remembered. */
export function remembering<Key extends object, Value extends object | string>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const results = new WeakMap<Key, Value>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    results.set(key, value);
    return value;
  };
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
