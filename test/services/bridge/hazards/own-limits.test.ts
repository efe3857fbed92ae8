/** Limits of the crew's own: frames of the bus in, alarms out. */
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { setUp } from "../alarm-bus.ts";

const { toPgn } = createRequire(import.meta.url)("@canboat/canboatjs") as { toPgn(message: object): Buffer };

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
  const { sail, ringing, reports } = withRows(freezer);
  sail(60, temperature(-18));
  expect(ringing()).toEqual([]);
  sail(15, temperature(-5));
  expect(ringing()).toEqual([]);
  sail(10, temperature(-5));
  expect(ringing()).toEqual(["limits-freezer warning active"]);
  const shown = { title: "Freezer is warm", value: -5, limit: -10, unit: "°C" };
  expect(reports().at(-1)!.alarms).toMatchObject([shown]);
  sail(10, temperature(-10.1));
  expect(ringing()).toHaveLength(1);
  sail(5, temperature(-12));
  expect(ringing()).toEqual([]);
});

test("a limit below zero has its margin on the other side of it", () => {
  const { sail, ringing } = withRows({ ...freezer, above: undefined, below: -25, seconds: 0 });
  sail(5, temperature(-26));
  expect(ringing()).toHaveLength(1);
  sail(10, temperature(-24.9));
  expect(ringing()).toHaveLength(1);
  sail(5, temperature(-20));
  expect(ringing()).toEqual([]);
});

test("of another encoder's frame, below a limit, with a severity", () => {
  const { sail, ringing } = withRows({
    ...{ id: "water", pgn: 127505, member: "levelPercent", below: 10, seconds: 0, text: "Water", severity: "alarm" },
  });
  const fields = { Instance: 1, Type: "Water", Level: 8, Capacity: 200 };
  const hex = toPgn({ pgn: 127505, prio: 6, src: 3, dst: 255, fields }).toString("hex");
  sail(3, { pgn: 127505, hex });
  expect(ringing()).toEqual(["limits-water alarm active"]);
});

test("of two devices with one instance the good one does not hide the bad one", () => {
  const { sail, ringing } = withRows(freezer);
  sail(30, temperature(-5, 4, 3), temperature(-18, 4, 8));
  expect(ringing()).toEqual(["limits-freezer warning active"]);
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
  expect(chosen.reports().at(-1)!.alarms[0]).toMatchObject({ id: "limits-freezer", value: -3 });
  chosen.sail(3, claim, temperature(-2, 4), temperature(-3, 5, 8));
  expect(chosen.reports().at(-1)!.alarms[0]).toMatchObject({ id: "limits-freezer", value: -2 });
});

test("a member of the navigation report", () => {
  const { sail, reports } = withRows({ id: "fast", member: "speed_course.sog", above: 12, text: "Too fast" });
  sail(20, { pgn: 129026, cogReference: "True", cogDeg: 0, sogMs: 7 });
  expect(reports().at(-1)!.alarms).toMatchObject([{ id: "limits-fast", title: "Too fast", limit: 12, unit: "kn" }]);
});

test("a row that watches another member does not judge it by the last value of the one before", () => {
  const { bridge, sail, ringing } = withRows(freezer);
  sail(30, { ...temperature(-18), setTempC: -5 });
  const rows = [{ ...freezer, member: "setTempC", above: -30, seconds: 0 }];
  bridge.configure(new Map([["alarms", { name: "alarms", limits: { rows } }]]));
  sail(10, { pgn: 127250, headingDeg: 1 });
  expect(ringing()).toEqual([]);
});

test("a value that is not heard any more ends, and so does one whose row is gone", () => {
  const { bridge, sail, ringing } = withRows(freezer);
  const other = { pgn: 127250, headingDeg: 1 };
  sail(30, temperature(-5));
  sail(80, other);
  expect(ringing()).toHaveLength(1);
  sail(80, other);
  expect(ringing()).toEqual([]);
  sail(30, temperature(-5));
  bridge.configure(new Map([["alarms", { name: "alarms" }]]));
  sail(1, temperature(-5));
  expect(ringing()).toEqual([]);
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
