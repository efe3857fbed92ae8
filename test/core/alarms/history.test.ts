import { expect, test } from "vitest";
import { AlarmHistory } from "../../../src/core/alarms/history.ts";
import { MAX_HISTORY, type PastAlarm } from "../../../src/core/alarms/report.ts";
import { isoTime } from "../../../src/core/text/date.ts";

const START = Date.UTC(2026, 10, 21);
const alarmOf = (id: string, since: number, more: Partial<PastAlarm> = {}): PastAlarm => ({
  ...{ id, kind: "depth", title: "Shallow water", severity: "alarm", since: isoTime(since) },
  ...more,
});

test("the first answer has its time, also if another one comes", () => {
  const history = new AlarmHistory();
  history.observe(0, START, [alarmOf("depth", START)]);
  for (const seconds of [1, 9]) history.acknowledge("depth", START + 1000 * seconds);
  expect(history.alarms[0]!.acknowledged).toBe(isoTime(START + 1000));
});

test("beside a full history of before this start there is room for an alarm that has ended since", () => {
  const history = new AlarmHistory();
  history.observe(0, START, [alarmOf("new", START)]);
  history.observe(1000, START + 1000, []);
  const until = isoTime(START - 60_000);
  const before = Array.from({ length: MAX_HISTORY }, (_, at) => alarmOf(`old-${at}`, START - 100_000, { until }));
  history.restore(before, START - 50_000);
  expect(history.alarms.map(({ id }) => id)).toEqual(["new", ...before.slice(0, -1).map(({ id }) => id)]);
});
