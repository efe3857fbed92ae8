/** What a row makes of a message: units, pointers, times, and the reasons why there is no value. */
import { describe, expect, test } from "vitest";
import { quantities, quantityNamed, quantityNames } from "../../../src/core/sensors/quantities.ts";
import { readPayload, readSensor, type SensorRow } from "../../../src/core/sensors/reading.ts";
import { nameAmong, readyRows, suggestedRows } from "../../../src/core/sensors/ready.ts";
import { converted, sourceUnits, unitsLike } from "../../../src/core/sensors/units.ts";
import { readSensorRow } from "../../../src/core/settings/sensors.ts";
import { sentence } from "../../../src/core/text/sentence.ts";
import { row, sensors } from "./rows.ts";

const wall = Date.UTC(2026, 10, 21, 8);
const read = (of: SensorRow, payload: string | undefined, isRetained = false) =>
  readSensor(of, readPayload(payload), isRetained, (moment) => wall - moment);

describe("units", () => {
  test.each([
    [212, "°F", "°C", 100],
    [300, "K", "°C", 26.85],
    [0.42, "ratio", "%", 42],
    [13_310, "mV", "V", 13.31],
    [250, "mA", "A", 0.25],
    [1013.2, "hPa", "Pa", 101_320],
    [1013.2, "mbar", "Pa", 101_320],
    [1.0132, "bar", "kPa", 101.32],
    [29.92, "inHg", "hPa", 1013.208],
    [14.7, "psi", "kPa", 101.353],
    [0.3, "m³", "L", 300],
    [10, "gal", "L", 37.854],
    [123, "cm", "m", 1.23],
    [40, "ft", "m", 12.192],
    [10, "in", "cm", 25.4],
    [1800, "mm", "m", 1.8],
    [10, "kn", "m/s", 5.144],
    [36, "km/h", "m/s", 10],
    [10, "mph", "m/s", 4.47],
    [Math.PI, "rad", "deg", 180],
    [5400, "s", "min", 90],
    [2, "h", "min", 120],
    [1.2, "kW", "W", 1200],
    [1, "gal/h", "L/h", 3.785],
  ] as const)("%d %s is, in %s, %d", (value, from, to, expected) => {
    expect(converted(value, from, to)).toBeCloseTo(expected, 3);
    expect(converted(expected, to, from)).toBeCloseTo(value, 1);
  });

  test("each unit is that of a quantity, or of the depth or volume of a tank", () => {
    const dimensions = new Set(quantityNames.map((name) => sourceUnits[quantityNamed(name).unit].dimension));
    for (const { dimension } of Object.values(sourceUnits)) expect([...dimensions]).toContain(dimension);
  });
});

describe("quantities", () => {
  test.each(quantityNames)(
    "%s: a value in each of its units is in the message, with its instance and kind",
    (quantity) => {
      const { unit, limits, member, instance, kind, members } = quantityNamed(quantity);
      const value = Math.min(limits[1] / 2, 60);
      for (const given of unitsLike(unit)) {
        const { hear, told } = sensors([
          row({
            quantity,
            unit: given,
            ...(instance !== undefined && { instance: 3 }),
            ...(kind !== undefined && { kind: kind.choices[1] }),
          }),
        ]);
        hear("a/b", String(converted(value, unit, given)));
        const { data } = told()[0]!;
        expect(data[member], given).toBeCloseTo(value, 0);
        expect(data).toMatchObject({
          ...members,
          ...(instance !== undefined && { [instance.member]: 3 }),
          ...(kind !== undefined && { [kind.member]: kind.choices[1] }),
        });
      }
    },
  );

  test.each([
    ["temperature", 130312, { source: "Inside Temperature", actualTempC: 21.4 }, "21.4"],
    ["pressure", 130314, { source: "Atmospheric", pressurePa: 101_320 }, "101320"],
    ["batteryVoltage", 127508, { voltageV: 13.31 }, "13.31"],
    ["stateOfCharge", 127506, { dcType: "Battery", stateOfChargePercent: 88 }, "88"],
    ["coolantTemperature", 127489, { engineInstance: 0, coolantTempC: 72.5 }, "72.5"],
    ["depth", 128267, { depthM: 12.34 }, "12.34"],
    ["windAngle", 130306, { reference: "Apparent", windAngleDeg: 315.001 }, "-45"],
    ["solarVoltage", 127751, { dcInstance: 0, voltageV: 44.2 }, "44.2"],
    ["acInputPower", 127503, { numLines: 1, line1RealPowerW: 812 }, "812"],
  ] as const)("%s is in %d", (quantity, pgn, data, payload) => {
    const { hear, told } = sensors([row({ quantity })]);
    hear("a/b", payload);
    expect(quantities[quantity].definition.pgn).toBe(pgn);
    expect(told()[0]!.data).toMatchObject(data);
  });

  test("an angle just below a full turn is in the message", () => {
    expect(read(row({ quantity: "windAngle" }), "359.9999")).toMatchObject({ kind: "value", value: 0 });
  });

  test.each([
    [{ unit: "cm", full: 30 }, "12.3", 41],
    [{ unit: "cm", full: 5, empty: 55 }, "30", 50],
    [{ unit: "m³", full: 0.3 }, "0.15", 50],
    [{ unit: "cm", full: 30 }, "-5", 0],
    [{ unit: "cm", full: 5, empty: 55 }, "60", 0],
    [{ unit: "ratio" }, "0.42", 42],
    [{}, "42", 42],
  ])("a level of a tank: %j", (members, payload, expected) => {
    const tank = row({ quantity: "fluidLevel", kind: "Water", ...members });
    const reading = read(tank, payload);
    expect(reading).toMatchObject({ kind: "value" });
    expect((reading as { value: number }).value).toBeCloseTo(expected);
  });
});

