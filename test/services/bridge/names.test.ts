/**
 * The names that the crew gave to things, from the deployed settings to device information, alarms and Home Assistant.
 */
import { expect, test } from "vitest";
import type { AlarmsData } from "../../../src/core/alarms/report.ts";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { warningText } from "../../../src/core/report/read-entry.ts";
import { nameSettings } from "../../../src/core/settings/names.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts } from "./bursts.ts";
import { named } from "./named.ts";

const start = Date.UTC(2026, 10, 21);
const [house, engines] = [named(1), named(2)];
const at = (device: bigint, pgn: number, key: object, name: string) => ({ device: String(device), pgn, key, name });

const setUp = () => {
  const { bridge, publisher, log } = memoryBridge({
    prefix: "boat",
    homeAssistant: { prefix: "homeassistant", interface: "can0", version: "1.0.0", hostname: "boat" },
  });
  const burst = createBursts();
  let now = 0;
  const send = (source: number, pgn: number, payload: Uint8Array): void =>
    bridge.take(burst([{ source, pgn, hex: Buffer.from(payload).toString("hex"), at: start + now }]));
  send(4, 60928, deviceNameBytes(house));
  send(5, 60928, deviceNameBytes(engines));
  const say = (source: number, message: { readonly pgn: number; readonly [member: string]: unknown }): void =>
    send(source, message.pgn, encoderOf(definitions.find(({ pgn }) => pgn === message.pgn)!)(message as never));
  const settings = new Map<string, object>();
  const deploy = (name: string, entry: object): void => bridge.configure(settings.set(name, { name, ...entry }));
  const friendlyNames: Record<string, string> = {};
  return {
    log,
    name: (...things: readonly object[]) => deploy("names", { things }),
    device(device: bigint, name: string): void {
      friendlyNames[String(device)] = name;
      deploy("navigation", { friendlyNames });
    },
    sail(seconds: number, speak: (say_: typeof say) => void = () => {}): void {
      for (let second = 0; second < seconds; second++) {
        speak(say);
        for (let step = 0; step < 10; step++, now += 100) bridge.advance(now, start + now);
      }
    },
    infos: (address: number) => JSON.parse(publisher.states.get(`boat/device/${address}/infos`)!).data,
    alarms: () => (publisher.payloads("boat/alarms").at(-1) as { readonly data: AlarmsData }).data.alarms,
    past: () =>
      (publisher.payloads("boat/alarms/history").at(-1) as { readonly data: { alarms: AlarmsData["alarms"] } }).data
        .alarms,
    entities: (device: bigint): readonly string[] =>
      Object.values(
        JSON.parse(publisher.states.get(`homeassistant/device/hub_${device}/config`)!).components as Record<
          string,
          { readonly name: string }
        >,
      ).map(({ name }) => name),
  };
};

test("a name is published with the information of its device, as soon as it is deployed and until it is not", () => {
  const { name, sail, infos } = setUp();
  sail(2);
  expect(infos(4).names).toBeUndefined();
  name(
    at(house, 127505, { fluidType: "Fuel", instance: 2 }, "Day tank"),
    at(engines, 127489, { engineInstance: 1 }, "Port"),
  );
  sail(2);
  expect(infos(4).names).toEqual([{ pgn: 127505, key: { instance: 2, fluidType: "Fuel" }, name: "Day tank" }]);
  // The names are under the PGN that represents all messages about an engine.
  expect(infos(5).names).toEqual([{ pgn: 127488, key: { engineInstance: 1 }, name: "Port" }]);
  name();
  sail(2);
  expect(infos(4).names).toBeUndefined();
});

test("an alarm about an engine or a battery has the name that the crew gave it", () => {
  const { name, sail, alarms } = setUp();
  name(at(engines, 127488, { engineInstance: 1 }, "Main, port"), at(house, 127508, { instance: 2 }, "House"));
  sail(60, (say) => {
    say(5, { pgn: 127489, engineInstance: 1, coolantTempC: 110 });
    say(5, { pgn: 127489, engineInstance: 0, coolantTempC: 110 });
    say(4, { pgn: 127508, instance: 2, voltageV: 11 });
    say(4, { pgn: 127507, chargerInstance: 3, batteryInstance: 2, operatingState: "Fault" });
  });
  const nameOf = (id: string) => alarms().find((each) => each.id === id)?.name;
  expect(nameOf("engineTemperature-1")).toBe("Main, port");
  expect(nameOf("engineTemperature-0")).toBeUndefined();
  expect(nameOf("batteryVoltage-2")).toBe("House");
  name(at(house, 127507, { chargerInstance: 3, batteryInstance: 2 }, "Shore charger"));
  sail(2, (say) => {
    say(4, { pgn: 127508, instance: 2, voltageV: 11 });
    say(4, { pgn: 127507, chargerInstance: 3, batteryInstance: 2, operatingState: "Fault" });
  });
  expect(nameOf("batteryVoltage-2")).toBeUndefined();
  expect(nameOf("converter-charger-3")).toBe("Shore charger");
});

