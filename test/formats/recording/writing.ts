/**
 * Recordings in every format that hub-cand reads, as the programs and devices write them: of frames, or of messages put
 * together.
 */
import { fromCanId, GLOBAL_ADDRESS, toCanId } from "../../../src/core/can/can-id.ts";
import { type CanFrame, fastPacketFrames, singleFrame } from "../../../src/core/can/frames.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { bst, eblEscaped, eblTag, eblTime, frameBst, messageBst } from "../gateway/bst.ts";

export interface Said {
  readonly pgn: number;
  readonly source: number;
  readonly destination?: number;
  readonly priority: number;
  readonly payload: Uint8Array;
  /** Microseconds since 1970. */
  readonly wall: number;
}

export interface StampedFrame extends CanFrame {
  /** Microseconds since 1970. */
  readonly wall: number;
}

/** The frames of messages, one behind the other: single frames and fast packets. */
export function framesOf(said: readonly Said[]): readonly StampedFrame[] {
  return said.flatMap(({ pgn, source, destination = GLOBAL_ADDRESS, priority, payload, wall }, index) => {
    const header = { priority, pgn, source, destination };
    const list = payload.length > 8 ? fastPacketFrames(header, payload, index) : [singleFrame(header, payload)];
    return list.map((frame) => ({ ...frame, wall }));
  });
}

/** A recording of frames, or of messages where `isWhole`. */
export interface Variant {
  /** Name of the format in hub-cand. */
  readonly format: string;
  readonly how: string;
  /** Lines are messages, not frames. */
  readonly isWhole: boolean;
  /** Members of a message that the format does not have, as they are read. */
  readonly unsaid?: Partial<Pick<Said, "priority" | "destination">>;
  /** Whether its stamps are of the wall clock, to milliseconds; a time of day is on the date of the file. */
  readonly isStamped: boolean;
  readonly write: (frames: readonly StampedFrame[], said: readonly Said[]) => Buffer;
}

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0");
const spaced = (data: Uint8Array, separator = " "): string => Array.from(data, (byte) => hex(byte, 2)).join(separator);
const seconds = (micros: number, digits = 0): string => (micros / 1e6).toFixed(6).padStart(digits, "0");
export const isoTime = (wall: number): string => new Date(wall / 1000).toISOString();
const lines = (list: readonly string[]): Buffer => Buffer.from(`${list.join("\n")}\n`);

/** `candump` without -L, with what is in front of the interface. */
const candump =
  (stamp: (frame: StampedFrame, before: StampedFrame, first: StampedFrame) => string): Variant["write"] =>
  (frames) =>
    lines(
      frames.map((frame, index) => {
        const { id, data } = frame;
        const front = stamp(frame, frames[index - 1] ?? frame, frames[0]!);
        return `${front}  can0  ${hex(id, 8)}   [${data.length}]  ${spaced(data)}`;
      }),
    );