describe("payloads", () => {
  const pointed = row({ pointer: "/value" });
  test.each([
    [row({}), "21.4", 21.4],
    [row({}), '"21.4"', 21.4],
    [row({}), " 21.4\n", 21.4],
    [pointed, '{"value":21.4,"max":50}', 21.4],
    [pointed, '{"value":"21.40"}', 21.4],
    [row({ pointer: "/a~1b/0/t~0c" }), '{"a/b":[{"t~c":-3}]}', -3],
    [row({ pointer: "/" }), '{"":5}', 5],
  ])("%# has a value", (of, payload, value) => expect(read(of, payload)).toEqual({ kind: "value", value, ageMs: 0 }));

  test.each([
    [pointed, '{"value":null}', "ended"],
    [pointed, "", "ended"],
    [pointed, '{"value":"unavailable"}', "ended"],
    [row({}), "nan", "ended"],
    [row({}), "NaN", "ended"],
    [pointed, '{"other":1}', "none"],
    [pointed, '{"value":{}}', "refused"],
    [pointed, '{"value":true}', "refused"],
    [pointed, "offline", "refused"],
    [pointed, '{"value":21', "refused"],
    [pointed, undefined, "refused"],
    [row({}), "12 °C", "refused"],
    [row({}), "0x10", "refused"],
    [row({}), "{}", "refused"],
    [row({}), "1e9", "refused"],
    [row({}), "-300", "refused"],
    [pointed, `${'{"value":'.repeat(40)}1${"}".repeat(40)}`, "refused"],
    [row({ pointer: "/length" }), "[1]", "none"],
    [row({ pointer: "/constructor" }), "{}", "none"],
  ])("%# has none", (of, payload, kind) =>
    expect(read(of, payload)).toMatchObject({ kind, why: { text: expect.any(String) } }),
  );

  test("a retained value is not believed, unless the payload has its time", () => {
    expect(read(pointed, '{"value":1}', true)).toMatchObject({
      kind: "none",
      why: { text: expect.stringContaining("age") },
    });
    const timed = row({ pointer: "/value", time: "/at", periodSec: 60 });
    const at = (time: unknown, isRetained = true) => read(timed, JSON.stringify({ value: 1, at: time }), isRetained);
    expect(at("2026-11-21T07:59:30Z")).toEqual({ kind: "value", value: 1, ageMs: 30_000 });
    expect(at("2026-11-21T08:59:30+01:00")).toEqual({ kind: "value", value: 1, ageMs: 30_000 });
    expect(at(wall - 30_000)).toEqual({ kind: "value", value: 1, ageMs: 30_000 });
    expect(at((wall - 30_000) / 1000)).toEqual({ kind: "value", value: 1, ageMs: 30_000 });
    expect(at(wall + 5000)).toEqual({ kind: "value", value: 1, ageMs: 0 });
    expect(at(wall - 60_000)).toEqual({ kind: "value", value: 1, ageMs: 60_000 });
    expect(at(wall - 60_001)).toMatchObject({ kind: "none", why: { text: expect.stringContaining("older") } });
    expect(at("2026-11-21T07:58:30Z", false)).toMatchObject({ kind: "refused" });
    expect(at(wall + 61_000)).toMatchObject({ kind: "none", why: { text: expect.stringContaining("future") } });
    expect(at(wall + 10_800_000, false)).toEqual({ kind: "value", value: 1, ageMs: 0 });
    for (const isRetained of [true, false]) expect(at(1e300, isRetained)).toMatchObject({ kind: "refused" });
    expect(at(undefined)).toMatchObject({ kind: "none" });
    for (const isRetained of [true, false])
      expect(at("yesterday", isRetained)).toEqual({ kind: "refused", why: sentence`no time at ${"/at"}` });
    expect(at(null, false)).toMatchObject({ kind: "value" });
    expect(at(undefined, false)).toEqual({ kind: "value", value: 1, ageMs: 0 });
  });
});

