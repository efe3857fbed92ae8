/** What a hostile client of the broker sends: to whoever publishes there, and to topics that are the daemons' own. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Aedes, type Client } from "aedes";
import { expect, onTestFinished, test } from "vitest";
import { memoryClock } from "../../src/adapters/memory/clock.ts";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { mqttPublisher } from "../../src/adapters/node/mqtt-publisher.ts";
import { publishText } from "../../src/ports/publisher.ts";
import { subscriber, until } from "../mosquitto.ts";

const identityTopic = "app/config/info";

test("nothing is subscribed to, what comes unasked is dropped, and what was overwritten is put right", async () => {
  const broker = await Aedes.createBroker();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    broker.handle(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await new Promise<void>((resolve) => broker.close(() => resolve()));
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  const asked: string[] = [];
  broker.on("subscribe", (_topics, { id }) => asked.push(id));
  /** Sent to the daemon as if it had asked for it, whatever it has asked for. */
  const unasked: readonly (readonly [topic: string, payload: string])[] = [
    [identityTopic, '{"online":false}'],
    ["can/can0/device/1/pgn/127250", '{"data":{}}'],
    ["$SYS/broker", "\0"],
    ["can/can0/devices", "x".repeat(8 << 20)],
  ];
  const clock = memoryClock({ wall: Date.UTC(2026, 10, 21) });
  const log = memoryLog();
  const connected = new Promise<Client>((resolve) => broker.once("clientReady", resolve));
  const publisher = await mqttPublisher({
    broker: { secure: false, host: "127.0.0.1", port },
    clientId: "hub-config",
    identity: { topic: identityTopic, payload: (online) => JSON.stringify({ online }) },
    clock,
    log,
  });
  onTestFinished(async () => {
    const closed = publisher.close();
    const timer = setInterval(() => clock.advance(100), 10);
    await closed;
    clearInterval(timer);
  });
  const daemon = await connected;
  for (const [topic, payload] of unasked) {
    for (const retain of [false, true]) {
      const packet = { cmd: "publish", topic, payload, qos: 0, retain, dup: false } as const;
      await new Promise<void>((resolve) => daemon.publish(packet, () => resolve()));
    }
  }

  const seen = await subscriber(port);
  onTestFinished(() => seen.close());
  // The hostile client says in the daemon's name that it has gone; the next connection of the daemon puts that right.
  const lie = { cmd: "publish", topic: identityTopic, payload: '{"online":false}', qos: 1, retain: true, dup: false };
  await new Promise<void>((resolve) => broker.publish(lie as never, () => resolve()));
  await until(() => seen.messages.some(({ payload }) => payload === '{"online":false}'));
  daemon.conn.destroy();
  const again = once(broker, "clientReady");
  const timer = setInterval(() => clock.advance(1000), 10);
  await again;
  clearInterval(timer);
  await until(() => seen.messages.at(-1)?.payload === '{"online":true}');

  publishText(publisher.stream("after"), '"still there"');
  publisher.flush();
  await until(() => seen.messages.some(({ topic }) => topic === "after"));
  expect(asked).not.toContain("hub-config");
  expect(publisher.counters()).toMatchObject({ dropped: 0, backlog: 0 });
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
});
