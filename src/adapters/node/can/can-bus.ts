/**
 * The addon: reassembly of frames in C++, on a SocketCAN interface or on a recording. The only file that loads it.
 *
 *     AddonError        it does not load: missing, or made for another system
 *     SystemError       `code`, `errno`, `syscall`: the request is impossible, such as an impossible interface name
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { getSystemErrorName } from "node:util";
import type { FrameSender } from "../../../core/ports/frame-sender.ts";
import type { BusCounters, PacketBatch } from "../../../core/ports/packet-source.ts";
import type {
  InterfaceConfiguration,
  InterfaceState,
  InterfaceStatistics,
} from "../../../core/report/interface-status.ts";
import type { ReadLines } from "../../../formats/recording/formats/format.ts";
import type { FrameBatch } from "../../../formats/recording/frame-batch.ts";

/** The addon does not load; the message has the places that were tried, and the error of each. */
export class AddonError extends Error {
  override readonly name = "AddonError";
}

/**
 * The state of an interface for its listener: `absent` (cannot be listened to; tried again every second), `down`, `up`,
 * or `closed` by `close()`.
 */
export interface BusStatus {
  readonly state: "absent" | "down" | "up" | "closed";
  /** Number of the interface, 0 while there is none. */
  readonly index: number;
  /**
   * The system's positive number of the reason why it is not up, 0 if there is none; 124, EMEDIUMTYPE: not a CAN
   * interface.
   */
  readonly errno: number;
  /** The reason in words, for a log: "no such interface", "not a CAN interface", "no permission" … */
  readonly reason?: string;
  /** Size of the kernel's receive buffer, and the requested size; absent while there is no socket. */
  readonly receiveBufferBytes?: number;
  readonly wantedReceiveBufferBytes?: number;
}

/** Accounts for every frame (`native/counters.h`): together with `lost.ring` these are the `frames` of the counters. */
export interface FrameAccounting {
  readonly finished: number;
  readonly discarded: number;
  readonly repeated: number;
  readonly control: number;
  readonly open: number;
}

/** Native class of a live bus, which owns a reassembler. */
interface CanBus {
  open(interfaceName: string, options: { readonly wake: () => void; readonly transmit: boolean }): void;
  send(id: number, data: Uint8Array): boolean;
  drain(into: Uint8Array): number;
  /** Moves whole frame records out of the tap; returns their bytes, 0 if none is left or there is no tap. */
  tap(into: Uint8Array): number;
  /** Frames for which the tap had no room. */
  tapLost(): number;
  counters(): Omit<BusCounters, "malformed">;
  status(): BusStatus;
  /** Grows when `status()`, any interface of the system or the state of the controller has changed. */
  linkChanges(): number;
  setFastPacketTable(fastPacketTable: Uint32Array): void;
  close(): void;
}

interface ReassemblerOptions {
  readonly fastPacketTable: Uint32Array;
  readonly ringBytes?: number;
}

/** The answer of rtnetlink about an interface; members that it leaves out are absent. */
export interface LinkStatus {
  readonly index: number;
  readonly up: boolean;
  readonly state?: InterfaceState;
  readonly stats?: InterfaceStatistics;
  readonly config?: InterfaceConfiguration;
}

interface CanBusOptions extends ReassemblerOptions {
  /** Room for frames that are to be recorded; without it no frames are kept. */
  readonly tapBytes?: number;
}

interface Addon {
  readonly CanBus: new (options: CanBusOptions) => CanBus;
  readonly Reassembler: new (options: ReassemblerOptions) => Reassembler;
  readInterface(name: string): LinkStatus | undefined;
  readonly readCandumpLog: ReadLines;
  configureSerialPort(descriptor: number, baud: number): void;
  releaseSerialPort(descriptor: number): void;
  serialOverruns(descriptor: number): number | undefined;
}

/** Places of the addon: beside the bundle as installed, or in `build/` relative to `dist/` and to this file. */
const places = ["./hub_can.node", "../build/Release/hub_can.node", "../../../../build/Release/hub_can.node"];

let loaded: Addon | undefined;

