/**
 * A gateway as a source of packets. The connection is opened again whenever it is lost, cannot be opened, or delivers
 * no readable data; the status of the interface has its state.
 *
 *     waiting ──► connecting ──► connected ──► up          up: the gateway has been told what it needs to know
 *        ▲             │              │         │
 *        └─────────────┴──────────────┴─────────┘          refused, late, silent, ended, broken: with the reason
 */
import { getSystemErrorMap } from "node:util";
import type { Clock } from "../../../core/ports/clock.ts";
import type { FrameSender } from "../../../core/ports/frame-sender.ts";
import type { InterfaceMonitor, InterfaceReading } from "../../../core/ports/interface-monitor.ts";
import type { BusCounters, PacketBatch, PacketSource, SourceState } from "../../../core/ports/packet-source.ts";
import { isoTime } from "../../../core/text/date.ts";
import { Tally } from "../../../core/util/tally.ts";
import { BUS_SILENCE_MS, type Session } from "../../../formats/gateway/gateway.ts";
import type { GatewayAddress } from "../../../formats/gateway/table.ts";
import { stampArrival } from "../../../formats/recording/arrival.ts";
import type { FrameBatch } from "../../../formats/recording/frame-batch.ts";
import { FrameCounter } from "../../../formats/recording/frame-counter.ts";
import { type RecordingBatch, RecordWriter } from "../../../formats/recording/record-writer.ts";
import { ReassembledSource } from "../can/reassembled-source.ts";
import { type Link, openLink } from "./links.ts";

/** Times in milliseconds. */
export interface GatewayTiming {
  readonly connectMs: number;
  /**
   * Wait after a loss; it doubles with each further loss up to the longest, and begins anew after a stable connection.
   */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** A connection with messages that has lasted this long is stable. */
  readonly stableMs: number;
  /** Limit in place of the gateway's own. */
  readonly silenceMs: number;
}

/** Device files are tried more often, because that costs nothing and people wait after plugging in a cable. */
const LONGEST_WAIT_MS = { tcp: 30_000, udp: 30_000, serial: 4000 } as const;
const FIRST_WAIT_MS = 500;
const CONNECT_MS = 5000;
const STABLE_MS = 1000;
const CHECK_MS = 1000;
/** Time-out of a fast packet (`native/fast_packet.h`). */
const FAST_PACKET_MS = 750;

export interface GatewayStatus {
  readonly isUp: boolean;
  /** The reason why it is not up. */
  readonly reason?: string;
  /** Whether there is a connection and the gateway is not ready yet. */
  readonly isConnected?: boolean;
}

export interface GatewaySourceOptions {
  /** Name of the interface in whose place the gateway is. */
  readonly name: string;
  readonly address: GatewayAddress;
  /** Whether frames can be sent; otherwise only commands to the gateway itself are sent. */
  readonly transmit: boolean;
  readonly clock: Clock;
  /** Called for the first status and for each change of it. */
  readonly onStatus?: (status: GatewayStatus) => void;
  /** Called with all frames before they are reassembled, valid until it returns. */
  readonly onFrames?: ((frames: FrameBatch) => void) | undefined;
  /** Called with the frames into which whole messages are split, valid until it returns. */
  readonly onMessageFrames?: ((frames: FrameBatch) => void) | undefined;
  readonly timing?: Partial<GatewayTiming>;
}

export class GatewaySource implements PacketSource {
  readonly monitor: InterfaceMonitor;
  readonly sender?: FrameSender;
  readonly hasOwnClock: boolean;
  readonly #options: GatewaySourceOptions;
  readonly #timing: GatewayTiming;
  readonly #source: ReassembledSource;
  readonly #writer = new RecordWriter();
  readonly #closing = new AbortController();
  #link: Link | undefined;
  #session: Session | undefined;
  #status: GatewayStatus = { isUp: false, reason: "connecting" };
  /** Wall clock of the last change. */
  #since: number;
  #connections = 0;
  #received = 0;
  readonly #sent = { frames: 0, bytes: 0 };
  /** Counters of the connections that have ended. */
  #malformed = 0;
  /** Of all connections. */
  readonly #unusedTransducers = new Tally();
  #lost = { kernel: 0, queue: 0 };
  /** Monotonic time of the last readable message, and the number of such messages. */
  #heardAt = 0;
  #heard = 0;
  /** Whether bytes have been received since then. */
  #hasNoise = false;
  /** The last connection ended in silence: the next one counts as up only after a message. */
  #isMute = false;
  #onState: (state: SourceState) => void = () => {};
  #wake = (): void => {};

