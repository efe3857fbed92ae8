/** The entry `sensors`: rows with their defaults, and the reasons why a row cannot be used. */
import { expect, test } from "vitest";
import { warningText } from "../../../src/core/report/read-entry.ts";
import { MAX_SENSOR_ROWS, sensorSettings } from "../../../src/core/settings/sensors.ts";

const valid = { name: "Saloon", topic: "a/b", quantity: "temperature" };
const read = (rows: unknown) => sensorSettings.read({ name: "sensors", rows });

test("a row has the defaults of its quantity", () => {
  const { settings, warnings } = read([valid, { ...valid, name: "Day tank", quantity: "fluidLevel", kind: "Fuel" }]);
  expect(warnings).toEqual([]);
  expect(settings.rows).toEqual([
    {
      ...{ name: "Saloon", topic: "a/b", quantity: "temperature", unit: "°C", kind: "Inside Temperature" },
      ...{ instance: 0, empty: 0, periodSec: 120 },
    },
    {
      ...{ name: "Day tank", topic: "a/b", quantity: "fluidLevel", unit: "%", kind: "Fuel" },
      ...{ instance: 0, empty: 0, periodSec: 120 },
    },
  ]);
  expect(read([{ ...valid, quantity: "depth" }]).settings.rows[0]).toMatchObject({ unit: "m", periodSec: 10 });
});

test.each([
  [{ ...valid, topic: "a/#" }, "topic: must be a topic"],
  [{ ...valid, topic: "$SYS/x" }, "topic: must be a topic"],
  [{ ...valid, topic: "a/b+" }, "topic: must be a topic"],
  [{ ...valid, pointer: "value" }, "pointer: must be a JSON Pointer"],
  [{ ...valid, pointer: "/a~2" }, "pointer: must be a JSON Pointer"],
  [{ ...valid, time: "x" }, "time: must be a JSON Pointer"],
  [{ ...valid, quantity: "mood" }, "quantity"],
  [{ ...valid, unit: "%" }, "unit: temperature has °C, °F, K"],
  [{ ...valid, kind: "Fuel" }, "kind: temperature has Sea Temperature, Outside"],
  [{ ...valid, quantity: "batteryVoltage", kind: "Fuel" }, "kind: batteryVoltage has no kind"],
  [{ ...valid, quantity: "fluidLevel" }, "kind: fluidLevel has Fuel, Water"],
  [{ ...valid, quantity: "fluidLevel", kind: "Fuel", unit: "cm" }, "unit: a level in cm needs full"],
  [{ ...valid, quantity: "fluidLevel", kind: "Fuel", unit: "V", full: 3 }, "unit: fluidLevel has"],
  [{ ...valid, quantity: "fluidLevel", kind: "Fuel", unit: "cm", full: 3, empty: 3 }, "full and empty are the same"],
  [{ ...valid, quantity: "fluidLevel", kind: "Fuel", empty: 3 }, "empty: needs full"],
  [{ ...valid, full: 3 }, "full and empty are for fluidLevel"],
  [{ ...valid, quantity: "fluidLevel", kind: "Fuel", instance: 14 }, "instance: at most 13"],
  [{ ...valid, quantity: "depth", instance: 1 }, "instance: depth has none"],
  [{ ...valid, periodSec: 0 }, "periodSec"],
  [{ ...valid, name: "  " }, "name"],
  [{ ...valid, colour: "red" }, "colour"],
  ["a/b", "rows no. 1: Invalid input: expected object"],
])("%j is left out", (item, reason) => {
  const { settings, warnings } = read([item, { ...valid, name: "Other" }]);
  expect(warnings.map(warningText)).toEqual([expect.stringContaining(`rows no. 1`)]);
  expect(warningText(warnings[0]!)).toContain(reason);
  expect(settings.rows.map(({ name }) => name)).toEqual(["Other"]);
});

test("two rows do not measure the same", () => {
  expect(read([valid, { ...valid, topic: "c" }]).warnings.map(warningText)).toEqual([
    "rows no. 2: measures what a row above measures",
  ]);
  expect(read([valid, { ...valid, instance: 1 }, { ...valid, kind: "Sea Temperature" }]).warnings).toEqual([]);
});

test("there are not too many rows, and an entry that is none changes nothing", () => {
  const many = Array.from({ length: MAX_SENSOR_ROWS + 1 }, (_, instance) => ({ ...valid, name: `S ${instance}` }));
  const { settings, warnings } = read(many);
  expect(settings.rows).toHaveLength(MAX_SENSOR_ROWS);
  expect(warnings).toEqual([{ path: ["rows"], problem: `has more than ${MAX_SENSOR_ROWS} items` }]);
  expect(sensorSettings.read({ name: "sensors", rows: 5 }, settings).settings).toEqual(settings);
  expect(sensorSettings.read({ name: "sensors", row: [] }).warnings).toMatchObject([{ path: ["row"] }]);
  expect(sensorSettings.read(undefined, settings).settings).toEqual(sensorSettings.byDefault);
});
