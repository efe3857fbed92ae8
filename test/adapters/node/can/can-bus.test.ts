import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createReassembler, openCanBus, type Reassembler } from "../../../../src/adapters/node/can/can-bus.ts";
import { fastPacketTable } from "../../../../src/core/n2k/fast-packets.ts";
import { discardReasons, noCounts } from "../../../../src/core/ports/packet-source.ts";
import { packetsOf } from "../../../support/packets.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { counting, fastFrames, frameRecords, type TestFrame } from "./frames.ts";

const FAST = 129029;
const table = fastPacketTable([{ pgn: FAST }]);

/** The packets that `reassembler` has finished, with the payload as plain numbers. */
function packets(reassembler: Reassembler) {
  const bytes = new Uint8Array(1 << 16);
  const length = reassembler.drain(bytes);
  return Array.from(packetsOf({ bytes, length }), ({ bytes: _, at, end, ...packet }) => ({
    ...packet,
    payload: [...bytes.subarray(at, end)],
  }));
}

function push(reassembler: Reassembler, frames: readonly TestFrame[]): number {
  return reassembler.push(frameRecords(frames), frames.length);
}

describe("createReassembler", () => {
  test("hands on single frames, fast packets and ISO TP messages as packet-batch.ts reads them", () => {
    const reassembler = createReassembler(table);
    const message = counting(20, 50);
    push(reassembler, [
      { pgn: 127250, source: 35, priority: 2, data: counting(8, 1), at: 1.5 },
      { pgn: 59904, source: 35, destination: 7, data: [0x14, 0xf0, 1], at: 2 },
      ...fastFrames(counting(43), 5).map((data, index) => ({
        pgn: FAST,
        source: 36,
        priority: 3,
        data,
        at: 3 + index,
      })),
      { pgn: 60416, source: 9, priority: 7, data: [32, 20, 0, 3, 255, 0x14, 0xf0, 1], at: 20 },
      ...[0, 1, 2].map((index) => ({
        pgn: 60160,
        source: 9,
        priority: 7,
        data: [index + 1, ...message.slice(index * 7, index * 7 + 7)],
        at: 21 + index,
      })),
    ]);
    const packet = (arrived: number, more: object) => ({
      ...{ received: 1.7e12 + arrived, arrived, destination: 255, incomplete: 0, ...more },
    });
    expect(packets(reassembler)).toEqual([
      packet(1.5, { pgn: 127250, source: 35, priority: 2, transport: 0, payload: counting(8, 1) }),
      packet(2, { pgn: 59904, source: 35, destination: 7, priority: 6, transport: 0, payload: [0x14, 0xf0, 1] }),
      packet(9, { pgn: FAST, source: 36, priority: 3, transport: 1, payload: counting(43) }),
      packet(23, { pgn: 126996, source: 9, priority: 7, transport: 2, payload: message }),
    ]);
    expect(reassembler.counters()).toMatchObject({ frames: 13, packets: { single: 2, fast: 1, isoTp: 1 } });
    expect(reassembler.accounting()).toEqual({ finished: 13, discarded: 0, repeated: 0, control: 0, open: 0 });
  });

  test("counts by the names that the port gives", () => {
    const reassembler = createReassembler(table);
    push(reassembler, [
      { pgn: 127250, data: [], flags: 0 },
      { pgn: 127250, data: [], flags: 2 ** 31 + 2 ** 30 },
      { pgn: 127250, data: [], flags: 2 ** 29 },
      { pgn: 127250, source: 254, data: [] },
      { pgn: FAST, data: fastFrames(counting(9), 0)[1]! },
    ]);
    expect(reassembler.counters()).toEqual({
      frames: 1,
      ignored: { standard: 1, remote: 1, error: 1, noAddress: 1, canFd: 0 },
      packets: { single: 0, fast: 0, isoTp: 0 },
      lost: { kernel: 0, ring: 0 },
      discarded: { ...Object.fromEntries(discardReasons.map((reason) => [reason, 0])), fastOrphan: 1 },
      busErrors: noCounts.busErrors,
    });
    expect(Object.keys(reassembler.counters().discarded)).toEqual(discardReasons);
  });

  test("stops where there is no room and goes on from there without a loss", () => {
    const reassembler = createReassembler(table, { ringBytes: 4096 });
    const frames = frameRecords(counting(1000).map((byte) => ({ pgn: 127250, data: [byte, 1, 2] })));
    const seen: number[] = [];
    let rounds = 0;
    for (let taken = 0; taken < 1000; rounds++) {
      taken += reassembler.push(frames.subarray(taken * 32), 1000 - taken);
      seen.push(...packets(reassembler).map(({ payload }) => payload[0]!));
    }
    expect(seen).toEqual(counting(1000));
    expect(rounds).toBeGreaterThan(10);
    expect(reassembler.counters().lost.ring).toBe(0);
  });

  test("drains whole records into a buffer of any size", () => {
    const reassembler = createReassembler(table);
    push(
      reassembler,
      Array.from({ length: 100 }, () => ({ pgn: 127250, data: counting(8) })),
    );
    const into = new Uint8Array(1824);
    expect([
      reassembler.drain(into),
      reassembler.drain(into),
      reassembler.drain(into),
      reassembler.drain(into),
    ]).toEqual([1800, 1800, 400, 0]);
  });

  test("discards packets whose time-out has passed: fast packets of a silent bus after an outage, ISO TP by the standard", () => {
    const reassembler = createReassembler(table);
    push(reassembler, [
      { pgn: FAST, data: fastFrames(counting(20), 0)[0]!, at: 1000 },
      { pgn: 60416, source: 9, destination: 5, data: [16, 20, 0, 3, 255, 0x14, 0xf0, 1], at: 1000 },
    ]);
    reassembler.expire(2_250_000);
    expect(reassembler.accounting().open).toBe(2);
    reassembler.expire(2_250_001);
    expect(reassembler.counters().discarded).toMatchObject({ fastTimeout: 0, isoTimeout: 1 });
    reassembler.expire(11_000_000);
    expect(reassembler.counters().discarded).toMatchObject({ fastTimeout: 1, isoTimeout: 1 });
  });

  test("follows a new fast-packet table", () => {
    const reassembler = createReassembler(table);
    reassembler.setFastPacketTable(fastPacketTable([]));
    push(reassembler, [{ pgn: FAST, data: [0, 3, 1, 2, 3] }]);
    reassembler.setFastPacketTable(fastPacketTable([{ pgn: FAST, length: 3 }]));
    push(reassembler, [
      { pgn: FAST, data: [0, 3, 1, 2, 3, 255, 255, 255] },
      { pgn: FAST, data: [0, 4, 1, 2, 3, 4, 255, 255] },
    ]);
    expect(packets(reassembler).map(({ payload }) => payload)).toEqual([
      [0, 3, 1, 2, 3],
      [1, 2, 3],
      [0, 4, 1, 2, 3, 4, 255, 255],
    ]);
  });

  test("reads records at any address", () => {
    const reassembler = createReassembler(table);
    const records = new Uint8Array(33);
    records.set(frameRecords([{ pgn: 127250, data: counting(8), at: 5 }]), 1);
    reassembler.push(records.subarray(1), 1);
    expect(packets(reassembler)).toMatchObject([{ arrived: 5, payload: counting(8) }]);
  });

  test.each([
    ["a PGN beyond 18 bits", Uint32Array.of(1 << 18, 0)],
    ["an addressed PGN with a destination", Uint32Array.of(126208 + 1, 0)],
    ["a length beyond 223", Uint32Array.of(FAST, 224)],
    ["half a pair", Uint32Array.of(FAST)],
  ])("refuses a table with %s", (_, impossible) => {
    expect(() => createReassembler(impossible)).toThrow(RangeError);
    expect(() => createReassembler(table).setFastPacketTable(impossible)).toThrow(RangeError);
  });

  test("refuses invalid frames, buffers and ring sizes", () => {
    const reassembler = createReassembler(table);
    const wrong = (value: unknown): never => value as never;
    expect(() => reassembler.push(new Uint8Array(63), 2)).toThrow(RangeError);
    expect(() => reassembler.push(new Uint8Array(64), -1)).toThrow(RangeError);
    expect(() => reassembler.push(new Uint8Array(64), Number.NaN)).toThrow(RangeError);
    expect(() => reassembler.push(wrong("frames"), 1)).toThrow(TypeError);
    expect(() => reassembler.push(wrong(new Uint32Array(8)), 1)).toThrow(TypeError);
    expect(() => reassembler.drain(new Uint8Array(1823))).toThrow(RangeError);
    expect(() => reassembler.drain(wrong(undefined))).toThrow(TypeError);
    expect(() => reassembler.expire(wrong("now"))).toThrow(TypeError);
    expect(() => createReassembler(wrong([FAST, 0]))).toThrow(TypeError);
    expect(() => createReassembler(table, { ringBytes: 4095 })).toThrow(RangeError);
  });

  test("takes nothing from a buffer that has been given away", () => {
    const reassembler = createReassembler(table);
    const buffer = new ArrayBuffer(4096);
    const frames = new Uint8Array(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    expect(() => reassembler.push(frames, 1)).toThrow(RangeError);
    expect(() => reassembler.drain(frames)).toThrow(RangeError);
  });
});

describe("openCanBus", () => {
  test("goes on looking for an absent interface, reports it as absent, and ends its batches when closed", async () => {
    const told: string[] = [];
    const bus = openCanBus("no-such-can", table, { onStatus: ({ state }) => told.push(state) });
    const ended = (async () => {
      for await (const _ of bus.batches());
    })();
    await expect.poll(() => told).toEqual(["absent"]);
    expect(bus.status()).toMatchObject({ state: "absent", index: 0 });
    expect(bus.status().errno).toBeGreaterThan(0);
    expect(bus.counters()).toMatchObject({ frames: 0, malformed: 0 });
    bus.close();
    bus.close();
    await ended;
    expect(bus.status()).toEqual({ state: "closed", index: 0, errno: 0 });
  });

  test.each(["", "a/b", "much-too-long-a-name"])("refuses %j as the name of an interface", (name) => {
    expect(() => openCanBus(name, table)).toThrow(
      expect.objectContaining({
        code: "EINVAL",
        errno: 22,
        syscall: "open",
        message: "EINVAL: Invalid argument, open",
      }),
    );
  });
});

describe("the addon", () => {
  let folder: string;
  const ask = () =>
    spawnSync(process.execPath, [
      "--input-type=module",
      "-e",
      `const { createReassembler } = await import(${JSON.stringify(join(folder, "bundle.mjs"))});
       try { createReassembler(new Uint32Array()); console.log("loaded"); } catch (error) { console.log(error.name, error.message); }`,
    ]).stdout.toString();

  beforeAll(() => {
    folder = temporaryFolder("addon");
    const bundle = ["src/adapters/node/can/can-bus.ts", "--bundle", "--platform=node", "--format=esm"];
    const { status } = spawnSync("node_modules/.bin/esbuild", [...bundle, `--outfile=${join(folder, "bundle.mjs")}`]);
    expect(status).toBe(0);
  });

  test("that does not load is an AddonError that names the places", () => {
    const said = ask();
    expect(said).toMatch(/^AddonError the addon does not load: /);
    expect(said).toContain(join(folder, "hub_can.node"));
  });

  test("loads from beside a bundle", () => {
    copyFileSync("build/Release/hub_can.node", join(folder, "hub_can.node"));
    expect(ask()).toBe("loaded\n");
  });

  test("loads in Deno", (context) => {
    const deno = "node_modules/.bin/deno";
    if (spawnSync(deno, ["--version"]).status !== 0 && process.env.CI !== "true") context.skip("no Deno");
    copyFileSync("build/Release/hub_can.node", join(folder, "hub_can.node"));
    const script = `
      const { createReassembler, openCanBus } = await import(${JSON.stringify(join(folder, "bundle.mjs"))});
      const reassembler = createReassembler(new Uint32Array());
      const frame = new Uint8Array(32);
      new DataView(frame.buffer).setUint32(16, 0x80000000, true);
      console.log(reassembler.push(frame, 1), reassembler.drain(new Uint8Array(4096)));
      const bus = openCanBus("no-such-can", new Uint32Array(), { onStatus: ({ state }) => { console.log(state); bus.close(); } });
      for await (const _ of bus.batches());
      console.log("ended");`;
    const { stdout, stderr } = spawnSync(deno, ["eval", "--no-config", script], {
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
    });
    expect(`${stdout}${stderr}`).toBe("1 32\nabsent\nended\n");
  });
});
