/** What is computed of batteries, fuel, energy and maintenance, without a browser. */
import { describe, expect, test, vi } from "vitest";
import { fluidLevel } from "../../../../src/core/n2k/pgns/electrical.ts";
import { engineParametersRapid } from "../../../../src/core/n2k/pgns/propulsion.ts";
import { standInName } from "../../../../src/core/n2k/stand-in.ts";
import { topicsBelow } from "../../../../src/core/topics/topics.ts";
import { systemMark } from "../../../../src/web/display/alarms/places.ts";
import { messagesOf } from "../../../../src/web/display/data/device-messages.ts";
import { store } from "../../../../src/web/display/data/store.ts";
import type { Fact } from "../../../../src/web/display/parts/facts.tsx";
import {
  fuelLeft,
  hoursText,
  hoursToGo,
  hoursToReserve,
  sailHoursText,
} from "../../../../src/web/display/systems/endurance.ts";
import { energyNow, type Flow, largestFlow } from "../../../../src/web/display/systems/energy.ts";
import { faultsOf, faultText, lampsText } from "../../../../src/web/display/systems/fault-text.ts";
import { mains } from "../../../../src/web/display/systems/mains.tsx";
import { dueOf, dueText, rowsOf } from "../../../../src/web/display/systems/maintenance.ts";
import { type KindName, systemInstrument } from "../../../../src/web/display/systems/system-values.ts";
import { fuelNow } from "../../../../src/web/display/systems/tank-panel.tsx";
import { type TemperatureRow, thermometerNames } from "../../../../src/web/display/systems/thermometers.ts";
import { PREFIX, publish, usePageMemory } from "./page-memory.ts";

test("two thermometers of one place and number are told apart by their devices, and by the addresses of these; a sensor has its name", () => {
  const row = (address: number, instance: number) =>
    ({ address, data: { pgn: 130312, source: "Sea Temperature", instance } }) as TemperatureRow;
  expect(thermometerNames([row(5, 0), row(6, 1)])).toEqual(["Sea 0", "Sea 1"]);
  expect(thermometerNames([row(5, 0), row(6, 0), row(6, 1)])).toEqual([
    "Sea 0 · unnamed device · 5",
    "Sea 0 · unnamed device · 6",
    "Sea 1",
  ]);
  const name = String(standInName("fridge", { classCode: 25, functionCode: 130 }));
  store.infos.set(445, { data: { name, productInfo: { modelId: "Fridge" } } } as never);
  expect(thermometerNames([row(445, 0), row(445, 1)])).toEqual(["Sea · Fridge", "Sea 1 · Fridge"]);
  store.infos.delete(445);
});

describe("endurance", () => {
  test("a battery by what its device has left, or else by its charge and capacity", () => {
    expect(hoursToGo({ capacityRemainingAh: 90, stateOfChargePercent: 50, capacityAh: 400, currentA: -10 })).toBe(9);
    expect(hoursToGo({ stateOfChargePercent: 50, capacityAh: 400, currentA: -10 })).toBe(20);
  });

  test.each([
    ["while it is charged", { capacityRemainingAh: 90, currentA: 10 }],
    ["within the error of a shunt", { capacityRemainingAh: 90, currentA: -0.1 }],
    ["of unknown capacity", { stateOfChargePercent: 50, currentA: -10 }],
    ["without a current", { capacityRemainingAh: 90 }],
  ])("no hours %s", (_name, discharge) => expect(hoursToGo(discharge)).toBeUndefined());

  test.each([
    [0.5, "30\u202fmin"],
    [6.34, "6\u202fh 20"],
    [9.999, "10\u202fh 00"],
    [84, "3.5\u202fd"],
    [1000, "more than 30\u202fd"],
  ])("%d hours", (hours, text) => expect(hoursText(hours)).toBe(text));

  test("fuel", () => {
    expect(fuelLeft({ litres: 100, litresAnHour: 4, knots: 6 })).toEqual({ hours: 25, miles: 150 });
    expect(fuelLeft({ litres: 100, litresAnHour: 4, knots: undefined })).toEqual({ hours: 25, miles: undefined });
    expect(fuelLeft({ litres: 100, litresAnHour: 0, knots: 6 })).toBeUndefined();
    expect(fuelLeft({ litres: Number.POSITIVE_INFINITY, litresAnHour: 4, knots: 6 })).toBeUndefined();
  });
});