/** Identifier with the flag of a 29-bit frame, length, padding, data: SocketCAN's frame in captures. */
const captured = ({ id, data }: StampedFrame): Buffer => {
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

const pcap = (frames: readonly StampedFrame[]): Buffer =>
  Buffer.concat([
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
const pcapng = (frames: readonly StampedFrame[]): Buffer =>
  Buffer.concat([
    block(0x0a0d0d0a, words(0x1a2b3c4d, 1, -1, -1)),
    block(1, words(LINK_TYPE, 0)),
    ...frames.map((frame) => {
      const bytes = captured(frame);
      const stamp = words(0, Math.floor(frame.wall / 2 ** 32), frame.wall % 2 ** 32, bytes.length, bytes.length);
      return block(6, Buffer.concat([stamp, bytes]));
    }),
  ]);

/** Lines of canboat; of frames, or of messages put together. */
const canboat = (list: readonly Said[]): Buffer =>
  lines(
    list.map(({ pgn, source, destination = GLOBAL_ADDRESS, priority, payload, wall }) => {
      const head = [isoTime(wall), priority, pgn, source, destination, payload.length];
      return [...head, spaced(payload, ",").toLowerCase()].join(",");
    }),
  );

/** A frame as if it were a message. */
const saidBy = ({ id, data, wall }: StampedFrame): Said => ({ ...fromCanId(id), payload: data, wall });

const actisense = (said: readonly Said[]): Buffer =>
  lines(
    said.map(({ pgn, source, destination = GLOBAL_ADDRESS, priority, payload, wall }) => {
      const time = isoTime(wall).slice(11, 23).replaceAll(":", "");
      return `A${time} ${hex(source, 2)}${hex(destination, 2)}${priority} ${hex(pgn, 5)} ${spaced(payload, "")}`;
    }),
  );

const ikonvert = (said: readonly Said[]): Buffer =>
  lines(
    said.map(({ pgn, source, destination = GLOBAL_ADDRESS, priority, payload, wall }) => {
      const timer = ((wall - said[0]!.wall) / 1e6).toFixed(3);
      return ["!PDGY", pgn, priority, source, destination, timer, Buffer.from(payload).toString("base64")].join(",");
    }),
  );

const EBL_VERSION = eblTag(1, Uint8Array.of(0xea, 3, 0, 0));

/** As a W2K-1 writes it: the time before the first frame, and frames with a counter of milliseconds, as tags. */
const eblOfFrames = (frames: readonly StampedFrame[]): Buffer =>
  Buffer.concat([
    eblTime(frames[0]!.wall),
    EBL_VERSION,
    ...frames.map((frame) => eblTag(7, frameBst(frame, Math.floor(frame.wall / 1000) % 0x10000))),
  ]);

/** As NMEA Reader writes it: the time before each message, and the bytes of the gateway. */
const eblOfMessages = (said: readonly Said[]): Buffer =>
  Buffer.concat([
    eblTime(said[0]!.wall),
    EBL_VERSION,
    ...said.flatMap((each) => [eblTime(each.wall), eblEscaped(bst(messageBst(each)))]),
  ]);

/** A short message of these is a fast packet too. */
const fastPgns = new Set(definitions.filter(({ transport }) => transport === "fast").map(({ pgn }) => pgn));

/** Single frames as they are, longer messages put together behind a sequence and their length. */
const yachtDevicesDat = (said: readonly Said[]): Buffer =>
  Buffer.concat(
    said.map(({ pgn, source, destination = GLOBAL_ADDRESS, priority, payload, wall }, index) => {
      const head = Buffer.alloc(6);
      head.writeUInt16LE(Math.floor(wall / 1000) % 60_000);
      head.writeUInt32LE(toCanId({ pgn, source, destination, priority }) >>> 0, 2);
      const isJoined = payload.length > 8 || fastPgns.has(pgn);
      return Buffer.concat([head, isJoined ? Uint8Array.of(index % 8, payload.length) : Buffer.alloc(0), payload]);
    }),
  );

const yachtDevicesCan = (frames: readonly StampedFrame[]): Buffer => {
  const record = (head: number, wall: number, identifier: number, data: Uint8Array): Buffer => {
    const bytes = Buffer.alloc(16, 0xff);
    const milliseconds = Math.floor(wall / 1000);
    bytes.writeUInt16LE(head | (Math.floor(milliseconds / 60_000) % 1024));
    bytes.writeUInt16LE(milliseconds % 60_000, 2);
    bytes.writeUInt32LE(identifier, 4);
    bytes.set(data, 8);
    return bytes;
  };
  return Buffer.concat([
    record(0x3800, frames[0]!.wall, 0xffffffff, Buffer.from("YDVR v05")),
    ...frames.map(({ id, data, wall }) => record((data.length - 1) << 11, wall, id, data)),
  ]);
};

const airmar = (said: readonly Said[]): Buffer =>
  lines(
    said.map((each) => {
      const { pgn, payload, wall, destination = GLOBAL_ADDRESS } = each;
      const identifier = hex(toCanId({ ...each, destination }), 8);
      return `${isoTime(wall).slice(11, 23)} - ${pgn} ${identifier} ${spaced(payload)}`;
    }),
  );

const seaSmart = (said: readonly Said[]): Buffer =>
  lines(
    said.map(({ pgn, source, payload, wall }) => {
      const timer = hex(Math.floor((wall - said[0]!.wall) / 1000), 8);
      const body = ["PCDIN", hex(pgn, 6), timer, hex(source, 2), spaced(payload, "")].join(",");
      return `$${body}*${hex(
        Buffer.from(body).reduce((sum, byte) => sum ^ byte),
        2,
      )}`;
    }),
  );

const garminCsv =
  (time: string, more: readonly string[], timeOf: (wall: number) => string) => (said: readonly Said[]) =>
    lines([
      `Sequence #,${time},PGN,${more.map(() => "Processed PGN,").join("")}Name,Manufacturer,Remote Address,Local Address,Priority,Single Frame,Size,Packet`,
      ...said.map(({ pgn, source, destination = GLOBAL_ADDRESS, priority, payload, wall }, index) => {
        const size = [payload.length > 8 ? 0 : 1, payload.length, `0x${spaced(payload, "")}`];
        return [index, timeOf(wall), pgn, ...more, "A Name", "Garmin", source, destination, priority, ...size].join(
          ",",
        );
      }),
    ]);

const garminDate = (wall: number): string => {
  const date = new Date(wall / 1000);
  const day = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCFullYear()];
  return [...day, date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), Math.floor(wall / 1000) % 1e9].join(
    "_",
  );
};

const ofFrames = (format: string, how: string, isStamped: boolean, write: Variant["write"]): Variant => ({
  ...{ format, how, isStamped, write, isWhole: false },
});
const ofMessages = (format: string, isStamped: boolean, write: (said: readonly Said[]) => Buffer): Variant => ({
  ...{ format, how: "of messages", isStamped, isWhole: true, write: (_, said) => write(said) },
});

export const candumpLog: Variant = ofFrames("candump -L", "a log", true, (frames) =>
  lines(frames.map(({ id, data, wall }) => `(${seconds(wall)}) can0 ${hex(id, 8)}#${spaced(data, "")}`)),
);

export const variants: readonly Variant[] = [
  candumpLog,
  ofFrames(
    "candump",
    "without stamps",
    false,
    candump(() => ""),
  ),
  ofFrames(
    "candump",
    "-t a",
    true,
    candump(({ wall }) => ` (${seconds(wall)})`),
  ),
  ofFrames(
    "candump",
    "-t A",
    true,
    candump(({ wall }) => ` (${isoTime(wall).slice(0, 19).replace("T", " ")}.${String(wall % 1e6).padStart(6, "0")})`),
  ),
  ofFrames(
    "candump",
    "-t z",
    false,
    candump(({ wall }, _, first) => ` (${seconds(wall - first.wall, 10)})`),
  ),
  ofFrames(
    "candump -t d",
    "with a step back, which shows that they are differences",
    false,
    candump(({ wall }, before) => ` (${seconds(wall - before.wall, 10)})`),
  ),
  ofFrames("pcap", "of SocketCAN", true, pcap),
  ofFrames("pcapng", "of SocketCAN", true, pcapng),
  ofFrames("canboat PLAIN", "of frames", true, (frames) => canboat(frames.map(saidBy))),
  ofMessages("canboat FAST", true, canboat),
  ofFrames("canboat PLAIN_MIX_FAST", "of frames", true, (frames) =>
    Buffer.concat([lines(["# format=PLAIN_MIX_FAST"]), canboat(frames.map(saidBy))]),
  ),
  ofFrames("Yacht Devices RAW", "of frames", true, (frames) =>
    lines(frames.map(({ id, data, wall }) => `${isoTime(wall).slice(11, 23)} R ${hex(id, 8)} ${spaced(data)}`)),
  ),
  ofMessages("Actisense N2K ASCII", true, actisense),
  ofMessages("iKonvert", false, ikonvert),
  ofFrames("Yacht Devices CAN", "of frames", false, yachtDevicesCan),
  ofMessages("Yacht Devices DAT", false, yachtDevicesDat),
  ofFrames("Actisense EBL", "of frames", true, eblOfFrames),
  ofMessages("Actisense EBL", true, eblOfMessages),
  ofMessages("Airmar", true, airmar),
  { ...ofMessages("SeaSmart", false, seaSmart), unsaid: { priority: 0, destination: GLOBAL_ADDRESS } },
  ofMessages(
    "Garmin CSV",
    false,
    garminCsv("Timestamp", [], (wall) => String(Math.floor(wall / 1000) % 2 ** 32)),
  ),
  ofMessages("Garmin CSV", true, garminCsv("Month_Day_Year_Hours_Minutes_Seconds_msTicks", ["Processed"], garminDate)),
];
