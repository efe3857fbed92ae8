/** Limits of the crew's own: frames of the bus in, alarms out. */
import { describe, expect, test } from "vitest";
import { alarmSettings } from "../../../../src/core/alarms/settings.ts";
import { warningText } from "../../../../src/core/report/read-entry.ts";
import { setUp } from "../alarm-bus.ts";

const freezer = { id: "freezer", pgn: 130316, member: "actualTempC", above: -10, seconds: 20, text: "Freezer is warm" };
const temperature = (actualTempC: number, instance = 4, from = 3) => ({
  pgn: 130316,
  from,
  instance,
  source: "Freezer Temperature",
  actualTempC,
});
const withRows = (...rows: readonly object[]) => {
  const boat = setUp();
  boat.bridge.configure(new Map([["alarms", { name: "alarms", limits: { rows } }]]));
  return boat;
};

test("rings after its seconds with its text, value and unit, and ends with a margin", () => {
  const { alarms, rung } = withRows(freezer);
  expect(rung(60, temperature(-18))).toEqual([]);
  expect(rung(15, temperature(-5))).toEqual([]);
  expect(rung(10, temperature(-5))).toEqual(["limits-freezer warning active"]);
  const shown = { title: "Freezer is warm", value: -5, limit: -10, unit: "°C" };
  expect(alarms()).toMatchObject([shown]);
  expect(rung(10, temperature(-10.1))).toHaveLength(1);
  expect(rung(5, temperature(-12))).toEqual([]);
});

/** The number of alarms that a value makes which is beyond its limit for some seconds of each period. */
function ringsOf(beyond: number, period: number, seconds: number): number {
  const { sail, reports } = withRows({ id: "heel", pgn: 127257, member: "rollDeg", above: 25, seconds, text: "Heel" });
  for (let wave = 0; wave < 20; wave++) {
    sail(beyond, { pgn: 127257, rollDeg: 33 });
    sail(period - beyond, { pgn: 127257, rollDeg: 20 });
  }
  return new Set(reports().flatMap(({ alarms }) => alarms.map(({ since }) => since))).size;
}

test("a heel that swings across its limit in each wave rings once if it is often beyond it, a roll now and then never", () => {
  expect(ringsOf(4, 8, 10)).toBe(1);
  expect(ringsOf(3, 8, 10)).toBe(0);
});

test("a limit below zero has its margin on the other side of it", () => {
  const { rung } = withRows({ ...freezer, above: undefined, below: -25, seconds: 0 });
  expect(rung(5, temperature(-26))).toHaveLength(1);
  expect(rung(10, temperature(-24.9))).toHaveLength(1);
  expect(rung(5, temperature(-20))).toEqual([]);
});

test("a tank is chosen by its number and its fluid, so that another fluid of that number does not ring", () => {
  const key = { instance: 1, fluidType: "Water" };
  const row = { id: "water", pgn: 127505, member: "levelPercent", below: 10, seconds: 0, text: "Water", key };
  const { rung } = withRows(row);
  const tank = (fluidType: string, levelPercent: number, instance = 1) => ({
    ...{ pgn: 127505, instance, fluidType, levelPercent },
  });
  expect(rung(3, tank("Fuel", 5), tank("Water", 40), tank("Water", 5, 0))).toEqual([]);
  expect(rung(3, tank("Water", 5))).toEqual(["limits-water warning active"]);
});

test("of two devices with one instance the good one does not hide the bad one", () => {
  expect(withRows(freezer).rung(30, temperature(-5, 4, 3), temperature(-18, 4, 8))).toEqual([
    "limits-freezer warning active address 3",
  ]);
});

