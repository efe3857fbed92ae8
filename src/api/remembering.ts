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

/** The same for texts: at most so many results are remembered. */
export function rememberingTexts<Value>(most: number, compute: (text: string) => Value): (text: string) => Value {
  const results = new Map<string, Value>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const value = compute(text);
    if (results.size === most) results.clear();
    results.set(text, value);
    return value;
  };
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
