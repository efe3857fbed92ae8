/** The topic of the alarms through the bridge: messages of the bus in, the report and its commands. */
import { expect, test } from "vitest";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { memoryPublisher } from "../../src/adapters/memory/publisher.ts";
import type { AlarmsData } from "../../src/alarms/report.ts";
import { Bridge } from "../../src/bridge/bridge.ts";
import { encoderOf } from "../../src/n2k/encode.ts";
import type { Definition } from "../../src/n2k/field.ts";
import { definitions } from "../../src/n2k/pgns/index.ts";
import { FrameCounter } from "../../src/recording/frame-counter.ts";
import { createBursts } from "./bursts.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26);
const topic = "can/can0/alarms";
const watchTopic = `${topic}/anchorWatch/set`;

const setUp = () => {
  const publisher = memoryPublisher();
  const log = memoryLog();
  const bridge = new Bridge({ prefix: "can/can0", monitor: new FrameCounter("replay"), publisher, log });
  const burst = createBursts();
  let now = 0;
  const say = (message: { readonly pgn: number }): void => {
    const definition: Definition = definitions.find(({ pgn }) => pgn === message.pgn)!;
    const hex = Buffer.from(encoderOf(definition)(message as never)).toString("hex");
    bridge.take(burst([{ source: 3, pgn: message.pgn, hex, at: start + now }]));
  };
  return {
    publisher,
    log,
    bridge,
    /** The device speaks once a second for so long. */
    sail(seconds: number, ...messages: readonly { readonly pgn: number }[]): void {
      for (let second = 0; second < seconds; second++) {
        for (const message of messages) say(message);
        for (let step = 0; step < 20; step++, now += 50) bridge.advance(now, start + now);
      }
    },
    reports: (): readonly AlarmsData[] =>
      publisher.payloads(topic).map((message) => (message as { readonly data: AlarmsData }).data),
    watches: (): readonly (string | null)[] =>
      publisher.messages.filter((message) => message.topic === watchTopic).map(({ payload }) => payload),
  };
};

const at = (latitude: number) => ({ pgn: 129025, latitude, longitude: 4 });
const position = at(52);
const course = { pgn: 129026, reference: "True", cogDeg: 90, sogKnots: 6 };
const depth = (depthM: number) => ({ pgn: 128267, depthM });

test("the report is retained at once, then each thirty seconds, and at once when something changes", () => {
  const { publisher, sail, reports } = setUp();
  sail(1);
  expect(publisher.messages.find((message) => message.topic === topic)).toMatchObject({ retain: true });
  expect(reports()[0]!.alarms).toEqual([]);
  sail(5, position, course, depth(12));
  publisher.clear();
  sail(60, position, course, depth(12));
  expect(reports()).toHaveLength(2);
  publisher.clear();
  sail(5, position, course, depth(1.5));
  expect(reports().at(-1)!.alarms).toMatchObject([{ id: "depth", value: 1.5, state: "active" }]);
});

test("limits come from the entry alarms, and what is not understood is warned of", () => {
  const { bridge, sail, reports, log } = setUp();
  bridge.configure(new Map([["alarms", { name: "alarms", depth: { limit: 15 }, wind: { limit: "much" } }]]));
  sail(6, position, course, depth(12));
  expect(reports().at(-1)!.alarms).toMatchObject([{ id: "depth", limit: 15 }]);
  expect(log.lines.map(({ fields }) => fields)).toContainEqual({
    code: "SETTING_IGNORED",
    entry: "alarms",
    reason: "wind limit must be a number of knots",
  });
});

test("commands are executed and seen within the next tick; others are warned of once a minute", () => {
  const { bridge, sail, reports, log } = setUp();
  sail(6, position, course, depth(1));
  bridge.command(`${topic}/depth/set`, "acknowledge");
  sail(1, position, course, depth(1));
  expect(reports().at(-1)!.alarms).toMatchObject([{ state: "acknowledged" }]);
  bridge.command(`${topic}/depth/set`, "explode");
  bridge.command(`${topic}/depth/set`, "x".repeat(10_000));
  bridge.command("can/can0/navigation", "acknowledge");
  expect(log.lines.filter(({ fields }) => fields?.code === "COMMAND_REFUSED")).toHaveLength(1);
});

test("the anchor watch is retained as its own command, so that it outlives the daemon", () => {
  const first = setUp();
  first.sail(3, position, course);
  first.bridge.command(watchTopic, '{"radius":30}');
  first.sail(1, position, course);
  const retained = '{"latitude":52,"longitude":4,"radius":30}';
  expect(first.watches()).toEqual([retained]);
  // The broker delivers it to its publisher too.
  first.bridge.command(watchTopic, retained);
  first.sail(1, position, course);
  expect(first.watches()).toEqual([retained]);

  const second = setUp();
  second.bridge.command(watchTopic, retained);
  second.sail(3, at(52.0001), course);
  expect(second.reports().at(-1)!.anchorWatch).toEqual({ latitude: 52, longitude: 4, radius: 30, distance: 11 });
  second.bridge.command(watchTopic, "");
  second.sail(1, position, course);
  expect(second.watches().at(-1)).toBeNull();
  expect(second.reports().at(-1)!.anchorWatch).toBeUndefined();
});

test("of a flood of commands ten are executed per evaluation", () => {
  const { bridge, sail, reports } = setUp();
  sail(3, position, course);
  for (let radius = 5; radius < 1000; radius++) bridge.command(watchTopic, JSON.stringify({ radius }));
  sail(1, position, course);
  expect(reports().at(-1)!.anchorWatch).toMatchObject({ radius: 14 });
});
