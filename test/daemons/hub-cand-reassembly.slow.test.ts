/** Frames that a bus loses, repeats, reorders or should not have sent: recordings through the bundle. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { toCanId } from "../../src/core/can/can-id.ts";
import { broadcastFrames, type CanFrame, fastPacketFrames } from "../../src/core/can/frames.ts";
import { encoderOf } from "../../src/core/n2k/encode.ts";
import { gnssPositionData } from "../../src/core/n2k/pgns/gnss.ts";
import { linesOf, runHubCand } from "../support/hub-cand.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hub-cand-reassembly-"));
});

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0");
const line = ({ id, data }: CanFrame, at: number): string =>
  `(${(1795248866 + at / 1000).toFixed(6)}) can0 ${hex(id, 8)}#${Buffer.from(data).toString("hex").toUpperCase()}`;

/** A position whose number of satellites tells it from others: 43 bytes, seven frames. */
const payload = (satellites: number): Uint8Array =>
  encoderOf(gnssPositionData)({
    pgn: 129029,
    sequenceId: 1,
    latitude: 52,
    longitude: 4,
    altitude: satellites,
    numberOfSatellites: satellites,
  });
const header = (source: number) => ({ priority: 3, pgn: 129029, source, destination: 255 });
const packet = (satellites: number, { sequence = 0, source = 3 } = {}): readonly CanFrame[] =>
  fastPacketFrames(header(source), payload(satellites), sequence);

/** Turn by turn a frame of each. */
const interleaved = (...packets: readonly (readonly CanFrame[])[]): CanFrame[] =>
  packets[0]!.flatMap((_, index) => packets.map((frames) => frames[index]!));
const without = (frames: readonly CanFrame[], ...lost: readonly number[]): CanFrame[] =>
  frames.filter((_, index) => !lost.includes(index));
/** A first frame that announces `length` bytes, and their frames, up to the limit of five bits of numbering. */
const announcing = (length: number): CanFrame[] =>
  Array.from({ length: Math.min(32, 1 + Math.ceil(Math.max(0, length - 6) / 7)) }, (_, index) => ({
    id: toCanId(header(3)),
    data: Uint8Array.from([index, ...(index === 0 ? [length] : [0]), 0, 0, 0, 0, 0, 0]),
  }));

const management = (control: readonly number[], source = 9, destination = 255): CanFrame => ({
  id: toCanId({ priority: 7, pgn: 60416, source, destination }),
  data: Uint8Array.from(control),
});
const transfer = (bytes: Uint8Array, source = 9, destination = 255): CanFrame[] =>
  Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) => ({
    id: toCanId({ priority: 7, pgn: 60160, source, destination }),
    data: Uint8Array.from(
      [index + 1, ...bytes.slice(index * 7, index * 7 + 7)].concat(Array(7).fill(0xff)).slice(0, 8),
    ),
  }));
const requestToSend = management([16, 43, 0, 7, 7, 0x05, 0xf8, 1], 9, 36);
const clearToSend = management([17, 7, 1, 255, 255, 0x05, 0xf8, 1], 36, 9);
const endOfMessage = management([19, 43, 0, 7, 255, 0x05, 0xf8, 1], 36, 9);
const abort = management([255, 3, 255, 255, 255, 0x05, 0xf8, 1], 36, 9);

type Log = readonly string[];
/** Frames a millisecond apart. */
const log = (frames: readonly CanFrame[], from = 0): Log => frames.map((frame, index) => line(frame, from + index));

/** Requests of another device every 50 ms. */
const others = (from: number, to: number): Log =>
  Array.from({ length: Math.ceil((to - from) / 50) }, (_, index) =>
    line(
      { id: toCanId({ priority: 6, pgn: 59904, source: 77, destination: 255 }), data: Uint8Array.of(0x14, 0xf0, 1) },
      from + 50 * index,
    ),
  );

const middle = packet(9);
const swapped = [...middle.slice(0, 3), middle[4]!, middle[3]!, ...middle.slice(5)];

