import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type FrameRecorder, openFrameRecorder } from "../../../../src/adapters/node/recording/frame-recorder.ts";
import { EXTENDED_FRAME, type FrameBatch } from "../../../../src/formats/recording/frame-batch.ts";
import { RecordWriter } from "../../../../src/formats/recording/record-writer.ts";
import { simulatedCandump } from "../../../../src/services/simulation/candump-text.ts";
import { simulated } from "../../../../src/services/simulation/traffic.ts";
import { bundled } from "../../../support/bundled.ts";
import { type MemoryClock, memoryClock } from "../../../support/memory/clock.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26, 123);

const setUp = async (limit = 1 << 30) => {
  const folder = temporaryFolder("record");
  const clock = memoryClock({ wall: start });
  const log = memoryLog();
  const options = { folder: join(folder, "bus"), interface: "can0", limit, clock, log };
  const files = (): string[] => readdirSync(options.folder).sort();
  return {
    options,
    clock,
    log,
    files,
    path: (name: string): string => join(options.folder, name),
    text: (name: string): string => gunzipSync(readFileSync(join(options.folder, name))).toString(),
    size: (): number => files().reduce((sum, name) => sum + statSync(join(options.folder, name)).size, 0),
    recorder: await openFrameRecorder(options),
  };
};

/** Frames whose data gzip can do nothing about; a second's worth is some 20 kB. */
const noise = (count: number, seed: number): FrameBatch => {
  const writer = new RecordWriter();
  let state = seed * 2654435761 + 1;
  for (let frame = 0; frame < count; frame++) {
    for (let at = 0; at < 8; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      writer.data[at] = state >>> 24;
    }
    writer.frame(start * 1000 + frame, (EXTENDED_FRAME + (state & 0x1fffffff)) >>> 0, 8);
  }
  return [...writer.drain()][0]!.frames!;
};

/** Waits until everything taken so far has been dealt with; a clock that is given goes on by a second a look. */
const settled = async (recorder: FrameRecorder, frames: number, clock?: MemoryClock): Promise<void> => {
  for (;;) {
    const { recorded, recordDropped } = recorder.counters();
    if (recorded + recordDropped >= frames) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
    clock?.advance(1000);
  }
};

test("a recorded voyage is the voyage, byte for byte", async () => {
  const { recorder, clock, files, text } = await setUp();
  let frames = 0;
  for (const batch of simulated(30_000, start)) {
    recorder.take(batch.frames!);
    frames += batch.frames!.length / 32;
    clock.advance(100);
  }
  await recorder.close();
  expect(files()).toEqual([expect.stringMatching(/^candump-000001-2026-11-21_0814\d\d\.log\.gz$/)]);
  expect(text(files()[0]!)).toBe([...simulatedCandump(30_000, start)].join(""));
  expect(recorder.counters()).toEqual({ recorded: frames, recordDropped: 0 });
});

test("what was written a second ago can be unpacked at any time, as after a killing", async () => {
  const { recorder, clock, files, text } = await setUp();
  for (let second = 1; second <= 5; second++) {
    recorder.take(noise(10, second));
    clock.advance(1000);
    await settled(recorder, 10 * second);
    expect(text(files()[0]!).split("\n")).toHaveLength(10 * second + 1);
  }
  await recorder.close();
});

test("the folder never holds more than the limit, and the oldest files go first", async () => {
  const limit = 1 << 20;
  const { recorder, clock, files, size, text, path } = await setUp(limit);
  writeFileSync(path("notes.txt"), "not ours");
  const seen: string[] = [];
  for (let second = 1; second <= 120; second++) {
    recorder.take(noise(1000, second));
    clock.advance(1000);
    await settled(recorder, 1000 * second);
    expect(size()).toBeLessThanOrEqual(limit + "not ours".length);
    for (const name of files()) if (!seen.includes(name)) seen.push(name);
  }
  await recorder.close();
  const [notes, ...left] = [...files()].reverse();
  expect(notes).toBe("notes.txt");
  expect(left.length).toBeGreaterThan(10);
  expect(seen.length).toBeGreaterThan(left.length + 10);
  // The remaining ones are the latest, without a gap.
  const ours = seen.filter((name) => name !== "notes.txt").sort();
  expect(left.reverse()).toEqual(ours.slice(-left.length));
  for (const name of left) expect(text(name).endsWith("\n")).toBe(true);
  expect(recorder.counters()).toEqual({ recorded: 120_000, recordDropped: 0 });
});

test("files of a run before count, also those of names without a number, which are the oldest", async () => {
  const { options, files, path, recorder } = await setUp(1 << 20);
  await recorder.close();
  // Files of one second, from a clock that was ahead.
  for (const count of ["", "-2", "-10"])
    writeFileSync(path(`candump-2036-01-01_000000${count}.log.gz`), new Uint8Array(340_000));
  const record = async (seed: number): Promise<readonly string[]> => {
    const next = await openFrameRecorder(options);
    next.take(noise(1000, seed));
    await next.close();
    return files();
  };
  const [first, second] = ["000001", "000002"].map((number) => `candump-${number}-2026-11-21_081426.log.gz`);
  expect(await record(1)).toEqual([
    first,
    "candump-2036-01-01_000000-10.log.gz",
    "candump-2036-01-01_000000-2.log.gz",
    "candump-2036-01-01_000000.log.gz",
  ]);
  expect(await record(2)).toEqual([
    first,
    second,
    "candump-2036-01-01_000000-10.log.gz",
    "candump-2036-01-01_000000-2.log.gz",
  ]);
});

