import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import {
  RecordingError,
  RecordingFile,
  type RecordingFileOptions,
} from "../../../../src/adapters/node/recording/recording-file.ts";
import { fromCanId } from "../../../../src/core/can/can-id.ts";
import type { Clock } from "../../../../src/core/ports/clock.ts";
import { type LazyMessage, type Log, type LogFields, messageOf } from "../../../../src/core/ports/log.ts";
import { EXTENDED_FRAME } from "../../../../src/formats/recording/frame-batch.ts";
import { type Recorded, recordsOf } from "../../../formats/recording/reading.ts";
import { variants } from "../../../formats/recording/writing.ts";
import {
  present,
  realRecording,
  realRecordings,
  type Voyage,
  voyage,
  writeRecording,
} from "../../../support/recordings.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const folder = temporaryFolder("recording-file");

function file(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** The files that this process has open. */
const openFiles = (): readonly string[] =>
  readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // The one that the list itself was read through.
      return [];
    }
  });

/** A clock that jumps to its next timer as soon as nothing else is pending. */
function jumpingClock(): Clock & { now: number; slept: number[] } {
  const clock = {
    now: 5000,
    slept: [] as number[],
    wall: () => 1e12 + clock.now,
    monotonic: () => clock.now,
    after(milliseconds: number, callback: () => void) {
      clock.slept.push(milliseconds);
      const timer = setImmediate(() => {
        clock.now += milliseconds;
        callback();
      });
      return () => clearImmediate(timer);
    },
    every: () => () => {},
  };
  return clock;
}

function listLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: LazyMessage, fields: LogFields = {}): void => {
      const texts = Object.entries(fields).map(([name, value]) => ` ${name}=${String(value)}`);
      lines.push(`${level}: ${messageOf(message)}${texts.join("")}`);
    };
  return { lines, error: write("error"), warn: write("warn"), info: write("info"), debug: write("debug") };
}

interface Played {
  readonly records: readonly Recorded[];
  readonly recording: RecordingFile;
  readonly failure: unknown;
  /** Warnings and errors in the log. */
  readonly lines: readonly string[];
  /** All lines of the log. */
  readonly told: readonly string[];
}

async function play(path: string, options: Partial<RecordingFileOptions> = {}): Promise<Played> {
  const log = listLog();
  const recording = new RecordingFile(path, { clock: jumpingClock(), log, speed: 0, ...options });
  const records: Recorded[] = [];
  let failure: unknown;
  try {
    for await (const batch of recording.batches()) records.push(...recordsOf(batch));
  } catch (error) {
    failure = error;
  }
  return {
    records,
    recording,
    failure,
    lines: log.lines.filter((said) => !said.startsWith("info: ")),
    told: log.lines,
  };
}

const line = (index: number): string =>
  `(${1436509052 + Math.floor(index / 1000)}.${String(index % 1000).padStart(3, "0")}000) can0 0DF10503#${index.toString(16).padStart(8, "0")}\n`;
const lines = (count: number): string => Array.from({ length: count }, (_, index) => line(index)).join("");
const data = (records: readonly Recorded[]): string[] =>
  records.map((record) => ("data" in record ? record.data : record.payload));
const expectCount = (records: readonly Recorded[], count: number): void => {
  expect(data(records)).toEqual(Array.from({ length: count }, (_, index) => index.toString(16).padStart(8, "0")));
};

