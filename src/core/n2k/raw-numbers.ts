/** Raw numbers that an expression of shifts cannot read. */

const scratch = new DataView(new ArrayBuffer(8));

const load = (bytes: Uint8Array, from: number, count: number): void => {
  for (let at = 0; at < count; at++) scratch.setUint8(at, bytes[from + at]!);
};

/** IEEE 754 of 32 bits, little-endian. */
export function readFloat(bytes: Uint8Array, from: number): number {
  load(bytes, from, 4);
  return scratch.getFloat32(0, true);
}

/** All digits of a number of 64 bits; undefined for all ones. */
export function readUnsigned64(bytes: Uint8Array, from: number): string | undefined {
  load(bytes, from, 8);
  const value = scratch.getBigUint64(0, true);
  return value === 0xffff_ffff_ffff_ffffn ? undefined : String(value);
}

/** The names of the bits that are set; undefined if all are set, as in a field that is not available. */
export function readBits(
  bytes: Uint8Array,
  from: number,
  shift: number,
  names: readonly string[],
): readonly string[] | undefined {
  const set = names.filter((_, bit) => (bytes[from + ((shift + bit) >> 3)]! >> ((shift + bit) & 7)) & 1);
  return set.length === names.length && names.length > 1 ? undefined : set;
}
