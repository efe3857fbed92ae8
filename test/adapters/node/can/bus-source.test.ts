import { expect, onTestFinished, test } from "vitest";
import { BusSource, type BusSourceOptions } from "../../../../src/adapters/node/can/bus-source.ts";
import type { BusStatus } from "../../../../src/adapters/node/can/can-bus.ts";
import { noCounts, type SourceState } from "../../../../src/core/ports/packet-source.ts";

const table = new Uint32Array(0);

/** A source on an interface that is not there. */
const absent = (options: Partial<BusSourceOptions> = {}): BusSource => {
  const source = new BusSource({ interface: "no-such-can", transmit: false, ...options });
  onTestFinished(() => source.close());
  return source;
};

test("BusSource tells its first state, once, and that its status has changed with it", async () => {
  const statuses: BusStatus["state"][] = [];
  const states: SourceState[] = [];
  const source = absent({ onStatus: ({ state }) => statuses.push(state) });
  source.onState((state) => {
    states.push(state);
    source.close();
  });
  for await (const _ of source.packets(table)) expect.unreachable();
  expect(statuses).toEqual(["absent"]);
  expect(states).toEqual([{ isUp: false, hasChanged: true }]);
  expect(source.monitor.read()).toMatchObject({ index: 0, status: { interface: "no-such-can", up: false } });
});

test("BusSource opens nothing before its packets are asked for, and nothing once it is closed", async () => {
  const source = absent({
    transmit: true,
    onStatus: () => {
      throw new Error("opened");
    },
  });
  expect(source.counters()).toEqual(noCounts);
  expect(source.sender!.send(0x18eeff01, new Uint8Array(8))).toBe(false);
  source.setFastPacketTable(table);
  source.close();
  for await (const _ of source.packets(table)) expect.unreachable();
  expect(source.counters()).toEqual(noCounts);
});

test("BusSource has counters of every kind from the start, and a sender only where it may transmit", async () => {
  const source = absent();
  const packets = source.packets(table)[Symbol.asyncIterator]();
  expect(source.counters()).toEqual(noCounts);
  expect(source.sender).toBe(undefined);
  source.close();
  expect(await packets.next()).toEqual({ done: true, value: undefined });
});

test("BusSource refuses a name that no interface can have", () => {
  const source = new BusSource({ interface: "a name of no interface", transmit: false });
  expect(() => source.packets(table)).toThrow();
});
