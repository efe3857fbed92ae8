/**
 * A network of SAE J1939 as a source of packets: those of another source that are messages of J1939, and the messages of
 * NMEA 2000 that follow from them. J1939 has no fast packets; it never sends.
 */
import { GLOBAL_ADDRESS } from "../../../core/can/can-id.ts";
import type { InterfaceMonitor } from "../../../core/ports/interface-monitor.ts";
import { forEachPacket, type Packet } from "../../../core/ports/packet-batch.ts";
import type { BusCounters, PacketBatch, PacketSource, SourceState } from "../../../core/ports/packet-source.ts";
import { Translator, type TranslatorOptions } from "../../../formats/j1939/translator.ts";
import { PACKET_HEAD_BYTES } from "../../../formats/recording/record-writer.ts";

const NO_FAST_PACKETS = new Uint32Array(0);
const FIRST_BYTES = 1 << 12;

export class J1939Source implements PacketSource {
  readonly monitor: InterfaceMonitor;
  readonly #source: PacketSource;
  readonly #translator: Translator;
  readonly #out = new PacketList();

  constructor(source: PacketSource, options: TranslatorOptions) {
    this.#source = source;
    this.#translator = new Translator(options);
    // The packets that the bridge takes are not those of the network, which are counted here.
    this.monitor = {
      read() {
        const { index, status } = source.monitor.read();
        return { index, status: { ...status, interface: options.network } };
      },
    };
  }

  async *packets(): AsyncGenerator<PacketBatch> {
    const { monitor } = this.#source;
    for await (const batch of this.#source.packets(NO_FAST_PACKETS)) {
      this.#out.clear();
      forEachPacket(batch, (packet) => {
        monitor.count?.(packet.transport, packet.end - packet.at);
        this.#translator.hear(packet, (source, pgn, payload) => this.#out.add(packet, source, pgn, payload));
      });
      if (this.#out.length > 0) yield this.#out;
    }
  }

  counters(): BusCounters {
    return this.#source.counters();
  }

  onState(listener: (state: SourceState) => void): void {
    this.#source.onState?.(listener);
  }

  /** The table is that of NMEA 2000. */
  setFastPacketTable(): void {}

  close(): void {
    this.#source.close();
  }
}

/** Records of packets (`ports/packet-batch.ts`) in memory that grows with the largest batch. */
class PacketList implements PacketBatch {
  bytes = new Uint8Array(FIRST_BYTES);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  /** Adds a message with the times of the packet from which it follows. */
  add({ bytes, at }: Packet, source: number, pgn: number, payload: Uint8Array): void {
    const start = this.length;
    const end = start + ((PACKET_HEAD_BYTES + payload.length + 7) & ~7);
    if (end > this.bytes.length) {
      const larger = new Uint8Array(2 * end);
      larger.set(this.bytes.subarray(0, start));
      this.bytes = larger;
    }
    this.bytes.set(bytes.subarray(at - PACKET_HEAD_BYTES, at), start);
    const words = new Uint32Array(this.bytes.buffer, start + 16, 2);
    words[0] = pgn;
    words[1] = payload.length | (source << 16) | (GLOBAL_ADDRESS << 24);
    this.bytes.set(payload, start + PACKET_HEAD_BYTES);
    this.bytes.fill(0, start + PACKET_HEAD_BYTES + payload.length, end);
    this.length = end;
  }
}
