/** The subscriber against a broker of this test's own, packet by packet. */
import { expect, onTestFinished, test, vi } from "vitest";
import { mqttSubscriber } from "../../../../src/adapters/node/mqtt/subscriber.ts";
import { systemClock } from "../../../../src/adapters/node/system-clock.ts";
import type { Clock } from "../../../../src/core/ports/clock.ts";
import { memoryClock } from "../../../support/memory/clock.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { until } from "../../../support/mosquitto.ts";
import { scriptedBroker, subscriptionsOf } from "./scripted-broker.ts";

/** A subscriber, and its sessions with the broker. */
async function setUp(filters: readonly string[], refused: readonly string[] = [], clock: Clock = systemClock) {
  const { port, sessions } = await scriptedBroker(refused);
  const log = memoryLog();
  const heard: string[] = [];
  const subscriber = await mqttSubscriber({
    broker: { secure: false, host: "127.0.0.1", port },
    clientId: "reader",
    filters,
    ownTopic: "app/reader/state",
    expected: { topic: "a", withinMs: 60_000 },
    maxPayloadBytes: 1000,
    reconnectMs: 20,
    clock,
    log,
    credentials: { username: "crew", password: "secret" },
    onMessage: (topic, payload) => void heard.push(`${topic} ${payload}`),
  });
  onTestFinished(() => subscriber.close());
  const lines = (code: string) => log.lines.filter(({ fields }) => fields.code === code);
  return { sessions, heard, log, lines, subscriber };
}

test("a clean session with keep-alive, last will and credentials; each filter is subscribed to with QoS 0", async () => {
  const { sessions } = await setUp(["can/can0/#", "app/+/info"]);
  await until(() => sessions[0] !== undefined && subscriptionsOf(sessions[0]).length === 2);
  expect(sessions[0]!.packets[0]).toMatchObject({
    cmd: "connect",
    clientId: "reader",
    clean: true,
    keepalive: 30,
    username: "crew",
    protocolVersion: 4,
    will: { topic: "app/reader/state", payload: Buffer.alloc(0), qos: 0, retain: true },
  });
  expect(subscriptionsOf(sessions[0]!)).toEqual([
    ["can/can0/#", 0],
    ["app/+/info", 0],
  ]);
});

test("a broker that has gone without a word is asked, and left when it does not answer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { sessions } = await setUp(["a"]);
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  while (sessions[0] === undefined || subscriptionsOf(sessions[0]).length < 1) await settle();
  sessions[0].answersPings = false;
  const isAsked = (): boolean => sessions[0]!.packets.some(({ cmd }) => cmd === "pingreq");
  for (let seconds = 0; seconds < 45 && !isAsked(); seconds++) {
    vi.advanceTimersByTime(1000);
    for (let turn = 0; turn < 20; turn++) await settle();
  }
  expect(isAsked()).toBe(true);
  for (let seconds = 0; seconds < 60 && sessions.length < 2; seconds++) {
    vi.advanceTimersByTime(1000);
    for (let turn = 0; turn < 20; turn++) await settle();
  }
  expect(sessions.length).toBe(2);
});

test("messages are heard after each new connection too, for which it subscribes anew", async () => {
  const { sessions, heard, lines } = await setUp(["a"]);
  for (const count of [1, 2, 3]) {
    await until(() => sessions.length === count && subscriptionsOf(sessions[count - 1]!).length === 1);
    sessions[count - 1]!.send({ cmd: "publish", topic: "a", payload: `${count}`, qos: 0, dup: false, retain: false });
    await until(() => heard.length === count);
    sessions[count - 1]!.end();
  }
  expect(heard).toEqual(["a 1", "a 2", "a 3"]);
  expect(lines("BROKER_AWAY").length).toBeGreaterThanOrEqual(2);
});

test("a subscription that the broker refuses is told by its filter, and the others work", async () => {
  const { sessions, heard, lines } = await setUp(["secret/#", "a"], ["secret/#"]);
  await until(() => lines("SUBSCRIPTION_REFUSED").length === 1);
  expect(lines("SUBSCRIPTION_REFUSED")[0]!.fields.filter).toBe("secret/#");
  await until(() => subscriptionsOf(sessions[0]!).length === 2);
  sessions[0]!.send({ cmd: "publish", topic: "a", payload: "1", qos: 0, dup: false, retain: false });
  await until(() => heard.length === 1);
});

test("an expected topic that does not come, as behind an access control list, is told once in each connection", async () => {
  const clock = memoryClock();
  const { sessions, heard, lines, subscriber } = await setUp(["a", "b"], [], clock);
  const send = async (topic: string, retain: boolean): Promise<void> => {
    const count = heard.length;
    sessions.at(-1)!.send({ cmd: "publish", topic, payload: "1", qos: 0, dup: false, retain });
    await until(() => heard.length > count);
  };
  const connected = (count: number): Promise<void> =>
    until(() => sessions.length === count && subscriptionsOf(sessions.at(-1)!).length === 2);
  const told = (): readonly unknown[] => lines("NOTHING_HEARD").map(({ fields }) => fields);

  await connected(1);
  await send("b", false);
  await send("a", true);
  clock.advance(59_999);
  expect(told()).toEqual([]);
  clock.advance(600_000);
  expect(told()).toEqual([{ code: "NOTHING_HEARD", topic: "a", afterSec: 60 }]);

  const lose = async (): Promise<void> => {
    const count = lines("BROKER_AWAY").length;
    sessions.at(-1)!.end();
    await until(() => lines("BROKER_AWAY").length > count);
  };
  await lose();
  clock.advance(20);
  await connected(2);
  await send("a", false);
  clock.advance(600_000);
  expect(told().length).toBe(1);

  await lose();
  clock.advance(20);
  await connected(3);
  await lose();
  // The time to the next attempt is the only timer.
  expect(clock.timers).toBe(1);
  clock.advance(20);
  await connected(4);
  subscriber.close();
  expect(clock.timers).toBe(0);
});

test("nothing is heard after close, and the broker is not tried again", async () => {
  const { sessions, heard, subscriber } = await setUp(["a"]);
  await until(() => sessions.length === 1 && subscriptionsOf(sessions[0]!).length === 1);
  subscriber.close();
  sessions[0]!.send({ cmd: "publish", topic: "a", payload: "1", qos: 0, dup: false, retain: false });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect([heard, sessions.length]).toEqual([[], 1]);
});
