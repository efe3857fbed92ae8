/**
 * The addon: reassembly of frames in C++, on a SocketCAN interface or on a recording. The only file that loads it.
 *
 *     AddonError        it does not load: missing, or made for another system
 *     SystemError       `code`, `errno`, `syscall`: it was asked for what cannot be, such as an impossible interface name
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { FrameSender } from "../../ports/frame-sender.ts";
import type { InterfaceConfiguration, InterfaceState, InterfaceStatistics } from "../../ports/interface-monitor.ts";
import type { BusCounters, PacketSource } from "../../ports/packet-source.ts";
import type { FrameBatch } from "../../recording/frame-batch.ts";

/** The addon does not load; the message says where it was looked for and what each place answered. */
export class AddonError extends Error {
  override readonly name = "AddonError";
}

/**
 * What an interface is to its listener: `absent` (no such interface; looked for every second), `down`, `up`, or `closed`
 * by ourselves. `errno` is the system's positive number of why it is not up, 0 if nothing has been said.
 */
export interface BusStatus {
  readonly state: "absent" | "down" | "up" | "closed";
  /** Number of the interface, 0 while there is none. */
  readonly index: number;
  readonly errno: number;
}

/** Where frames went; see `native/counters.h`. Together with `lost.ring` these are all frames that were taken in. */
export interface FrameBooks {
  readonly finished: number;
  readonly discarded: number;
  readonly repeated: number;
  readonly control: number;
  readonly open: number;
}

/** The class of the addon. */
interface CanBus {
  open(interfaceName: string, options: { readonly transmit: boolean }): void;
  send(id: number, data: Uint8Array): boolean;
  push(frames: Uint8Array, count: number): number;
  expire(nowMonotonicUs: number): void;
  drain(into: Uint8Array): number;
  /** Moves whole frame records out of the tap; returns their bytes, 0: none left, or no tap. */
  tap(into: Uint8Array): number;
  /** Frames that the tap had no room for. */
  tapLost(): number;
  counters(): Omit<BusCounters, "malformed">;
  books(): FrameBooks;
  status(): BusStatus;
  /** How often there was reason to ask what the interface is. */
  notices(): number;
  setFraming(framing: Uint32Array): void;
  close(): void;
}

/** What rtnetlink says about an interface; what it leaves out is absent. */
export interface LinkStatus {
  readonly index: number;
  readonly up: boolean;
  readonly state?: InterfaceState;
  readonly stats?: InterfaceStatistics;
  readonly config?: InterfaceConfiguration;
}

interface CanBusOptions {
  readonly framing: Uint32Array;
  readonly wake: () => void;
  readonly ringBytes?: number;
  /** Room for frames that somebody records; without it none are kept. */
  readonly tapBytes?: number;
}

interface Addon {
  readonly CanBus: new (options: CanBusOptions) => CanBus;
  readInterface(name: string): LinkStatus | undefined;
}

/** Where the addon lies: beside the bundle as installed, or in `build/` as seen from `dist/` and from this file. */
const places = ["./hub_can.node", "../build/Release/hub_can.node", "../../../build/Release/hub_can.node"];

let loaded: Addon | undefined;

/** Loads the addon at its first use, so that a program can say what it is without it; throws `AddonError`. */
function addon(): Addon {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const answers: string[] = [];
  for (const place of places) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    try {
      loaded = require(path) as Addon;
      return loaded;
    } catch (error) {
      answers.push(error instanceof Error ? error.message.split("\n", 1)[0]! : String(error));
    }
  }
  throw new AddonError(`the addon does not load: ${answers.join("; ")}`);
}

/**
 * Asks the kernel about a network interface, at once; undefined when there is none of this name. Throws `AddonError`, or a
 * system error when the kernel does not answer.
 */
export const readInterface = (name: string): LinkStatus | undefined => addon().readInterface(name);

/** The longest packet record: a head of 32 bytes and 255 packets of seven. */
const LONGEST_RECORD = 1824;
const BATCH_BYTES = 1 << 18;
/** Room for 65536 frames for whoever records: half a minute of a full bus. */
const TAP_BYTES = 1 << 21;