test("an alarm about one of two batteries of one number says which device measures it", () => {
  const { name, device, sail, alarms } = setUp();
  const rows = () => alarms().map(({ id, name: of, text }) => [id, of, text].filter(Boolean).join(" "));
  const low = (...others: readonly number[]) =>
    sail(60, (say) => {
      for (const source of [5, ...others])
        say(source, { pgn: 127508, instance: 0, voltageV: source === 5 ? 11 : 12.8 });
    });
  low();
  expect(rows()).toEqual(["batteryVoltage-0"]);
  low(4);
  expect(rows()).toEqual(["batteryVoltage-0 address 5"]);
  device(engines, "Shunt");
  low(4);
  expect(rows()).toEqual(["batteryVoltage-0 device Shunt"]);
  device(house, "Shunt");
  low(4);
  expect(rows()).toEqual(["batteryVoltage-0 address 5"]);
  // The name of the other battery is not its own.
  name(at(house, 127508, { instance: 0 }, "House"));
  low(4);
  expect(rows()).toEqual(["batteryVoltage-0 address 5"]);
  name(at(house, 127508, { instance: 0 }, "House"), at(engines, 127508, { instance: 0 }, "Start"));
  low(4);
  expect(rows()).toEqual(["batteryVoltage-0 Start"]);
});

test("an alarm of one of two batteries that has ended is told with the device that measured it", () => {
  const { sail, alarms, past } = setUp();
  const say = (first: number) =>
    sail(60, (say) => {
      say(5, { pgn: 127508, instance: 0, voltageV: first });
      say(4, { pgn: 127508, instance: 0, voltageV: 12.8 });
    });
  say(11);
  say(12.6);
  expect(alarms()).toEqual([]);
  expect(past()[0]).toMatchObject({ id: "batteryVoltage-0", value: 11, text: "address 5" });
});

test.each([
  ["converter-inverter-1", { pgn: 127509, inverterInstance: 1, operatingState: "Fault" }, { inverterInstance: 1 }],
  ["transmission-1-overTemperature", { pgn: 127493, engineInstance: 1, discreteStatus1: 2 }, { engineInstance: 1 }],
  [
    "batteryCharge-3",
    { pgn: 127506, instance: 3, dcType: "Battery", stateOfChargePercent: 5 },
    { instance: 3, dcType: "Battery" },
  ],
])("the alarm %s has the name of the thing that its message is about", (id, message, key) => {
  const { name, sail, alarms } = setUp();
  name(at(house, message.pgn, key, "Named"));
  sail(40, (say) => say(4, message));
  expect(alarms().find((each) => each.id === id)?.name).toBe("Named");
});

test("an alarm of a device without a NAME has no name where two devices name its instance differently", () => {
  const { name, sail, alarms } = setUp();
  const low = (source: number) =>
    sail(40, (say) => [2, 3].forEach((instance) => void say(source, { pgn: 127508, instance, voltageV: 11 })));
  const both = (instance: number) => at(house, 127508, { instance }, "House");
  name(both(2), both(3), at(engines, 127508, { instance: 2 }, "Starter"));
  low(9);
  expect(alarms().map(({ name: of }) => of)).toEqual([undefined, "House"]);
});

test("entities of Home Assistant have the names, and are published again when these change", () => {
  const { name, sail, entities } = setUp();
  const speak = (say: (source: number, message: { readonly pgn: number }) => void): void => {
    say(4, { pgn: 127505, instance: 2, fluidType: "Fuel", levelPercent: 50 } as never);
    say(4, {
      pgn: 127501,
      instance: 0,
      switches: [
        { switch: 1, status: "On" },
        { switch: 2, status: "Off" },
      ],
    } as never);
    say(4, { pgn: 127508, instance: 1, voltageV: 12.5 } as never);
    say(4, { pgn: 127506, instance: 1, dcType: "Battery", stateOfChargePercent: 80 } as never);
  };
  sail(15, speak);
  expect(entities(house)).toContain("Fluid Level 2 Fuel Level");
  name(
    at(house, 127505, { fluidType: "Fuel", instance: 2 }, "Day tank"),
    at(house, 127501, { instance: 0, switch: 2 }, "Anchor light"),
    at(house, 127508, { instance: 1 }, "House"),
  );
  sail(15, speak);
  expect(entities(house)).toEqual(
    expect.arrayContaining(["Day tank Level", "Anchor light", "House Voltage", "House State of charge"]),
  );
  expect(entities(house).filter((each) => each.includes("Fluid Level"))).toEqual([]);
});

test("an item that cannot be used is left out and said why; the others count", () => {
  const good = at(house, 127505, { instance: 2, fluidType: "Fuel" }, "Day tank");
  const { settings, warnings } = nameSettings.read({
    name: "names",
    things: [
      good,
      { ...good, name: "Again" },
      { ...good, device: 7 },
      { ...good, device: "99999999999999999999" },
      { ...good, key: { source: "Fuel" } },
      { ...good, pgn: 65_300 },
      { ...good, name: "" },
      { ...good, name: "x".repeat(41) },
      { ...good, name: "two\nlines" },
    ],
    colour: "red",
  });
  expect([...settings.things.values()].flat()).toEqual([
    { pgn: 127505, key: { instance: 2, fluidType: "Fuel" }, name: "Day tank" },
  ]);
  expect(warnings.map(warningText)).toEqual([
    "things no. 2: names a thing that is named above",
    "things no. 3 device: must be a text",
    "things no. 4 device: is no NAME in decimal digits",
    "things no. 5 key source: is no key field of PGN 127505",
    "things no. 6 pgn: 65300 is no PGN whose things have names",
    "things no. 7 name: must not be empty",
    "things no. 8 name: must not be longer than 40 characters",
    "things no. 9 name: must not have control characters",
    "colour: is no member of names",
  ]);
  expect(nameSettings.read({ things: 7 }, settings)).toEqual({
    settings,
    warnings: [{ path: ["things"], problem: "must be a list" }],
  });
  expect(nameSettings.read(undefined, settings).settings.things.size).toBe(0);
});
