/**
 * The queue of hub-history on a real folder: points come while the engine is away, the engine takes them, the disk fails
 * and the power goes. What was taken into the queue is there, whole and in order, until the engine has it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SegmentQueue, segmentQueue } from "../../../src/adapters/node/files/segment-queue.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { type Random, randomOf } from "../random.ts";
import { Disk, type Misfortune, treeOf } from "./disk.ts";
import { layOut } from "./lost-effects.ts";

const MAX_BYTES = 1 << 30;
/** Some lines fill a file of the queue soon. */
const LENGTHS = [10, 100, 1000, 100_000];
const MAX_OWED = 20;

export class QueueWorld {
  readonly #random: Random;
  readonly #disk: Disk;
  #folder = mkdtempSync(join(tmpdir(), "hub-queue-"));
  #queue: SegmentQueue | undefined;
  #serial = 0;
  /** Numbers of lines that the queue has taken and the engine has not; those that it refused may be there in part. */
  #owed: number[] = [];
  readonly counts = { lines: 0, refused: 0, cut: 0 };

  constructor(seed: number) {
    this.#random = randomOf(seed);
    this.#disk = new Disk(this.#random);
    this.#disk.begin(this.#folder, treeOf(this.#folder));
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  /** Does a round; throws with what is lost or torn. */
  async round(): Promise<void> {
    const random = this.#random;
    if (this.#queue === undefined || random.chance(0.05)) await this.#start();
    const misfortune: Misfortune | undefined = random.chance(0.3)
      ? { is: random.pick(["one call fails", "disk full", "power cut"] as const), at: random.integer(1, 8) }
      : undefined;
    this.#disk.expect(misfortune);
    await Promise.all([...Array(random.integer(1, 3)).keys()].map(() => this.#append()));
    while (this.#owed.length > MAX_OWED || random.chance(0.3)) if (!(await this.#send())) break;
    if (misfortune?.is === "power cut") await this.#cutPower();
    this.#disk.expect(undefined);
    await this.#look();
  }

  async #start(): Promise<void> {
    await this.#queue?.close();
    this.#queue = await segmentQueue({
      ...{ folder: this.#folder, maxBytes: MAX_BYTES, log: memoryLog() },
      files: this.#disk.files,
    });
  }

  async #append(): Promise<void> {
    const random = this.#random;
    const numbers = [...Array(random.integer(1, 5)).keys()].map(() => ++this.#serial);
    const length = random.pick(LENGTHS);
    const lines = numbers.map((number) => `${number} ${"x".repeat(length)}\n`).join("");
    this.counts.lines += numbers.length;
    if (await this.#queue!.append(Buffer.from(lines))) this.#owed.push(...numbers);
    else if (this.#disk.hasFailed) this.counts.refused++;
    else throw new Error("lines are refused by a disk that works");
  }

  /** The engine takes the oldest file, if there is one. */
  async #send(): Promise<boolean> {
    const segment = await this.#queue!.take();
    if (segment === undefined) return false;
    const sent = new Set(this.#numbersIn(segment.bytes));
    this.#owed = this.#owed.filter((number) => !sent.has(number));
    await this.#queue!.remove([segment.number]);
    return true;
  }

  async #cutPower(): Promise<void> {
    this.counts.cut++;
    const before = this.#folder;
    await this.#queue!.close();
    this.#folder = mkdtempSync(join(tmpdir(), "hub-queue-"));
    layOut(this.#disk.afterCut(), this.#folder);
    rmSync(before, { recursive: true });
    this.#disk.expect(undefined);
    this.#disk.begin(this.#folder, treeOf(this.#folder));
    this.#queue = undefined;
    await this.#start();
  }

  #numbersIn(bytes: Uint8Array): readonly number[] {
    // Behind the last line feed there is nothing.
    const lines = Buffer.from(bytes).toString().split("\n");
    if (lines.pop() !== "") throw new Error("the last line is torn");
    const torn = lines.find((line) => !/^\d+ x+$/.test(line) || !LENGTHS.includes(line.length - line.indexOf(" ") - 1));
    if (torn !== undefined) throw new Error(`a line is torn: ${torn.slice(0, 80)}`);
    return lines.map((line) => Number.parseInt(line, 10));
  }

  async #look(): Promise<void> {
    const found: number[] = [];
    for (
      let segment = await this.#queue!.take();
      segment !== undefined;
      segment = await this.#queue!.take(segment.number)
    )
      found.push(...this.#numbersIn(segment.bytes));
    const owed = new Set(this.#owed);
    const there = found.filter((number) => owed.has(number));
    if (there.join() !== this.#owed.join())
      throw new Error(`in the queue are ${there.join()}, not ${this.#owed.join()}`);
  }
}