describe("a recording that cannot be read", () => {
  const failures: readonly [string, () => string, RegExp][] = [
    ["absent", () => join(folder, "absent"), /^cannot read .*absent: ENOENT: no such file/],
    ["a folder", () => folder, /^cannot read .*: EISDIR/],
    [
      "a FIFO without a writer",
      () => {
        const path = join(folder, "fifo");
        spawnSync("mkfifo", [path]);
        return path;
      },
      /^cannot read .*fifo: not a regular file; give - to read a pipe$/,
    ],
    ["a device", () => "/dev/zero", /^cannot read \/dev\/zero: not a regular file/],
    ["empty", () => file("empty", ""), /empty is empty$/],
    ["empty when unpacked", () => file("empty.gz", gzipSync("")), /empty\.gz is empty$/],
    ["only comments", () => file("comments", "# a\n# b\n"), /comments: not a recording that is known$/],
    [
      "something else",
      () => file("letter", "Dear sir,\nthis is no recording.\n"),
      /letter: not a recording that is known$/,
    ],
    [
      "noise",
      () =>
        file(
          "noise",
          Uint8Array.from({ length: 200_000 }, (_, n) => (n * n * 31 + n * 7) >> 3),
        ),
      /noise: not a recording that is known$/,
    ],
    [
      "no gzip behind its magic",
      () => file("bad.gz", Uint8Array.from([0x1f, 0x8b, 9, 9, 9, 9, 9, 9, 9, 9])),
      /bad\.gz: gzip data cannot be unpacked further/,
    ],
  ];

  test.each(failures)("is refused with a sentence: %s", async (_what, path, sentence) => {
    const refused = path();
    const { records, failure } = await play(refused);
    expect(records).toEqual([]);
    expect(failure).toBeInstanceOf(RecordingError);
    expect((failure as Error).message).toMatch(sentence);
    expect(openFiles()).not.toContain(refused);
  });
});

describe("gzip", () => {
  test("is detected by its content and read over its members, wherever they are cut", async () => {
    const whole = Buffer.from(lines(40));
    for (let cut = 0; cut <= whole.length; cut += 97) {
      const members = [whole.subarray(0, cut), whole.subarray(cut)].map((part) => gzipSync(part));
      const { records, failure } = await play(file("members", Buffer.concat(members)));
      expect(failure).toBeUndefined();
      expectCount(records, 40);
    }
  });

  test("is read when it comes in pieces, also when a member ends with a piece", async () => {
    const [first, second] = [gzipSync(lines(40).slice(0, 1000)), gzipSync(lines(40).slice(1000))];
    for (const pieces of [[first, second], [...Buffer.concat([first, second])].map((byte) => Buffer.from([byte]))]) {
      const { records, failure } = await play("-", { input: Readable.from(pieces) });
      expect(failure).toBeUndefined();
      expectCount(records, 40);
    }
  });

  test("that breaks off gives the frames in front of the break, then an error", async () => {
    const packed = gzipSync(lines(50_000));
    for (const length of [packed.length - 1, packed.length - 9, packed.length >> 1, 20_000]) {
      const { records, failure } = await play(file("torn.gz", packed.subarray(0, length)));
      expect(failure).toBeInstanceOf(RecordingError);
      expect((failure as Error).message).toMatch(
        /torn\.gz: gzip data cannot be unpacked further: unexpected end of file/,
      );
      expect(records.length).toBeGreaterThan((50_000 * length) / packed.length - 8000);
      expectCount(records, records.length);
    }
  });
});

describe("a capture", () => {
  const head = Uint8Array.from([0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0xe3, 0, 0, 0]);
  const record = Uint8Array.from([1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 0x98, 0xee, 0xff, 1, 1, 0, 0, 0, 7]);

  test("that breaks off gives its whole records and a warning", async () => {
    const path = file("torn.pcap", Buffer.concat([head, record, record, record.subarray(0, 20)]));
    const { records, recording, failure, lines } = await play(path);
    expect(failure).toBeUndefined();
    expect(records).toHaveLength(2);
    expect(recording.problem).toBe("ends within a record");
    expect(lines).toEqual([
      `warn: the recording breaks off code=RECORDING_BROKEN_OFF file=${path} reason=ends within a record`,
    ]);
  });

  test("of something else is refused", async () => {
    const other = head.slice();
    other[20] = 1;
    const { failure } = await play(file("other.pcap", Buffer.concat([other, record])));
    expect(String(failure)).toMatch(/other\.pcap is a capture of link type 1, not of SocketCAN \(227\)$/);
  });

  test("without a record is no error", async () => {
    expect(await play(file("none.pcap", head))).toMatchObject({ records: [], failure: undefined, lines: [] });
  });
});

