/** Serves the frames of a bus as Yacht Devices RAW to TCP clients. */
import type { Clock } from "../../../core/ports/clock.ts";
import { rawText } from "../../../formats/recording/formats/yacht-devices-writer.ts";
import type { FrameBatch } from "../../../formats/recording/frame-batch.ts";
import { type LineServer, type LineServerOptions, lineServer } from "./line-server.ts";

/** Time for which frames are collected into one write, because a write costs more than a frame. */
const COLLECT_MS = 20;
const MAX_CLIENTS = 32;

export interface FrameServerOptions extends LineServerOptions {
  readonly clock: Clock;
}

/** Members of the health. */
export interface FrameServerCounters {
  readonly frameClients: number;
  readonly frameClientsDropped: { readonly slow: number; readonly refused: number };
  readonly frameClientBytes: number;
  readonly framesNotServed: number;
}

/** Listens; rejects with the system's error. */
export async function openFrameServer(options: FrameServerOptions): Promise<FrameServer> {
  return new FrameServer(await lineServer({ maxClients: MAX_CLIENTS, ...options }), options.clock);
}

export class FrameServer {
  readonly #server: LineServer;
  readonly #clock: Clock;
  #text = "";
  #callOff: (() => void) | undefined;
  #lost = 0;

  constructor(server: LineServer, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  /** Sends frames, which it copies; `lost`: frames so far that did not reach the server. Never waits. */
  take(frames: FrameBatch, lost = 0): void {
    this.#lost = lost;
    if (!this.#server.hasClients) return;
    this.#text += rawText(frames);
    this.#callOff ??= this.#clock.after(COLLECT_MS, () => this.#flush());
  }

  counters(): FrameServerCounters {
    const { connected, slow, refused, receivedBytes } = this.#server.counters();
    return {
      frameClients: connected,
      frameClientsDropped: { slow, refused },
      frameClientBytes: receivedBytes,
      framesNotServed: this.#lost,
    };
  }

  /** Sends the pending frames and ends all connections. */
  async close(): Promise<void> {
    this.#flush();
    await this.#server.close();
  }

  #flush(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    if (this.#text !== "") this.#server.send(this.#text);
    this.#text = "";
  }
}
