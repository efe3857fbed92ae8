/** A broker with sensors as a source of packets, with a clock of the test's own: collecting, requests, floods, rows. */
import { describe, expect, onTestFinished, test } from "vitest";
import { MAX_SENSOR_MESSAGES, SensorSource } from "../../../../src/adapters/node/mqtt/sensor-source.ts";
import { forEachPacket } from "../../../../src/core/ports/packet-batch.ts";
import { row } from "../../../core/sensors/rows.ts";
import { memoryClock } from "../../../support/memory/clock.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { mosquitto, subscriber, until, withoutMosquitto } from "../../../support/mosquitto.ts";

const WALL = Date.UTC(2026, 10, 21);
const soc = row({ topic: "N/+/battery/278/Soc", pointer: "/value", quantity: "stateOfCharge" });

async function setUp() {
  const broker = await mosquitto();
  onTestFinished(() => broker.stop());
  const listener = await subscriber(broker.port);
  onTestFinished(() => listener.close());
  const clock = memoryClock({ monotonic: 1000, wall: WALL });
  const log = memoryLog();
  const source = new SensorSource({
    name: "mqtt:",
    broker: { secure: false, host: "127.0.0.1", port: broker.port },
    clientId: "sensors",
    isOwn: (topic) => topic.startsWith("own/"),
    clock,
    log,
  });
  onTestFinished(() => source.close());
  const packets: { readonly pgn: number; readonly at: number; readonly wall: number }[] = [];
  const read = (async () => {
    for await (const batch of source.packets())
      forEachPacket(batch, ({ pgn, arrived, received }) => void packets.push({ pgn, at: arrived, wall: received }));
  })();
  const status = () => source.monitor.read().status;
  const received = () => status().gateway!.receivedBytes;
  /** Leaves a byte that is no value at topics: a source that has received it has subscribed to them. */
  const mark = async (...topics: readonly string[]): Promise<void> => {
    for (const topic of topics) await listener.client.publishAsync(topic, "?", { qos: 1, retain: true });
  };
  return {
    received,
    mark,
    broker,
    log,
    listener,
    clock,
    source,
    packets,
    read,
    status,
    connections: () => status().gateway!.connections,
  };
}

const requestsIn = (messages: readonly { readonly topic: string; readonly payload: string }[]) =>
  messages.filter(({ topic }) => topic.startsWith("R/")).map(({ topic, payload }) => [topic, payload]);