describe("faults of J1939", () => {
  const parameter = "Engine oil pressure";
  const failure = "data valid but below normal range, most severe";

  test.each([
    [{ spn: 100, parameter, fmi: 1, failure, occurrences: 1 }, `${parameter} (SPN 100): ${failure}`],
    [{ spn: 100, parameter, fmi: 1, failure, occurrences: 7 }, `${parameter} (SPN 100): ${failure}, 7 times`],
    [{ spn: 520_192, fmi: 25 }, "SPN 520192: FMI 25"],
    [{}, "SPN unknown: FMI unknown"],
  ] as const)("%j", (fault, text) => expect(faultText(fault)).toBe(text));

  test("no fault, and lamps that are on", () => {
    expect(faultsOf({ pgn: 65226, faults: [{ spn: 0, fmi: 0 }, { fmi: 1 }] })).toEqual([{ fmi: 1 }]);
    expect(faultsOf({ pgn: 65226 })).toEqual([]);
    expect(lampsText({ pgn: 65226, redStopLamp: "Off", protectLamp: "Error" })).toBe("");
    expect(lampsText({ pgn: 65226, redStopLamp: "On" })).toBe("Lamp: stop");
    expect(lampsText({ pgn: 65226, malfunctionLamp: "On", amberWarningLamp: "On" })).toBe(
      "Lamps: warning, malfunction",
    );
  });
});

describe("maintenance", () => {
  const oil = { engine: 0, what: "Oil", everyHours: 200, doneAtHours: 1100 };

  test.each([
    [1240, "later", "in 60\u202fh"],
    [1281, "soon", "in 19\u202fh"],
    [1300, "due", "due since 0\u202fh"],
    [1312, "due", "due since 12\u202fh"],
  ])("at %d hours", (hours, state, text) => {
    const due = dueOf(oil, hours);
    expect(due.state).toBe(state);
    expect(dueText(due)).toBe(text);
  });

  test("rows that cannot be used are left out", () => {
    const broken = [
      { ...oil, everyHours: 0 },
      { ...oil, what: 7 },
      { ...oil, engine: 0.5 },
      null,
      "oil",
      { ...oil, doneAtHours: -1 },
    ];
    expect(rowsOf([oil, ...broken])).toEqual([oil]);
    expect(rowsOf({ 0: oil })).toEqual([]);
  });
});

const below = topicsBelow(PREFIX);
const send = (addr: number, data: { readonly pgn: number; readonly [name: string]: unknown }): void =>
  publish(below.pgn({ addr, pgn: data.pgn }), data);

usePageMemory();