  /** Opens nothing before `packets`. Throws `AddonError`. */
  constructor(options: GatewaySourceOptions) {
    this.#options = options;
    const { name, address, transmit, clock, onFrames, onMessageFrames } = options;
    this.#timing = {
      connectMs: CONNECT_MS,
      firstWaitMs: FIRST_WAIT_MS,
      longestWaitMs: LONGEST_WAIT_MS[address.endpoint.transport],
      stableMs: STABLE_MS,
      silenceMs: address.gateway.silenceMs ?? BUS_SILENCE_MS,
      ...options.timing,
    };
    this.#since = clock.wall();
    this.hasOwnClock = address.gateway.hasDates ?? false;
    const malformed = () => this.#refused();
    const unusedTransducers = this.#unusedTransducers;
    const batches = this.#batches();
    this.#source = new ReassembledSource({ name, batches, malformed, unusedTransducers, onFrames, onMessageFrames });
    const frames = new FrameCounter(name);
    this.monitor = {
      count: (transport, length) => frames.count(transport, length),
      read: () => this.#reading(frames.read()),
    };
    const isDevice = address.gateway.transmits === "requests";
    if (transmit) this.sender = { isDevice, send: (id, data) => this.#send(id, data) };
  }

  packets(fastPacketTable: Uint32Array): AsyncIterable<PacketBatch> {
    return this.#source.packets(fastPacketTable);
  }

  counters(): BusCounters {
    const counters = this.#source.counters();
    const { kernel, queue } = this.#lostSoFar();
    return { ...counters, lost: { kernel: counters.lost.kernel + kernel, ring: counters.lost.ring + queue } };
  }

  onState(listener: (state: SourceState) => void): void {
    this.#onState = listener;
  }

  setFastPacketTable(fastPacketTable: Uint32Array): void {
    this.#source.setFastPacketTable(fastPacketTable);
  }

  close(): void {
    this.#closing.abort();
    this.#wake();
    this.#link?.close();
    this.#source.close();
  }

