/** The devices that the boat remembers. */
import { expect, test } from "vitest";
import { deviceName } from "../../../src/core/n2k/device-name.ts";
import { knownDevicesMessage } from "../../../src/core/topics/device-reports.ts";
import { topics } from "../../../src/core/topics/topics.ts";
import { nothingKnown } from "../../../src/services/bridge/boat.ts";
import { DeviceMemory } from "../../../src/services/bridge/device-memory.ts";
import { memoryPublisher } from "../../support/memory/publisher.ts";
import { boatOf } from "./boat.ts";

const start = Date.UTC(2026, 10, 28, 10);
const TOPIC = topics.knownDevices.name({ prefix: "can/can0" });

const named = (identityNumber: number): bigint =>
  deviceName({
    ...{ identityNumber, manufacturerCode: 1851, ecuInstance: 0, functionInstance: 0, functionCode: 130 },
    ...{ classCode: 85, vehicleSystemInstance: 0, industryGroupCode: 4, arbitraryAddressCapable: true },
  });

/** A memory of devices that begins at a time in seconds; `sameAs` are the NAMEs of one device. */
function setUp(begin = 0, sameAs: readonly bigint[] = []) {
  const publisher = memoryPublisher();
  const addresses = new Map<number, { readonly name: bigint | undefined; heard: number }>();
  const namesOf = (name: bigint): readonly bigint[] => (sameAs.includes(name) ? sameAs : [name]);
  const nameOf = (addr: number) => addresses.get(addr)?.name;
  const devices = { ...nothingKnown.devices, addresses, nameOf, namesOf, modelOf: () => "Wind 3000" };
  let isBusHeard = true;
  let now = begin;
  const boat = boatOf({ publisher, devices });
  Object.defineProperty(boat, "heardAt", { get: () => (isBusHeard ? 1000 * now : undefined) });
  const memory = new DeviceMemory(boat);
  const texts = () => publisher.messages.flatMap(({ topic, payload }) => (topic === TOPIC ? [String(payload)] : []));
  return {
    /** Seconds in which these addresses are heard; those that are not leave after three minutes. */
    hear(seconds: number, heard: Readonly<Record<number, bigint | undefined>>): void {
      for (const end = now + seconds; now < end; now++) {
        for (const [addr, name] of Object.entries(heard)) addresses.set(Number(addr), { name, heard: 1000 * now });
        for (const [addr, { heard }] of addresses) if (1000 * now - heard > 180_000) addresses.delete(addr);
        memory.advance(1000 * now, start + 1000 * now);
      }
    },
    tell: (topic: "knownDevices" | "forgetDevice", payload: string) => memory.commands[topic]!({ topic }, payload),
    /** Whether any device has been heard since the begin. */
    setBusHeard: (isHeard: boolean): void => {
      isBusHeard = isHeard;
    },
    setReading: (isReading: boolean): void => {
      publisher.isReading = isReading;
    },
    last: () => texts().at(-1)!,
    count: () => texts().length,
    rows: () =>
      knownDevicesMessage.shape.data
        .parse(JSON.parse(texts().at(-1)!).data)
        .devices.map(({ addr, silentSince, unheardSince }) => {
          const [state, since] = unheardSince === undefined ? ["", silentSince] : ["unheard ", unheardSince];
          return `${addr} ${since === undefined ? "on the bus" : `${state}${since.slice(11, 19)}`}`;
        }),
  };
}

test("one that falls silent stays, with the time of its last message, also for the next start of hub-cand", () => {
  const first = setUp();
  first.hear(60, { 20: named(1), 24: named(2) });
  expect(JSON.parse(first.last()).data.devices[0]).toEqual({
    ...{ name: String(named(1)), addr: 20, label: "Wind 3000" },
    about: ["Atmospheric", "Raymarine"],
  });
  first.hear(300, { 20: named(1) });
  expect(first.rows()).toEqual(["20 on the bus", "24 10:00:59"]);

  const second = setUp(3600);
  second.tell("knownDevices", first.last());
  second.tell("knownDevices", "{}");
  second.hear(100, {});
  // Devices may take three minutes to be heard.
  expect(second.rows()).toEqual(["20 unheard 10:05:30", "24 10:00:59"]);
  second.hear(100, { 24: named(2) });
  expect(second.rows()[1]).toBe("24 on the bus");
  expect(second.rows()[0]).toBe("20 10:05:30");
});