describe("two devices with one instance", () => {
  const shown = (kind: KindName, address: number, keys: readonly string[], field: string): unknown => {
    const reading = systemInstrument({ kind, address, keys, field }).read(performance.now());
    return "value" in reading ? reading.value : reading.kind;
  };

  test("the trend of a battery has its own charge, or that of a device without such a battery", () => {
    const charge = (address: number): unknown => shown("battery", address, ["0"], "stateOfChargePercent");
    send(20, { pgn: 127508, instance: 0, voltageV: 12.6 });
    send(20, { pgn: 127506, instance: 0, stateOfChargePercent: 84 });
    send(25, { pgn: 127508, instance: 0, voltageV: 12.2 });
    expect([charge(20), charge(25)]).toEqual([84, "none"]);
    send(30, { pgn: 127506, instance: 0, stateOfChargePercent: 37 });
    expect([charge(20), charge(25)]).toEqual([84, 37]);
    expect(shown("battery", 25, ["0"], "voltageV")).toBe(12.2);
  });

  test("the trend of a tank has no level of another device before its own", () => {
    send(20, { pgn: 127505, instance: 0, fluidType: "Fuel", levelPercent: 25 });
    const level = (): unknown => shown("tank", 25, ["0", "Fuel"], "levelPercent");
    expect(level()).toBe("none");
    send(25, { pgn: 127505, instance: 0, fluidType: "Fuel", levelPercent: 60 });
    expect(level()).toBe(60);
  });

  test("an alarm stands at the engine that raises it, and at none if that is not shown", () => {
    for (const address of [20, 25]) send(address, { pgn: 127488, engineInstance: 0, engineSpeedRpm: 1500 });
    const marked = (...addresses: readonly number[]): readonly number[] => {
      const alarm = { id: "engineTemperature-0", kind: "engineTemperature", subject: 0, severity: "alarm" };
      const data = { alarms: [{ ...alarm, title: "", state: "active", since: new Date(), addresses }], watching: {} };
      publish(below.alarms(), data);
      const rows = messagesOf(engineParametersRapid);
      return rows.flatMap((row) => {
        const engine = { panel: "engine", instance: 0, senders: [row.address] } as const;
        return systemMark(engine, "coolantTempC", performance.now()) === undefined ? [] : [row.address];
      });
    };
    expect(marked(25)).toEqual([25]);
    expect(marked(20, 25)).toEqual([20, 25]);
    expect(marked(30)).toEqual([]);
  });

  test("each inverter has its own mode", () => {
    for (const address of [20, 25, 30]) send(address, { pgn: 127509, inverterInstance: 0, operatingState: "Invert" });
    send(20, { pgn: 127511, instance: 0, inverterMode: "Standalone" });
    send(25, { pgn: 127511, instance: 0, inverterMode: "Parallel" });
    const modes = mains(performance.now()).map((panel) => (panel!.props as { facts: readonly Fact[] }).facts[2]?.[1]);
    expect(modes).toEqual(["Standalone", "Parallel", undefined]);
  });
});

describe("energy", () => {
  const told = ({ row, name, short, watts, isComputed }: Flow) => [
    name ?? short ?? row.address,
    Math.round(watts),
    isComputed,
  ];

  test("sources, batteries and loads, each by its own device", () => {
    send(1, { pgn: 127503, instance: 0, line1VoltageV: 230, line1CurrentA: 4, line1RealPowerW: 850 });
    // An implausible power, in milliwatts, gives way to voltage and current.
    send(2, { pgn: 127504, instance: 0, line1VoltageV: 230, line1CurrentA: 2, line1RealPowerW: 450_000 });
    send(3, { pgn: 127508, instance: 0, voltageV: 13, currentA: -10 });
    // A solar charger whose current has the sign of a load.
    send(4, { pgn: 127506, instance: 0, dcType: "Solar cell" });
    send(4, { pgn: 127508, instance: 0, voltageV: 14, currentA: -5 });
    send(5, { pgn: 65029, realPowerW: 3000 });
    send(5, { pgn: 65026, realPowerW: 1000 });
    send(6, { pgn: 65013, realPowerW: 500 });
    send(6, { pgn: 65010, realPowerW: 400 });
    send(8, { pgn: 65016, realPowerW: 700 });
    // Any client of the broker may publish a text for a number.
    send(7, { pgn: 127503, instance: 0, line1RealPowerW: "1,5" });
    const { sources, batteries, loads } = energyNow(performance.now());
    expect(sources.map(told)).toEqual([
      [1, 850, false],
      ["Shore power", 900, true],
      ["Shore power", 700, false],
      ["Generator", 3000, false],
      ["Solar cell 0", 70, true],
    ]);
    expect(batteries.map(told)).toEqual([[3, -130, true]]);
    expect(loads.map(told)).toEqual([[2, 460, true]]);
  });
});

