/** States that expire, by MQTT 5, and what a broker refuses. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { Aedes } from "aedes";
import type { IPublishPacket } from "mqtt";
import { describe, expect, onTestFinished, test } from "vitest";
import { publishText } from "../../../../src/core/ports/publisher.ts";
import type { MemoryLog } from "../../../support/memory/log.ts";
import { type Subscriber, subscriber, until, withoutMosquitto } from "../../../support/mosquitto.ts";
import { connected, startBroker } from "./opened-publisher.ts";

const connections = (log: MemoryLog): number =>
  log.lines.filter(({ message }) => message === "connected to the broker").length;

/** A subscriber by MQTT 5, which gets the expiry of messages. */
async function subscribe(port: number): Promise<Subscriber & { readonly packets: readonly IPublishPacket[] }> {
  const seen = await subscriber(port, { protocolVersion: 5 }, "nothing");
  onTestFinished(() => seen.close());
  const packets: IPublishPacket[] = [];
  seen.client.on("message", (_topic, _payload, packet) => packets.push(packet));
  await seen.client.subscribeAsync("#", { qos: 1 });
  return { ...seen, packets };
}

const expiryOf = (packets: readonly IPublishPacket[], topic: string): number | undefined =>
  packets.findLast((packet) => packet.topic === topic)?.properties?.messageExpiryInterval;

describe.skipIf(withoutMosquitto)(`with Mosquitto${withoutMosquitto ? ` (${withoutMosquitto})` : ""}`, () => {
  test("a state that expires is retained and says when", async () => {
    const broker = await startBroker();
    const { publisher, log } = await connected(broker.port);
    publisher.retain("every/1/a", '"a"', 60);
    publisher.retain("for-ever", "{}");
    const seen = await subscribe(broker.port);
    await seen.until(({ topic }) => topic === "for-ever");
    await seen.until(({ topic }) => topic === "every/1/a");
    const [expiring] = seen.packets.filter(({ topic }) => topic === "every/1/a");
    expect(expiring).toMatchObject({ retain: true, qos: 1 });
    expect(expiryOf(seen.packets, "every/1/a")).toBeGreaterThan(50);
    expect(expiryOf(seen.packets, "every/1/a")).toBeLessThanOrEqual(60);
    expect(expiryOf(seen.packets, "for-ever")).toBeUndefined();
    expect(connections(log)).toBe(1);
  });

  test("after the broker was away a state returns with the rest of its time, and not when that is over", async () => {
    const broker = await startBroker();
    const { publisher, clock, log } = await connected(broker.port);
    publisher.retain("every/1/short", '"short"', 60);
    publisher.retain("every/60/long", '"long"', 180);
    await broker.signal("SIGKILL");
    await until(() => log.lines.some(({ fields }) => fields.code === "BROKER_AWAY"));
    await broker.restart();
    const seen = await subscribe(broker.port);
    clock.advance(100_000);
    await until(() => connections(log) === 2);
    await seen.until(({ topic }) => topic === "every/60/long");
    expect(expiryOf(seen.packets, "every/60/long")).toBe(80);
    publishText(publisher.stream("end"), "{}");
    publisher.flush();
    await seen.until(({ topic }) => topic === "end");
    expect(seen.messages.map(({ topic }) => topic)).not.toContain("every/1/short");
  });

  test("close says all states, also more than may be under way", async () => {
    const broker = await startBroker({ general: ["max_inflight_messages 3"] });
    const seen = await subscribe(broker.port);
    const { publisher } = await connected(broker.port);
    const topics = Array.from({ length: 200 }, (_, index) => `every/1/${index}`);
    for (const topic of topics) publisher.retain(topic, "1", 60);
    await publisher.close();
    await seen.until(({ payload }) => payload.includes("false"));
    expect(seen.messages.filter(({ payload }) => payload === "1").map(({ topic }) => topic)).toEqual(topics);
  });

  test("topics that the access control list forbids are told once, and hold up nothing", async () => {
    const broker = await startBroker();
    const acl = join(broker.folder, "acl");
    writeFileSync(acl, "topic read #\ntopic write can/can0/#\ntopic write app/can-can0/info\n");
    // Mosquitto 2.0.11 ends the connection at a refusal where no message may be queued.
    const guarded = await startBroker({ general: ["max_queued_messages 1000"], listener: [`acl_file ${acl}`] });
    const { publisher, log } = await connected(guarded.port);
    for (let index = 0; index < 100; index++) publisher.retain(`homeassistant/device/${index}/config`, "{}");
    publisher.retain("can/can0/devices", "{}");
    const seen = await subscribe(guarded.port);
    await seen.until(({ topic }) => topic === "can/can0/devices");
    await until(() => publisher.counters().refused === 100);
    const refusals = log.lines.filter(({ fields }) => fields.code === "PUBLISH_REFUSED");
    expect(refusals).toMatchObject([
      {
        level: "warn",
        message: "the broker refuses messages",
        fields: { topic: "homeassistant/device/0/config", reason: expect.stringContaining("Not authorized") },
      },
    ]);
  });
});