test("RecordingFile reads long files in order and names their format", async () => {
  const path = file("long.log", `nonsense\n${lines(30_000)}more nonsense`);
  const { records, recording, told } = await play(path);
  expectCount(records, 30_000);
  expect(told).toEqual([`info: replaying a recording file=${path} format=candump -L`]);
  expect(recording).toMatchObject({ format: "candump -L", malformed: 2, internal: 0, unaddressed: 0 });
});

test("RecordingFile keeps the order of frames and whole messages", async () => {
  const mixed = Array.from({ length: 5000 }, (_, n) => {
    const digits = n.toString(16).padStart(4, "0");
    return `00:00:00.000 R 09F80115 ${digits.slice(0, 2)} ${digits.slice(2)}${n % 3 === 0 ? " 00".repeat(9) : ""}\n`;
  });
  const { records } = await play(file("mixed", mixed.join("")));
  expect(data(records).map((digits) => Number.parseInt(digits.slice(0, 4), 16))).toEqual(
    mixed.map((_, index) => index),
  );
});

test("RecordingFile dates times of day by the modification of the file", async () => {
  const path = file("day", "17:33:21.107 R 19F51323 01\n");
  utimesSync(path, new Date(), new Date("2025-02-03T20:00:00Z"));
  expect((await play(path)).records[0]!.wall).toBe(Date.UTC(2025, 1, 3, 17, 33, 21, 107) * 1000);
});

test("RecordingFile reads standard input as it comes, and dates it by the clock", async () => {
  const input = new PassThrough();
  const recording = new RecordingFile("-", { clock: jumpingClock(), log: listLog(), speed: 0, input });
  const batches = recording.batches();
  const next = async (): Promise<readonly Recorded[]> => recordsOf((await batches.next()).value!);
  input.write("  can0  123   [1]  01\n");
  expect(await next()).toEqual([{ wall: (1e12 + 5000) * 1000, identifier: 0x123, data: "01" }]);
  input.write("  can0  123   [1]  02\n  can0  123");
  expect(await next()).toMatchObject([{ data: "02" }]);
  input.end("   [1]  03");
  expect(await next()).toMatchObject([{ data: "03" }]);
  expect(await batches.next()).toEqual({ done: true, value: undefined });
});

describe("speed", () => {
  const stamps = ["10.000000", "10.000000", "10.250000", "5.000000", "5.100000", "900.000000", "901.000000"];
  const recorded = stamps.map((stamp, n) => `(${stamp}) can0 12${n}#\n`).join("");

  async function deliveries(
    speed: number,
  ): Promise<{ at: number; wall: number; arrived: number; identifiers: number[] }[]> {
    const clock = jumpingClock();
    const recording = new RecordingFile(file("paced", recorded), { clock, log: listLog(), speed });
    const delivered = [];
    for await (const batch of recording.batches()) {
      const { bytes } = batch.frames!;
      const [wall, arrived] = new Float64Array(bytes.buffer, bytes.byteOffset, 2);
      const identifiers = recordsOf(batch).map((record) => ("identifier" in record ? record.identifier & 0xf : -1));
      delivered.push({ at: clock.now - 5000, wall: wall!, arrived: arrived!, identifiers });
    }
    return delivered;
  }

  test("0 gives everything at once, with the stamps of the recording and a clock made from them", async () => {
    const [all] = await deliveries(0);
    expect(all).toEqual({ at: 0, wall: 10e6, arrived: 0, identifiers: [0, 1, 2, 3, 4, 5, 6] });
  });

  test.each([1, 10, 0.5])("%s gives each frame when it is due, with the stamps of that moment", async (speed) => {
    const delivered = await deliveries(speed);
    // The step back stands still, the step of 895 s is skipped.
    expect(delivered.map(({ identifiers }) => identifiers)).toEqual([[0, 1], [2, 3, 4, 5], [6]]);
    const due = [0, 250, 1250].map((milliseconds) => milliseconds / speed);
    expect(delivered.map(({ at }) => at)).toEqual(due);
    expect(delivered.map(({ wall }) => wall)).toEqual(due.map((at) => (1e12 + 5000 + at) * 1000));
    expect(delivered.map(({ arrived }) => arrived)).toEqual(due.map((at) => (5000 + at) * 1000));
  });
});

