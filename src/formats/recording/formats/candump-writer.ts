/**
 * Writes frames as text of `candump -L`, which `canplayer` and `candump-log.ts` read:
 *
 *     (1795248866.123000) can0 09F11203#FF2A366C2BBA0000
 *
 * An identifier has eight digits for 29 bits and for an error frame (whose bit 29 is written), three for 11 bits; a
 * remote frame has R and its length behind the `#`.
 */
import { ERROR_FRAME, EXTENDED_FRAME, FRAME_BYTES, type FrameBatch, REMOTE_FRAME } from "../frame-batch.ts";
import { dataText, digitsOf } from "./frame-text.ts";

function identifierText(identifier: number): string {
  if ((identifier & ERROR_FRAME) !== 0) return digitsOf(identifier & 0x3fffffff, 8);
  return (identifier & EXTENDED_FRAME) !== 0 ? digitsOf(identifier & 0x1fffffff, 8) : digitsOf(identifier & 0x7ff, 3);
}

/** The lines of a batch, each with its line feed. */
export function candumpText({ bytes, length }: FrameBatch, interfaceName: string): string {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, length >> 2);
  const doubles = new Float64Array(bytes.buffer, bytes.byteOffset, length >> 3);
  let text = "";
  for (let at = 0; at < length; at += FRAME_BYTES) {
    const micros = Math.floor(doubles[at >> 3]!);
    const seconds = String(Math.floor(micros / 1e6)).padStart(10, "0");
    const fraction = String(micros % 1e6).padStart(6, "0");
    const identifier = words[(at >> 2) + 4]!;
    const count = bytes[at + 20]!;
    const isRemote = (identifier & (REMOTE_FRAME | ERROR_FRAME)) === REMOTE_FRAME;
    const data = isRemote ? `R${count === 0 ? "" : count}` : dataText(bytes, at + 24, count);
    text += `(${seconds}.${fraction}) ${interfaceName} ${identifierText(identifier)}#${data}\n`;
  }
  return text;
}