/** Loads the addon at its first use, so that `--help` and `--version` work without it; throws `AddonError`. */
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
 * Calls a function of the addon; a system error that it throws gets the name of its number, which not every C library
 * has.
 */
function withErrorNames<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof Error && "errno" in error && typeof error.errno === "number")) throw error;
    const code = getSystemErrorName(-error.errno);
    throw Object.assign(error, { code, message: `${code}: ${error.message}` });
  }
}

/**
 * Asks the kernel about a network interface, at once; undefined when there is none of this name. Throws `AddonError`,
 * or a system error when the kernel does not answer.
 */
export const readInterface = (name: string): LinkStatus | undefined =>
  withErrorNames(() => addon().readInterface(name));

/** Reads lines of `candump -L` as candump writes data frames of 29 bits. Throws `AddonError`. */
export const readCandumpLog: ReadLines = (text, records) => addon().readCandumpLog(text, records);

/**
 * Sets a terminal up for raw bytes at `baud` bits a second, and prevents others from opening it. Throws `AddonError`,
 * or a system error if the file is not a terminal or does not have the rate.
 */
export const configureSerialPort = (descriptor: number, baud: number): void =>
  withErrorNames(() => addon().configureSerialPort(descriptor, baud));

/** Lets others open the terminal again. Throws `AddonError`. */
export const releaseSerialPort = (descriptor: number): void => addon().releaseSerialPort(descriptor);

/**
 * Overruns of a terminal since its driver was loaded; undefined if the driver does not count them. Throws `AddonError`.
 */
export const serialOverruns = (descriptor: number): number | undefined => addon().serialOverruns(descriptor);

/** The longest packet record: a head of 32 bytes and 255 packets of seven. */
const LONGEST_RECORD = 1824;
const BATCH_BYTES = 1 << 18;
/** Room for 65536 frames to be recorded: half a minute of a full bus. */
const TAP_BYTES = 1 << 21;

export interface OpenCanBusOptions {
  /** Room for finished packets while the event loop is busy; default 8 MiB. */
  readonly ringBytes?: number;
  /** Called for the first `status()` and for each change of it; a change that is reversed at once may be left out. */
  readonly onStatus?: (status: BusStatus) => void;
  /** Called when the interface may have changed, so that `readInterface` may return a new status. */
  readonly onLinkChange?: () => void;
  /**
   * Called with all frames of the bus, error frames included, a burst at a time, valid until it returns; `lost` counts
   * the frames so far for which the tap had no room.
   */
  readonly onFrames?: (frames: FrameBatch, lost: number) => void;
  /** Permits `send` to write to the bus; otherwise the addon cannot send. */
  readonly transmit?: boolean;
}

export interface LiveBus extends FrameSender {
  /** Ends when the bus is closed, after the packets that it has read. */
  batches(): AsyncIterable<PacketBatch>;
  counters(): BusCounters;
  /** Changes which PGNs are fast packets (`n2k/fast-packets.ts`). */
  setFastPacketTable(fastPacketTable: Uint32Array): void;
  status(): BusStatus;
  /** Throws when the bus was not opened to transmit, and for more than 29 bits or eight bytes. */
  send(id: number, data: Uint8Array): boolean;
  close(): void;
}

/**
 * Listens to a SocketCAN interface; keeps the process alive until closed. Writes to the bus only through `send`, and
 * only when opened to `transmit`; it does not hear the frames it sends.
 *
 * The interface need not exist: `status()` tells its state, and it is looked for again every second.
 * The monotonic stamps of the packets are those of `process.hrtime()`.
 * Throws `AddonError`, or a system error for a name that no interface can have.
 *
 * @example
 * const bus = openCanBus("can0", bridge.fastPacketTable);
 * for await (const batch of bus.batches()) bridge.take(batch);
 */
export const openCanBus = (
  interfaceName: string,
  fastPacketTable: Uint32Array,
  options: OpenCanBusOptions = {},
): LiveBus => new SocketCanBus(interfaceName, fastPacketTable, options);

