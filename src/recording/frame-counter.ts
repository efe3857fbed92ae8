/**
 * Stands in for an interface where there is none: behind a recording or a simulation. It counts the frames of the
 * packets as the bridge takes them and not as they are read, so that a recording at full speed gives the same numbers
 * at the same time of the recording however its bytes arrive.
 */
import type { InterfaceMonitor, InterfaceReading } from "../ports/interface-monitor.ts";

const FRAME_BYTES = 8;
const FAST_FIRST_BYTES = 6;
const FOLLOWING_BYTES = 7;

/**
 * Frames that carry a packet of this transport (`ports/packet-batch.ts`) and length; of ISO TP its announcement and its
 * data.
 */
export function framesOf(transport: number, length: number): number {
  if (transport === 1) return 1 + Math.max(0, Math.ceil((length - FAST_FIRST_BYTES) / FOLLOWING_BYTES));
  return transport === 2 ? 1 + Math.ceil(length / FOLLOWING_BYTES) : 1;
}

export class FrameCounter implements InterfaceMonitor {
  readonly #name: string;
  #frames = 0;
  #bytes = 0;

  /** `name` stands in for that of an interface. */
  constructor(name: string) {
    this.#name = name;
  }

  count(transport: number, length: number): void {
    const frames = framesOf(transport, length);
    this.#frames += frames;
    // The last of several frames is filled up.
    this.#bytes += transport === 0 ? length : frames * FRAME_BYTES;
  }

  read(): InterfaceReading {
    const stats = { rx_frames: this.#frames, rx_bytes: this.#bytes };
    return { index: 0, status: { interface: this.#name, state: "UNKNOWN", up: true, stats } };
  }
}
