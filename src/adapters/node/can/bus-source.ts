/** A SocketCAN interface as a source of packets. */
import type { FrameSender } from "../../../core/ports/frame-sender.ts";
import type { InterfaceMonitor } from "../../../core/ports/interface-monitor.ts";
import {
  type BusCounters,
  noCounts,
  type PacketBatch,
  type PacketSource,
  type SourceState,
} from "../../../core/ports/packet-source.ts";
import type { FrameBatch } from "../../../formats/recording/frame-batch.ts";
import { type BusStatus, type LiveBus, openCanBus } from "./can-bus.ts";
import { interfaceMonitor } from "./interface-monitor.ts";

export interface BusSourceOptions {
  readonly interface: string;
  /** Whether frames can be sent; otherwise the addon cannot send. */
  readonly transmit: boolean;
  /** Called for the first status and for each change of it. */
  readonly onStatus?: (status: BusStatus) => void;
  /** Called with all frames of the bus and the number of lost frames so far; the frames are valid until it returns. */
  readonly onFrames?: ((frames: FrameBatch, lost: number) => void) | undefined;
}

async function* nothing(): AsyncGenerator<never> {}

export class BusSource implements PacketSource {
  readonly monitor: InterfaceMonitor;
  readonly sender?: FrameSender;
  readonly #options: BusSourceOptions;
  #bus: LiveBus | undefined;
  #isClosed = false;
  #onState: (state: SourceState) => void = () => {};

  /** Opens nothing before `packets`. */
  constructor(options: BusSourceOptions) {
    this.#options = options;
    this.monitor = interfaceMonitor(options.interface);
    if (options.transmit) this.sender = { send: (id, data) => this.#bus?.send(id, data) ?? false };
  }

  /** Throws `AddonError`, or a system error for a name that no interface can have. */
  packets(fastPacketTable: Uint32Array): AsyncIterable<PacketBatch> {
    if (this.#isClosed) return nothing();
    const { interface: name, transmit, onStatus, onFrames } = this.#options;
    let isUp = false;
    let hasChanged = false;
    this.#bus = openCanBus(name, fastPacketTable, {
      transmit,
      ...(onFrames && { onFrames }),
      onStatus(status) {
        isUp = status.state === "up";
        hasChanged = true;
        onStatus?.(status);
      },
      onLinkChange: () => {
        const state = { isUp, hasChanged };
        hasChanged = false;
        this.#onState(state);
      },
    });
    return this.#bus.batches();
  }

  counters(): BusCounters {
    return this.#bus?.counters() ?? noCounts;
  }

  onState(listener: (state: SourceState) => void): void {
    this.#onState = listener;
  }

  setFastPacketTable(fastPacketTable: Uint32Array): void {
    this.#bus?.setFastPacketTable(fastPacketTable);
  }

  close(): void {
    this.#isClosed = true;
    this.#bus?.close();
  }
}
