/** One piece of a bus in every format that hub-cand reads, through the bundle: the same messages from each. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encoderOf } from "../../src/n2k/encode.ts";
import { type CanFrame, fastPacketFrames, singleFrame } from "../../src/n2k/frames.ts";
import { gnssPositionData, systemTime } from "../../src/n2k/pgns/gnss.ts";
import { vesselHeading } from "../../src/n2k/pgns/steering.ts";
import { detectFormat, formats } from "../../src/recording/detect-format.ts";
import { linesOf, runHubCand } from "../hub-cand.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hub-cand-recordings-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The piece of a bus. */
const heading = {
  pgn: 127250,
  sequenceId: 7,
  headingDeg: 183.346,
  variationDeg: -1.197,
  reference: "Magnetic",
} as const;
const turned = { ...heading, sequenceId: 8, headingDeg: 184.492 } as const;
const position = {
  pgn: 129029,
  sequenceId: 7,
  days: 20_778,
  time: 29_666.123,
  latitude: 52.1234567891,
  longitude: -4.2345678912,
  altitude: 12.345678,
  gnssType: 0,
  method: 1,
  numberOfSatellites: 9,
  hdop: 0.8,
  pdop: 1.2,
} as const;

interface Said {
  readonly source: number;
  readonly priority: number;
  readonly message: { readonly pgn: number };
  readonly payload: Uint8Array;
  /** Microseconds since 1970. */
  readonly wall: number;
}

const begin = Date.UTC(2026, 10, 21, 8, 14, 26, 123) * 1000;
const said: readonly Said[] = [
  { source: 3, priority: 2, message: heading, payload: encoderOf(vesselHeading)(heading), wall: begin },
  { source: 36, priority: 3, message: position, payload: encoderOf(gnssPositionData)(position), wall: begin + 20_000 },
  { source: 3, priority: 2, message: turned, payload: encoderOf(vesselHeading)(turned), wall: begin + 100_000 },
];

interface Stamped extends CanFrame {
  readonly wall: number;
}

const frames: readonly Stamped[] = said.flatMap(({ source, priority, message, payload, wall }) => {
  const header = { priority, pgn: message.pgn, source, destination: 255 };
  const list = payload.length > 8 ? fastPacketFrames(header, payload, 5) : [singleFrame(header, payload)];
  return list.map((frame) => ({ ...frame, wall }));
});

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0");
const spaced = (data: Uint8Array, separator = " "): string => Array.from(data, (byte) => hex(byte, 2)).join(separator);
const seconds = (micros: number, digits = 0): string => (micros / 1e6).toFixed(6).padStart(digits, "0");
const isoTime = (wall: number): string => new Date(wall / 1000).toISOString();
const lines = (list: readonly string[]): Buffer => Buffer.from(`${list.join("\n")}\n`);

/** `candump` without -L, with what is in front of the interface. */
const candump = (stamp: (frame: Stamped, index: number) => string): Buffer =>
  lines(
    frames.map(
      (frame, index) =>
        `${stamp(frame, index)}  can0  ${hex(frame.id, 8)}   [${frame.data.length}]  ${spaced(frame.data)}`,
    ),
  );
const sinceLast = ({ wall }: Stamped, index: number): string => seconds(wall - (frames[index - 1]?.wall ?? wall), 10);

/** Identifier with the flag of a 29-bit frame, length, padding, data: SocketCAN's frame in captures. */
const captured = ({ id, data }: Stamped): Buffer => {
  const bytes = Buffer.alloc(8 + data.length);
  bytes.writeUInt32BE((id | 0x8000_0000) >>> 0);
  bytes[4] = data.length;
  bytes.set(data, 8);
  return bytes;
};
const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4);
  return bytes;
};
const LINK_TYPE = 227;
const pcap = Buffer.concat([
  words(0xa1b2c3d4, 0x00040002, 0, 0, 65_535, LINK_TYPE),
  ...frames.flatMap((frame) => {
    const bytes = captured(frame);
    return [words(Math.floor(frame.wall / 1e6), frame.wall % 1e6, bytes.length, bytes.length), bytes];
  }),
]);
const block = (type: number, body: Buffer): Buffer => {
  const padded = Buffer.alloc((body.length + 3) & ~3);
  body.copy(padded);
  return Buffer.concat([words(type, padded.length + 12), padded, words(padded.length + 12)]);
};
const pcapng = Buffer.concat([
  block(0x0a0d0d0a, words(0x1a2b3c4d, 1, -1, -1)),
  block(1, words(LINK_TYPE, 0)),
  ...frames.map((frame) => {
    const bytes = captured(frame);
    const stamp = words(0, Math.floor(frame.wall / 2 ** 32), frame.wall % 2 ** 32, bytes.length, bytes.length);
    return block(6, Buffer.concat([stamp, bytes]));
  }),
]);

/** Lines of canboat; of frames, or of messages put together. */
const canboat = (list: readonly Omit<Said, "message">[], pgns: readonly number[]): Buffer =>
  lines(
    list.map(({ source, priority, payload, wall }, index) =>
      [isoTime(wall), priority, pgns[index], source, 255, payload.length, spaced(payload, ",").toLowerCase()].join(","),
    ),
  );
