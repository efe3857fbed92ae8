/**
 * A gateway on a network of the boat, in place of an interface of Linux: its bytes come over TCP in pieces of any
 * length, are read by hub's session, and frames are reassembled by the addon.
 */
import { createReassembler } from "../../src/adapters/node/can/can-bus.ts";
import { MessageFrames } from "../../src/adapters/node/streams/message-frames.ts";
import { forEachPacket } from "../../src/core/ports/packet-batch.ts";
import type { PacketBatch } from "../../src/core/ports/packet-source.ts";
import { actisense } from "../../src/formats/gateway/actisense.ts";
import type { Session } from "../../src/formats/gateway/gateway.ts";
import { yachtDevices } from "../../src/formats/gateway/yacht-devices.ts";
import { stampArrival } from "../../src/formats/recording/arrival.ts";
import { FRAME_BYTES, type FrameBatch } from "../../src/formats/recording/frame-batch.ts";
import { RecordWriter } from "../../src/formats/recording/record-writer.ts";
import { bst, messageBst } from "../formats/gateway/bst.ts";
import type { Random } from "./random.ts";
import type { ProgramClock } from "./virtual-clock.ts";

/** Time for which bytes are gathered on the way. */
const GATHERED_MS = 50;
const PIECE_BYTES = 150;
const RING_BYTES = 1 << 18;

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, "0");

/** The frames of a batch as lines of type RAW. */
function linesOf({ bytes, length }: FrameBatch): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let lines = "";
  for (let at = 0; at < length; at += FRAME_BYTES) {
    const data = Array.from(bytes.subarray(at + 24, at + 24 + bytes[at + 20]!), (byte) => ` ${hex(byte, 2)}`);
    lines += `12:00:00.000 R ${hex(view.getUint32(at + 16, true) & 0x1fffffff, 8)}${data.join("")}\r\n`;
  }
  return lines;
}

export const gatewayNames = ["Yacht Devices", "Actisense"] as const;
export type GatewayName = (typeof gatewayNames)[number];

export interface FrameGatewayOptions {
  readonly name: GatewayName;
  /** Its timers end with hub-cand. */
  readonly clock: ProgramClock;
  readonly random: Random;
  readonly fastPacketTable: Uint32Array;
  take(batch: PacketBatch): void;
}

export class FrameGateway {
  readonly #options: FrameGatewayOptions;
  readonly #split = new MessageFrames();
  readonly #writer = new RecordWriter();
  readonly #reassembler;
  readonly #bytes = new Uint8Array(RING_BYTES);
  #session: Session;
  #pending: Buffer[] = [];

  constructor(options: FrameGatewayOptions) {
    this.#options = options;
    this.#reassembler = createReassembler(options.fastPacketTable, { ringBytes: RING_BYTES });
    this.#split.setFastPacketTable(options.fastPacketTable);
    this.#session = this.#open();
  }

  get malformed(): number {
    return this.#session.malformed;
  }

  /** The connection is new. */
  reopen(): void {
    this.#pending = [];
    this.#session = this.#open();
  }

  /** Takes messages of the network; hub-cand has them a moment later. */
  hear(batch: PacketBatch): void {
    if (this.#pending.length === 0) this.#options.clock.after(GATHERED_MS, () => this.#arrive());
    if (this.#options.name === "Yacht Devices")
      for (const frames of this.#split.of(batch)) this.#pending.push(Buffer.from(linesOf(frames)));
    else
      forEachPacket(batch, ({ pgn, source, priority, bytes, at, end }) => {
        const payload = bytes.subarray(at, end);
        this.#pending.push(bst(messageBst({ pgn, source, priority, payload, wall: 0 })));
      });
  }

  #open(): Session {
    const gateway = this.#options.name === "Actisense" ? actisense : yachtDevices;
    return gateway.open({ send: () => {} });
  }

  #arrive(): void {
    const { clock, random, take } = this.#options;
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    for (let at = 0; at < bytes.length; ) {
      const end = at + random.integer(1, PIECE_BYTES);
      this.#session.read(bytes.subarray(at, end), false, this.#writer);
      at = end;
    }
    for (const batch of this.#writer.drain()) {
      stampArrival(batch, clock.monotonic() * 1000, clock.wall() * 1000, false);
      if (batch.packets !== undefined) take(batch.packets);
      if (batch.frames !== undefined) this.#reassemble(batch.frames);
    }
  }

  #reassemble(frames: FrameBatch): void {
    const count = frames.length / FRAME_BYTES;
    for (let taken = 0; taken < count; ) {
      taken += this.#reassembler.push(frames.bytes.subarray(taken * FRAME_BYTES), count - taken);
      for (let length = this.#reassembler.drain(this.#bytes); length > 0; length = this.#reassembler.drain(this.#bytes))
        this.#options.take({ bytes: this.#bytes, length });
    }
  }
}
