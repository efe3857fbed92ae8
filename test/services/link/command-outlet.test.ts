import { expect, test } from "vitest";
import { type Call, CommandOutlet } from "../../../src/services/link/command-outlet.ts";
import type { Heard } from "../../../src/services/link/outlet.ts";
import { memoryClock } from "../../support/memory/clock.ts";

const depth = {
  id: "depth",
  kind: "depth",
  title: "Shallow water",
  severity: "alarm",
  state: "active",
  value: 1.74,
  limit: 2,
  unit: "m",
  text: "below the keel",
  since: "2026-11-24T00:00:00.000Z",
} as const;
const unanswered = { ...depth, unanswered: true };
const anchorWatch = { latitude: 52, longitude: 4, radius: 40 };

function open(options: { readonly warnings?: boolean } = {}) {
  const clock = memoryClock();
  /** Id of the alarm of each run, and the ends. */
  const runs: (Call | "end")[] = [];
  const runner = {
    run: (call: Call): void => {
      if (runs.at(-1) === "end" || runs.length === 0) runs.push(call);
    },
    stop: (): void => void runs.push("end"),
    close: async (): Promise<void> => void runs.push("end"),
  };
  const outlet = new CommandOutlet(runner, clock, options);
  let count = 0;
  return {
    clock,
    outlet,
    ids: (): readonly string[] => runs.map((run) => (run === "end" ? run : run.HUB_ALARM_ID)),
    runs,
    report(
      data: object,
      { isRetained = false, isLast = false, rxDate = `2026-11-24T00:00:00.${count++}Z` } = {},
    ): void {
      const message = { data: { alarms: [], watching: {}, ...data }, metadata: { rxDate, expireAfterSec: 60 } };
      const heard = { topic: "alarms", message, receivedMs: clock.monotonic(), isRetained, ...(isLast && { isLast }) };
      outlet.hear(heard as Heard);
    },
  };
}

test("an alarm without an answer runs the command until it is answered, the first of several", () => {
  const { report, ids, runs } = open();
  report({ alarms: [depth] });
  expect(ids()).toEqual([]);
  report({ alarms: [depth, { ...unanswered, id: "anchor" }, { ...unanswered, id: "position" }] });
  report({ alarms: [{ ...unanswered, id: "anchor", state: "silenced", unanswered: undefined }] });
  expect(ids()).toEqual(["anchor", "end"]);
  report({ alarms: [unanswered] });
  report({ alarms: [] });
  expect(ids()).toEqual(["anchor", "end", "depth", "end"]);
  expect(runs[2]).toEqual({
    HUB_ALARM_ID: "depth",
    HUB_ALARM_SEVERITY: "alarm",
    HUB_ALARM_TITLE: "Shallow water",
    HUB_ALARM_TEXT: "1.7 m, limit 2.0 m, below the keel",
  });
});

test("a text of the radio is an environment that a process takes", () => {
  const { report, runs } = open();
  report({ alarms: [{ ...unanswered, id: "a\0b", name: "A\0B", text: "one\ntwo\ud800" }] });
  expect(runs).toMatchObject([{ HUB_ALARM_ID: "a b", HUB_ALARM_TEXT: "A B, 1.7 m, limit 2.0 m, one two " }]);
});

test.each([
  ["under way", { watching: { depth: "on" } }, true],
  ["at anchor", { rest: "anchor", anchorWatch }, true],
  ["adrift", { watching: { depth: "quiet" } }, true],
  ["lying still by herself", { rest: "still" }, true],
  ["in her berth", { rest: "berth" }, false],
])("%s a hub-cand that is offline rings after half a minute: %s", (_, data, rings) => {
  const { clock, outlet, report, ids } = open();
  report(data);
  outlet.forget();
  clock.advance(29_000);
  expect(ids()).toEqual([]);
  clock.advance(1000);
  expect(ids()).toEqual(rings ? ["watch"] : []);
  report(data);
  expect(ids()).toEqual(rings ? ["watch", "end"] : []);
});