test("an instance or a device may be chosen; else the one counts that is the farthest beyond", () => {
  const name = Buffer.from("0102030405060708", "hex");
  const chosen = withRows(freezer, { ...freezer, id: "five", instance: 5 }, { ...freezer, id: "box", device: "Box" });
  chosen.bridge.configure(
    new Map<string, object>([
      ["navigation", { name: "navigation", friendlyNames: { [name.readBigUInt64LE().toString()]: "Box" } }],
      [
        "alarms",
        {
          limits: {
            rows: [freezer, { ...freezer, id: "five", instance: 5 }, { ...freezer, id: "box", device: "Box" }],
          },
        },
      ],
    ]),
  );
  const claim = { pgn: 60928, from: 8, hex: name.toString("hex") };
  chosen.sail(30, claim, temperature(-5, 4), temperature(-18, 5, 8));
  expect(chosen.ringing()).toEqual(["limits-freezer warning active"]);
  chosen.sail(30, claim, temperature(-18, 4), temperature(-5, 5, 8));
  expect(chosen.ringing().map((each) => each.split(" ")[0])).toEqual(["limits-freezer", "limits-five", "limits-box"]);
  chosen.sail(3, claim, temperature(-8, 4), temperature(-3, 5, 8));
  expect(chosen.alarms()[0]).toMatchObject({ id: "limits-freezer", value: -3 });
  chosen.sail(3, claim, temperature(-2, 4), temperature(-3, 5, 8));
  expect(chosen.alarms()[0]).toMatchObject({ id: "limits-freezer", value: -2 });
});

test("a row that watches another member does not judge it by the last value of the one before", () => {
  const { bridge, sail, rung } = withRows(freezer);
  sail(30, { ...temperature(-18), setTempC: -5 });
  const rows = [{ ...freezer, member: "setTempC", above: -30, seconds: 0 }];
  bridge.configure(new Map([["alarms", { name: "alarms", limits: { rows } }]]));
  expect(rung(10, { pgn: 127250, headingDeg: 1 })).toEqual([]);
});

test("a row that is bent to another thing, or device, does not go on with the alarm of the one before", () => {
  const { bridge, sail, rung } = withRows({ ...freezer, severity: "alarm", seconds: 0, instance: 4 });
  sail(5, temperature(-5), temperature(-20, 5));
  const configure = (more: object) =>
    bridge.configure(
      new Map([["alarms", { name: "alarms", limits: { rows: [{ ...freezer, severity: "alarm", ...more }] } }]]),
    );
  configure({ instance: 4, above: -12 });
  expect(rung(1)).toEqual(["limits-freezer alarm active"]);
  configure({ instance: 5 });
  expect(rung(1, temperature(-5), temperature(-20, 5))).toEqual([]);
});

test("a value that is not heard any more ends, and so does one whose row is gone", () => {
  const { bridge, sail, rung } = withRows(freezer);
  const other = { pgn: 127250, headingDeg: 1 };
  sail(30, temperature(-5));
  expect(rung(80, other)).toHaveLength(1);
  expect(rung(80, other)).toEqual([]);
  sail(30, temperature(-5));
  bridge.configure(new Map([["alarms", { name: "alarms" }]]));
  expect(rung(1, temperature(-5))).toEqual([]);
});

test("the report names the rows that no value reaches", () => {
  const misspelt = { ...freezer, id: "misspelt", device: "Frezer" };
  const rows = [freezer, misspelt, { id: "fast", member: "speed_course.sog", above: 12, text: "Too fast" }];
  const { bridge, sail, reports } = withRows(...rows);
  const unheard = () => reports().at(-1)!.unheardLimits;
  const other = { pgn: 127250, headingDeg: 1 };
  sail(5, other);
  expect(unheard()).toEqual(["freezer", "misspelt", "fast"]);
  sail(5, temperature(-18));
  expect(unheard()).toEqual(["misspelt", "fast"]);
  sail(95, other);
  expect(unheard()).toEqual(["freezer", "misspelt", "fast"]);
  bridge.configure(new Map([["alarms", { name: "alarms", limits: { enabled: false, rows } }]]));
  sail(2, other);
  expect(unheard()).toBeUndefined();
  bridge.configure(new Map([["alarms", { name: "alarms", limits: { rows: [freezer] } }]]));
  sail(5, temperature(-18));
  expect(unheard()).toBeUndefined();
});

