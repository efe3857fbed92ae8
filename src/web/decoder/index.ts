/**
 * The decoder of NMEA 2000 without the rest of hub: recordings in, messages out, on any runtime with WebAssembly.
 * The types are written out here, so that the package has one file of declarations.
 */
import { RecordingReader, UnreadableRecording as Unreadable } from "../../adapters/wasm/recording-reader.ts";
import { createCatalogue } from "../../core/n2k/catalogue.ts";
import { publicPgns } from "../../core/n2k/public-pgns.ts";
import { readHex } from "../../core/n2k/text.ts";
import type { Packet } from "../../core/ports/packet-batch.ts";

/** The compiled reassembler in base64, and the table of public PGNs; esbuild defines the constants. */
declare const HUB_REASSEMBLER_BASE64: string;
declare const HUB_PUBLIC_PGNS: string;

/** The part of the interface that is used: every runtime has it, and the types of Node leave it out. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object): Promise<{ readonly exports: object }>;
};

/** One message of a device. */
export interface Message {
  /**
   * Time of its last frame in the recording, milliseconds since 1970 in UTC, with microseconds as decimals. Made up
   * if `Decoder.hasTimes` is false.
   */
  readonly received: number;
  /** Number of its parameter group, 0 to 262143; above 131071 it is none of NMEA 2000. */
  readonly pgn: number;
  /** Address of the sender, 0 to 253; 254 of one that has none. */
  readonly source: number;
  /** Address of the receiver; 255: all. */
  readonly destination: number;
  /** 0 (most urgent) to 7. */
  readonly priority: number;
  readonly data: Data;
}

/**
 * The fields of a message. The end of a name is its unit (`headingDeg`, `sogKnots`, `pressureKpa`); positions are in
 * degrees, north and east positive. A value that is not available is absent. A PGN that is not known has its payload
 * as `raw`, in lower-case hexadecimal. `pgns.md` of the package lists the fields of most PGNs.
 */
export interface Data {
  readonly pgn: number;
  readonly [name: string]: unknown;
}

/**
 * The fields of each PGN of `pgns.md` by its number. `scripts/decoder.mjs` writes them behind these declarations, from
 * the definitions.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the declarations of the package extend it.
export interface Fields {}

/** A message of one PGN, whose fields have types. */
export type MessageOf<Pgn extends keyof Fields> = Message & { readonly pgn: Pgn; readonly data: Fields[Pgn] };

/**
 * Whether a message is of this PGN.
 *
 * @example if (isOf(message, 127250)) message.data.headingDeg // number or undefined, where Data has unknown
 */
export function isOf<Pgn extends keyof Fields>(message: Message, pgn: Pgn): message is MessageOf<Pgn> {
  return message.pgn === pgn;
}

/** Numbers of what was read so far. */
export interface Counters {
  /** Frames with a 29-bit identifier, without those of `ignored`. */
  readonly frames: number;
  /** Frames that are none of NMEA 2000, by kind. */
  readonly ignored: Readonly<Record<"standard" | "remote" | "error" | "noAddress" | "canFd", number>>;
  /** Finished packets, by the way they are sent: in one frame, as fast packet, by ISO transport. */
  readonly packets: Readonly<Record<"single" | "fast" | "isoTp", number>>;
  /** Packets that were begun and not finished, by reason. */
  readonly discarded: Readonly<Record<string, number>>;
  /** Lines or records that cannot be read. */
  readonly malformed: number;
}

export interface DecoderOptions {
  /**
   * When the file was last written, milliseconds since 1970: the date of formats that hold only the time of day.
   * Without it 0, so that their messages are of 1970. What is no number of a Date is a RangeError.
   */
  readonly modified?: number;
}

/** The format of a recording is not known, or its gzip data is damaged; `message` says which. */
export interface UnreadableRecording extends Error {
  readonly name: "UnreadableRecording";
}
export const UnreadableRecording: {
  readonly prototype: UnreadableRecording;
  new (message: string): UnreadableRecording;
} = Unreadable;

/** Reads one recording, in any format that hub reads, plain or gzip. Made by `createDecoder`. */
export interface Decoder {
  /**
   * Takes the next bytes, cut anywhere, and returns the messages that they complete. Throws an `UnreadableRecording`,
   * with messages before the damage at the next call, a TypeError for what is no Uint8Array, and an Error after `end`
   * or after an `UnreadableRecording`.
   */
  push(chunk: Uint8Array): Message[];
  /** Says that there are no more bytes; returns the last messages. Throws as `push` does. */
  end(): Message[];
  /** Name of the format, such as `candump -L`; undefined until enough bytes have arrived to tell. */
  readonly format: string | undefined;
  /** Why nothing is read beyond some place of a capture; undefined: it is whole so far. */
  readonly problem: string | undefined;
  /** False for a format without times, whose messages have times that are made up. */
  readonly hasTimes: boolean;
  counters(): Counters;
}

