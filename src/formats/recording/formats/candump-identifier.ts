/** CAN identifiers as all forms of candump write them. */
import { ERROR_FRAME, EXTENDED_FRAME } from "../frame-batch.ts";

/**
 * The identifier with its flags, as a signed 32-bit integer: three digits are 11 bits, eight are 29 bits or an error
 * frame, whose bit 29 is written. -1 when it is neither.
 */
export function candumpIdentifier(value: number, digits: number): number {
  if (digits === 3) return value > 0x7ff ? -1 : value;
  if (digits !== 8) return -1;
  const bitsAbove = value >>> 29;
  if (bitsAbove === 0) return value | EXTENDED_FRAME;
  return bitsAbove === ERROR_FRAME >>> 29 ? value : -1;
}
