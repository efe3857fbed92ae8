import { expect, test } from "vitest";
import { detectFormat } from "../../../src/formats/recording/detect-format.ts";
import { canboatFast, canboatMixed, canboatPlain } from "../../../src/formats/recording/formats/canboat.ts";
import { signalKLog } from "../../../src/formats/recording/formats/signalk-log.ts";
import { type Frame, type Message, read } from "./reading.ts";

const text = (...lines: readonly string[]): Uint8Array => new TextEncoder().encode(`${lines.join("\n")}\n`);

test("the raw log of a Signal K server has messages and sentences", () => {
  const log = text(
    "1646237338450;A;2022-03-02T16:08:58.450Z,2,127250,4,255,8,00,10,3f,00,00,ff,7f,fd",
    "1646237338460;A;2022-03-02T16:08:58.460Z,6,127507,4,255,6,00,00,15,ff,ff,ff",
    "1646237338470;N;$HCHDM,100.0,M",
    "1646237338480;X;what",
  );
  expect(detectFormat(log, true)).toBe(signalKLog);
  const { records, malformed } = read(signalKLog, [log]);
  const pgns = (records as readonly Message[]).map(({ pgn }) => pgn);
  expect(pgns).toEqual([127250, 127507, 60928, 126996, 127250]);
  expect(records[0]!.wall).toBe(1_646_237_338_450_000);
  expect(records.at(-1)!.wall).toBe(1_646_237_338_470_000);
  expect(malformed).toBe(1);
});

test("its lines of other gateways have the times of their stamps", () => {
  const heading = "1646237338450;A;16:08:58.450 R 09F11204 00 10 3F 00 00 FF 7F FD";
  const later = "1646237339450;A;00:00:59.450 R 09F11204 00 10 3F 00 00 FF 7F FD";
  const ascii = "1646237338465;A;A160858.465 04FF2 1F112 00103F0000FF7FFD";
  for (const first of [heading, ascii]) expect(detectFormat(text(first), true)).toBe(signalKLog);
  const { records, malformed } = read(signalKLog, [text(heading, later, ascii)]);
  expect(malformed).toBe(0);
  expect(records.map(({ wall }) => wall)).toEqual([1646237338450000, 1646237339450000, 1646237338465000]);
  expect(records).toMatchObject([{ identifier: 0x89f11204 }, { identifier: 0x89f11204 }, { pgn: 127250 }]);
});

const line = (pgn: number, bytes: readonly number[]): string =>
  `2022-03-02T16:08:58.450Z,6,${pgn},4,255,${bytes.length},${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(",")}`;
/** The frames of a fast packet of 20 bytes of 129029. */
const frames = (counter: number): readonly string[] =>
  [[20, 1, 2, 3, 4, 5, 6], ...[1, 2].map(() => [1, 2, 3, 4, 5, 6, 7])].map((bytes, index) =>
    line(129029, [(counter << 5) | index, ...bytes]),
  );
const long = line(
  129029,
  Array.from({ length: 43 }, () => 1),
);

test("frames of fast packets among whole messages are recognized without a comment", () => {
  expect(detectFormat(text(long, ...frames(1), ...frames(2)), true)).toBe(canboatMixed);
  expect(detectFormat(text(...frames(1), ...frames(2)), true)).toBe(canboatPlain);
  // Sequence numbers of whole messages look like counters of frames.
  const headings = Array.from({ length: 100 }, (_, sid) => line(127250, [sid, 20, 0x3f, 0, 0, 0xff, 0x7f, 0xfd]));
  expect(detectFormat(text(long, ...headings), true)).toBe(canboatFast);
});

test("a line of a fast packet's PGN that is shorter than a frame is a message", () => {
  const charger = line(127507, [0, 0, 0x15, 0xff, 0xff, 0xff]);
  const { records } = read(canboatPlain, [text(charger, ...frames(1), charger)]);
  expect(records.map((record) => ("pgn" in record ? record.pgn : "frame"))).toEqual([
    127507,
    "frame",
    "frame",
    "frame",
    127507,
  ]);
});

test("the last frame of a fast packet may be short", () => {
  const [first, second] = frames(3) as [string, string];
  const { records } = read(canboatPlain, [text(first, second, line(129029, [(3 << 5) | 2, 1, 2, 3]))]);
  expect(records.every((record) => (record as Frame).identifier !== undefined)).toBe(true);
});
