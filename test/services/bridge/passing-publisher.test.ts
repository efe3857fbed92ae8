import { expect, test } from "vitest";
import { type Topic, topics, topicsBelow } from "../../../src/core/topics/topics.ts";
import { passingPublisher } from "../../../src/services/bridge/passing-publisher.ts";
import { RetainedCommand } from "../../../src/services/bridge/retained-command.ts";
import { memoryClock } from "../../support/memory/clock.ts";
import { memoryPublisher } from "../../support/memory/publisher.ts";

const values = { addr: 3, pgn: 127508, seconds: 60, instance: "1", alarm: "distress-244123456" };
const named = Object.entries<Topic>(topics).map(([name, topic]) => {
  const below = topicsBelow("can/can0") as unknown as Record<string, (all: typeof values) => string>;
  return { topic, name: below[name]!(values) };
});

test("a replay retains nothing that hub-cand reads, all else expires, and nothing is left at its end", async () => {
  const broker = memoryPublisher();
  const publisher = passingPublisher(broker, "can/can0", memoryClock());
  for (const { name } of named) publisher.retain(name, "{}");
  const states = named.filter(({ topic }) => !topic.received).map(({ name }) => name);
  expect([...broker.states.keys()]).toEqual(states);
  publisher.retain("homeassistant/device/1/config", "{}");
  publisher.retain("can/can0/health", "{}", 60);
  publisher.retain("can/can0/device/3/infos", null);
  expect(new Set(broker.messages.map(({ expirySeconds }) => expirySeconds))).toEqual(new Set([120, 60]));
  await publisher.close();
  expect(broker.states.size).toBe(0);
  expect(broker.isClosed).toBe(true);
});

test("nothing that a client says again is the echo of what a replay does not retain", () => {
  let now = 0;
  let pressed: string | undefined;
  const publisher = passingPublisher(memoryPublisher(), "can/can0", memoryClock());
  const command = new RetainedCommand(
    publisher,
    "can/can0/alarms/manOverboard/set",
    () => pressed,
    () => now,
  );
  for (const payload of ["{}", undefined, "{}", undefined]) {
    expect(command.isEcho(payload ?? "")).toBe(false);
    command.noteOther();
    pressed = payload;
    command.retain();
    now += 1000;
  }
});

test("a state of a replay that the bridge does not repeat lasts as long as the replay", () => {
  const broker = memoryPublisher();
  const clock = memoryClock();
  const publisher = passingPublisher(broker, "can/can0", clock);
  publisher.retain("can/can0/every/60/navigation", "1");
  publisher.retain("can/can0/every/5/navigation", "1");
  publisher.retain("can/can0/every/5/navigation", null);
  publisher.retain("can/can0/alarms", "{}");
  for (let second = 0; second < 300; second++) {
    clock.advance(1000);
    publisher.flush();
  }
  const sent = broker.messages.filter(({ topic }) => topic === "can/can0/every/60/navigation");
  expect(sent.length).toBeGreaterThanOrEqual(10);
  expect(sent.length).toBeLessThanOrEqual(12);
  expect(broker.messages.filter(({ topic }) => topic === "can/can0/alarms")).toHaveLength(1);
  expect(broker.messages.filter(({ topic }) => topic === "can/can0/every/5/navigation")).toHaveLength(2);
});