class SocketCanBus implements LiveBus {
  readonly #bus: CanBus;
  readonly #options: OpenCanBusOptions;
  /** Frames out of the tap. */
  readonly #frames: Uint8Array;
  #isOpen = true;
  #reportedStatus = "";
  #linkChanges = 0;
  /** Resumes `batches` when it waits for packets. */
  #resume: () => void = () => {};

  constructor(interfaceName: string, fastPacketTable: Uint32Array, options: OpenCanBusOptions) {
    const { ringBytes, onFrames, transmit = false } = options;
    this.#options = options;
    this.#frames = new Uint8Array(onFrames === undefined ? 0 : BATCH_BYTES);
    this.#bus = new (addon().CanBus)({
      fastPacketTable,
      ...(ringBytes !== undefined && { ringBytes }),
      ...(onFrames !== undefined && { tapBytes: TAP_BYTES }),
    });
    withErrorNames(() => this.#bus.open(interfaceName, { wake: () => this.#wake(), transmit }));
  }

  async *batches(): AsyncGenerator<PacketBatch, void, void> {
    const bytes = new Uint8Array(BATCH_BYTES);
    for (;;) {
      const length = this.#bus.drain(bytes);
      if (length === 0) {
        if (!this.#isOpen) return;
        await new Promise<void>((resolve) => {
          this.#resume = resolve;
        });
        continue;
      }
      yield { bytes, length };
      // After a full batch more packets are waiting; timers and sockets get a turn before the next one.
      if (length > BATCH_BYTES - LONGEST_RECORD) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  counters(): BusCounters {
    return { ...this.#bus.counters(), malformed: 0 };
  }

  setFastPacketTable(fastPacketTable: Uint32Array): void {
    this.#bus.setFastPacketTable(fastPacketTable);
  }

  status(): BusStatus {
    return this.#bus.status();
  }

  send(id: number, data: Uint8Array): boolean {
    return this.#isOpen && this.#bus.send(id, data);
  }

  close(): void {
    this.#isOpen = false;
    this.#bus.close();
    this.#passFramesOn();
    this.#resume();
  }

  #wake(): void {
    this.#passLinkChangesOn();
    this.#passFramesOn();
    this.#resume();
  }

  #passFramesOn(): void {
    const { onFrames } = this.#options;
    if (onFrames === undefined) return;
    const bytes = this.#frames;
    for (let length = this.#bus.tap(bytes); length > 0; length = this.#bus.tap(bytes))
      onFrames({ bytes, length }, this.#bus.tapLost());
  }

  #passLinkChangesOn(): void {
    const changes = this.#bus.linkChanges();
    if (changes === this.#linkChanges) return;
    this.#linkChanges = changes;
    const status = this.#bus.status();
    const text = JSON.stringify(status);
    if (text !== this.#reportedStatus) {
      this.#reportedStatus = text;
      this.#options.onStatus?.(status);
    }
    this.#options.onLinkChange?.();
  }
}

/** Reassembly without a bus: frames are pushed in and packets drained, on the thread of the caller. */
export interface Reassembler {
  /**
   * Takes up to `count` frame records (`recording/frame-batch.ts`) and returns how many it took. It stops when it has
   * no room for another packet; then drain, and push the rest.
   */
  push(frames: Uint8Array, count: number): number;
  /**
   * Moves whole packet records (`ports/packet-batch.ts`) into at least 1824 bytes; returns their bytes, 0: none left.
   */
  drain(into: Uint8Array): number;
  /** Discards packets whose time-out has passed; frames with later stamps have the same effect. */
  expire(nowMonotonicUs: number): void;
  /** The bus could not be heard: any number of frames may be missing before the next one, which continues no packet. */
  interrupt(): void;
  counters(): Omit<BusCounters, "malformed">;
  accounting(): FrameAccounting;
  setFastPacketTable(fastPacketTable: Uint32Array): void;
}

/** Makes a `Reassembler`; throws `AddonError`, or a RangeError for an impossible PGN or length. */
export function createReassembler(
  fastPacketTable: Uint32Array,
  { ringBytes }: { readonly ringBytes?: number } = {},
): Reassembler {
  return new (addon().Reassembler)({ fastPacketTable, ...(ringBytes !== undefined && { ringBytes }) });
}