export interface OpenCanBusOptions {
  /** Room for finished packets while the event loop is busy elsewhere; default 8 MiB. */
  readonly ringBytes?: number;
  /** Told about each change of `status()` that the event loop lives to see, the first one included, until it is closed. */
  readonly onStatus?: (status: BusStatus) => void;
  /** Told that the interface may have changed, so that whoever wants to know asks `readInterface`. */
  readonly onNotice?: () => void;
  /**
   * Given every frame as it came off the bus, error frames included, a burst at a time; valid until it returns. Beside it
   * the count of frames so far that there was no room for.
   */
  readonly onFrames?: (frames: FrameBatch, lost: number) => void;
  /** Lets `send` write to the bus; without it there is nothing that could. */
  readonly transmit?: boolean;
}

/** A bus that is listened to. */
export interface CanBusSource extends PacketSource, FrameSender {
  status(): BusStatus;
  /** Throws when the bus was not opened to transmit, and for more than 29 bits or eight bytes. */
  send(id: number, data: Uint8Array): boolean;
}

/**
 * Listens to a SocketCAN interface; keeps the process alive until closed. Writes to the bus only through `send`, and only
 * when opened to `transmit`; it does not hear the frames it sends.
 *
 * The interface need not be there: `status()` says what it is, and it is looked for again every second.
 * The monotonic stamps of its packets are those of `process.hrtime()`.
 * Throws `AddonError`, or a system error for a name that no interface can have.
 */
export function openCanBus(
  interfaceName: string,
  framing: Uint32Array,
  { ringBytes, onStatus, onNotice, onFrames, transmit = false }: OpenCanBusOptions = {},
): CanBusSource {
  let isOpen = true;
  let resume = () => {};
  let told = "";
  let notices = 0;
  const tapped = new Uint8Array(onFrames === undefined ? 0 : BATCH_BYTES);
  const handOut = (): void => {
    if (onFrames === undefined) return;
    for (let length = bus.tap(tapped); length > 0; length = bus.tap(tapped))
      onFrames({ bytes: tapped, length }, bus.tapLost());
  };
  const wake = (): void => {
    const noticed = bus.notices();
    if (noticed !== notices) {
      notices = noticed;
      const status = bus.status();
      const seen = JSON.stringify(status);
      if (seen !== told) {
        told = seen;
        onStatus?.(status);
      }
      onNotice?.();
    }
    handOut();
    resume();
  };
  const bus = new (addon().CanBus)({
    framing,
    wake,
    ...(ringBytes !== undefined && { ringBytes }),
    ...(onFrames !== undefined && { tapBytes: TAP_BYTES }),
  });
  bus.open(interfaceName, { transmit });

  return {
    async *batches() {
      const bytes = new Uint8Array(BATCH_BYTES);
      for (;;) {
        const length = bus.drain(bytes);
        if (length === 0) {
          if (!isOpen) return;
          await new Promise<void>((resolve) => {
            resume = resolve;
          });
          continue;
        }
        yield { bytes, length };
        // More is waiting than one batch holds: let timers and sockets have their turn before the next one.
        if (length > BATCH_BYTES - LONGEST_RECORD) await new Promise((resolve) => setImmediate(resolve));
      }
    },
    counters: () => ({ ...bus.counters(), malformed: 0 }),
    setFraming: (next) => bus.setFraming(next),
    status: () => bus.status(),
    send: (id, data) => isOpen && bus.send(id, data),
    close() {
      isOpen = false;
      bus.close();
      handOut();
      resume();
    },
  };
}

/** Reassembly without a bus: frames are pushed in and packets taken out, at once and on this thread. */
export interface Reassembler {
  /**
   * Takes `count` frame records (`recording/frame-batch.ts`) from `frames`; returns how many it took. It stops where it
   * has no room for another packet; drain and push the rest.
   */
  push(frames: Uint8Array, count: number): number;
  /** Moves whole packet records (`bridge/packet-batch.ts`) into at least 1824 bytes; returns their bytes, 0: none left. */
  drain(into: Uint8Array): number;
  /** Gives up packets that have been silent for 750 ms; frames with later stamps do so by themselves. */
  expire(nowMonotonicUs: number): void;
  counters(): Omit<BusCounters, "malformed">;
  books(): FrameBooks;
  setFraming(framing: Uint32Array): void;
}

/** Makes a `Reassembler`; throws `AddonError`, or a RangeError for an impossible framing. */
export function createReassembler(
  framing: Uint32Array,
  { ringBytes }: { readonly ringBytes?: number } = {},
): Reassembler {
  return new (addon().CanBus)({ framing, wake() {}, ...(ringBytes === undefined ? {} : { ringBytes }) });
}