test("a very small speed sleeps no longer than timers count", async () => {
  const clock = jumpingClock();
  const slow = new RecordingFile(file("snail", "(10.0) can0 123#\n(20.0) can0 124#\n"), {
    clock,
    log: listLog(),
    speed: 0.05,
  });
  const delivered: number[] = [];
  for await (const batch of slow.batches()) delivered.push(...recordsOf(batch).map(() => clock.now - 5000));
  expect(delivered).toEqual([0, 200_000]);
  expect(clock.slept).toEqual([60_000, 60_000, 60_000, 20_000]);
});

describe("close", () => {
  test("ends batches that wait for their time", async () => {
    const clock = { ...jumpingClock(), after: () => () => {} };
    const recording = new RecordingFile(file("slow", "(10.0) can0 123#\n(20.0) can0 124#\n"), {
      clock,
      log: listLog(),
    });
    const batches = recording.batches();
    expect((await batches.next()).done).toBe(false);
    const waiting = batches.next();
    await new Promise(setImmediate);
    recording.close();
    recording.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test.each(["", "(10.0) can0 123#\n"])("ends batches that wait for standard input behind %j", async (begun) => {
    const input = new PassThrough();
    const recording = new RecordingFile("-", { clock: jumpingClock(), log: listLog(), speed: 0, input });
    const batches = recording.batches();
    if (begun) {
      input.write(begun);
      expect((await batches.next()).done).toBe(false);
    }
    const waiting = batches.next();
    await new Promise(setImmediate);
    recording.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(input.destroyed).toBe(true);
  });

  test("happens by itself when no more is read", async () => {
    const input = Readable.from([Buffer.from(lines(10)), Buffer.from(lines(10))]);
    const recording = new RecordingFile("-", { clock: jumpingClock(), log: listLog(), speed: 0, input });
    for await (const _batch of recording.batches()) break;
    expect(input.destroyed).toBe(true);
  });
});

type Known = readonly [
  name: string,
  format: string,
  frames: number,
  messages: number,
  others: { readonly malformed?: number; readonly internal?: number },
];

/**
 * Frames, messages, what is left out and malformed: as counted by the README beside the recordings, and looked at by
 * hand.
 */
const known: readonly Known[] = [
  ["can0-3.pcap.gz", "pcap", 47783, 0, {}],
  ["can0-2.pcap.gz", "pcap", 47166, 0, {}],
  ["can0-3.candump.log.gz", "candump -L", 47783, 0, {}],
  ["can0-2.candump.log.gz", "candump -L", 47166, 0, {}],
  ["candumpSample1.txt.gz", "candump", 6026, 0, {}],
  ["candumpSample2.txt", "candump", 402, 0, {}],
  ["candumpSample3.txt", "candump -L", 2368, 0, {}],
  ["simulator1.raw", "Yacht Devices RAW", 560, 0, {}],
  ["simulator2.raw", "Yacht Devices RAW", 1784, 0, {}],
  ["furuno-fap7011c-autopilot-off-then-on.raw", "canboat PLAIN", 469, 0, {}],
  ["candump-fast.txt", "candump -L", 23, 0, {}],
  ["candump-fast-cr.txt", "candump -L", 23, 0, {}],
  ["actisense-522.candump.log", "candump -L", 106, 0, {}],
  ["sample-YDWG02.txt", "Yacht Devices RAW", 31, 0, {}],
  ["sample-YDWG02-2.txt", "Yacht Devices RAW", 75, 1, {}],
  ["candump-2021-05-12_091355.log", "candump -L", 292, 0, {}],
  ["candump_2021-05-25-1635_5s.log", "candump", 355, 0, {}],
  ["candump-bus-power-on-time-a.log", "candump", 28, 0, {}],
  ["candump_t-a-uppercase.log", "candump", 5, 0, {}],
  ["candump_t-d.log", "candump -t d", 6, 0, {}],
  ["candump_t-z.log", "candump", 7, 0, {}],
  ["actisense_n2kascii_20221028_10s.txt", "Actisense N2K ASCII", 0, 2652, {}],
  ["actisense-w2k1-raw-ascii-2022-09-16.txt", "Yacht Devices RAW", 201, 0, {}],
  // One 126208 without a byte.
  ["susteranna-actisense-serial.raw.gz", "canboat FAST", 0, 10292, { internal: 2, malformed: 1 }],
  ["dirona-actisense-serial.raw.gz", "canboat FAST", 0, 39870, { internal: 130 }],
  // Nineteen sentences lost bytes on the serial line.
  ["ikonvert.log.gz", "iKonvert", 0, 8928, { malformed: 19 }],
  ["raymarine-ev1.raw.gz", "canboat FAST", 0, 23535, { internal: 260 }],
  // One 65301 without a byte.
  ["sample-single.raw.txt", "canboat FAST", 0, 653, { internal: 7, malformed: 1 }],
  ["sample-fast.raw.txt", "canboat PLAIN", 17, 0, {}],
  ["simrad_mob_quick.raw.gz", "canboat FAST", 0, 2062, {}],
  ["scx20-setting-tool-start.raw.gz", "canboat FAST", 0, 1147, {}],
  ["sleipner-slink-thruster.raw", "canboat FAST", 0, 1496, {}],
  ["recombine-frames.in", "canboat PLAIN", 89, 0, {}],
];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const isPresent = ([name]: Known): boolean => realRecordings.includes(name);

/** A frame that is a message by itself, as one: some formats have both. */
const asMessage = (record: object): object =>
  "identifier" in record && "data" in record
    ? { ...fromCanId(Number(record.identifier) & 0x1fffffff), payload: record.data }
    : record;

/** Records of a recording, and of the same without gzip from standard input, both without their stamps. */
async function bothWays(path: string): Promise<readonly object[][]> {
  const bytes = readFileSync(path);
  const unpacked = path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  const input = Readable.from(
    Array.from({ length: Math.ceil(unpacked.length / 5000) }, (_, n) => unpacked.subarray(n * 5000, (n + 1) * 5000)),
  );
  const played = [await play(path), await play("-", { input })];
  return played.map(({ records }) => records.map(({ wall: _, ...rest }) => rest));
}

describe("part of the voyage", () => {
  let part: Voyage;
  beforeAll(async () => {
    part = await voyage(20_000);
  });

  test.each(variants)("$format, $how: everything is read, from standard input too", async (variant) => {
    const path = writeRecording(part, variant, folder);
    const { records, recording, failure, lines } = await play(path);
    expect(failure).toBeUndefined();
    expect(lines).toEqual([]);
    expect(recording).toMatchObject({ format: variant.format, malformed: 0, internal: 0, unaddressed: 0 });
    expect(records.map(({ wall: _, ...rest }) => (variant.isWhole ? asMessage(rest) : rest))).toEqual(
      variant.isWhole
        ? part.said.map(({ payload, wall: _, ...rest }) => ({ ...rest, payload: hex(payload), ...variant.unsaid }))
        : part.frames.map(({ id, data }) => ({ identifier: (id | EXTENDED_FRAME) >>> 0, data: hex(data) })),
    );
    const [fromFile, fromInput] = await bothWays(path);
    expect(fromInput).toEqual(fromFile);
  });
});

describe.skipIf(realRecordings.length === 0)("real recordings", () => {
  test.each(known.filter(isPresent))(
    "%s is %s with %i frames and %i messages",
    async (name, format, frames, messages, others) => {
      const { records, recording, failure, lines } = await play(realRecording(name));
      expect(failure).toBeUndefined();
      expect(lines).toEqual([]);
      expect(recording).toMatchObject({ format, malformed: 0, internal: 0, unaddressed: 0, ...others });
      expect(records.filter((record) => "identifier" in record)).toHaveLength(frames);
      expect(records.filter((record) => "pgn" in record)).toHaveLength(messages);
    },
  );

  test.each(["can0-2", "can0-3"].filter((name) => present([`${name}.pcap.gz`, `${name}.candump.log.gz`]).length === 2))(
    "%s says the same as a capture and as lines of candump, frame by frame",
    async (name) => {
      const [capture, log] = [
        await play(realRecording(`${name}.pcap.gz`)),
        await play(realRecording(`${name}.candump.log.gz`)),
      ];
      expect(capture.records).toEqual(log.records);
    },
  );
});