test("a broker that is gone rings a minute and a half after the last report", () => {
  const { clock, report, ids } = open();
  report({});
  clock.advance(89_000);
  expect(ids()).toEqual([]);
  clock.advance(1000);
  expect(ids()).toEqual(["watch"]);
});

test("an alarm that has no answer when hub-cand dies rings on", () => {
  const { clock, outlet, report, ids } = open();
  report({ alarms: [unanswered] });
  outlet.forget();
  clock.advance(120_000);
  expect(ids()).toEqual(["depth"]);
});

test("the last report of a hub-cand that is offline, which each connection to the broker brings again, ends no loss", () => {
  const { clock, outlet, report, ids } = open();
  const rxDate = "2026-11-24T00:00:00.999Z";
  report({}, { rxDate });
  outlet.forget();
  clock.advance(30_000);
  report({}, { rxDate, isRetained: true });
  clock.advance(5000);
  expect(ids()).toEqual(["watch"]);
});

test("a report that the broker has had is heard, and a message of another topic is none", () => {
  const { clock, outlet, report, ids } = open();
  report({ alarms: [unanswered] }, { isRetained: true });
  expect(ids()).toEqual(["depth"]);
  const message = { data: { alarms: [], watching: {} }, metadata: { rxDate: "2026-11-24", expireAfterSec: 2 } };
  outlet.hear({ topic: "navigation", message, receivedMs: clock.monotonic(), isRetained: false } as Heard);
  clock.advance(60_000);
  expect(ids()).toEqual(["depth"]);
});

test.each([
  ["under way", { watching: { depth: "on" } }, ["watch"]],
  ["in her berth", { rest: "berth" }, []],
])(
  "%s an alarm of a hub-cand that was offline before the start does not ring, the loss does: %j",
  (_, data, expected) => {
    const { clock, outlet, report, ids } = open();
    outlet.forget();
    report({ alarms: [unanswered], ...data }, { isRetained: true, isLast: true });
    clock.advance(89_000);
    expect(ids()).toEqual([]);
    clock.advance(1000);
    expect(ids()).toEqual(expected);
  },
);

test("an alarm that hub-cand has raised and died while the broker was away rings", () => {
  const { outlet, report, ids } = open();
  report({});
  outlet.forget();
  report({ alarms: [unanswered] }, { isRetained: true, isLast: true });
  expect(ids()).toEqual(["depth"]);
});

test("a goodbye that each connection to the broker brings again does not put off the loss", () => {
  const { clock, outlet, report, ids } = open();
  report({});
  for (let goodbye = 0; goodbye < 3; goodbye++) {
    outlet.forget();
    clock.advance(10_000);
  }
  expect(ids()).toEqual(["watch"]);
});

test("a boat that was never heard is not missed, and closing ends the command", async () => {
  const { clock, outlet, ids } = open();
  outlet.forget();
  clock.advance(600_000);
  expect(ids()).toEqual([]);
  await outlet.close();
  expect(clock.timers).toBe(0);
});

test("a warning runs the command after thirty seconds where the crew wants that, and an alarm goes before it", () => {
  const warning = { ...depth, id: "batteryVoltage-0", severity: "warning" };
  for (const warnings of [false, true]) {
    const { clock, report, ids } = open({ warnings });
    const sound = (seconds: number, alarms: readonly object[]): void => {
      for (let second = 0; second < seconds; second++) {
        report({ alarms });
        clock.advance(1000);
      }
    };
    sound(20, [warning]);
    // A silence begins the time anew.
    sound(30, [{ ...warning, state: "silenced" }]);
    sound(29, [warning]);
    expect(ids()).toEqual([]);
    sound(1, [warning]);
    expect(ids()).toEqual(warnings ? ["batteryVoltage-0"] : []);
    sound(1, [{ ...warning, state: "acknowledged" }]);
    sound(1, [warning, unanswered]);
    expect(ids()).toEqual(warnings ? ["batteryVoltage-0", "end", "depth"] : ["depth"]);
  }
});
