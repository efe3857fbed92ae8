/** The display's client of MQTT with a broker of its own. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type ClientOptions, openClient } from "../../../../src/web/display/data/mqtt-client.ts";
import { webSocketBroker } from "./web-socket-broker.ts";

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A client that notes what happens to it, and subscribes when it is connected. */
function open(url: string, options: Partial<ClientOptions> = {}) {
  const events: string[] = [];
  const client = openClient(url, {
    onConnect() {
      events.push("connect");
      client.subscribe(["a", "b/#"]);
    },
    onClose: () => void events.push("close"),
    onMessage: (topic, payload, isRetained) =>
      void events.push(`${topic} ${new TextDecoder().decode(payload)}${isRetained ? " retained" : ""}`),
    onAnswer: () => void events.push("answer"),
    ...options,
  });
  onTestFinished(() => client.end());
  return { client, events };
}

test.each([4, 5] as const)("version %d: connects, subscribes, hears, asks, publishes and ends", async (version) => {
  const { url, sessions, protocols } = await webSocketBroker();
  const { client, events } = open(url.replace("ws://", "ws://crew:p%C3%A4ss@"), { version, maximumPacketSize: 5000 });
  expect(client.isConnected).toBe(false);
  client.publish("lost", "a command that cannot be sent now is not sent later");
  await until(() => sessions[0]?.packets.some(({ cmd }) => cmd === "subscribe") === true);
  expect(protocols).toEqual(["mqtt"]);
  const { packets, send } = sessions[0]!;
  expect(packets[0]).toMatchObject({ cmd: "connect", protocolVersion: version, clean: true, username: "crew" });
  expect(String((packets[0] as { password?: Buffer }).password)).toBe("päss");
  const { properties } = packets[0] as { properties?: object };
  expect(properties).toEqual(version === 5 ? { maximumPacketSize: 5000 } : undefined);
  send({ cmd: "publish", topic: "a", payload: "1", qos: 0, dup: false, retain: true });
  client.ask();
  client.publish("a/set", "Bö");
  client.unsubscribe(["a"]);
  await until(() => packets.some(({ cmd }) => cmd === "unsubscribe"));
  send({ cmd: "pingresp" });
  await until(() => events.includes("answer"));
  client.end();
  await until(() => packets.at(-1)?.cmd === "disconnect");
  expect(events).toEqual(["connect", "a 1 retained", "answer"]);
  expect(packets.map(({ cmd }) => cmd)).toEqual([
    ...["connect", "subscribe", "pingreq", "publish", "unsubscribe", "disconnect"],
  ]);
  expect(client.isConnected).toBe(false);
});

test("connects again after each loss, with a new session, until it is ended", async () => {
  const { url, sessions } = await webSocketBroker();
  const { client, events } = open(url);
  await until(() => client.isConnected);
  for (const count of [1, 2]) {
    sessions.at(-1)!.end();
    await until(() => !client.isConnected);
    await until(() => client.isConnected);
    expect(sessions).toHaveLength(count + 1);
  }
  expect(events).toEqual(["connect", "close", "connect", "close", "connect"]);
  sessions.at(-1)!.end();
  await until(() => !client.isConnected);
  client.end();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(sessions).toHaveLength(3);
});

test("a session of bytes that are no packets ends; packets after a fault of a reader are heard", async () => {
  const { url, sessions } = await webSocketBroker({ pieceBytes: 1 });
  const heard: string[] = [];
  const complaint = vi.spyOn(console, "error").mockImplementation(() => {});
  const { client, events } = open(url, {
    onMessage(topic) {
      heard.push(topic);
      if (topic === "a") throw new Error("planted");
    },
  });
  await until(() => client.isConnected);
  for (const topic of ["a", "b/1"])
    sessions[0]!.send({ cmd: "publish", topic, payload: "1", qos: 0, dup: false, retain: false });
  await until(() => heard.length === 2);
  expect(complaint).toHaveBeenCalledOnce();
  expect(events).toEqual(["connect"]);
  sessions[0]!.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: "a", qos: 0 }] });
  await until(() => events.length === 3);
  expect(events).toEqual(["connect", "close", "connect"]);
});

test("a broker from which nothing comes is away after fifteen seconds; one whose answers wait behind data is not", async () => {
  const { url, sessions } = await webSocketBroker();
  const { client, events } = open(url);
  await until(() => client.isConnected);
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const hears = async (): Promise<void> => {
    const before = events.length;
    sessions[0]!.send({ cmd: "publish", topic: "a", payload: "1", qos: 0, dup: false, retain: false });
    await until(() => events.length > before);
  };
  for (let seconds = 0; seconds < 60; seconds += 5) {
    client.ask();
    await hears();
    now += 5000;
  }
  expect(events).not.toContain("close");
  for (let seconds = 0; seconds <= 15; seconds += 5) {
    client.ask();
    now += 5000;
  }
  client.ask();
  expect(events.at(-1)).toBe("close");
});
