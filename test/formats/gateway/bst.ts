/** Messages of Actisense gateways, written by the manufacturer's description: summed up, escaped and framed. */
import type { CanFrame } from "../../../src/core/can/frames.ts";
import type { Said } from "../recording/writing.ts";

export const bytesOfHex = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ""), "hex");

/** A message, with its checksum, between DLE STX and DLE ETX. */
export function bst(message: string | Uint8Array): Buffer {
  const bytes = typeof message === "string" ? bytesOfHex(message) : message;
  let sum = 0;
  for (const byte of bytes) sum = (sum + byte) % 256;
  const whole = Buffer.concat([bytes, Buffer.of((256 - sum) % 256)]);
  return bytesOfHex(`1002${whole.toString("hex").replaceAll(/(..)/g, (byte) => (byte === "10" ? "1010" : byte))}1003`);
}

const little = (value: number, size: number): number[] =>
  Array.from({ length: size }, (_, index) => Math.floor(value / 256 ** index) % 256);

/** A message of the bus as an NGT-1 sends it, one of more than 223 bytes as newer gateways do. */
export function messageBst({ pgn, source, destination = 255, priority, payload }: Said): Buffer {
  const [low, middle, page] = little(pgn, 3) as [number, number, number];
  if (payload.length > 223) {
    const head = [destination, source, low, middle, page | (priority << 2), 2, ...little(123_456, 4)];
    return Buffer.from([0xd0, ...little(13 + payload.length, 2), ...head, ...payload]);
  }
  const head = [priority, low, middle, page, destination, source, ...little(123_456, 4), payload.length];
  return Buffer.from([0x93, head.length + payload.length, ...head, ...payload]);
}

/** A frame as Actisense gateways send it in their raw mode, with their counter of milliseconds. */
export function frameBst({ id, data }: CanFrame, counter: number): Buffer {
  const [source, low, middle, rest] = little(id, 4) as [number, number, number, number];
  const flags = (rest & 3) | ((rest >> 2) << 2);
  return Buffer.from([0x95, 6 + data.length, ...little(counter, 2), source, low, middle, flags, ...data]);
}

/** A tag of an EBL log. */
export function eblTag(tag: number, data: Uint8Array): Buffer {
  return bytesOfHex(`1b01${eblEscaped(Buffer.from([tag, ...data])).toString("hex")}1b0a`);
}

/** The tag of the time, of microseconds since 1970. */
export function eblTime(wall: number): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE((BigInt(wall) + 11_644_473_600_000_000n) * 10n);
  return eblTag(3, time);
}

/** Bytes of the connection in an EBL log. */
export const eblEscaped = (bytes: Buffer): Buffer =>
  bytesOfHex(bytes.toString("hex").replaceAll(/(..)/g, (byte) => (byte === "1b" ? "1b1b" : byte)));