test("what was recorded under a wrong clock is as old as it is: the recordings before it go first", async () => {
  const limit = 200_000;
  const { options, files, recorder } = await setUp(limit);
  await recorder.close();
  const record = async (wall: number): Promise<void> => {
    const next = await openFrameRecorder({ ...options, clock: memoryClock({ wall }) });
    next.take(noise(2000, wall));
    await next.close();
  };
  for (let run = 0; run < 8; run++) await record(start + run);
  await record(Date.UTC(2056, 0, 1));
  await record(11_000);
  await record(12_000);
  await record(start + 60_000);
  expect(
    files()
      .map((name) => name.slice("candump-".length, -".log.gz".length))
      .slice(-4),
  ).toEqual([
    "000009-2056-01-01_000000",
    "000010-1970-01-01_000011",
    "000011-1970-01-01_000012",
    "000012-2026-11-21_081526",
  ]);
  expect(files().length).toBeLessThan(8);
});

test("a file lasts an hour at the most", async () => {
  const { recorder, clock, files } = await setUp();
  for (let minute = 1; minute <= 150; minute++) {
    recorder.take(noise(1, minute));
    clock.advance(60_000);
    await settled(recorder, minute, clock);
  }
  await recorder.close();
  expect(files()).toHaveLength(3);
});

test("what cannot be written is dropped and counted, told once a minute, and goes on when it can", async () => {
  const { recorder, clock, log, options, files } = await setUp();
  rmSync(options.folder, { recursive: true });
  for (let second = 1; second <= 90; second++) {
    recorder.take(noise(10, second));
    clock.advance(1000);
    await settled(recorder, 10 * second);
  }
  expect(recorder.counters()).toEqual({ recorded: 0, recordDropped: 900 });
  expect(log.lines).toMatchObject([
    { level: "warn", fields: { dropped: 10, reason: "ENOENT" } },
    { level: "warn", fields: { dropped: 600, reason: "ENOENT" } },
  ]);
  const again = await openFrameRecorder(options);
  await again.close();
  recorder.take(noise(10, 91));
  await recorder.close();
  expect(recorder.counters()).toEqual({ recorded: 10, recordDropped: 900 });
  expect(files()).toHaveLength(1);
});

test("a second of which only half found room is taken back, so that the file can be unpacked", async () => {
  const { options, files, text } = await setUp();
  const program = await bundled(
    join(options.folder, ".."),
    `
    import { randomFillSync } from "node:crypto";
    import { memoryClock } from "./test/support/memory/clock.ts";
    import { memoryLog } from "./test/support/memory/log.ts";
    import { openFrameRecorder } from "./src/adapters/node/recording/frame-recorder.ts";
    import { RecordWriter } from "./src/formats/recording/record-writer.ts";
    const clock = memoryClock({ wall: ${start} });
    const folder = process.argv[2];
    const recorder = await openFrameRecorder({ folder, interface: "can0", limit: 2 ** 30, clock, log: memoryLog() });
    const writer = new RecordWriter();
    for (let taken = 1000; taken <= 5000; taken += 1000) {
      for (let frame = 0; frame < 1000; frame++) {
        randomFillSync(writer.data);
        writer.frame(${start} * 1000 + frame, 0x98eeff01, 8);
      }
      for (const { frames } of writer.drain()) recorder.take(frames);
      clock.advance(1000);
      const isSettled = ({ recorded, recordDropped }) => recorded + recordDropped === taken;
      while (!isSettled(recorder.counters())) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await recorder.close();
    console.log(JSON.stringify(recorder.counters()));
  `,
  );
  // Files may have 30 kB, which is more than one second and less than three.
  const limited = ["-c", 'ulimit -f 30 && exec "$0" "$@"', process.execPath, program, options.folder];
  const { stdout, stderr } = spawnSync("bash", limited, { encoding: "utf8" });
  expect(stderr).toBe("");
  const { recorded, recordDropped } = JSON.parse(stdout);
  expect(recorded).toBeGreaterThan(0);
  expect(recordDropped).toBe(5000 - recorded);
  expect(text(files()[0]!).match(/^.*\n/gm)).toHaveLength(recorded);
});

test("frames that come faster than they are packed are dropped beyond a limit, and those lost before are counted", async () => {
  const { recorder, log } = await setUp();
  for (let burst = 0; burst < 100; burst++) recorder.take(noise(2000, burst), 7);
  const { recordDropped } = recorder.counters();
  expect(recordDropped).toBeGreaterThan(50_000);
  expect(log.lines).toHaveLength(1);
  await recorder.close();
  const { recorded } = recorder.counters();
  expect(recorded + recordDropped - 7).toBe(200_000);
  expect(recorded).toBeGreaterThan(80_000);
});

test("a folder that cannot be made or written to is told at once", async () => {
  const { options, path } = await setUp();
  writeFileSync(path("file"), "");
  await expect(openFrameRecorder({ ...options, folder: path("file") })).rejects.toThrow(/ENOTDIR/);
  await expect(openFrameRecorder({ ...options, folder: path("file/x") })).rejects.toThrow(/ENOTDIR/);
});
