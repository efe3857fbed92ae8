/**
 * An hour of hub-cand with slow lanes and Home Assistant: the simulated devices stay, visitors come and go, settings
 * change and change back, alarms are answered. At the end it keeps what it kept at the beginning, and publishes as
 * much.
 */
import { expect, test } from "vitest";
import { deviceNameBytes } from "../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../src/core/n2k/encode.ts";
import { batteryStatus } from "../../src/core/n2k/pgns/electrical.ts";
import { waterDepth } from "../../src/core/n2k/pgns/water.ts";
import { RecordWriter } from "../../src/formats/recording/record-writer.ts";
import { devices } from "../../src/services/simulation/devices.ts";
import { named } from "../services/bridge/named.ts";
import { memoryBridge } from "../support/memory-bridge.ts";

const start = Date.UTC(2026, 10, 21);
/** Minutes of a cycle, in which all happens that happens in the hour, and the cycles. */
const [CYCLE, CYCLES] = [10, 6];
/** Seconds between packets of the same device. */
const STEP = 2;
const FIRST_VISITOR = 100;

const [battery, depth] = [encoderOf(batteryStatus), encoderOf(waterDepth)];

test("an hour of devices that come, stay and go, with lanes, leaves memory and rates as they were", () => {
  const { bridge, publisher, log } = memoryBridge({
    prefix: "boat",
    lanes: [1, 10],
    maxRate: 2,
    homeAssistant: { prefix: "homeassistant", interface: "can0", version: "1", hostname: "boat" },
  });
  const lanes = (entry: object) => new Map([["lanes", { name: "lanes", ...entry }]]);
  bridge.configure(lanes({ lanes: [60] }));
  const writer = new RecordWriter();
  let now = 0;
  const say = (source: number, pgn: number, bytes: Uint8Array, destination = 255, priority = 6): boolean =>
    writer.packet(1000 * (start + now), priority, pgn, source, destination, bytes, bytes.length);

  /** Some seconds of a minute of the cycle. */
  const step = (minute: number, second: number): void => {
    const wall = start + now;
    if (second % 10 === 0)
      for (const { address, messages } of devices)
        for (const { definition, destination, priority, payload } of messages)
          say(address, definition.pgn, payload({ seconds: 60 * minute + second, wall }), destination, priority);
    // In each minute of a cycle another device sends for half of the minute, and is silent until the next cycle.
    if (second < 30) {
      const visitor = FIRST_VISITOR + minute;
      if (second % 10 === 0) say(visitor, 60_928, deviceNameBytes(named(minute)));
      say(visitor, 127_508, battery({ pgn: 127508, instance: minute, voltageV: 12 + (second % 7) }));
      say(visitor, 128_267, depth({ pgn: 128267, depthM: 9 + (second % 5) }));
    }
    for (const { packets } of writer.drain()) bridge.take(packets!);
    now += 1000 * STEP;
    bridge.advance(now, start + now);
  };

  const cycle = () => {
    const before = log.lines.length;
    for (let minute = 0; minute < CYCLE; minute++) {
      // Commands and settings twice, and back.
      for (const _ of [1, 2]) {
        bridge.command("boat/alarms/all/set", minute % 2 === 0 ? "silence" : "acknowledge");
        if (minute === 3) bridge.configure(lanes({ lanes: [5], homeAssistant: 5 }));
        if (minute === 4) bridge.configure(lanes({ lanes: [60] }));
      }
      if (minute === CYCLE - 1) publisher.clear();
      for (let second = 0; second < 60; second += STEP) step(minute, second);
    }
    /** Messages of the last minute, by the first levels of their topic. */
    const rates: Record<string, number> = {};
    for (const { topic } of publisher.messages) {
      const kind = /^boat\/(?:every\/\d+|device\/\d+\/pgn|[a-z]+)|^[a-z]+/.exec(topic)![0];
      rates[kind] = (rates[kind] ?? 0) + 1;
    }
    publisher.clear();
    const retained = [...publisher.states.keys()].filter((topic) => topic.startsWith("homeassistant/")).length;
    return { kept: bridge.kept, retained, rates, lines: log.lines.length - before };
  };
  // The first one begins with nothing known.
  cycle();
  const states = [];
  for (let count = 1; count < CYCLES; count++) states.push(cycle());
  for (const { lines, ...state } of states) {
    const { lines: _, ...first } = states[0]!;
    expect(state).toEqual(first);
    // Findings are said when they begin, whichever of them a cycle has.
    expect(lines).toBeLessThan(20);
  }
  const lanesHeard = expect.arrayContaining(["boat/every/1", "boat/every/10", "boat/every/60"]);
  expect(Object.keys(states[0]!.rates)).toEqual(lanesHeard);
});
