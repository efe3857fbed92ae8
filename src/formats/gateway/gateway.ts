/**
 * A gateway between an NMEA 2000 bus and this machine, without its connection: bytes of it in, records and commands to
 * it out. One file a gateway; `table.ts` has them all.
 */
import type { Tally } from "../../core/util/tally.ts";
import type { RecordWriter } from "../recording/record-writer.ts";

export interface Endpoint {
  /** Scheme of the gateway's URL. */
  readonly scheme: string;
  readonly transport: "tcp" | "udp" | "serial";
  /** TCP or UDP port if the URL names none; without a default the URL has to name one. */
  readonly port?: number;
  /** A UDP endpoint whose URL may name the multicast group to join. */
  readonly hasGroup?: boolean;
  /** Bit rate of a serial port if the URL gives none. */
  readonly baud?: number;
}

export interface Gateway {
  /** Name of the gateways that speak it, for people. */
  readonly title: string;
  readonly endpoints: readonly Endpoint[];
  /** Whether it sends frames, which are reassembled, or whole messages. */
  readonly carries: "frames" | "messages" | "both";
  /** Its time stamps have a date; records of other gateways are stamped when they arrive. */
  readonly hasDates?: true;
  /**
   * Frames that hub's node can send through it: any frame, or requests in the name of a gateway that is a device
   * itself; absent: none.
   */
  readonly transmits?: "frames" | "requests";
  /** The URL ends with the name of a bus. */
  readonly hasBusName?: boolean;
  /** Time without a readable message after which the connection is closed, milliseconds; `BUS_SILENCE_MS` if absent. */
  readonly silenceMs?: number;
  /** Called for each connection. */
  open(options: SessionOptions): Session;
}

export interface SessionOptions {
  /** Commands to the gateway itself, or frames that `encode` has made. */
  readonly send: (bytes: Uint8Array) => void;
  /** Name of the bus in the URL. */
  readonly busName?: string;
  readonly url?: string;
  /** Wall clock, milliseconds since 1970. */
  readonly wall?: () => number;
  /** Counts measurements of NMEA 0183 of which nothing is made, by name. */
  readonly unusedTransducers?: Tally;
}

/** Figures of the bus as the gateway reports them; members that it does not know are absent. */
export interface BusFigures {
  readonly busLoadPercent?: number;
  readonly busErrors?: number;
  /** Percentage of the bus messages that the gateway dropped for lack of room: the highest at any of its stages. */
  readonly droppedPercent?: number;
  /** Error counters of its CAN controller (ISO 11898-1), 0 to 255. */
  readonly receiveErrorCounter?: number;
  readonly transmitErrorCounter?: number;
}

/** The conversation of one connection. */
export interface Session {
  /**
   * Writes the records that end in `chunk`, which may be cut anywhere, to `writer`, and never throws; `end`: an
   * incomplete record will not continue, as at the end of a datagram, whose host is `sender`.
   */
  read(chunk: Uint8Array, end: boolean, writer: RecordWriter, sender?: string): void;
  /** Lines or messages that could not be read and were skipped. */
  readonly malformed: number;
  /** Messages of the gateway about itself. */
  readonly answers?: number;
  /** The state that the gateway has to reach before it can be used, for the log; absent: it can be used. */
  readonly waitsFor?: string | undefined;
  /** Why the connection is of no use, in the words of the gateway; it is closed then. */
  readonly refusal?: string | undefined;
  readonly figures?: BusFigures | undefined;
  /** Called every second with the milliseconds since the last message that could be read. */
  advance?(silence: number): void;
  /** The bytes that send a frame. Present if the gateway transmits. */
  encode?(id: number, data: Uint8Array): Uint8Array;
}

/** Silence of a gateway that has no command to check its presence: on a powered bus some device always sends. */
export const BUS_SILENCE_MS = 30_000;
