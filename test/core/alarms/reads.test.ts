/** What alarms read of the bus, by the lists of their inputs. */
import { expect, test } from "vitest";
import { definitionOf } from "../../../src/core/alarms/definitions.ts";
import { alarm } from "../../../src/core/alarms/hazards/hazard.ts";
import { LatestMessages } from "../../../src/core/alarms/latest-messages.ts";
import { alarmMessages } from "../../../src/core/alarms/monitor.ts";
import { type Input, kept } from "../../../src/core/alarms/reads.ts";
import { alarmSettings } from "../../../src/core/alarms/settings.ts";
import type { Situation } from "../../../src/core/alarms/situation.ts";
import { alarmKinds } from "../../../src/core/alarms/words.ts";
import { temperature } from "../../../src/core/n2k/pgns/environment.ts";

test.each(alarmKinds)("%s lists each input whose messages it asks for", (kind) => {
  const asked = new Set<Input>();
  const message = { discreteStatus1: 0b1111, discreteStatus2: 1, oilPressureKpa: 10, coolantTempC: 120 };
  const ask = (input: Input) => {
    asked.add(input);
    return new Map([[0, [{ message, source: 1 }]]]);
  };
  const { reads = [], readings } = definitionOf(kind);
  const situation = {
    navigation: {},
    targets: [],
    latest: ask,
    reported: ask,
    notices: () => [],
    nominalVolts: () => 12,
    nameOfDevice: () => undefined,
    depth: { others: [] },
    receivers: [],
    jumps: [],
    wind: {},
    pilotStops: [],
    faultyParts: [],
    ownLimits: [],
    lost: new Map(),
    calls: [],
  } as unknown as Situation;
  readings(situation, alarmSettings.byDefault[kind], () => false);
  expect(reads).toEqual(expect.arrayContaining([...asked]));
});

test("each PGN is decoded once, however many alarms read it", () => {
  const pgns = alarmMessages.map(({ pgn }) => pgn);
  expect(pgns).toContain(129802);
  expect(new Set(pgns).size).toBe(pgns.length);
});

test("two alarms keep the messages of one PGN by keys of their own", () => {
  const byInstance = kept(temperature, { key: "instance" });
  const byDevice = kept(temperature, { key: ({ source }) => source });
  const latest = new LatestMessages();
  const device = { name: undefined, digits: "0", order: 0, address: 9 };
  for (const instance of [1, 2])
    for (const input of [byInstance, byDevice])
      input.hear({ latest } as never, { pgn: temperature.pgn, instance } as never, { arrived: 0, source: 9, device });
  expect([...latest.of(byInstance).keys()]).toEqual([1, 2]);
  expect([...latest.of(byDevice).keys()]).toEqual([9]);
});

test("an alarm has its delay and its settings by name", () => {
  const { settings } = alarm({ title: "Test", severity: "alarm", delay: 7, readings: () => [] });
  expect(settings.parse({})).toEqual({ enabled: true, delay: 7 });
});