describe.skipIf(withoutMosquitto !== undefined)(`sensors at a broker ${withoutMosquitto ?? ""}`, () => {
  test("without rows there is no connection, and none is left at the end", async () => {
    const { source, status, read, clock } = await setUp();
    expect(status()).toMatchObject({
      up: false,
      gateway: { connections: 0, reason: expect.stringContaining("no sensors") },
    });
    source.setRows([{ ...soc, network: "mqtt://elsewhere" }]);
    expect(status().gateway).toMatchObject({ connections: 0, reason: expect.stringContaining("no sensors") });
    source.close();
    await read;
    expect(clock.timers).toBe(0);
  });

  test("values are collected at each half second, with the time of the computer", async () => {
    const { source, listener, clock, packets, received, mark } = await setUp();
    await mark("home/a", "home/b");
    source.setRows([row({ topic: "home/a" }), row({ topic: "home/b", quantity: "humidity" })]);
    await until(() => received() === 2);
    await listener.client.publishAsync("home/a", "20", { qos: 1 });
    await listener.client.publishAsync("home/b", "50", { qos: 1 });
    await until(() => received() === 6);
    expect(packets).toEqual([]);
    clock.advance(500);
    await until(() => packets.length === 4);
    expect(packets.map(({ pgn }) => pgn)).toEqual([60928, 126996, 130312, 130313]);
    for (const { at, wall } of packets) expect([at, wall]).toEqual([1500, WALL + 500]);
  });

  test("a GX device is asked for everything once, and every half minute for what the rows read", async () => {
    const { source, listener, clock, packets, connections, broker } = await setUp();
    await listener.client.publishAsync("N/48e7da/system/0/Serial", '{"value":"48e7da"}', { qos: 1, retain: true });
    source.setRows([soc]);
    await until(() => requestsIn(listener.messages).length === 1);
    expect(requestsIn(listener.messages)).toEqual([["R/48e7da/keepalive", ""]]);
    await listener.client.publishAsync("N/48e7da/battery/278/Soc", '{"value":87}', { qos: 1 });
    clock.advance(500);
    await until(() => packets.some(({ pgn }) => pgn === 127506));
    listener.clear();
    for (let seconds = 0; seconds < 29; seconds++) clock.advance(1000);
    expect(requestsIn(listener.messages)).toEqual([]);
    for (let halves = 0; halves < 4; halves++) {
      clock.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => requestsIn(listener.messages).length === 2);
    expect(requestsIn(listener.messages)).toEqual([
      ["R/48e7da/keepalive", '{"keepalive-options":["suppress-republish"]}'],
      ["R/48e7da/battery/278/Soc", ""],
    ]);
    // After each connection it tells everything again.
    await broker.signal("SIGKILL");
    await until(() => source.monitor.read().status.up === false);
    await broker.restart();
    clock.advance(5000);
    await until(() => connections() === 2);
  });

  test("a GX device is asked for everything again for rows that have changed, which have no value yet", async () => {
    const { source, listener, connections } = await setUp();
    await listener.client.publishAsync("N/48e7da/system/0/Serial", '{"value":"48e7da"}', { qos: 1, retain: true });
    source.setRows([soc]);
    await until(() => requestsIn(listener.messages).length === 1);
    source.setRows([{ ...soc, name: "House" }]);
    await until(() => requestsIn(listener.messages).length === 2);
    expect(requestsIn(listener.messages)).toEqual(Array(2).fill(["R/48e7da/keepalive", ""]));
    expect(connections()).toBe(1);
  });

  test("a sensor whose clock is ahead of the boat's is told once", async () => {
    const { source, listener, clock, log, received, mark } = await setUp();
    await mark("home/a");
    source.setRows([row({ topic: "home/a", pointer: "/v", time: "/t" })]);
    await until(() => received() === 1);
    for (const value of [20, 21])
      await listener.client.publishAsync("home/a", `{"v":${value},"t":"2026-11-21T03:00:00Z"}`, { qos: 1 });
    await until(() => received() > 60);
    clock.advance(500);
    expect(log.lines.flatMap(({ fields: { code, ...rest } }) => (code === "SENSOR_CLOCK" ? [rest] : []))).toEqual([
      { network: "mqtt:", sensor: "Sensor", topic: "home/a", aheadSec: 10_800 },
    ]);
  });

  test("topics of the rows without a message, as behind an access control list, are told after ten minutes", async () => {
    const { source, listener, clock, log, received, broker, connections } = await setUp();
    const told = (): unknown[] =>
      log.lines.flatMap(({ fields }) => (fields.code === "SENSORS_UNHEARD" ? [fields.topics] : []));
    await listener.client.publishAsync("home/1/a", "7", { qos: 1, retain: true });
    source.setRows([row({ topic: "home/+/a" }), row({ topic: "zigbee2mqtt/b", name: "B" })]);
    await until(() => received() === 1);
    clock.advance(599_000);
    expect(told()).toEqual([]);
    clock.advance(3_000_000);
    expect(told()).toEqual(["zigbee2mqtt/b"]);
    await broker.signal("SIGKILL");
    await until(() => source.monitor.read().status.up === false);
    clock.advance(4000);
    await broker.restart();
    clock.advance(1000);
    await until(() => connections() === 2);
    clock.advance(600_000);
    // The broker has lost what it retained.
    expect(told()).toEqual(["zigbee2mqtt/b", "home/+/a zigbee2mqtt/b"]);
  });

  test("messages beyond a number a second, and hub's own, are counted and not read", async () => {
    const { source, listener, clock, received, mark } = await setUp();
    await mark("home/a", "own/a");
    source.setRows([row({ topic: "home/a" }), row({ topic: "own/a", name: "Own" })]);
    await until(() => received() === 2);
    clock.advance(1000);
    const before = source.counters().malformed;
    const refused = () => source.counters().malformed - before;
    for (let at = 0; at < MAX_SENSOR_MESSAGES; at++) listener.client.publish("home/a", "20");
    await listener.client.publishAsync("own/a", "20", { qos: 1 });
    await until(() => refused() === 1);
    await listener.client.publishAsync("home/a", "20", { qos: 1 });
    await until(() => refused() === 2);
    clock.advance(1000);
    await listener.client.publishAsync("home/a", "20", { qos: 1 });
    await listener.client.publishAsync("home/a", "warm", { qos: 1 });
    await until(() => refused() === 3);
  });

  test("other topics need another connection, other rows of the same topics none", async () => {
    const { source, listener, connections, packets, clock, received, mark } = await setUp();
    await mark("home/a", "home/b");
    source.setRows([row({ topic: "home/a" })]);
    await until(() => received() === 1);
    expect(connections()).toBe(1);
    source.setRows([row({ topic: "home/a", kind: "Sea Temperature" })]);
    source.setRows([row({ topic: "home/a" })]);
    source.setRows([row({ topic: "home/a" }), row({ topic: "home/b", name: "Other" })]);
    await until(() => received() === 3);
    expect(connections()).toBe(2);
    await listener.client.publishAsync("home/b", "20", { qos: 1 });
    await until(() => received() === 5);
    clock.advance(500);
    await until(() => packets.length === 3);
    source.setRows([]);
    expect(source.monitor.read().status.up).toBe(false);
  });
});
