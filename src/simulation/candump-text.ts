/** The simulated voyage as the text that `candump -L` writes, for tools and benchmarks that want a recording. */
import { FRAME_BYTES } from "../recording/frame-batch.ts";
import { simulated } from "./traffic.ts";

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, "0"));

function line(
  seconds: string,
  identifier: number,
  bytes: Uint8Array,
  at: number,
  length: number,
  name: string,
): string {
  let data = "";
  for (let byte = at; byte < at + length; byte++) data += hex[bytes[byte]!];
  return `(${seconds}) ${name} ${identifier.toString(16).toUpperCase().padStart(8, "0")}#${data}\n`;
}

/**
 * Pieces of text, whole lines each, of the first `duration` milliseconds of the voyage that begins at `wall`, milliseconds
 * since 1970.
 *
 * @example for (const text of simulatedCandump(60_000, Date.UTC(2026, 10, 21))) file.write(text);
 */
export function* simulatedCandump(duration: number, wall: number, interfaceName = "can0"): Generator<string, void> {
  for (const { frames } of simulated(duration, wall)) {
    const { bytes, length } = frames!;
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, length >> 2);
    const doubles = new Float64Array(bytes.buffer, bytes.byteOffset, length >> 3);
    let text = "";
    for (let at = 0; at < length; at += FRAME_BYTES) {
      const micros = doubles[at >> 3]!;
      const fraction = String(micros % 1e6).padStart(6, "0");
      const seconds = `${String(Math.floor(micros / 1e6)).padStart(10, "0")}.${fraction}`;
      text += line(seconds, words[(at >> 2) + 4]! & 0x1fffffff, bytes, at + 24, bytes[at + 20]!, interfaceName);
    }
    yield text;
  }
}
