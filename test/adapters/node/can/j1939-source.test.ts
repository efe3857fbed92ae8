/** A J1939 network between its source and the bridge. */
import { expect, test } from "vitest";
import { J1939Source } from "../../../../src/adapters/node/can/j1939-source.ts";
import { noCounts, type PacketBatch, type PacketSource } from "../../../../src/core/ports/packet-source.ts";
import { FrameCounter } from "../../../../src/formats/recording/frame-counter.ts";
import { createBursts, type TestPacket } from "../../../services/bridge/bursts.ts";
import { memoryBridge } from "../../../support/memory-bridge.ts";
import { packetsOf } from "../../../support/packets.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26, 123);
const EEC1 = { pgn: 61444, hex: "ff82877032ffffff", source: 0 };

/** A source of these batches, which notes what is asked of it. */
function sourceOf(batches: readonly (readonly TestPacket[])[]) {
  const asked: unknown[] = [];
  const source: PacketSource = {
    async *packets(table) {
      asked.push(["packets", [...table]]);
      const burst = createBursts(start);
      for (const batch of batches) yield burst(batch);
    },
    counters: () => ({ ...noCounts, frames: 7 }),
    monitor: new FrameCounter("can2"),
    sender: { send: () => true },
    onState: () => asked.push(["onState"]),
    setFastPacketTable: () => asked.push(["setFastPacketTable"]),
    close: () => asked.push(["close"]),
  };
  return { source: new J1939Source(source, { network: "j1939:can2", firstEngine: 0 }), asked };
}

async function all<Item>(batches: AsyncIterable<PacketBatch>, read: (batch: PacketBatch) => Item): Promise<Item[]> {
  const items: Item[] = [];
  for await (const batch of batches) items.push(read(batch));
  return items;
}

test("reads no fast packets, sends nothing, and passes the rest on", () => {
  const { source, asked } = sourceOf([]);
  source.setFastPacketTable();
  source.onState(() => {});
  source.close();
  expect(asked).toEqual([["onState"], ["close"]]);
  expect((source as PacketSource).sender).toBeUndefined();
  expect(source.counters().frames).toBe(7);
});

test("messages follow that from which they are made, with its times; a batch without any is none", async () => {
  const other = { pgn: 65280, hex: "0102", source: 9 };
  const { source, asked } = sourceOf([[other], [{ ...EEC1, at: start + 1500 }, other]]);
  const batches = await all(source.packets(), packetsOf);
  expect(asked).toEqual([["packets", []]]);
  expect(batches).toHaveLength(1);
  expect(batches[0]!.map(({ pgn }) => pgn)).toEqual([61444, 127488, 127489]);
  for (const each of batches[0]!) {
    expect(each).toMatchObject({ source: 0, destination: 255, received: start + 1500 });
    expect(each.arrived).toBe(batches[0]![0]!.arrived);
  }
  // The monitor counts what the network carries.
  expect(source.monitor.count).toBeUndefined();
  expect(source.monitor.read().status).toMatchObject({ interface: "j1939:can2", stats: { rx_frames: 3 } });
});

test("a batch may be longer than those before", async () => {
  const { source } = sourceOf([[EEC1], Array.from({ length: 1000 }, () => EEC1)]);
  const counts = await all(source.packets(), (batch) => packetsOf(batch).filter(({ pgn }) => pgn === 61444).length);
  expect(counts).toEqual([1, 1000]);
});

test("a device takes the NAME that it says in place of the one that was made for it", async () => {
  const { bridge, publisher } = memoryBridge({ prefix: "boat", monitor: new FrameCounter("can0") });
  const { source } = sourceOf([
    [EEC1],
    [{ ...EEC1, at: start + 5000 }],
    // A NAME above the one that was made: of two NAMEs at one address the lower one would stay.
    [{ pgn: 60928, hex: "0100000000ffffff", source: 0, at: start + 6000 }],
  ]);
  const { monitor } = source;
  bridge.setNetworks([{ name: "j1939:can2", monitor, counters: () => source.counters() }], 0);
  const names: unknown[] = [];
  let now = 0;
  await all(source.packets(), (batch) => {
    bridge.take(batch, 1);
    now += 10_000;
    bridge.advance(now, start + now);
    names.push((publisher.payloads("boat/device/256/infos").at(-1) as { data?: object } | null)?.data);
  });
  expect(names[0]).toBeUndefined();
  expect(names[1]).toMatchObject({ manufacturerCode: 2046, functionName: "Engine" });
  expect(names[2]).toMatchObject({ identityNumber: 1, manufacturerCode: 0 });
});
