/** The rows of devices, without a browser. */
import { expect, test, vi } from "vitest";
import { topicsBelow } from "../../../../src/core/topics/topics.ts";
import { deviceRows, missingText, silenceOf } from "../../../../src/web/display/data/device-memory.ts";
import { informationOf } from "../published-boats.ts";
import { messageText, PREFIX, publish, send, usePageMemory } from "./page-memory.ts";

const below = topicsBelow(PREFIX);

usePageMemory();

/** The list of hub-cand. NAMEs are numbers of 64 bits in these messages. */
function list(...addresses: readonly number[]): void {
  const peers = addresses.map((addr) => ({ addr, name: informationOf(addr, "").name }));
  send(below.devices(), messageText({ count: peers.length, peers }).replace(/"name":"(\d+)"/g, '"name":$1'));
}

const known = (addr: number, silentSince?: string) => ({
  ...{ name: informationOf(addr, "").name, addr, label: `Model ${addr}`, about: ["Depth"] },
  ...(silentSince && { silentSince }),
});

const shown = (): readonly string[] =>
  deviceRows().map(({ addr, missing }) =>
    missing === undefined ? `${addr}` : `${addr} ${missing.label}: ${missingText(missing, performance.now())}`,
  );

test("a screen that was not there has a row for each silent device that the boat knows, until it is on the bus", () => {
  vi.setSystemTime(new Date("2026-11-28T10:00:00Z"));
  publish(below.navigation(), {});
  publish(below.knownDevices(), { devices: [known(20), known(24, "2026-11-28T09:00:00.000Z"), known(35)] });
  expect(shown()).toEqual([]);
  list(20, 35);
  expect(shown()).toEqual(["20", "24 Model 24: silent since 09:00:00 UTC, 60\u202fmin", "35"]);
  list(20, 24, 35);
  expect(shown()).toEqual(["20", "24", "35"]);
});

test("one that hub-cand has not heard since its start has a row too", () => {
  vi.setSystemTime(new Date("2026-11-28T10:00:00Z"));
  publish(below.navigation(), {});
  publish(below.knownDevices(), { devices: [{ ...known(20), unheardSince: "2026-11-28T09:58:10.000Z" }, known(24)] });
  list(24);
  expect(shown()).toEqual(["20 Model 20: not heard since the start of hub-cand, last at 09:58:10 UTC", "24"]);
  list(20, 24);
  expect(shown()).toEqual(["20", "24"]);
});

test("the report of the traffic tells the last message of a listed device to the second", () => {
  const device = { loadPercent: 1, packets: 9, incomplete: 0, pgns: [] };
  publish(below.navigation(), {});
  list(20, 24);
  publish(below.traffic(), { loadPercent: 1, devices: [{ ...device, addr: 24, silentSec: 44 }] });
  vi.advanceTimersByTime(6000);
  expect(silenceOf(24, performance.now())).toBeCloseTo(50, 1);
  expect(silenceOf(20, performance.now())).toBeUndefined();
  // A report of an earlier visit to the page.
  vi.advanceTimersByTime(240_000);
  expect(silenceOf(24, performance.now())).toBeUndefined();
});