test("a switch bank that sends its instance alone breaks no limit of another one", () => {
  const { bridge, sail, ringing } = setUp();
  const row = { id: "bilge", text: "Water in the bilge", severity: "alarm", switch: 2, is: "On" };
  bridge.configure(new Map([["alarms", { name: "alarms", limits: { rows: [row] } }]]));
  sail(10, { pgn: 127501, hex: "00" }, { pgn: 127501, from: 9, instance: 1, switches: [{ switch: 2, status: "On" }] });
  expect(ringing()).toEqual(["limits-bilge alarm active"]);
});

describe("a switch", () => {
  const bank = (status: string, number = 2, instance = 0, from = 3) => ({
    pgn: 127501,
    from,
    instance,
    switches: [
      { switch: number, status },
      { switch: 9, status: "Off" },
    ],
  });
  const bilge = { id: "bilge", text: "Water in the bilge", severity: "alarm", seconds: 2 };

  test.each<
    [string, { readonly instance?: number; readonly switch?: number | string; readonly [member: string]: unknown }]
  >([
    ["by its number", { switch: 2, is: "On" }],
    ["by number and PGN", { pgn: 127501, switch: 2, is: "On" }],
    ["by number and member", { pgn: 127501, member: "status", switch: 2, is: "On" }],
    ["as an indicator", { pgn: 127501, member: "indicator2", is: "On" }],
    ["as a switch", { pgn: 127501, member: "switch2", instance: 0, is: "On" }],
    ["by the crew's name", { switch: "Bilge float", is: "On" }],
  ])("rings while it is on, %s", (_, row) => {
    const { bridge, sail, ringing, alarms, rung } = setUp();
    const named = { device: "0", pgn: 127501, key: { instance: 0, switch: 2 }, name: "Bilge float" };
    bridge.configure(
      new Map([
        ["alarms", { name: "alarms", limits: { rows: [{ ...bilge, ...row }] } }],
        ["names", { name: "names", things: [named] }],
      ]),
    );
    sail(10, bank("Off"), bank("On", 3), bank("On", 2, 1, 9));
    if (row.instance === 0 || row.switch === "Bilge float") expect(ringing()).toEqual([]);
    expect(rung(4, bank("On"))).toEqual(["limits-bilge alarm active"]);
    expect(alarms()[0]).toMatchObject({ title: "Water in the bilge" });
    expect(rung(6, bank("Off"), bank("Off", 2, 1, 9))).toEqual([]);
  });

  test("rings while it is off, as a door that is to be shut, and not in an error", () => {
    const { rung } = withRows({ ...bilge, switch: 2, is: "Off" });
    expect(rung(10, bank("Error"))).toEqual([]);
    expect(rung(4, bank("Off"))).toHaveLength(1);
  });

  test("is not watched where its bank is not heard", () => {
    const { sail, reports } = withRows({ ...bilge, switch: 2, instance: 5, is: "On" });
    sail(5, bank("On"));
    expect(reports().at(-1)).toMatchObject({ alarms: [], unheardLimits: ["bilge"] });
  });

  test("a state of any message may ring", () => {
    const { sail, ringing } = withRows({ ...bilge, pgn: 127507, member: "operatingState", is: "Equalise" });
    sail(5, { pgn: 127507, chargerInstance: 0, operatingState: "Equalise" });
    expect(ringing()).toEqual(["limits-bilge alarm active"]);
  });

  test.each([
    ["no state", { switch: 2 }, "type a number above or below which it rings"],
    ["no state of a switch", { switch: 2, is: "Open" }, "is must be one of Off, On, Error"],
    ["a state and a limit", { switch: 2, is: "On", above: 1 }, "needs no limit beside is"],
    ["a limit of a switch", { switch: 2, above: 1 }, "names no number of the message"],
    ["a state of a number", { pgn: 127508, member: "voltageV", is: "On" }, "names no state of the message"],
  ])("a row with %s is not used", (_, row, warning) => {
    const { warnings } = alarmSettings.read({ limits: { rows: [{ ...bilge, ...row }] } });
    expect(warnings.map(warningText).join()).toContain(warning);
  });
});
