/**
 * Work on files that are asked for again and again. A file is read each time, so an edit by hand is seen at once; what its bytes
 * come to is worked out anew only when they are others.
 */

/** Up to this size the latest bytes are kept for comparison, which is a small part of the work they spare. */
const SMALL = 64 << 10;

/** The same function of bytes, with its latest result remembered; a result that throws is not. */
export function remembering<Value>(compute: (bytes: Uint8Array) => Value): (bytes: Uint8Array) => Value {
  let latest: { readonly bytes: Uint8Array; readonly value: Value } | undefined;
  return (bytes) => {
    if (latest !== undefined && isSame(latest.bytes, bytes)) return latest.value;
    const value = compute(bytes);
    latest = bytes.length <= SMALL ? { bytes, value } : undefined;
    return value;
  };
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
