/** No data is no all-clear: an alarm whose devices have fallen silent waits for its answer. */
import { expect, test } from "vitest";
import { isGrave } from "../../../../src/core/alarms/constants.ts";
import { alarmKinds } from "../../../../src/core/alarms/words.ts";
import { sailed } from "./voyages.ts";

/** The network is heard, and nothing that an alarm watches. */
const heartbeat = { pgn: 127250, from: 50, headingDeg: 1 };
/** These measure their end in it. */
const isOver = ["network"];
/** These wait for ten minutes after an answer, for the next message of a beacon. */
const persons = ["manOverboard", "distress"];

test.each(alarmKinds)("%s, twenty minutes after the last word of its devices", (kind) => {
  const { alarm, boat } = sailed(kind);
  const state = () =>
    boat
      .reports()
      .at(-1)!
      .alarms.find(({ id }) => id === alarm.id)?.state;
  boat.wait(1200, heartbeat);
  if (isGrave(alarm.severity)) expect(state()).toBe(isOver.includes(kind) ? undefined : "active");
  boat.command(alarm.id, "acknowledge");
  boat.wait(persons.includes(kind) ? 605 : 70, heartbeat);
  // What is missing is beyond its limit as long as it is missing.
  expect(state() ?? "acknowledged").toBe("acknowledged");
});

test.each([
  ["engine", { pgn: 127489, engineInstance: 0, discreteStatus1: 0 }],
  ["transmission", { pgn: 127493, engineInstance: 0, discreteStatus1: 0 }],
  ["pilot", { pgn: 127237, from: 9, offHeadingExceeded: 0 }],
] as const)("%s: the device that has reported it takes it back, and no other of the same number", (kind, clear) => {
  const { alarm, boat } = sailed(kind);
  const isRaised = () =>
    boat
      .reports()
      .at(-1)!
      .alarms.some(({ id }) => id === alarm.id);
  boat.wait(1200, { ...clear, from: 60 });
  expect(isRaised()).toBe(true);
  boat.sail(10, clear);
  expect(isRaised()).toBe(false);
});

test.each([
  ["engineTemperature", { pgn: 127489, engineInstance: 0, coolantTempC: 80 }],
  ["batteryVoltage", { pgn: 127508, instance: 0, voltageV: 12.8 }],
  ["depth", { pgn: 128267, depthM: 20 }],
] as const)("%s: another device that is in order is no all-clear of the silent one", (kind, inOrder) => {
  const { alarm, boat } = sailed(kind);
  boat.wait(50, { ...inOrder, from: 60 });
  expect(boat.reports().at(-1)!.alarms).toContainEqual(expect.objectContaining({ id: alarm.id, value: alarm.value }));
});
