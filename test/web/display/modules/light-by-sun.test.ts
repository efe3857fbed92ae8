/** The colours of a screen over days, without a browser: by the sun, and by hand until it rises or sets. */
import { beforeEach, expect, test, vi } from "vitest";
import { topicsBelow } from "../../../../src/core/topics/topics.ts";
import { secondTick } from "../../../../src/web/display/data/frame-tick.ts";
import { changeSettings, settings, toggleLight } from "../../../../src/web/display/data/settings.ts";
import { clearStore } from "../../../../src/web/display/data/store.ts";
import { startLightBySun } from "../../../../src/web/display/parts/light-by-sun.ts";
import { messageText, PREFIX, publish, send, usePageMemory } from "./page-memory.ts";

const below = topicsBelow(PREFIX);
const LONDON = { latitude: 51.507, longitude: -0.128 };
const SYDNEY = { latitude: -33.869, longitude: 151.209 };

usePageMemory();

beforeEach(() => changeSettings({ bySun: true, chosenAt: 0, light: "day" }));

/** The screen hears the boat at a time of December 2024 in UTC, and is drawn. */
function at(time: string, position: object = LONDON): string {
  vi.setSystemTime(new Date(`2024-12-${time}Z`));
  vi.advanceTimersByTime(10_000);
  publish(below.navigation(), { position: { hasFix: true, ...position } });
  secondTick.value = performance.now();
  return settings.value.light;
}

startLightBySun();

test("night is from sunset to sunrise at the boat, wherever it is", () => {
  expect(["21T12:00", "21T15:50", "21T15:56", "22T08:00", "22T08:08"].map((time) => at(time))).toEqual([
    "day",
    "day",
    "night",
    "night",
    "day",
  ]);
  expect([at("22T12:00", SYDNEY), at("22T20:00", SYDNEY)]).toEqual(["night", "day"]);
});

test("colours by hand stay until the sun rises or sets, by night and by day, one time and the next", () => {
  expect(at("21T20:00")).toBe("night");
  toggleLight();
  expect(["21T20:00", "21T23:00", "22T07:00"].map((time) => at(time))).toEqual(["day", "day", "day"]);
  expect(at("22T12:00")).toBe("day");
  toggleLight();
  expect([at("22T12:01"), at("22T15:00")]).toEqual(["night", "night"]);
  expect([at("22T17:00"), at("23T09:00"), at("23T17:00")]).toEqual(["night", "day", "night"]);
  toggleLight();
  toggleLight();
  expect(at("23T18:00")).toBe("night");
  toggleLight();
  // The screen was off over a day.
  expect([at("23T18:01"), at("24T17:30")]).toEqual(["day", "night"]);
});

test("without a fix the last position counts, and colours that were chosen for good stay", () => {
  expect(at("21T12:00")).toBe("day");
  expect(at("21T20:00", { hasFix: false })).toBe("night");
  changeSettings({ bySun: false, light: "day" });
  expect([at("21T20:01"), at("22T20:00")]).toEqual(["day", "day"]);
  changeSettings({ bySun: true, chosenAt: 0 });
  expect(settings.value.light).toBe("night");
});

test("the clock of this device may be wrong: the sun is that of the boat's time", () => {
  const boatSays = (rxDate: string): string => {
    send(below.navigation(), messageText({ position: { hasFix: true, ...LONDON } }, rxDate));
    vi.advanceTimersByTime(1000);
    secondTick.value = performance.now();
    return settings.value.light;
  };
  clearStore();
  vi.setSystemTime(new Date("2024-12-22T02:00Z"));
  expect(boatSays("2024-12-21T12:00:00Z")).toBe("day");
  toggleLight();
  expect(boatSays("2024-12-21T12:00:01Z")).toBe("night");
});

test.each([
  ["a new screen follows the sun", "{}", true, "day"],
  ["colours of a version before stay", '{"light":"night"}', false, "night"],
  ["a light that cannot be used was not chosen", '{"light":"dusk"}', true, "day"],
  ["a choice that is kept is kept", '{"light":"night","bySun":true}', true, "night"],
] as const)("%s", async (_name, text, bySun, light) => {
  vi.stubGlobal("localStorage", { getItem: () => text, setItem: () => {} });
  vi.resetModules();
  const fresh = await import("../../../../src/web/display/data/settings.ts");
  expect(fresh.settings.value).toMatchObject({ bySun, light });
});
