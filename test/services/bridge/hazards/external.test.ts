/** Alarms of other programs: commands in, alarms out. */
import { expect, test } from "vitest";
import { setUp, topic } from "../alarm-bus.ts";

const bilge = `${topic}/external/bilge/set`;
const alarm = (severity: string, more: object = {}) =>
  JSON.stringify({ severity, message: "Water in the bilge", ...more });

test.each(["emergency", "alarm", "warning"])("a %s rings until an empty message ends it", (severity) => {
  const { bridge, sail, wait, ringing, titles, rung } = setUp();
  sail(2);
  bridge.command(bilge, alarm(severity));
  expect(rung(1)).toEqual([`external-bilge ${severity} active alarm of a program`]);
  expect(titles()).toEqual(["Water in the bilge"]);
  wait(300);
  expect(ringing()).toHaveLength(1);
  bridge.command(bilge, "");
  expect(rung(5)).toEqual([]);
});

test("is answered as others are; an emergency not by all", () => {
  const { bridge, sail, ringing } = setUp();
  bridge.command(bilge, alarm("emergency"));
  bridge.command(`${topic}/external/pump/set`, alarm("alarm"));
  sail(2);
  bridge.command(`${topic}/all/set`, "acknowledge");
  sail(1);
  expect(ringing().map((each) => each.split(" ").slice(0, 3).join(" "))).toEqual([
    "external-bilge emergency active",
    "external-pump alarm acknowledged",
  ]);
});

test("ends by itself after its time, unless it is sent again", () => {
  const { bridge, sail, rung } = setUp();
  sail(2);
  bridge.command(bilge, alarm("alarm", { expireAfterSec: 20 }));
  sail(15);
  bridge.command(bilge, alarm("alarm", { expireAfterSec: 20 }));
  expect(rung(15)).toHaveLength(1);
  expect(rung(12)).toEqual([]);
});

test.each([
  ["bilge", "acknowledge"],
  ["bilge", "{}"],
  ["bilge", alarm("loud")],
  ["bilge", alarm("alarm", { message: "" })],
  ["bilge", alarm("alarm", { message: "x".repeat(201) })],
  ["bilge", alarm("alarm", { expireAfterSec: 0 })],
  ["bilge", alarm("alarm", { sound: "loud" })],
  ["-bilge", alarm("alarm")],
  ["bilge+", alarm("alarm")],
  ["x".repeat(33), alarm("alarm")],
  ["__proto__", "acknowledge"],
])("%s %s is no alarm", (id, payload) => {
  const { bridge, rung } = setUp();
  bridge.command(`${topic}/external/${id}/set`, payload);
  expect(rung(2)).toEqual([]);
  expect(bridge.counters().commandsSkipped.notUnderstood).toBe(1);
});

test("fifty are listed, the most severe and the newest; two hundred have room, and the rest are counted", () => {
  const { bridge, sail, ringing, reports, rung } = setUp();
  sail(2);
  bridge.command(`${topic}/external/fire/set`, alarm("alarm"));
  for (let id = 0; id < 60; id++) bridge.command(`${topic}/external/pump${id}/set`, alarm("warning"));
  bridge.command(bilge, alarm("emergency"));
  expect(rung(2)).toHaveLength(50);
  expect(ringing()[0]).toMatch(/^external-bilge emergency/);
  expect(ringing()[1]).toMatch(/^external-fire alarm/);
  expect(reports().at(-1)!.leftOut).toEqual({ external: 12 });
  expect(ringing().at(-1)).toMatch(/^external-pump59/);
  for (let id = 60; id < 220; id++) bridge.command(`${topic}/external/pump${id}/set`, alarm("warning"));
  sail(6);
  expect(ringing().at(-1)).toMatch(/^external-pump219/);
  // 222 were raised.
  expect(reports().at(-1)!.leftOut).toEqual({ external: 172 });
});
