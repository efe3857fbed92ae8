/**
 * A part that runs: the one place that calls parts, so that a fault of one costs its own work and nothing else. A part
 * whose `advance` fails is asked again after a second; if it fails on and on, its state cannot be trusted, and a part
 * that knows nothing but the bus is made anew. So is one that could not be made.
 */
import type { Boat } from "./boat.ts";
import type { HeardPacket } from "./heard-packet.ts";
import type { Part, PartRow, SettingsUse } from "./part.ts";
import type { PartFaults } from "./part-faults.ts";

const RETRY_MS = 1000;
/** Calls of `advance` that fail one after the other before a part is made anew. */
const MAX_FAILED = 10;

/** In place of a part that could not be made: due for another try. */
const notMade: Part = { due: Number.NEGATIVE_INFINITY };

export class GuardedPart {
  readonly #row: PartRow;
  readonly #boat: Boat;
  readonly #faults: PartFaults;
  readonly #onStart: () => void;
  #part: Part;
  #failed = 0;
  #retryAt = Number.NEGATIVE_INFINITY;

  /** `onStart` is called when the part has been made anew. */
  constructor(row: PartRow, boat: Boat, faults: PartFaults, onStart: () => void) {
    this.#row = row;
    this.#boat = boat;
    this.#faults = faults;
    this.#onStart = onStart;
    this.#part = this.#create();
  }

  get name(): string {
    return this.#row.name;
  }

  get part(): Part {
    return this.#part;
  }

  get settings(): readonly SettingsUse[] {
    const apply = (use: SettingsUse) => (settings: unknown) => this.call("settings", () => use.apply(settings));
    return (this.#part.settings ?? []).map((use) => ({ entry: use.entry, apply: apply(use) }));
  }

  /** Monotonic time at which `advance` is due, milliseconds. */
  get due(): number {
    try {
      return Math.max(this.#part.due ?? Number.POSITIVE_INFINITY, this.#retryAt);
    } catch (error) {
      this.note("due", error);
      return Number.POSITIVE_INFINITY;
    }
  }

  /** `work`, which is called for a packet, without what it throws; undefined then. */
  guard<Result>(place: string, work: (packet: HeardPacket) => Result): (packet: HeardPacket) => Result | undefined {
    return (packet) => {
      try {
        return work(packet);
      } catch (error) {
        this.note(place, error);
        return undefined;
      }
    };
  }

  /** Any other work of the part. */
  call<Result>(place: string, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.note(place, error);
      return undefined;
    }
  }

  /** The part has thrown an error. */
  note(place: string, error: unknown): void {
    this.#faults.note(this.name, place, error);
  }

  advance(now: number, wall: number): void {
    if (now < this.#retryAt) return;
    if (this.#part === notMade) {
      this.#makeAnew(now);
      return;
    }
    try {
      this.#part.advance?.(now, wall);
      this.#failed = 0;
    } catch (error) {
      this.note("advance", error);
      this.#retryAt = now + RETRY_MS;
      this.#failed += 1;
      if (this.#failed >= MAX_FAILED && this.#row.isLasting !== true) this.#makeAnew(now);
    }
  }

  #makeAnew(now: number): void {
    this.#failed = 0;
    this.#retryAt = now + RETRY_MS;
    this.#part = this.#create();
    this.#onStart();
  }

  #create(): Part {
    return this.call("create", () => this.#row.create(this.#boat)) ?? notMade;
  }
}