const cases: readonly [string, Log, satellites: readonly number[], counts: string][] = [
  ["a whole packet", log(packet(9)), [9], ""],
  ["two sequences of one sender, interleaved", log(interleaved(packet(7), packet(8, { sequence: 1 }))), [7, 8], ""],
  ["two senders, interleaved", log(interleaved(packet(7), packet(8, { source: 4 }))), [7, 8], ""],
  ["the first frame lost", log(without(packet(9), 0)), [], "fastOrphan=6"],
  ["a frame in the middle lost", log(without(packet(9), 3)), [], "fastOrder=1 fastOrphan=2"],
  [
    "the last frame lost, the sequence used again",
    log([...without(packet(8), 6), ...packet(9)]),
    [9],
    "fastRestarted=1",
  ],
  ["a frame twice", log(packet(9).flatMap((frame) => [frame, frame])), [9], "fastOrphan=1"],
  ["two frames swapped", log(swapped), [], "fastOrder=1 fastOrphan=3"],
  [
    "the tail of a packet whose first frames were lost, behind the beginning of another with its sequence",
    log([...packet(8).slice(0, 2), ...packet(7).slice(3)]),
    [],
    "fastOrder=1 fastOrphan=3",
  ],
  ["a length of 0", log(announcing(0)), [], "fastLength=1"],
  ["a length of 250", log(announcing(250)), [], "fastLength=1 fastOrphan=31"],
  [
    "a gap of more than 750 ms, while others send",
    [
      ...log(packet(9).slice(0, 3)),
      ...others(50, 800),
      ...log(packet(9).slice(3), 800),
      ...log(packet(5, { sequence: 2 }), 900),
    ],
    [5],
    "fastOrphan=4 fastTimeout=1",
  ],
  [
    "a pause of the whole bus of 1.2 s within two packets",
    [
      ...log(interleaved(packet(7), packet(8, { source: 4 })).slice(0, 6)),
      ...log(interleaved(packet(7), packet(8, { source: 4 })).slice(6), 1206),
    ],
    [7, 8],
    "",
  ],
  ["gaps of 700 ms", packet(9).map((frame, index) => line(frame, index * 700)), [9], ""],
  ["a message to all by the ISO transport protocol (BAM)", log(broadcastFrames(header(9), payload(9))), [9], ""],
  [
    "one between two others (RTS, CTS), overheard",
    log([requestToSend, clearToSend, ...transfer(payload(9), 9, 36), endOfMessage]),
    [9],
    "",
  ],
  [
    "one that its receiver aborts",
    log([requestToSend, clearToSend, ...transfer(payload(9), 9, 36).slice(0, 3), abort]),
    [],
    "isoAborted=1",
  ],
  [
    "one with a packet lost that its receiver asks for again",
    log([
      requestToSend,
      clearToSend,
      ...without(transfer(payload(9), 9, 36), 2),
      management([17, 1, 3, 255, 255, 0x05, 0xf8, 1], 36, 9),
      transfer(payload(9), 9, 36)[2]!,
      endOfMessage,
    ]),
    [9],
    "",
  ],
  ["one whose announcement contradicts itself", log([management([32, 43, 0, 6, 255, 0x05, 0xf8, 1])]), [], "isoSize=1"],
  [
    "frames with 11 bits, remote and error frames between",
    packet(9).flatMap((frame, index) => [
      line(frame, index * 3),
      `(${1795248866 + (index * 3 + 1) / 1000}) can0 123#0102`,
      `(${1795248866 + (index * 3 + 2) / 1000}) can0 09F80503#R8`,
      `(${1795248866 + (index * 3 + 2) / 1000}) can0 20000004#0001000000000000`,
    ]),
    [9],
    "errorFrames=7 remote=7 standard=7",
  ],
];

test.each(cases)("%s", async (_, lines, satellites, counts) => {
  const path = join(folder, "some.log");
  writeFileSync(path, `${lines.join("\n")}\n`);
  const { code, stdout, stderr } = await runHubCand(["--replay", path, "--speed", "0", "--stdout"]);
  expect(code).toBe(0);
  const positions = linesOf(stdout).filter(({ topic }) => topic.endsWith("/pgn/129029"));
  expect(positions.map(({ payload: { data } }) => data.numberOfSatellites)).toEqual(satellites);
  // Glued of two it would say two things.
  for (const { payload: message } of positions) expect(message.data.altitude).toBe(message.data.numberOfSatellites);
  const [, counted] = /^info counted frames=\d+ packets=\d+ published=\d+ unknown=\d+ ?(.*)$/m.exec(stderr)!;
  expect(counted!.split(" ").sort().join(" ")).toBe(counts);
});

test("of more packets at a time than the 512 that are kept, the least recently used are discarded", async () => {
  // 200 senders, four sequences each, a frame of each in turn.
  const packets = Array.from({ length: 800 }, (_, index) => packet(9, { source: index >> 2, sequence: index & 3 }));
  const path = join(folder, "many.log");
  const lines = interleaved(...packets).map((frame, index) => line(frame, index / 10));
  writeFileSync(path, `${lines.join("\n")}\n`);
  const { code, stdout, stderr } = await runHubCand(["--replay", path, "--speed", "0", "--stdout"]);
  expect(code).toBe(0);
  const positions = linesOf(stdout).filter(({ topic }) => topic.endsWith("/pgn/129029"));
  expect(positions.map(({ topic }) => Number(topic.split("/")[3]))).toEqual(
    Array.from({ length: 512 }, (_, index) => (288 + index) >> 2),
  );
  expect(stderr).toMatch(/\bfastEvicted=288\b/);
});
