/** Numbers on the wire: width, sign, and the range of raw numbers that are values. */

/** Width in bits, two's complement or not, and the highest and lowest raw number that is a value and not a code. */
export interface WireType {
  readonly bits: number;
  readonly signed: boolean;
  readonly highest: number;
  readonly lowest: number;
  /** An IEEE 754 number of 32 bits. */
  readonly float?: true;
}

/**
 * NMEA 2000 reserves the top codes of a number for "not available", "error" and "reserved": three of 8 bits or more,
 * two of 4 to 7 bits, one of 2 or 3 bits, none of a single bit (as the canboat database 6.2.0 reads them).
 */
const codesAbove = (bits: number): number => (bits >= 8 ? 3 : bits >= 4 ? 2 : bits >= 2 ? 1 : 0);

const unsigned = (bits: number): WireType => ({
  bits,
  signed: false,
  highest: 2 ** bits - 1 - codesAbove(bits),
  lowest: 0,
});

const signed = (bits: number): WireType => ({
  bits,
  signed: true,
  highest: 2 ** (bits - 1) - 1 - codesAbove(bits),
  lowest: -(2 ** (bits - 1) - 1),
});

/** In SAE J1939 a top byte of 0xFB or more is a code. */
const j1939 = (bits: number): WireType => ({ bits, signed: false, highest: 0xfb * 2 ** (bits - 8) - 1, lowest: 0 });

export const u1 = unsigned(1);
export const u2 = unsigned(2);
export const u3 = unsigned(3);
export const u4 = unsigned(4);
export const u5 = unsigned(5);
export const u6 = unsigned(6);
export const u7 = unsigned(7);
export const u8 = unsigned(8);
export const u11 = unsigned(11);
export const u16 = unsigned(16);
export const u19 = unsigned(19);
export const u21 = unsigned(21);
export const u24 = unsigned(24);
export const u32 = unsigned(32);
export const s8 = signed(8);
export const s16 = signed(16);
export const s24 = signed(24);
export const s32 = signed(32);
export const s64 = signed(64);
/** Beyond 1e9 a number of seven digits has no decimals. */
export const f32: WireType = { bits: 32, signed: true, highest: 1e9, lowest: -1e9, float: true };
export const j8 = j1939(8);
export const j16 = j1939(16);
export const j32 = j1939(32);

/**
 * A number of any width, for layouts that are not written in this repository.
 *
 * @example wireType(12, false) // 12 bits, unsigned
 */
export const wireType = (bits: number, isSigned: boolean): WireType => (isSigned ? signed(bits) : unsigned(bits));

/**
 * The same bits with every code as a value (AIS fields, bit fields).
 *
 * @example integer(withoutReservedCodes(u2)) // 0 to 3
 */
export const withoutReservedCodes = (wire: WireType): WireType => ({
  ...wire,
  highest: wire.signed ? 2 ** (wire.bits - 1) - 1 : 2 ** wire.bits - 1,
});
