/**
 * Writes frames as Yacht Devices RAW (`yacht-devices.ts`):
 *
 *     17:33:21.107 R 19F51323 01 2F 30 70 00 2F 30 70
 *
 * The time of day is UTC. The format knows data frames with 29 bits alone; other frames are left out.
 */
import { ERROR_FRAME, EXTENDED_FRAME, FRAME_BYTES, type FrameBatch, REMOTE_FRAME } from "../frame-batch.ts";
import { MILLISECONDS_OF_DAY } from "../wall-time.ts";
import { dataText, digitsOf } from "./frame-text.ts";

const decimal = (value: number, count: number): string => String(value).padStart(count, "0");

/** `hh:mm:ss.ddd` of a wall clock, microseconds since 1970. */
function timeOfDay(wall: number): string {
  const sinceMidnight = Math.floor(wall / 1000) % MILLISECONDS_OF_DAY;
  const milliseconds = sinceMidnight < 0 ? sinceMidnight + MILLISECONDS_OF_DAY : sinceMidnight;
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const clock = [Math.floor(minutes / 60), minutes % 60, seconds % 60].map((value) => decimal(value, 2)).join(":");
  return `${clock}.${decimal(milliseconds % 1000, 3)}`;
}

/** The lines of a batch, each with its line end. */
export function rawText({ bytes, length }: FrameBatch): string {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, length >> 2);
  const doubles = new Float64Array(bytes.buffer, bytes.byteOffset, length >> 3);
  let text = "";
  for (let at = 0; at < length; at += FRAME_BYTES) {
    const identifier = words[(at >> 2) + 4]!;
    if ((identifier & EXTENDED_FRAME) === 0 || (identifier & (ERROR_FRAME | REMOTE_FRAME)) !== 0) continue;
    const data = dataText(bytes, at + 24, bytes[at + 20]!, " ");
    text += `${timeOfDay(doubles[at >> 3]!)} R ${digitsOf(identifier & 0x1fffffff, 8)}${data}\r\n`;
  }
  return text;
}