interface OldBroker {
  readonly port: number;
  /** The version of each CONNECT, and its socket. */
  readonly connects: readonly number[];
  readonly sockets: readonly Socket[];
  /** Ends new connections at once. */
  isAway: boolean;
}

/** A server that gives these bytes to a CONNECT by MQTT 5, and else speaks as Aedes does. */
async function brokerWithoutVersion5(refusal?: readonly number[]): Promise<OldBroker> {
  const aedes = await Aedes.createBroker();
  const connects: number[] = [];
  const sockets: Socket[] = [];
  const handle = (socket: Socket): void => {
    socket.on("error", () => {});
    if (broker.isAway) {
      socket.destroy();
      return;
    }
    sockets.push(socket);
    socket.once("data", (bytes: Buffer) => {
      // Fixed header of two or three bytes, "MQTT" with its length, the version.
      connects.push(bytes[bytes.indexOf("MQTT") + 4]!);
      if (refusal !== undefined && connects.at(-1) === 5) socket.end(Buffer.from(refusal));
      else {
        socket.pause();
        socket.unshift(bytes);
        aedes.handle(socket, {} as never);
        socket.resume();
      }
    });
  };
  const server: Server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => new Promise<void>((resolve) => aedes.close(resolve)));
  onTestFinished(() => void server.close());
  const broker: OldBroker = { port: (server.address() as AddressInfo).port, connects, sockets, isAway: false };
  return broker;
}

test.each([
  ["as MQTT 3.1.1 does", [0x20, 2, 0, 1]],
  ["by MQTT 5", [0x20, 3, 0, 0x84, 0]],
  ["without a word", []],
])(
  "a broker that refuses MQTT 5 %s is spoken to by MQTT 3.1.1 at once; what expired is removed there",
  async (_, refusal) => {
    const { port, connects } = await brokerWithoutVersion5(refusal);
    const { publisher, clock, log } = await connected(port);
    expect(connects).toEqual([5, 4]);
    const seen = await subscriber(port);
    onTestFinished(() => seen.close());
    publisher.retain("every/1/a", '"a"', 60);
    await seen.until(({ payload }) => payload === '"a"');
    expect(log.lines.filter(({ level }) => level === "warn")).toEqual([]);
    clock.advance(61_000);
    publisher.retain("every/1/b", '"b"', 60);
    await seen.until(({ topic, payload }) => topic === "every/1/a" && payload === "");
    expect(connects).toEqual([5, 4, 4]);
  },
);

test.each([
  ["found during its absence", true],
  ["found at its return", false],
])("a broker without MQTT 5 that was away removes what expired meanwhile, %s", async (_, isFoundAway) => {
  const broker = await brokerWithoutVersion5([0x20, 2, 0, 1]);
  const { publisher, clock, log } = await connected(broker.port);
  const seen = await subscriber(broker.port);
  onTestFinished(() => seen.close());
  publisher.retain("every/1/a", '"a"', 60);
  await seen.until(({ payload }) => payload === '"a"');
  broker.isAway = true;
  broker.sockets[1]!.destroy();
  await until(() => log.lines.some(({ fields }) => fields.code === "BROKER_AWAY"));
  if (isFoundAway) {
    clock.advance(61_000);
    publisher.retain("every/1/b", '"b"', 60);
  }
  broker.isAway = false;
  await until(() => {
    clock.advance(isFoundAway ? 5000 : 61_000);
    return connections(log) === 2;
  });
  publisher.retain("end", '"end"');
  await seen.until(({ topic }) => topic === "end");
  expect(seen.messages).toContainEqual(expect.objectContaining({ topic: "every/1/a", payload: "" }));
  expect(seen.messages.findLast(({ topic }) => topic === "every/1/b")?.payload).toBe(isFoundAway ? '"b"' : undefined);
});
