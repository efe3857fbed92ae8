/** Alerts of devices: frames of the bus in, alarms out. */
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { claim, setUp, topic } from "../alarm-bus.ts";
import { named } from "../named.ts";

const { toPgn } = createRequire(import.meta.url)("@canboat/canboatjs") as { toPgn(message: object): Buffer };

const subject = {
  alertSystem: 5,
  alertSubSystem: 2,
  alertId: 104,
  dataSourceName: "a101020304050607",
  dataSourceInstance: 0,
  dataSourceIndex: 1,
};
const ID = "alert-a101020304050607-0-1-5-2-104";
const alert = (more: object = {}) => ({
  pgn: 126983,
  from: 7,
  alertType: 2,
  alertCategory: 1,
  ...subject,
  silenced: false,
  acknowledged: false,
  state: "Active",
  ...more,
});
const words = (text: string, languageId = 0) => ({ pgn: 126985, from: 7, ...subject, languageId, text });

test.each([
  [1, "emergency"],
  [2, "alarm"],
  [5, "warning"],
  [8, "caution"],
])("type %i is %s, and rings at once", (alertType, severity) => {
  expect(setUp().rung(2, alert({ alertType }))).toEqual([`${ID} ${severity} active technical alert 104`]);
});

test("an alert of another encoder has its text and place, and the alert id of its data source", () => {
  const { sail, ringing, titles } = setUp();
  const fields = {
    "Alert Type": "Emergency Alarm",
    "Alert Category": "Technical",
    "Alert System": 5,
    "Alert Sub-System": 2,
    "Alert ID": 104,
    "Data Source Network ID NAME": "1234567890123456789",
    "Data Source Instance": 0,
    "Data Source Index-Source": 1,
    "Alert Occurrence Number": 1,
  };
  const frame = (pgn: number, more: object) => ({
    pgn,
    from: 7,
    hex: toPgn({ pgn, prio: 2, src: 7, dst: 255, fields: { ...fields, ...more } }).toString("hex"),
  });
  const text = {
    "Language ID": "English (US)",
    "Alert Text Description": "FIRE IN ENGINE ROOM",
    "Alert Location Text Description": "AFT",
  };
  sail(2, frame(126983, { "Alert State": "Active", "Alert Priority": 1 }), frame(126985, text));
  expect(ringing()).toEqual(["alert-1581e97df4102211-0-1-5-2-104 emergency active alert of a device"]);
  expect(titles()).toEqual(["FIRE IN ENGINE ROOM, AFT"]);
});

test("a text may come before its alert, and English is kept", () => {
  const { sail, titles, rung } = setUp();
  sail(2, words("Feuer", 9));
  expect(rung(2, alert(), words("Fire"), words("Brand", 6))).toEqual([`${ID} alarm active alert of a device`]);
  expect(titles()).toEqual(["Fire"]);
});

test.each(["Normal", "Disabled"])("ends when its device says %s", (state) => {
  const { sail, wait, ringing, rung } = setUp();
  sail(2, alert());
  wait(600, { pgn: 127250, from: 7, headingDeg: 1 });
  expect(ringing()).toHaveLength(1);
  expect(rung(5, alert({ state }))).toEqual([]);
});

test.each([
  ["a warning of it", { alertType: 5 }, []],
  ["acknowledged there", { state: "Acknowledged" }, []],
  ["an alarm", {}, [`${ID} alarm active technical alert 104, no data any more`]],
  ["silenced there", { state: "Silenced" }, [`${ID} alarm active technical alert 104, no data any more`]],
] as const)("ends when its device has been silent for three minutes, unless it endangers: %s", (_, more, left) => {
  const { sail, wait, ringing, command, rung } = setUp();
  const other = { pgn: 128267, from: 8, depthM: 12 };
  sail(2, alert(more));
  wait(170, other);
  expect(ringing()).toHaveLength(1);
  expect(rung(70, other)).toEqual(left);
  command(ID, "acknowledge");
  expect(rung(4, other)).toEqual([]);
});

test("two alerts differ by data source, system, sub-system and number; one that is passed on rings once", () => {
  const { sail, rung } = setUp();
  sail(
    2,
    alert(),
    alert({ from: 20 }),
    alert({ alertId: 105 }),
    alert({ alertSystem: 6 }),
    alert({ alertSubSystem: 3 }),
  );
  expect(rung(2, alert({ dataSourceName: "a101020304050608" }), alert({ dataSourceInstance: 1 }))).toHaveLength(6);
});

test("what was answered at the device is so here", () => {
  const { sail, ringing, rung } = setUp();
  expect(rung(2, alert({ state: "Acknowledged" }))).toEqual([`${ID} alarm acknowledged technical alert 104`]);
  sail(2, alert({ state: "Silenced", acknowledged: true }));
  expect(ringing()).toEqual([`${ID} alarm silenced technical alert 104`]);
  expect(rung(2, alert())).toEqual([`${ID} alarm active technical alert 104`]);
});

test("acknowledging it here does not acknowledge it there, and the words say so", () => {
  const { bridge, sail, ringing, rung } = setUp();
  sail(2, alert());
  bridge.command(`${topic}/${ID}/set`, "acknowledge");
  sail(2, alert());
  expect(ringing()).toEqual([`${ID} alarm acknowledged technical alert 104, acknowledged here and not at the device`]);
  expect(rung(2, alert({ state: "Acknowledged" }))).toEqual([`${ID} alarm acknowledged technical alert 104`]);
});

test("is named after its device", () => {
  const { bridge, sail, alarms } = setUp();
  const name = Buffer.from("0102030405060708", "hex");
  bridge.configure(
    new Map([
      ["navigation", { name: "navigation", friendlyNames: { [name.readBigUInt64LE().toString()]: "Fire panel" } }],
    ]),
  );
  sail(2, { pgn: 60928, from: 7, hex: name.toString("hex") }, alert());
  expect(alarms()).toMatchObject([{ kind: "alert", name: "Fire panel" }]);
});

test("an alert goes on while its device is heard at another address, and ends from there", () => {
  const { sail, wait, ringing, command, rung } = setUp();
  sail(2, claim(7, named(7)), alert());
  command(ID, "acknowledge");
  wait(300, claim(8, named(7)));
  expect(ringing()).toEqual([`${ID} alarm acknowledged technical alert 104, acknowledged here and not at the device`]);
  expect(rung(5, alert({ from: 8, state: "Normal" }))).toEqual([]);
});