describe("the charge of a battery in the picture", () => {
  const charges = () =>
    energyNow(performance.now()).batteries.map(({ row, chargePercent, reserveHours }) => [
      ...[row.address, chargePercent],
      reserveHours,
    ]);

  test("each battery has its own charge, and the hours until a fifth is left", () => {
    send(20, { pgn: 127508, instance: 0, voltageV: 13, currentA: -10 });
    send(20, { pgn: 127506, instance: 0, dcType: "Battery", stateOfChargePercent: 80, capacityRemainingAh: 80 });
    send(21, { pgn: 127508, instance: 0, voltageV: 13, currentA: 10 });
    send(21, { pgn: 127506, instance: 0, dcType: "Battery", stateOfChargePercent: 50, capacityRemainingAh: 50 });
    send(22, { pgn: 127508, instance: 1, voltageV: 13, currentA: -10 });
    send(22, { pgn: 127506, instance: 1, dcType: "Battery", stateOfChargePercent: "80" });
    expect(charges()).toEqual([
      [20, 80, 6],
      [21, 50, undefined],
      [22, undefined, undefined],
    ]);
  });

  test.each([
    [{ stateOfChargePercent: 50, capacityAh: 400, currentA: -10 }, 12],
    [{ stateOfChargePercent: 20, capacityAh: 400, currentA: -10 }, 0],
    [{ stateOfChargePercent: 5, capacityAh: 400, currentA: -10 }, 0],
    [{ stateOfChargePercent: 0, capacityAh: 400, currentA: -10 }, undefined],
    [{ capacityRemainingAh: 90, currentA: -10 }, undefined],
    [{ stateOfChargePercent: 50, capacityAh: 400, currentA: 10 }, undefined],
  ])("%j", (discharge, hours) => {
    if (hours === undefined) expect(hoursToReserve(discharge)).toBeUndefined();
    else expect(hoursToReserve(discharge)).toBeCloseTo(hours, 9);
  });

  test("of two gateways to one tank and one engine, fuel and rate count once, on the safe side", () => {
    const tank = { pgn: 127505, fluidType: "Fuel", capacityLiters: 200 };
    send(30, { ...tank, instance: 0, levelPercent: 50 });
    send(31, { ...tank, instance: 0, levelPercent: 48 });
    send(31, { ...tank, instance: 1, levelPercent: 10 });
    // It does not know the capacity.
    send(32, { pgn: 127505, fluidType: "Fuel", instance: 1, levelPercent: 10 });
    for (const [address, fuelRateLh] of [[30, 4] as const, [31, 5] as const])
      send(address, { pgn: 127489, engineInstance: 0, fuelRateLh });
    send(30, { pgn: 127489, engineInstance: 1, fuelRateLh: 1 });
    expect(fuelNow(messagesOf(fluidLevel), performance.now())).toEqual({ litres: 96 + 20, litresAnHour: 5 + 1 });
  });

  test("fuel is told in hours", () => {
    expect([6.34, 51.4, 200, 24 * 31].map(sailHoursText)).toEqual([
      ...["6\u202fh 20", "51\u202fh", "200\u202fh"],
      "more than 30\u202fd",
    ]);
  });
});

describe("a device that is silent", () => {
  const titles = (): readonly string[] => mains(performance.now()).map((panel) => String(panel!.key));

  test("stays for ten minutes, struck out, and goes from a page that is left open", () => {
    const input = (address: number, watts: number): void =>
      send(address, { pgn: 127503, instance: 0, line1VoltageV: 230, line1CurrentA: 10, line1RealPowerW: watts });
    input(20, 2000);
    vi.advanceTimersByTime(599_000);
    input(21, 100);
    expect(titles()).toHaveLength(2);
    const energy = energyNow(performance.now());
    expect(energy.sources.map(({ watts, isOld }) => [watts, isOld])).toEqual([
      [2000, true],
      [100, false],
    ]);
    expect(largestFlow(energy)).toBe(100);
    vi.advanceTimersByTime(2000);
    expect(titles()).toHaveLength(1);
    expect(energyNow(performance.now()).sources).toHaveLength(1);
  });
});