describe("ready rows", () => {
  const all = Object.entries(readyRows).flatMap(([system, rows]) => rows.map((each) => [system, each] as const));
  test.each(all)("%s: %j is a row of the settings", (_, { word: __, ...members }) =>
    expect(readSensorRow({ ...members, name: "Sensor" })).not.toBeTypeOf("string"),
  );

  test.each([
    ["N/48e7da/battery/278/Soc", '{"max":100,"value":87.5}', ["Battery 278", "stateOfCharge"]],
    ["N/48e7da/tank/3/Level", '{"value":71}', ["Tank 3", "fluidLevel"]],
    ["zigbee2mqtt/saloon", '{"humidity":44.7,"linkquality":115}', ["saloon", "humidity"]],
    ["engine-room/sensor/coolant_temperature/state", "71.5", ["engine-room", "temperature"]],
    ["home/OMG/BTtoMQTT/C0FFEE", '{"lvl_cm":12.3,"quality":3}', ["C0FFEE", "fluidLevel"]],
    ["engine-room/sensor/uptime/state", "71.5", undefined],
    ["zigbee2mqtt/saloon", '{"linkquality":115}', undefined],
    ["zigbee2mqtt/bridge/state", '{"state":"online"}', undefined],
  ])("%s %s", (topic, payload, expected) => {
    const rows = suggestedRows(topic, payload);
    expect(rows.map(({ name, quantity }) => [name, quantity])).toEqual(expected === undefined ? [] : [expected]);
    for (const { topic: its } of rows) expect(its).toBe(topic);
  });

  const named = (topic: string, payload: object, others: Parameters<typeof suggestedRows>[3] = [], more = {}) =>
    suggestedRows(topic, JSON.stringify(payload), (of) => (more as Record<string, string>)[of], others)[0]?.name;
  const tag = (id: string): string => `home/OMG/BTtoMQTT/${id}`;

  test("a device has the name that it gives itself", () => {
    expect(named(tag("C1D2"), { name: "Ruuvi 0506", tempc: 21 })).toBe("Ruuvi 0506");
    expect(named(tag("C1D2"), { name: " ", tempc: 21 })).toBe("C1D2");
    expect(named(tag("C1D2"), { name: 7, tempc: 21 })).toBe("C1D2");
    const soc = "N/48e7/battery/278/Soc";
    const [custom, product] = ["CustomName", "ProductName"].map((last) => `N/48e7/battery/278/${last}`);
    expect(named(soc, { value: 87 }, [], { [product!]: '{"value":"SmartShunt"}' })).toBe("SmartShunt");
    const both = { [product!]: '{"value":"SmartShunt"}', [custom!]: '{"value":"House"}' };
    expect(named(soc, { value: 87 }, [], both)).toBe("House");
    expect(named(soc, { value: 87 }, [], { [custom!]: '{"value":""}' })).toBe("Battery 278");
  });

  test("two devices with one name stay two, and all rows of a device have one name", () => {
    const others = [{ name: "Ruuvi", topic: tag("C1D2") }];
    expect(named(tag("C1D2"), { name: "Ruuvi", hum: 50 }, others)).toBe("Ruuvi");
    expect(named(tag("E3F4"), { name: "Ruuvi", tempc: 21 }, others)).toBe("Ruuvi E3F4");
    const both = [...others, { name: "Ruuvi E3F4", topic: tag("E3F4") }];
    expect(named(tag("E3F4"), { name: "Ruuvi", hum: 21 }, both)).toBe("Ruuvi E3F4");
    // The crew has given it another name.
    expect(named(tag("E3F4"), { name: "Ruuvi", hum: 21 }, [{ name: "Fridge", topic: tag("E3F4") }])).toBe("Fridge");
    // The topic of a row may have any level.
    const venus = [{ name: "House", topic: "N/+/battery/278/Dc/0/Voltage" }];
    expect(named("N/48e7/battery/278/Soc", { value: 87 }, venus)).toBe("House");
    expect(nameAmong("state", "boat/bilge/state", [{ name: "state", topic: "boat/door/state" }])).toBe("state 2");
    const long = "x".repeat(32);
    expect(nameAmong(long, tag("A"), [{ name: long, topic: tag("B") }])).toHaveLength(32);
  });
});
