/** The queue on disk: order, bound, what a crash leaves, a disk that is full. */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memoryLog } from "../../../src/adapters/memory/log.ts";
import { type SegmentQueue, segmentQueue } from "../../../src/adapters/node/segment-queue.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hub-queue-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (log = memoryLog(), maxBytes = 1 << 30) => segmentQueue({ folder: join(folder, "q"), maxBytes, log });

/** All lines, taken out as a forwarder does. */
async function drained(queue: SegmentQueue): Promise<string[]> {
  const lines: string[] = [];
  for (let segment = await queue.take(); segment !== undefined; segment = await queue.take()) {
    lines.push(...Buffer.from(segment.bytes).toString().split("\n").slice(0, -1));
    await queue.remove(segment.number);
  }
  return lines;
}

const line = (index: number): string => `${String(index).padStart(999, "0")}\n`;
const numbers = (lines: readonly string[]): number[] => lines.map(Number);
const upTo = (count: number, from = 0): number[] => Array.from({ length: count - from }, (_, index) => from + index);

test("lines come out once, in order, over a restart too", async () => {
  const queue = await open();
  for (const index of upTo(1500)) {
    queue.add(line(index));
    if (index % 100 === 99) await queue.flush();
  }
  const first = (await queue.take())!;
  expect(first.bytes.length).toBeGreaterThanOrEqual(1 << 20);
  await queue.remove(first.number);
  await queue.close();
  const again = await open();
  expect(again.bytes).toBe(1_500_000 - first.bytes.length);
  again.add(line(1500));
  await again.flush();
  expect(numbers(await drained(again))).toEqual(upTo(1501, first.bytes.length / 1000));
  expect(again.bytes).toBe(0);
  expect(readdirSync(join(folder, "q"))).toEqual([]);
  expect(await again.take()).toBeUndefined();
  await again.close();
});

test("what was flushed is there although the process ends without closing; half a line is left out", async () => {
  const queue = await open();
  queue.add(line(1));
  await queue.flush();
  queue.add(line(2));
  const [name] = readdirSync(join(folder, "q"));
  appendFileSync(join(folder, "q", name!), "000");
  const again = await open();
  expect(numbers(await drained(again))).toEqual([1]);
  await queue.close();
});

test("what is added after a file was taken is in the next one", async () => {
  const queue = await open();
  queue.add(line(1));
  await queue.flush();
  const first = (await queue.take())!;
  queue.add(line(2));
  await queue.flush();
  await queue.remove(first.number);
  expect(numbers(await drained(queue))).toEqual([2]);
  await queue.close();
});

test("beyond its bound the oldest lines are dropped and counted", async () => {
  const log = memoryLog();
  const queue = await open(log, 3 << 20);
  for (const index of upTo(6000)) {
    queue.add(line(index));
    if (index % 200 === 199) await queue.flush();
  }
  expect(queue.bytes).toBeLessThanOrEqual(3 << 20);
  const left = numbers(await drained(queue));
  expect(left).toEqual(upTo(6000, 6000 - left.length));
  expect(left.length).toBeGreaterThan(2000);
  expect(queue.dropped).toBe(6000 - left.length);
  await queue.close();
});

test("a file that cannot be read is passed over and stays, what is no file is none of the queue", async () => {
  const log = memoryLog();
  const queue = await open(log);
  const names: string[] = [];
  for (const index of upTo(3)) {
    queue.add(line(index));
    await queue.flush();
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
  again.add(line(4));
  await again.flush();
  expect(numbers(await drained(again))).toEqual([4]);
  await again.close();
});

test("lines that are added and never flushed are bounded too", async () => {
  const queue = await open();
  for (const index of upTo(3000)) queue.add(line(index));
  expect(queue.dropped).toBe(3000 - 1048);
  await queue.flush();
  expect(numbers(await drained(queue))).toEqual(upTo(1048));
  await queue.close();
});

const withoutMount =
  spawnSync("unshare", ["--mount", "true"]).status === 0 || process.env.CI === "true"
    ? undefined
    : "no mount namespace";

test.skipIf(withoutMount)(
  `a full disk costs the lines of its time, whole lines stay whole ${withoutMount ?? ""}`,
  async () => {
    const disk = join(folder, "q");
    mkdirSync(disk);
    expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", disk]).status).toBe(0);
    try {
      const log = memoryLog();
      const queue = await open(log);
      queue.add(line(1));
      await queue.flush();
      writeFileSync(join(disk, "other"), Buffer.alloc(400_000));
      for (const index of upTo(300, 100)) queue.add(line(index));
      await queue.flush();
      expect(log.lines.map(({ fields }) => fields.code)).toEqual(["HISTORY_DISK"]);
      expect(queue.dropped).toBe(200);
      rmSync(join(disk, "other"));
      queue.add(line(2));
      await queue.flush();
      expect(numbers(await drained(queue))).toEqual([1, 2]);
      await queue.close();
    } finally {
      spawnSync("umount", [disk]);
    }
  },
);