  async *#batches(): AsyncGenerator<RecordingBatch, void, void> {
    const { signal } = this.#closing;
    const { connectMs, firstWaitMs, longestWaitMs, stableMs } = this.#timing;
    const { clock, address } = this.#options;
    let waitMs = firstWaitMs;
    while (!signal.aborted) {
      const heard = this.#heard;
      const began = clock.monotonic();
      let reason = "the gateway has closed the connection";
      try {
        this.#link = await openLink(address, { connectMs, signal });
        yield* this.#conversation(this.#link);
      } catch (error) {
        reason = reasonOf(error);
      }
      if (signal.aborted) return;
      this.#become({ isUp: false, reason });
      if (this.#heard !== heard && clock.monotonic() - began >= stableMs) waitMs = firstWaitMs;
      await this.#sleep(waitMs);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  }

  /** The records of one connection. */
  async *#conversation(link: Link): AsyncGenerator<RecordingBatch, void, void> {
    const { address, clock } = this.#options;
    const { busName } = address;
    const send = (bytes: Uint8Array): void => void link.write(bytes);
    const session = address.gateway.open({
      send,
      url: address.url,
      wall: () => clock.wall(),
      unusedTransducers: this.#unusedTransducers,
      ...(busName !== undefined && { busName }),
    });
    this.#session = session;
    this.#connections++;
    this.#heardAt = clock.monotonic();
    this.#hasNoise = false;
    const callOff = clock.every(CHECK_MS, () => this.#check(link, session));
    try {
      if (!link.areDatagrams && !this.#isMute) this.#settle(session);
      for await (const chunk of link.chunks) {
        yield* this.#records(chunk, link, session);
        if (session.refusal !== undefined) throw new Error(`the gateway refuses: ${session.refusal}`);
      }
    } finally {
      callOff();
      link.close();
      this.#forget();
    }
  }

  *#records(chunk: Uint8Array, link: Link, session: Session): Generator<RecordingBatch, void, void> {
    const { clock } = this.#options;
    const writer = this.#writer;
    const aside = (): number => (session.answers ?? 0) + writer.internal + writer.unaddressed;
    const before = aside();
    this.#received += chunk.length;
    // A Uint8Array, because indexOf of a Buffer is slower.
    session.read(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length), link.areDatagrams, writer, link.sender);
    const now = clock.monotonic();
    const wall = clock.wall() * 1000;
    // A pause may be one of the way to the gateway, which loses what the bus sends meanwhile.
    if (now - this.#heardAt > FAST_PACKET_MS) this.#source.interrupted();
    const heard = this.#heard;
    this.#heard += aside() - before;
    for (const batch of writer.drain()) {
      if (this.#heard === heard) this.#heard++;
      stampArrival(batch, now * 1000, wall, this.hasOwnClock);
      yield batch;
    }
    const isHeard = this.#heard !== heard;
    if (isHeard) {
      this.#heardAt = now;
      this.#isMute = false;
      link.understood?.();
    }
    this.#hasNoise = !isHeard;
    if (isHeard || this.#status.isUp) this.#settle(session);
  }

  /** Sets the state to up, unless the session waits for something. */
  #settle({ waitsFor }: Session): void {
    this.#become(waitsFor === undefined ? { isUp: true } : { isUp: false, reason: waitsFor, isConnected: true });
  }

  /** Called every second of a connection. */
  #check(link: Link, session: Session): void {
    const silentMs = this.#options.clock.monotonic() - this.#heardAt;
    session.advance?.(silentMs);
    if (silentMs < this.#timing.silenceMs) return;
    this.#isMute = true;
    link.close(
      new Error(`${this.#hasNoise ? "nothing that can be read" : "no data"} for ${this.#timing.silenceMs / 1000} s`),
    );
  }

  #send(id: number, data: Uint8Array): boolean {
    const encode = this.#session?.encode;
    if (!this.#status.isUp || encode === undefined) return false;
    const isSent = this.#link!.write(encode.call(this.#session, id, data));
    this.#sent.frames += isSent ? 1 : 0;
    this.#sent.bytes += isSent ? data.length : 0;
    return isSent;
  }

  /** Ends a connection; its counters are added to those of earlier ones. */
  #forget(): void {
    this.#source.interrupted();
    this.#lost = this.#lostSoFar();
    this.#malformed = this.#refused();
    this.#link = undefined;
    this.#session = undefined;
  }

  /** Datagrams for which there was no room, in all connections. */
  #lostSoFar(): { readonly kernel: number; readonly queue: number } {
    const { kernel = 0, queue = 0 } = this.#link?.lost() ?? {};
    return { kernel: this.#lost.kernel + kernel, queue: this.#lost.queue + queue };
  }

  #refused(): number {
    return this.#malformed + (this.#session?.malformed ?? 0);
  }

  #become(status: GatewayStatus): void {
    const { isUp, reason } = status;
    if (isUp === this.#status.isUp && reason === this.#status.reason) return;
    const hasChanged = isUp !== this.#status.isUp;
    this.#status = status;
    if (hasChanged) this.#since = this.#options.clock.wall();
    this.#options.onStatus?.(status);
    this.#onState({ isUp, hasChanged });
  }

  #reading({ index, status }: InterfaceReading): InterfaceReading {
    const { address } = this.#options;
    const { isUp, reason } = this.#status;
    const { busErrors, ...figures } = this.#session?.figures ?? {};
    const { frames: tx_frames, bytes: tx_bytes } = this.#sent;
    return {
      index,
      status: {
        ...status,
        up: isUp,
        stats: {
          ...(this.sender && { tx_frames, tx_bytes }),
          ...status.stats,
          ...(busErrors !== undefined && { bus_errors: busErrors }),
        },
        gateway: {
          source: address.url,
          since: isoTime(this.#since),
          ...(reason !== undefined && { reason }),
          connections: this.#connections,
          receivedBytes: this.#received,
          refused: this.#refused(),
          ...figures,
        },
      },
    };
  }

  async #sleep(milliseconds: number): Promise<void> {
    let callOff = (): void => {};
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      callOff = this.#options.clock.after(milliseconds, resolve);
    });
    callOff();
  }
}

/** The reason why a connection ended, in the words of the C library for a system error. */
function reasonOf(error: unknown): string {
  const { errno, code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the name of the host cannot be looked up";
  const [, sentence] = (errno !== undefined && getSystemErrorMap().get(-Math.abs(errno))) || [];
  return sentence ?? message ?? String(error);
}
