/**
 * Memoizes `compute` per key object, for as long as the key lives: one compiled decoder per definition, one parsed
 * project per array of bytes. An exception is not cached.
 */
export function memoize<Key extends object, Value extends object | string | number | boolean>(
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
