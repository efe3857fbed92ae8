/** Hostile clients of the broker, and a broker that is hostile itself or broken. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Aedes, type Client } from "aedes";
import { expect, onTestFinished, test } from "vitest";
import { type MemoryClock, memoryClock } from "../../src/adapters/memory/clock.ts";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { mqttPublisher } from "../../src/adapters/node/mqtt-publisher.ts";
import { type Publisher, publishText } from "../../src/ports/publisher.ts";
import { subscriber, until } from "../mosquitto.ts";

const identityTopic = "app/config/info";

/** Closes a publisher whose clock has to be moved for that. */
const closesLater = (publisher: Publisher, clock: MemoryClock): void =>
  onTestFinished(async () => {
    const closed = publisher.close();
    const timer = setInterval(() => clock.advance(100), 10);
    await closed;
    clearInterval(timer);
  });

test("nothing is subscribed to, a message unasked ends the connection, and what was overwritten is put right", async () => {
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
  const unasked = { cmd: "publish", topic: "$SYS/broker", payload: "\0", qos: 0, retain: false, dup: false } as const;
  daemon.publish(unasked, () => {});
  await until(() => log.lines.length > 1);
  expect(log.lines[1]).toMatchObject({ level: "warn", fields: { reason: "the broker sent PUBLISH unasked" } });

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
/** A PUBLISH with QoS 2, which a client has to keep until the broker releases it. */
const withQos2 = Buffer.concat([Buffer.of(0x34, 0xa5, 0x9c, 1, 0, 1, 0x61, 0, 1), junk]);
const releases = manyOf(Buffer.of(0x62, 2, 0, 1));

test.each([
  ["messages with QoS 2 that are never released", withQos2, withQos2],
  ["a message of 256 MB", Buffer.of(0x30, 0xff, 0xff, 0xff, 0x7f), junk],
  ["releases of messages that were not sent", releases, releases],
  ["a CONNACK again and again", CONNACK, manyOf(CONNACK)],
  ["a CONNACK of 256 MB", Buffer.of(0x20, 0xff, 0xff, 0xff, 0x7f), junk],
])("a broker that sends %s is disconnected each time, and fills no memory", async (_, first, more) => {
  let isOver = false;
  let connections = 0;
  const flood = (socket: Socket): void => {
    connections++;
    const send = (): void => {
      while (!isOver && socket.writable && socket.write(more));
    };
    socket.on("error", () => {});
    socket.on("drain", send);
    socket.once("data", () => {
      socket.write(CONNACK);
      socket.write(first);
      send();
    });
  };
  const server = createServer(flood).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const clock = memoryClock();
  const log = memoryLog();
  const publisher = await mqttPublisher({
    broker: { secure: false, host: "127.0.0.1", port: (server.address() as AddressInfo).port },
    clientId: "hub-config",
    identity: { topic: identityTopic, payload: (online) => JSON.stringify({ online }) },
    clock,
    log,
  });
  closesLater(publisher, clock);
  let most = 0;
  for (let waited = 0; waited < 1500 || connections < 10; waited += 10) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    clock.advance(5000);
    const { arrayBuffers, external, heapUsed } = process.memoryUsage();
    most = Math.max(most, arrayBuffers, external + heapUsed);
  }
  isOver = true;
  expect(most / 2 ** 20).toBeLessThan(200);
  const reasons = log.lines.filter(({ level }) => level === "warn").map(({ fields }) => String(fields.reason));
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons) expect(reason).toMatch(/^the broker sent \w+ (unasked|of a wrong length)$/);
});