const NOTHING = new Uint8Array(0);

let compiled: Promise<object> | undefined;

/** One instance of the reassembler for each decoder; the code is compiled once. */
async function newReassembler(): Promise<{ readonly exports: object }> {
  compiled ??= WebAssembly.compile(Uint8Array.from(atob(HUB_REASSEMBLER_BASE64), (each) => each.charCodeAt(0)));
  return WebAssembly.instantiate(await compiled);
}

/**
 * A decoder of one recording. Rejects where WebAssembly or `new Function` is forbidden, as by a
 * Content-Security-Policy without `wasm-unsafe-eval` and `unsafe-eval`.
 *
 * @example
 * const decoder = await createDecoder();
 * const line = "(1436509052.249713) can0 09F11203#00FA7CFF7FFF7FFC\n";
 * const messages = [...decoder.push(new TextEncoder().encode(line)), ...decoder.end()];
 * messages[0].data.headingDeg // 183.312
 */
export async function createDecoder({ modified = 0 }: DecoderOptions = {}): Promise<Decoder> {
  if (typeof modified !== "number" || Number.isNaN(new Date(modified).valueOf()))
    throw new RangeError("modified is not a number of milliseconds since 1970");
  // Decoders are compiled from text; where that is forbidden the first message would fail, in the midst of a file.
  new Function("");
  const catalogue = createCatalogue();
  catalogue.setPublic({ pgns: publicPgns(HUB_PUBLIC_PGNS), isWanted: () => true });
  let messages: Message[] = [];
  let ended = false;
  const visit = (packet: Packet): void => {
    const { pgn, source, destination, priority, received, bytes, at, end } = packet;
    const reader = catalogue.reader(pgn) ?? catalogue.publicReader(pgn);
    const data = reader?.message(packet) ?? { pgn, raw: readHex(bytes, at, end) };
    messages.push({ received, pgn, source, destination, priority, data });
  };
  const reader = new RecordingReader({ modified, module: await newReassembler(), catalogue, visit });
  let failure: UnreadableRecording | undefined;
  const read = (chunk: Uint8Array, isLast: boolean): Message[] => {
    const earlier = failure;
    failure = undefined;
    if (earlier !== undefined) throw earlier;
    if (ended) throw new Error("the decoder has ended: each recording needs one of its own");
    if (!ArrayBuffer.isView(chunk)) throw new TypeError("a chunk is a Uint8Array: open a file without an encoding");
    messages = [];
    ended = true;
    try {
      reader.push(chunk, isLast);
      ended = isLast;
    } catch (error) {
      if (isLast || messages.length === 0 || !(error instanceof UnreadableRecording)) throw error;
      failure = error;
    }
    return messages;
  };
  return {
    push: (chunk) => read(chunk, false),
    end: () => read(NOTHING, true),
    get format() {
      return reader.format;
    },
    get problem() {
      return reader.problem;
    },
    get hasTimes() {
      return reader.times !== "none";
    },
    counters: () => {
      const { frames, ignored, packets, discarded, malformed } = reader.counters();
      return { frames, ignored, packets, discarded, malformed };
    },
  };
}

/** A `ReadableStream` of the Web, by what is used of it. */
export interface WebStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<unknown>;
  };
}

/** A file: its bytes, a `File` or `Blob`, or chunks as a stream of Node, a `ReadableStream` of the Web, an array. */
export type Chunks =
  | Uint8Array
  | { stream(): WebStream }
  | WebStream
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>;

/** Safari has streams that `for await` does not take. */
async function* chunksOf(chunks: Chunks): AsyncGenerator<Uint8Array, void, undefined> {
  if (ArrayBuffer.isView(chunks)) return yield chunks;
  const offers = (name: PropertyKey): boolean => typeof chunks === "object" && chunks !== null && name in chunks;
  if (!["stream", "getReader", Symbol.asyncIterator, Symbol.iterator].some(offers))
    throw new TypeError("decode takes the bytes of a recording, or a stream of them");
  if ("stream" in chunks) return yield* chunksOf(chunks.stream());
  if (!("getReader" in chunks)) return yield* chunks;
  const reader = chunks.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/**
 * The messages of a recording, in their order. Throws as `Decoder.push` does.
 *
 * @example for await (const { pgn, source, data } of decode(file)) console.log(source, pgn, data);
 */
export async function* decode(chunks: Chunks, options?: DecoderOptions): AsyncGenerator<Message, void, undefined> {
  const decoder = await createDecoder(options);
  for await (const chunk of chunksOf(chunks)) yield* decoder.push(chunk);
  yield* decoder.end();
}
