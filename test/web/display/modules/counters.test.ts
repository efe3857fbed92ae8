/** Counters of the bus in the words of an installer, without a browser. */
import { expect, test } from "vitest";
import { countersOf } from "../../../../src/web/display/bus/counters.ts";

const texts = (value: unknown) =>
  countersOf(value).map(({ name, text }) => `${name}: ${text.replaceAll("\u202f", " ")}`);

test("durations, sizes and times have units, and no name has the unit of its member", () => {
  expect(
    texts({
      uptimeSec: 61,
      memoryBytes: 116_461_568,
      clockAheadSec: 3,
      restart_ms: 100,
      backlogBytes: 0,
      laneTopics: 64,
    }),
  ).toEqual([
    "Running for: 1 min",
    "Memory: 116 MB",
    "Clock ahead: 3 s",
    "Restart after a bus-off: 100 ms",
    "Waiting for the broker: 0 B",
    "Lane topics: 64",
  ]);
  expect(texts({ rx_frames: 169_356, framesLost: { kernel: 2 }, load: 12.345, on: true })).toEqual([
    "Frames received: 169 356",
    "Frames lost, kernel: 2",
    "Load: 12.35",
    "On: true",
  ]);
});

test("what did not happen is told apart, at any depth, and a member of another version is shown", () => {
  const counters = countersOf({ framesLost: { kernel: 0, ring: 1 }, newer: { thing: 0 }, list: [], gone: null });
  expect(counters.filter(({ isZero }) => isZero).map(({ name }) => name)).toEqual([
    "Frames lost, kernel",
    "Newer, thing",
  ]);
  expect(counters.length).toBe(3);
});
