/** What the loudspeaker gets, without a browser: an alarm that nobody answers becomes louder. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { messageText, PREFIX, stubStorage } from "./page-memory.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

/** Loudness of each sound that was played. */
let played: number[] = [];

class Speaker {
  readonly state = "running";
  readonly currentTime = 0;
  readonly destination = {};
  createGain() {
    const gain = {
      set value(loudness: number) {
        played.push(loudness);
      },
    };
    return { gain, connect: () => {} };
  }
  createOscillator() {
    return { type: "", frequency: { value: 0 }, connect: () => {}, start: () => {}, stop: () => {} };
  }
}

beforeEach(() => {
  played = [];
  vi.resetModules();
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: true }));
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("location", { search: "?kiosk" });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("AudioContext", Speaker);
  stubStorage();
  vi.useFakeTimers({ toFake: ["performance", "Date", "setInterval", "clearInterval"], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("an alarm without an answer stays loud and quick when another one of its severity begins; one that is silenced makes no sound", async () => {
  const { startAlarmSound } = await import("../../../../src/web/display/alarms/alarm-sound.ts");
  const { hear } = await import("../../../../src/web/display/data/store.ts");
  let state = "active";
  const alarm = (id: string) => ({
    ...{ id, kind: "depth", title: id, severity: "alarm", state, value: 1, limit: 2, unit: "m" },
    since: new Date(NOW).toISOString(),
  });
  const sail = (seconds: number, ...ids: readonly string[]): readonly number[] => {
    played = [];
    for (let second = 0; second < seconds; second++) {
      const say = (topic: string, data: object): void =>
        void hear(PREFIX, { topic: `${PREFIX}/${topic}`, payload: Buffer.from(messageText(data)), retained: false });
      say("navigation", {});
      say("alarms", { alarms: ids.map(alarm), watching: {} });
      vi.advanceTimersByTime(1000);
    }
    return played;
  };
  startAlarmSound();
  // Every two seconds.
  expect(sail(20, "one")).toEqual(Array(10).fill(0.5));
  sail(20, "one");
  expect(sail(10, "one")).toEqual(Array(10).fill(1));
  expect(sail(10, "one", "two")).toEqual(Array(10).fill(1));
  // Once the first has an answer, the other one is young.
  expect(sail(10, "two")).toEqual(Array(5).fill(0.5));
  state = "silenced";
  expect(sail(10, "two")).toEqual([]);
});
