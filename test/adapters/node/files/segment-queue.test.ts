/** The queue on disk: order, bound, what a crash leaves, a disk that is full or read-only. */
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { type SegmentQueue, segmentQueue } from "../../../../src/adapters/node/files/segment-queue.ts";
import { onDisk, withoutDisk } from "../../../support/disk.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder("queue");
});

const open = (log = memoryLog(), maxBytes = 1 << 30) => segmentQueue({ folder: join(folder, "q"), maxBytes, log });

/** All lines, taken out as a forwarder does. */
async function drained(queue: SegmentQueue): Promise<string[]> {
  const lines: string[] = [];
  for (let segment = await queue.take(); segment !== undefined; segment = await queue.take()) {
    const text = Buffer.from(segment.bytes).toString();
    expect(text).toMatch(/^$|\n$/);
    lines.push(...text.split("\n").slice(0, -1));
    await queue.remove([segment.number]);
  }
  return lines;
}

const line = (index: number): string => `${String(index).padStart(999, "0")}\n`;
const linesOf = (indexes: readonly number[]): Buffer => Buffer.from(indexes.map(line).join(""));
const numbers = (lines: readonly string[]): number[] => lines.map(Number);
const upTo = (count: number, from = 0): number[] => Array.from({ length: count - from }, (_, index) => from + index);

test("lines come out once, in order, over a restart too", async () => {
  const queue = await open();
  for (let from = 0; from < 1500; from += 100) expect(await queue.append(linesOf(upTo(from + 100, from)))).toBe(true);
  const first = (await queue.take())!;
  expect(first.bytes.length).toBe(1_000_000);
  await queue.remove([first.number]);
  await queue.close();
  const again = await open();
  expect(again.bytes).toBe(1_500_000 - first.bytes.length);
  await again.append(linesOf([1500]));
  expect(numbers(await drained(again))).toEqual(upTo(1501, first.bytes.length / 1000));
  expect(again.bytes).toBe(0);
  expect(readdirSync(join(folder, "q"))).toEqual([]);
  expect(await again.take()).toBeUndefined();
  await again.close();
});

test("a folder that cannot be made rejects", async () => {
  await expect(segmentQueue({ folder: "/proc/none/q", maxBytes: 1, log: memoryLog() })).rejects.toMatchObject({
    code: "ENOENT",
  });
});

test("what was appended is there although the process ends without closing; half a line is left out", async () => {
  const queue = await open();
  await queue.append(linesOf([1]));
  const [name] = readdirSync(join(folder, "q"));
  appendFileSync(join(folder, "q", name!), "000");
  const again = await open();
  expect(numbers(await drained(again))).toEqual([1]);
  await queue.close();
});

test("what is appended after a file was taken is in the next one; nothing makes no file", async () => {
  const queue = await open();
  await queue.append(linesOf([1]));
  const first = (await queue.take())!;
  await queue.append(linesOf([2]));
  await queue.remove([first.number]);
  expect(numbers(await drained(queue))).toEqual([2]);
  expect(await queue.append(new Uint8Array())).toBe(true);
  expect(readdirSync(join(folder, "q"))).toEqual([]);
  await queue.close();
});

test("beyond its bound the oldest lines are dropped and counted", async () => {
  const log = memoryLog();
  const queue = await open(log, 3 << 20);
  for (let from = 0; from < 6000; from += 200) await queue.append(linesOf(upTo(from + 200, from)));
  expect(queue.bytes).toBeLessThanOrEqual(3 << 20);
  const left = numbers(await drained(queue));
  expect(left).toEqual(upTo(6000, 6000 - left.length));
  expect(left.length).toBeGreaterThan(2000);
  expect(queue.dropped).toBe(6000 - left.length);
  await queue.close();
});

test("more lines at once than the bound has room for leave the newest", async () => {
  const queue = await open(undefined, 2 << 20);
  expect(await queue.append(linesOf(upTo(3500)))).toBe(true);
  expect(queue.bytes).toBeLessThanOrEqual(2 << 20);
  const kept = numbers(await drained(queue));
  expect(kept).toEqual(upTo(3500, 3500 - kept.length));
  expect(kept.length).toBeGreaterThan(1000);
  expect(queue.dropped).toBe(3500 - kept.length);
  await queue.close();
});

test("a file that cannot be read is passed over and stays, what is no file is none of the queue", async () => {
  const log = memoryLog();
  const queue = await open(log);
  const names: string[] = [];
  for (const index of upTo(3)) {
    await queue.append(linesOf([index]));
    const { number } = (await queue.take(index))!;
    names.push(`${String(number).padStart(16, "0")}.lp`);
  }
  await queue.close();
  const path = (index: number): string => join(folder, "q", names[index]!);
  mkdirSync(join(folder, "q", "0000000000000009.lp"));
  const again = await open(log);
  // Root reads every file, but not a folder.
  rmSync(path(1));
  mkdirSync(path(1));
  expect(numbers(await drained(again))).toEqual([0, 2]);
  expect(log.lines).toMatchObject([{ fields: { code: "HISTORY_DISK", reason: expect.stringContaining("EISDIR") } }]);
  await again.append(linesOf([4]));
  expect(numbers(await drained(again))).toEqual([4]);
  await again.close();
});

test.skipIf(withoutDisk)(`a full disk takes no lines and says so, whole lines stay whole ${withoutDisk ?? ""}`, () =>
  onDisk(join(folder, "q"), "512k", async () => {
    const log = memoryLog();
    const queue = await open(log);
    await queue.append(linesOf([1]));
    writeFileSync(join(folder, "q", "other"), Buffer.alloc(400_000));
    expect(await queue.append(linesOf(upTo(300, 100)))).toBe(false);
    expect(log.lines).toMatchObject([
      { message: "the queue cannot be written", fields: { code: "HISTORY_DISK", reason: queue.failure } },
    ]);
    expect(queue.failure).toContain("ENOSPC");
    rmSync(join(folder, "q", "other"));
    await queue.append(linesOf([2]));
    expect([numbers(await drained(queue)), queue.dropped]).toEqual([[1, 2], 0]);
    await queue.close();
  }),
);

test.skipIf(withoutDisk)(`a file that cannot be removed is taken once, and removed later ${withoutDisk ?? ""}`, () =>
  onDisk(join(folder, "q"), "512k", async (remount) => {
    const log = memoryLog();
    const queue = await open(log);
    await queue.append(linesOf([1]));
    const { number } = (await queue.take())!;
    remount("ro");
    await queue.remove([number]);
    expect(log.lines).toMatchObject([
      { message: "a file of the queue cannot be removed", fields: { reason: expect.stringContaining("EROFS") } },
    ]);
    expect(await queue.append(linesOf([2]))).toBe(false);
    expect([await queue.take(), queue.bytes]).toEqual([undefined, 1000]);
    remount("rw");
    await queue.remove([]);
    expect([readdirSync(join(folder, "q")), queue.bytes]).toEqual([[], 0]);
    await queue.close();
  }),
);