const fast = canboat(
  said,
  said.map(({ message }) => message.pgn),
);
const plain = canboat(
  frames.map(({ id, data, wall }) => ({ source: id & 255, priority: id >> 26, payload: data, wall })),
  frames.map(({ id }) => (id >> 8) & 0x3ffff),
);

interface Variant {
  /** What hub-cand calls it. */
  readonly format: string;
  readonly how: string;
  readonly bytes: Buffer;
  /** Whether its stamps are of the wall clock, to milliseconds; a time of day is on the date of the file. */
  readonly isStamped: boolean;
}

const variants: readonly Variant[] = [
  {
    format: "candump -L",
    how: "a log",
    bytes: lines(frames.map(({ id, data, wall }) => `(${seconds(wall)}) can0 ${hex(id, 8)}#${spaced(data, "")}`)),
    isStamped: true,
  },
  { format: "candump", how: "without stamps", bytes: candump(() => ""), isStamped: false },
  { format: "candump", how: "-t a", bytes: candump(({ wall }) => ` (${seconds(wall)})`), isStamped: true },
  {
    format: "candump",
    how: "-t A",
    bytes: candump(
      ({ wall }) => ` (${isoTime(wall).slice(0, 19).replace("T", " ")}.${String(wall % 1e6).padStart(6, "0")})`,
    ),
    isStamped: true,
  },
  { format: "candump", how: "-t z", bytes: candump(({ wall }) => ` (${seconds(wall - begin, 10)})`), isStamped: false },
  {
    format: "candump -t d",
    how: "with a step back, which shows that they are differences",
    bytes: candump((frame, index) => ` (${sinceLast(frame, index)})`),
    isStamped: false,
  },
  { format: "pcap", how: "of SocketCAN", bytes: pcap, isStamped: true },
  { format: "pcapng", how: "of SocketCAN", bytes: pcapng, isStamped: true },
  { format: "canboat PLAIN", how: "of frames", bytes: plain, isStamped: true },
  { format: "canboat FAST", how: "of messages", bytes: fast, isStamped: true },
  {
    format: "Yacht Devices RAW",
    how: "of frames",
    bytes: lines(frames.map(({ id, data, wall }) => `${isoTime(wall).slice(11, 23)} R ${hex(id, 8)} ${spaced(data)}`)),
    isStamped: true,
  },
  {
    format: "Actisense N2K ASCII",
    how: "of messages",
    bytes: lines(
      said.map(({ source, priority, message, payload, wall }) => {
        const time = isoTime(wall).slice(11, 23).replaceAll(":", "");
        return `A${time} ${hex(source, 2)}FF${priority} ${hex(message.pgn, 5)} ${spaced(payload, "")}`;
      }),
    ),
    isStamped: true,
  },
  {
    format: "iKonvert",
    how: "of messages",
    bytes: lines(
      said.map(({ source, priority, message, payload, wall }) => {
        const head = ["!PDGY", message.pgn, priority, source, 255, ((wall - begin) / 1e6).toFixed(3)];
        return [...head, Buffer.from(payload).toString("base64")].join(",");
      }),
    ),
    isStamped: false,
  },
];

test("there is a variant of every format", () => {
  expect(new Set(variants.map(({ format }) => format))).toEqual(new Set(formats.map(({ name }) => name)));
});

test.each(variants)("$format, $how", async ({ format, bytes, isStamped }) => {
  expect(detectFormat(bytes, true)?.name).toBe(format);
  for (const content of [bytes, gzipSync(bytes)]) {
    const path = join(folder, "recording");
    writeFileSync(path, content);
    utimesSync(path, begin / 1e6, begin / 1e6);
    const { code, stdout, stderr } = await runHubCand(["--replay", path, "--speed", "0", "--stdout"]);
    expect({ code, warnings: stderr.match(/^(warn|error).*/gm) }).toEqual({ code: 0, warnings: null });
    const messages = linesOf(stdout).filter(({ topic }) => topic.includes("/pgn/"));
    expect(messages.map(({ topic, payload }) => [topic, payload.data])).toEqual(
      said.map(({ source, message }) => [`can/can0/device/${source}/pgn/${message.pgn}`, message]),
    );
    if (isStamped)
      expect(messages.map(({ payload }) => payload.metadata)).toMatchObject(
        said.map(({ wall }) => ({ rxDate: isoTime(wall), rxTimestamp: Math.floor(wall / 1e6) })),
      );
  }
});

test("the date of a recording is believed, however old it is", async () => {
  const payload = encoderOf(systemTime)({ pgn: 126992, source: 0, date: 16_859, time: 71_822 });
  const line = `(1456689422.000000) can0 0DF01003#${Buffer.from(payload).toString("hex").toUpperCase()}\n`;
  const { stdout } = await runHubCand(["--replay", "-", "--speed", "0", "--stdout"], line);
  const report = linesOf(stdout).findLast(({ topic }) => topic === "can/can0/navigation");
  expect(report?.payload.data.date).toMatchObject({ date: "2016-02-28", time: "19:57:02", timeSource: "GPS" });
});
