/**
 * Yacht Devices YDWG-02, YDEN-02 and YDNR-02 with a server of type RAW, and others that speak it (YDWG-02 manual,
 * appendix "Format of messages in RAW mode"): a line a frame, with a time of day. A line `19F51323 01 02` to it is sent
 * on the bus, and comes back marked with T.
 */

import { digitsOf } from "../recording/formats/frame-text.ts";
import { parseRawLines } from "../recording/formats/yacht-devices.ts";
import { lineReader } from "../recording/line-reader.ts";
import { TimesOfDay } from "../recording/wall-time.ts";
import type { Gateway, Session } from "./gateway.ts";
import { bytesOf, noDate, textAt } from "./text.ts";

const PORT = 1457;
/** Maximum sent frames that have not come back: a gateway that does not repeat them must not fill the memory. */
const MAX_SENT = 64;

function open(): Session {
  /** Frames that have not come back, the oldest first: the node must not hear its own. */
  const sent: string[] = [];
  const parse = parseRawLines(new TimesOfDay(noDate.modified));
  const isEcho = (line: string): boolean => {
    const [, frame] = / T (.*)$/.exec(line.trim()) ?? [];
    const at = frame === undefined ? -1 : sent.indexOf(frame.trim().toUpperCase());
    if (at !== -1) sent.splice(at, 1);
    return at !== -1;
  };
  const reader = lineReader(
    (bytes, from, to, writer) => (sent.length > 0 && isEcho(textAt(bytes, from, to))) || parse(bytes, from, to, writer),
  );
  const encode = (id: number, data: Uint8Array): Uint8Array => {
    const line = [digitsOf(id, 8), ...Array.from(data, (byte) => digitsOf(byte, 2))].join(" ");
    if (sent.length >= MAX_SENT) sent.shift();
    sent.push(line);
    return bytesOf(`${line}\r\n`);
  };
  return Object.assign(reader, { encode });
}

export const yachtDevices: Gateway = {
  title: "Yacht Devices RAW",
  endpoints: [
    { scheme: "yd-raw+tcp", transport: "tcp", port: PORT },
    { scheme: "yd-raw+udp", transport: "udp", port: PORT },
  ],
  carries: "frames",
  transmits: "frames",
  open,
};
