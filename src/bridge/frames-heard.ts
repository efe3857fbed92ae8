/**
 * What stands in for an interface where there is none: a recording or the simulation, with the frames of the packets that
 * came out of it. They are counted where they are heard and not where they are read, so that a recording at full speed
 * gives the same numbers at the same time of the recording however its bytes arrive.
 */
import type { InterfaceMonitor, InterfaceReading } from "../ports/interface-monitor.ts";
import type { Packet } from "./packet-batch.ts";

const FRAME_BYTES = 8;
const FAST_FIRST_BYTES = 6;
const MORE_BYTES = 7;

/** Frames that carry a packet of this transport (`packet-batch.ts`) and length; of ISO TP its announcement and its data. */
export function framesOf(transport: number, length: number): number {
  if (transport === 1) return 1 + Math.max(0, Math.ceil((length - FAST_FIRST_BYTES) / MORE_BYTES));
  return transport === 2 ? 1 + Math.ceil(length / MORE_BYTES) : 1;
}

export class FramesHeard implements InterfaceMonitor {
  readonly #name: string;
  #frames = 0;
  #bytes = 0;

  constructor(name: "replay" | "simulation") {
    this.#name = name;
  }

  hear({ transport, at, end }: Packet): void {
    const frames = framesOf(transport, end - at);
    this.#frames += frames;
    // The last frame of several is filled up.
    this.#bytes += transport === 0 ? end - at : frames * FRAME_BYTES;
  }

  read(): InterfaceReading {
    const stats = { rx_frames: this.#frames, rx_bytes: this.#bytes };
    return { index: 0, status: { interface: this.#name, state: "UNKNOWN", up: true, stats } };
  }
}
