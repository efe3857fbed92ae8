/** Hostile clients of the broker, and a broker that is hostile itself or broken. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Aedes, type Client } from "aedes";
import { expect, onTestFinished, test } from "vitest";
import { mqttPublisher } from "../../src/adapters/node/mqtt/publisher.ts";
import { type Publisher, publishText } from "../../src/core/ports/publisher.ts";
import { type MemoryClock, memoryClock } from "../support/memory/clock.ts";
import { memoryLog } from "../support/memory/log.ts";
import { subscriber, until } from "../support/mosquitto.ts";
import { atNight } from "../support/size.ts";

const identityTopic = "app/config/info";

/** Closes a publisher whose clock has to be moved for that. */
const closesLater = (publisher: Publisher, clock: MemoryClock): void =>
  onTestFinished(async () => {
    const closed = publisher.close();
    const timer = setInterval(() => clock.advance(100), 10);
    await closed;
    clearInterval(timer);
  });

test("nothing is subscribed to, a message unasked is passed over, and what was overwritten is put right", async () => {
  const broker = await Aedes.createBroker();
  const server = createServer((socket) => broker.handle(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await new Promise<void>((resolve) => broker.close(() => resolve()));
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  const asked: string[] = [];
  broker.on("subscribe", (_topics, { id }) => asked.push(id));
  const clock = memoryClock({ wall: Date.UTC(2026, 10, 21) });
  const log = memoryLog();
  const ready = (): Promise<Client> => new Promise((resolve) => broker.once("clientReady", resolve));
  const connected = ready();
  const publisher = await mqttPublisher({
    broker: { secure: false, host: "127.0.0.1", port },
    clientId: "hub-config",
    identity: { topic: identityTopic, payload: (online) => JSON.stringify({ online }) },
    clock,
    log,
  });
  closesLater(publisher, clock);
  const daemon = await connected;
  await until(() => log.lines.length > 0);

  const seen = await subscriber(port);
  onTestFinished(() => seen.close());
  // A hostile client says in the daemon's name that it has gone, and the broker sends the daemon a message.
  const lie = { cmd: "publish", topic: identityTopic, payload: '{"online":false}', qos: 1, retain: true, dup: false };
  await new Promise<void>((resolve) => broker.publish(lie as never, () => resolve()));
  await until(() => seen.messages.some(({ payload }) => payload === '{"online":false}'));
  for (const qos of [0, 1, 2] as const)
    daemon.publish({ cmd: "publish", topic: "$SYS/broker", payload: "\0", qos, retain: false, dup: false }, () => {});
  publishText(publisher.stream("between"), "1");
  publisher.flush();
  await until(() => seen.messages.some(({ topic }) => topic === "between"));
  expect(log.lines).toHaveLength(1);

  daemon.close();
  await until(() => log.lines.length > 1);
  const again = ready();
  clock.advance(5000);
  await again;
  await until(() => seen.messages.at(-1)?.payload === '{"online":true}');
  publishText(publisher.stream("after"), '"still there"');
  publisher.flush();
  await until(() => seen.messages.some(({ topic }) => topic === "after"));
  expect(asked).not.toContain("hub-config");
  expect(publisher.counters()).toMatchObject({ dropped: 0, backlog: 0 });
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

const CONNACK = Buffer.of(0x20, 2, 0, 0);
const junk = Buffer.alloc(20_000, "x");
const manyOf = (packet: Buffer): Buffer => Buffer.concat(Array<Buffer>(5000).fill(packet));
/** The head of a message of the greatest length, to the topic "a", with the packet number 1 where its QoS is not 0. */
const headOf = (qos: 0 | 1 | 2): Buffer =>
  Buffer.of(0x30 | (qos << 1), 0xff, 0xff, 0xff, 0x7f, 0, 1, 0x61, ...(qos > 0 ? [0, 1] : []));
const short = (qos: 1 | 2): Buffer => manyOf(Buffer.of(0x30 | (qos << 1), 6, 0, 1, 0x61, 0, 1, 0));
const releases = manyOf(Buffer.of(0x62, 2, 0, 1));

const MAX_MEMORY = 200 << 20;

/** A publisher of a broker that sends `first` and then `more` repeatedly; if `isDeaf`, the broker reads nothing. */
async function floodedBy(first: Buffer, more: Buffer, isDeaf = false) {
  const flood = { connections: 0, sent: 0, isOver: false };
  const send = (socket: Socket): void => {
    while (!flood.isOver && socket.writable) {
      flood.sent += more.length;
      if (!socket.write(more)) return;
    }
  };
  const server = createServer((socket) => {
    flood.connections++;
    socket.on("error", () => {});
    socket.on("drain", () => send(socket));
    socket.once("data", () => {
      if (isDeaf) socket.pause();
      socket.write(CONNACK);
      socket.write(first);
      send(socket);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const clock = memoryClock();
  const log = memoryLog();
  const publisher = await mqttPublisher({
    broker: { secure: false, host: "127.0.0.1", port: (server.address() as AddressInfo).port },
    clientId: "hub-cand-can0",
    identity: { topic: identityTopic, payload: (online) => JSON.stringify({ online }) },
    subscription: { filters: ["a"], maxPayloadBytes: 256, receiver: Promise.resolve({ command: () => {} }) },
    clock,
    log,
  });
  closesLater(publisher, clock);
  let most = 0;
  /** Waits until something holds, and returns the most memory that was in use so far. */
  const memoryUntil = async (holds: () => boolean): Promise<number> => {
    while (!holds()) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      clock.advance(5000);
      const { arrayBuffers, external, heapUsed } = process.memoryUsage();
      most = Math.max(most, arrayBuffers, external + heapUsed);
    }
    flood.isOver = true;
    return most;
  };
  const reasons = (): string[] =>
    log.lines.filter(({ level }) => level === "warn").map(({ fields }) => String(fields.reason));
  return { flood, memoryUntil, reasons };
}

const nothing = Buffer.alloc(0);

/**
 * The length of each message would exceed the memory if it were kept, and is below the maximum. How the others are read
 * is in test/adapters/node/mqtt/incoming-packets.slow.test.ts.
 */
const greatest: readonly (0 | 1 | 2)[] = atNight([0], [0, 1, 2]);
test.each<[string, Buffer, Buffer, number]>([
  ...greatest.map((qos): [string, Buffer, Buffer, number] => [
    `a message of 256 MB with QoS ${qos}`,
    ...([headOf(qos), junk, 240e6] as const),
  ]),
  ["short messages with QoS 1", nothing, short(1), 16e6],
  ["messages with QoS 2 that are never released", nothing, short(2), 16e6],
  ["releases of messages that were not sent", releases, releases, 16e6],
])("a broker that sends %s is listened to, and fills no memory", async (_, first, more, bytes) => {
  const { flood, memoryUntil, reasons } = await floodedBy(first, more);
  expect(await memoryUntil(() => flood.sent > bytes)).toBeLessThan(MAX_MEMORY);
  expect([flood.connections, reasons()]).toEqual([1, []]);
});

test.each([
  ["a CONNACK again and again", CONNACK, manyOf(CONNACK), false, "the broker sent CONNACK unasked"],
  ["a CONNACK of 256 MB", Buffer.of(0x20, 0xff, 0xff, 0xff, 0x7f), junk, false, "the broker sent CONNACK unasked"],
  ["messages with QoS 1 and reads nothing", short(1), short(1), true, "the broker reads no acknowledgements"],
  ["releases and reads nothing", releases, releases, true, "the broker reads no acknowledgements"],
])("a broker that sends %s is disconnected each time, and fills no memory", async (_, first, more, isDeaf, reason) => {
  const { flood, memoryUntil, reasons } = await floodedBy(first, more, isDeaf);
  expect(await memoryUntil(() => flood.connections >= 10)).toBeLessThan(MAX_MEMORY);
  expect([...new Set(reasons())]).toEqual([reason]);
});
