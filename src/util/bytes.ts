/** True if two arrays hold the same bytes. */
export function bytesEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