test("one that is not heard keeps the time at which it was heard last over several starts", () => {
  const first = setUp();
  first.hear(60, { 20: named(1) });
  const second = setUp(120);
  second.tell("knownDevices", first.last());
  second.hear(40, {});
  const third = setUp(180);
  third.tell("knownDevices", second.last());
  third.hear(60, {});
  expect(third.rows()).toEqual(["20 unheard 10:00:30"]);
  third.tell("forgetDevice", String(named(1)));
  third.hear(130, {});
  expect(third.rows()).toEqual(["20 10:00:30"]);
});

test("the memory of before is not overwritten before it is read, and a message comes with a change or each half minute", () => {
  const { hear, count, setReading } = setUp();
  setReading(true);
  hear(30, { 20: named(1) });
  expect(count()).toBe(0);
  setReading(false);
  hear(120, { 20: named(1) });
  expect(count()).toBeLessThanOrEqual(5);
  expect(count()).toBeGreaterThanOrEqual(4);
});

test("one is silent three minutes after it could have been heard, also while the gateway comes late after a start", () => {
  const first = setUp();
  first.hear(60, { 20: named(1), 24: named(2) });
  const second = setUp(90);
  second.setBusHeard(false);
  second.tell("knownDevices", first.last());
  second.hear(300, {});
  expect(second.rows()).toEqual(["20 unheard 10:00:30", "24 unheard 10:00:30"]);
  second.setBusHeard(true);
  second.hear(170, { 24: named(2) });
  expect(second.rows()).toEqual(["20 unheard 10:00:30", "24 on the bus"]);
  second.hear(30, { 24: named(2) });
  expect(second.rows()).toEqual(["20 10:00:30", "24 on the bus"]);
});

test("a device at another address, with other letters, or not named yet is not silent", () => {
  const { hear, rows } = setUp(0, [named(3), named(2)]);
  hear(60, { 20: named(1), 24: named(2) });
  hear(200, { 21: named(1), 24: named(3) });
  expect(rows()).toEqual(["21 on the bus", "24 on the bus"]);
  hear(200, { 21: undefined, 24: named(3) });
  expect(rows()).toEqual(["21 on the bus", "24 on the bus"]);
});

test("one that claims no address after a restart is silent since its last message, not since before the restart", () => {
  const first = setUp();
  first.hear(60, { 20: named(1), 24: named(2) });
  const second = setUp(3600);
  second.tell("knownDevices", first.last());
  second.hear(600, { 20: undefined, 24: undefined });
  second.hear(300, { 20: undefined });
  expect(second.rows()).toEqual(["20 on the bus", "24 11:09:59"]);
});

test("the crew forgets a silent device, and no other", () => {
  const { hear, rows, tell } = setUp();
  hear(60, { 20: named(1), 24: named(2) });
  hear(200, { 20: named(1) });
  for (const payload of ["", "x", "1".repeat(30), String(named(1)), String(named(2))]) tell("forgetDevice", payload);
  hear(1, { 20: named(1) });
  expect(rows()).toEqual(["20 on the bus"]);
});

test("as many are kept as a network has addresses: a new one displaces a silent one", () => {
  const { hear, rows } = setUp();
  const all = Object.fromEntries(Array.from({ length: 252 }, (_, addr) => [addr, named(addr)]));
  hear(20, all);
  const { 7: _, ...others } = all;
  hear(200, others);
  expect(rows()[7]).toBe("7 10:00:19");
  hear(20, { ...others, 253: named(1000) });
  expect(rows()).toHaveLength(252);
  expect(rows().some((row) => row.startsWith("7 "))).toBe(false);
});
