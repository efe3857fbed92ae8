/**
 * Takes the place of an interface for a recording or a simulation. It counts the frames of the packets when the bridge
 * takes them and not when they are read, so that a recording at full speed gives the same numbers at the same time of
 * the recording, in whatever pieces its bytes arrive.
 */
import { framesOf } from "../../core/can/wire-load.ts";
import type { InterfaceMonitor, InterfaceReading } from "../../core/ports/interface-monitor.ts";

const FRAME_BYTES = 8;

export class FrameCounter implements InterfaceMonitor {
  readonly #name: string;
  #frames = 0;
  #bytes = 0;

  /** `name` takes the place of the name of an interface. */
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
