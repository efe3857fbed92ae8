/** A silence within a recording that is read at full speed: alarms ring in it as they do on a bus that is silent. */
import { expect, test } from "vitest";
import type { AlarmsData } from "../../../src/core/alarms/report.ts";
import type { PacketBatch } from "../../../src/core/ports/packet-source.ts";
import { encoded, type Said, setUp, start, topic } from "./alarm-bus.ts";
import { createBursts } from "./bursts.ts";

const at = { pgn: 129025, latitude: 52, longitude: 4 };
const course = { pgn: 129026, cogReference: "True", cogDeg: 0, sogMs: 3 };
const depth = { pgn: 128267, depthM: 20, offsetM: 0 };
const ship = {
  pgn: 129039,
  from: 40,
  messageId: 18,
  mmsi: 211_000_001,
  latitude: 53,
  longitude: 4,
  cogDeg: 0,
  sogMs: 3,
};
const wind = { pgn: 130306, windSpeedMs: 8, windAngleDeg: 40, reference: "Apparent" };
const engine = { pgn: 127488, from: 9, instance: 0, speedRpm: 1800 };
const heartbeat = { pgn: 126993, from: 40, hex: "60eaff00ffffffff" };

/** What is heard each second, for so many seconds. */
type Script = readonly (readonly [seconds: number, heard: readonly Said[]])[];

const all = [at, course, depth, ship, wind, engine];
const DAY = 86_400;

/** The alarms of a voyage, each with the second at which it was listed first and not any more, in their order. */
function rung(script: Script, isLive: boolean): { events: readonly string[]; evaluations: number } {
  let evaluations = 0;
  const counting = { name: "counting", create: () => ({ advance: () => void evaluations++ }) };
  const { bridge, publisher } = setUp(start, {}, [counting]);
  const burst = createBursts(start);
  let second = 0;
  for (const [seconds, heard] of script) {
    if (heard.length === 0 && !isLive) second += seconds;
    else
      for (let n = 0; n < seconds; n++, second++) {
        for (const said of heard) {
          const { pgn, from: source = 3, hex = encoded(said) } = said;
          const batch: PacketBatch = burst([{ source, pgn, hex, at: start + second * 1000 }]);
          // However long the silence before it.
          new Float64Array(batch.bytes.buffer, batch.bytes.byteOffset, 2)[1] = second * 1e6;
          bridge.take(batch);
        }
        const now = second * 1000;
        if (isLive) for (let step = 50; step <= 1000; step += 50) bridge.advance(now + step, start + now + step);
      }
  }
  bridge.finish();
  const events: string[] = [];
  let listed = new Set<string>();
  for (const message of publisher.payloads(topic) as { data: AlarmsData; metadata: { rxTimestamp: number } }[]) {
    const ids = new Set(message.data.alarms.map(({ id }) => id));
    const after = message.metadata.rxTimestamp - Math.floor(start / 1000);
    for (const id of ids) if (!listed.has(id)) events.push(`${id} rings ${after}`);
    for (const id of listed) if (!ids.has(id)) events.push(`${id} ends ${after}`);
    listed = ids;
  }
  return { events, evaluations };
}

const scripts: Readonly<Record<string, Script>> = {
  "the whole bus for a minute": [
    [60, all],
    [59, []],
    [20, all],
  ],
  "the whole bus, twice": [
    [60, all],
    [45, []],
    [90, all],
    [50, []],
    [20, all],
  ],
  "the whole bus for half an hour": [
    [60, all],
    [1800, []],
    [20, all],
  ],
  "all but a heartbeat each quarter of a minute": [
    [60, all],
    ...Array.from(
      { length: 20 },
      () =>
        [
          [15, []],
          [1, [heartbeat]],
        ] as const,
    ).flat(),
    [20, all],
  ],
};

test.each(Object.keys(scripts))("silent: %s", (name) => {
  const [live, replayed] = [true, false].map((isLive) => rung(scripts[name]!, isLive).events) as [string[], string[]];
  const words = (events: readonly string[]): readonly string[] => events.map((event) => event.replace(/\d+$/, ""));
  expect(live.filter((event) => event.includes("rings")).length).toBeGreaterThan(1);
  expect(words(replayed)).toEqual(words(live));
  const seconds = (events: readonly string[]): readonly number[] => events.map((event) => Number(/\d+$/.exec(event)));
  const late = seconds(replayed).map((second, index) => second - seconds(live)[index]!);
  expect(Math.max(...late.map(Math.abs))).toBeLessThanOrEqual(1);
});

test("a silence of a month has its alarms, and few evaluations", () => {
  const { events, evaluations } = rung(
    [
      [60, all],
      [30 * DAY, []],
      [20, all],
    ],
    false,
  );
  expect(events).toContain("network rings 73");
  expect(evaluations).toBeLessThan(4000);
});
