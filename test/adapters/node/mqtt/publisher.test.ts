import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { MessageReceiver, MqttPublisherOptions } from "../../../../src/adapters/node/mqtt/publisher.ts";
import { readTlsFiles } from "../../../../src/adapters/node/tls-files.ts";
import { publishText } from "../../../../src/core/ports/publisher.ts";
import { bundled } from "../../../support/bundled.ts";
import { endsWithTest } from "../../../support/ends-with-test.ts";
import { type Subscriber, subscriber, until, withoutMosquitto } from "../../../support/mosquitto.ts";
import { freePort } from "../../../support/ports.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { connected, identityTopic, isConnected, type Opened, open, startBroker } from "./opened-publisher.ts";
import { type Session, scriptedBroker, subscriptionsOf } from "./scripted-broker.ts";

/** Bytes that may wait, of all streams and of the important ones. */
const STREAM_LIMIT = 2 ** 20;
const IMPORTANT_LIMIT = 2 * 2 ** 20;

async function subscribe(port: number): Promise<Subscriber> {
  const seen = await subscriber(port);
  onTestFinished(() => seen.close());
  return seen;
}

const isAway = (opened: Opened): boolean => opened.log.lines.length > 0 && !isConnected(opened);

/** Resolves when everything published so far is with the subscriber: a stream and a state that come last. */
async function caughtUp({ publisher }: Opened, seen: Subscriber): Promise<void> {
  const topic = `test/end/${Math.random()}`;
  publishText(publisher.stream(topic), "{}");
  publisher.flush();
  await seen.until((message) => message.topic === topic);
}

describe.skipIf(withoutMosquitto)(`with Mosquitto${withoutMosquitto ? ` (${withoutMosquitto})` : ""}`, () => {
  test("every stream message arrives once, in order and whole, whatever its topic and length", async () => {
    const broker = await startBroker();
    const seen = await subscribe(broker.port);
    const opened = await connected(broker.port);
    const { publisher } = opened;
    const topics = ["a", "can/can0/device/3/pgn/127250", "boote/mö€we 🛥/x", `long/${"x".repeat(200)}`];
    const streams = topics.map((topic) => publisher.stream(topic));
    const [lengths] = fc.sample(
      fc.array(fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 20_000 })), {
        minLength: 10_000,
        maxLength: 10_000,
        size: "max",
      }),
      { numRuns: 1, seed: 127250 },
    );
    const expected = lengths!.map((length, index) => `${index}:`.padEnd(length, "x"));
    for (const [index, payload] of expected.entries()) {
      publishText(streams[index % streams.length]!, payload);
      if (index % 17 === 0) publisher.flush();
      if (index % 50 === 0) await publisher.drained();
    }
    await caughtUp(opened, seen);
    const received = seen.messages.filter(({ topic }) => topics.includes(topic));
    expect(received.length).toBe(expected.length);
    expect(received.every(({ payload }, index) => payload === expected[index])).toBe(true);
    expect(received.every(({ topic }, index) => topic === topics[index % topics.length])).toBe(true);
    expect(received.every(({ qos, retain }) => qos === 0 && !retain)).toBe(true);
    expect(publisher.counters()).toMatchObject({ dropped: 0, backlog: 0 });
  });

  test("states in between streams break no packet and keep their place", async () => {
    const broker = await startBroker();
    const seen = await subscribe(broker.port);
    const opened = await connected(broker.port);
    const stream = opened.publisher.stream("stream");
    for (let index = 0; index < 2000; index += 1) {
      publishText(stream, `"${index}"`.padEnd(index));
      if (index % 7 === 0) opened.publisher.retain(`state/${index % 5}`, `"${index}"`.padEnd((index * 31) % 9000));
      if (index % 13 === 0) opened.publisher.flush();
      if (index % 100 === 0) await opened.publisher.drained();
    }
    await until(() => seen.messages.some(({ topic, payload }) => topic === "state/0" && payload.trim() === '"1995"'));
    await caughtUp(opened, seen);
    const streamed = seen.messages.filter(({ topic }) => topic === "stream").map(({ payload }) => payload);
    expect(streamed).toEqual(Array.from({ length: 2000 }, (_, index) => `"${index}"`.padEnd(index)));
    for (let state = 0; state < 5; state += 1) {
      const values = seen.messages
        .filter(({ topic }) => topic === `state/${state}`)
        .map(({ payload }) => Number(JSON.parse(payload)));
      expect(values).toEqual(values.toSorted((a, b) => a - b));
    }
  });

  test("a state is retained with QoS 1, its latest value waits for who comes later, null removes it", async () => {
    const broker = await startBroker();
    const seen = await subscribe(broker.port);
    const { publisher } = await connected(broker.port);
    publisher.retain("devices", '{"count":1}');
    publisher.retain("devices", '{"count":2}');
    publisher.retain("device/3/infos", "{}");
    publisher.retain("device/3/infos", null);
    publisher.retain("last", "{}");
    expect(await seen.until(({ topic }) => topic === "last")).toMatchObject({ qos: 1 });
    const later = await subscribe(broker.port);
    await later.until(({ topic }) => topic === "last");
    await later.until(({ topic }) => topic === "devices");
    const kept = later.messages.map(({ topic, payload, retain }) => [topic, payload, retain]);
    expect(kept).toContainEqual(["devices", '{"count":2}', true]);
    expect(kept.map(([topic]) => topic)).not.toContain("device/3/infos");
  });

  test("a state of the last start is read before it is replaced, and after an absence its own come first", async () => {
    const broker = await startBroker();
    const other = await subscribe(broker.port);
    await other.client.publishAsync("kept/set", "of the last start", { retain: true });
    const heard: (string | undefined)[] = [];
    const receiver = { command: (_: string, payload: string | undefined) => heard.push(payload) };
    const opened = await open(broker.port, {
      subscription: { filters: ["kept/set"], maxPayloadBytes: 100, receiver: Promise.resolve(receiver) },
    });
    opened.publisher.retain("kept/set", "of this one");
    await until(() => heard.length === 2);
    expect(heard).toEqual(["of the last start", "of this one"]);

    await broker.signal("SIGKILL");
    await until(() => isAway(opened));
    await broker.restart();
    await until(() => other.client.connected);
    await other.client.publishAsync("kept/set", "older", { retain: true });
    opened.clock.advance(5000);
    await until(() => heard.length === 3);
    expect(heard.at(-1)).toBe("of this one");
  });

  test("a replay hears commands, and none that the broker has kept for a boat", async () => {
    const broker = await startBroker();
    const other = await subscribe(broker.port);
    await other.client.publishAsync("kept/set", "kept", { retain: true });
    const heard: (string | undefined)[] = [];
    const receiver = Promise.resolve({ command: (_: string, payload: string | undefined) => heard.push(payload) });
    await open(broker.port, {
      subscription: { filters: ["kept/set"], maxPayloadBytes: 100, receiver, ignoresRetained: true },
    });
    await until(() => {
      other.client.publish("kept/set", "said now");
      return heard.length > 0;
    });
    expect(new Set(heard)).toEqual(new Set(["said now"]));
  });

  test("identity comes first, and is offline at close", async () => {
    const broker = await startBroker();
    const seen = await subscribe(broker.port);
    const opened = await open(broker.port);
    opened.publisher.retain("state", '"before"');
    await until(() => isConnected(opened));
    publishText(opened.publisher.stream("stream"), "{}");
    opened.publisher.retain("state", '"last words"');
    opened.clock.advance(1000);
    await opened.publisher.close();
    await seen.until(({ payload }) => payload.includes("false"));
    expect(seen.messages.map(({ topic, payload }) => [topic, payload])).toEqual([
      [identityTopic, `{"online":true,"at":${Date.UTC(2026, 10, 21)}}`],
      ["state", '"before"'],
      ["stream", "{}"],
      ["state", '"last words"'],
      [identityTopic, `{"online":false,"at":${Date.UTC(2026, 10, 21) + 1000}}`],
    ]);
    await opened.publisher.close();
    publishText(opened.publisher.stream("stream"), "{}");
    opened.publisher.flush();
    await opened.publisher.drained();
    expect(opened.publisher.counters().dropped).toBe(1);
  });

  test("a process that is killed leaves its will, with the time of its connection", async () => {
    const broker = await startBroker();
    const seen = await subscribe(broker.port);
    const folder = temporaryFolder("will");
    const script = await bundled(
      folder,
      `import { mqttPublisher } from "./src/adapters/node/mqtt/publisher.ts";
       import { systemClock } from "./src/adapters/node/system-clock.ts";
       import { memoryLog } from "./test/support/memory/log.ts";
       const publisher = await mqttPublisher({
         broker: { secure: false, host: "127.0.0.1", port: ${broker.port} },
         clientId: "hub-cand-can0",
         identity: { topic: "${identityTopic}", payload: (online) => JSON.stringify({ online }) },
         clock: systemClock,
         log: memoryLog(),
       });`,
    );
    const child: ChildProcess = endsWithTest(spawn(process.execPath, [script], { stdio: "inherit" }));
    await seen.until(({ payload }) => payload === '{"online":true}');
    child.kill("SIGKILL");
    await once(child, "exit");
    await seen.until(({ payload }) => payload === '{"online":false}');
    expect(seen.messages).toHaveLength(2);
    const later = await subscribe(broker.port);
    expect(await later.until(() => true)).toMatchObject({ payload: '{"online":false}', retain: true, qos: 1 });
  });

  test("after the broker was away all states return, identity first; streams in between are dropped and counted", async () => {
    const broker = await startBroker();
    const opened = await connected(broker.port);
    const { publisher, clock, log } = opened;
    const start = clock.wall();
    publisher.retain("kept", '"kept"');
    publisher.retain("changed", '"old"');
    publisher.retain("removed", "{}");
    publisher.retain("forgotten", "{}");
    publisher.retain("forgotten", null);
    const earlier = await subscribe(broker.port);
    await caughtUp(opened, earlier);
    const stream = publisher.stream("stream");
    publishText(stream, "1");
    publisher.flush();
    const before = publisher.counters();
    expect(before.dropped).toBe(0);
    // The next broker gets nothing of a burst that had not left yet.
    publishText(stream, "not flushed");

    await broker.signal("SIGKILL");
    await until(() => isAway(opened));
    publisher.retain("changed", '"on the way"');
    publisher.retain("changed", '"new"');
    publisher.retain("removed", null);
    publisher.retain("added", '"added"');
    for (let index = 0; index < 50_000; index += 1) publishText(stream, "x".repeat(1000));
    expect(publisher.counters()).toEqual({ ...before, dropped: 50_001, backlog: 0 });
    // Tried again twice in vain, which is nothing to tell.
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const told = log.lines.length;
      clock.advance(5000);
      await until(() => log.lines.length > told);
    }
    expect(log.lines.filter(({ level }) => level === "warn").length).toBeLessThanOrEqual(2);

    await broker.restart();
    const seen = await subscribe(broker.port);
    clock.advance(5000);
    await until(() => isConnected(opened));
    publishText(stream, "2");
    await caughtUp(opened, seen);
    const received = seen.messages.map(({ topic, payload }) => [topic, payload]).slice(0, -1);
    expect(received[0]).toEqual([identityTopic, JSON.stringify({ online: true, at: start + 15_000 })]);
    expect(new Map(received.slice(1) as [string, string][])).toEqual(
      new Map([
        ["kept", '"kept"'],
        ["changed", '"new"'],
        ["removed", ""],
        ["added", '"added"'],
        ["stream", "2"],
      ]),
    );
    expect(received).toHaveLength(6);
    expect(received.at(-1)).toEqual(["stream", "2"]);
    expect(publisher.counters().dropped).toBe(50_001);
    expect(log.lines.at(-1)).toMatchObject({ message: "connected to the broker", fields: { dropped: 50_001 } });
  });

  test("more states than may be in flight return, and close publishes them all", async () => {
    const broker = await startBroker();
    const seen = await subscribe(broker.port);
    const opened = await open(broker.port);
    const topics = Array.from({ length: 300 }, (_, index) => `device/${index}/infos`);
    for (const topic of topics) opened.publisher.retain(topic, "{}");
    await until(() => isConnected(opened));
    await seen.until(({ topic }) => topic === topics.at(-1));
    for (const topic of topics) opened.publisher.retain(topic, "[]");
    await opened.publisher.close();
    await seen.until(({ payload }) => payload.includes('"online":false'));
    for (const value of ["{}", "[]"]) {
      expect(seen.messages.filter(({ payload }) => payload === value).map(({ topic }) => topic)).toEqual(topics);
    }
  });

  test("states that were under way when the broker died are sent to the next one", async () => {
    const broker = await startBroker();
    const opened = await connected(broker.port);
    await broker.signal("SIGSTOP");
    const topics = Array.from({ length: 100 }, (_, index) => `device/${index}/infos`);
    const { published } = opened.publisher.counters();
    for (const topic of topics) opened.publisher.retain(topic, "{}");
    // Mosquitto takes 20 that it has not acknowledged, and one place is for the identity.
    expect(opened.publisher.counters().published - published).toBe(19);
    await broker.signal("SIGKILL");
    await until(() => isAway(opened));
    await broker.restart();
    const seen = await subscribe(broker.port);
    opened.clock.advance(5000);
    await seen.until(({ topic }) => topic === topics.at(-1));
    expect(seen.messages.map(({ topic }) => topic)).toEqual([identityTopic, ...topics]);
  });

  test("a stopped broker costs messages, those of the navigation report last, until it goes on", async () => {
    const broker = await startBroker();
    const seen = await subscribe(broker.port);
    const opened = await connected(broker.port);
    const { publisher, clock, log } = opened;
    const ordinary = publisher.stream("ordinary");
    const navigation = publisher.stream("navigation", { important: true });
    const taken = { ordinary: 0, navigation: 0 };
    const publish = (name: keyof typeof taken, stream: typeof ordinary): boolean => {
      const { dropped } = publisher.counters();
      publishText(stream, `${taken[name]}:`.padEnd(1000, "x"));
      const isTaken = publisher.counters().dropped === dropped;
      if (isTaken) taken[name] += 1;
      return isTaken;
    };

    await broker.signal("SIGSTOP");
    // The kernel's buffers are not part of the backlog, so fill until nothing moves any more.
    const fill = async (name: keyof typeof taken, stream: typeof ordinary, limit: number): Promise<void> => {
      for (let quiet = 0; quiet < 20; ) {
        expect(taken[name]).toBeLessThan(20_000);
        quiet = publish(name, stream) ? 0 : quiet + 1;
        publisher.flush();
        expect(publisher.counters().backlog).toBeLessThanOrEqual(limit);
        if (quiet > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await fill("ordinary", ordinary, STREAM_LIMIT);
    expect(publish("navigation", navigation)).toBe(true);
    expect(publish("ordinary", ordinary)).toBe(false);
    await fill("navigation", navigation, IMPORTANT_LIMIT);
    expect(publish("navigation", navigation)).toBe(false);
    publisher.retain("state", '"old"');
    publisher.retain("state", '"new"');

    const warnings = (): number => log.lines.filter(({ message }) => message.includes("too slow")).length;
    expect(warnings()).toBe(1);
    clock.advance(10_000);
    publish("ordinary", ordinary);
    publish("ordinary", ordinary);
    expect(warnings()).toBe(2);
    const { dropped } = publisher.counters();

    await broker.signal("SIGCONT");
    await publisher.drained();
    await caughtUp(opened, seen);
    expect(publish("ordinary", ordinary)).toBe(true);
    await caughtUp(opened, seen);
    expect(publisher.counters()).toMatchObject({ dropped, backlog: 0 });
    for (const name of ["ordinary", "navigation"] as const) {
      const received = seen.messages.filter(({ topic }) => topic === name);
      expect(received.map(({ payload }) => Number.parseInt(payload, 10))).toEqual(
        Array.from({ length: taken[name] }, (_, index) => index),
      );
    }
    expect((await seen.until(({ payload }) => payload === '"new"')).topic).toBe("state");
    expect(isConnected(opened)).toBe(true);
  });

  test("close does not wait for a stopped broker, and leaves the offline identity to the will", async () => {
    const broker = await startBroker();
    const seen = await subscribe(broker.port);
    const { publisher, clock } = await connected(broker.port);
    const start = clock.wall();
    publisher.retain("state", "{}");
    await seen.until(({ topic }) => topic === "state");
    clock.advance(60_000);
    await broker.signal("SIGSTOP");
    let isClosed = false;
    const closed = publisher.close().then(() => {
      isClosed = true;
    });
    await new Promise(setImmediate);
    clock.advance(999);
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    clock.advance(1);
    await closed;
    await broker.signal("SIGCONT");
    // The messages of the lost connection arrive first; the will, with the time of that connection, arrives last.
    await seen.until(({ payload }) => payload === JSON.stringify({ online: false, at: start }));
  });

  test("name and password are sent to the broker; without them connecting is tried again, and logged once", async () => {
    const folder = temporaryFolder("password");
    const file = join(folder, "passwords");
    expect(spawnSync("mosquitto_passwd", ["-b", "-c", file, "boat", "secret"]).status).toBe(0);
    const broker = await startBroker({ listener: ["allow_anonymous false", `password_file ${file}`] });
    await connected(broker.port, { credentials: { username: "boat", password: "secret" } });

    const refused = await open(broker.port, { clientId: "other", credentials: { username: "boat", password: "x" } });
    await until(() => refused.log.lines.length > 0);
    expect(refused.log.lines).toMatchObject(
      [{ level: "warn", message: "broker is away, trying again", fields: { reason: /Not authorized/ } }].map(
        (line) => ({ ...line, fields: { reason: expect.stringMatching(line.fields.reason) } }),
      ),
    );
    refused.clock.advance(5000);
    await until(() => refused.log.lines.length > 1);
    expect(refused.log.lines[1]).toMatchObject({ level: "debug" });
    expect(refused.publisher.counters()).toEqual({ published: 0, refused: 0, dropped: 0, backlog: 0 });
  });

  test("mqtts shows and verifies certificates", async () => {
    const folder = temporaryFolder("tls");
    const boat = authority(folder, "boat");
    const stranger = authority(folder, "stranger");
    const server = boat.certificate("server", "subjectAltName=IP:127.0.0.1");
    const client = boat.certificate("client");
    const elsewhere = boat.certificate("elsewhere", "subjectAltName=DNS:elsewhere.example");
    const listener = (of: Certificate): string[] => [
      `cafile ${boat.ca}`,
      `certfile ${of.cert}`,
      `keyfile ${of.key}`,
      "require_certificate true",
    ];
    const secure = async (port: number, ca: string, host = "127.0.0.1"): Promise<Partial<MqttPublisherOptions>> => ({
      broker: { secure: true, host, port },
      secureContext: await readTlsFiles({ ca, ...client }),
    });

    const broker = await startBroker({ listener: listener(server) });
    const opened = await connected(broker.port, await secure(broker.port, boat.ca));
    const received = await subscriber(broker.port, { protocol: "mqtts", ...(await tlsOptions(boat.ca, client)) });
    onTestFinished(() => received.close());
    const stream = opened.publisher.stream("stream");
    const payloads = Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(index * 7, "x"));
    for (const payload of payloads) publishText(stream, payload);
    await caughtUp(opened, received);
    expect(received.messages.filter(({ topic }) => topic === "stream").map(({ payload }) => payload)).toEqual(payloads);

    const distrustful = await open(broker.port, {
      clientId: "distrustful",
      ...(await secure(broker.port, stranger.ca)),
    });
    await until(() => distrustful.log.lines.length > 0);
    expect(distrustful.log.lines[0]!.fields.reason).toMatch(/unable to verify|self.signed|issuer/i);
    expect(isConnected(distrustful)).toBe(false);

    const impostor = await startBroker({ listener: listener(elsewhere) });
    const careful = await open(impostor.port, await secure(impostor.port, boat.ca));
    await until(() => careful.log.lines.length > 0);
    expect(careful.log.lines[0]!.fields.reason).toMatch(/does not match certificate/);

    const nameless = await open(broker.port, { broker: { secure: true, host: "127.0.0.1", port: broker.port } });
    await until(() => nameless.log.lines.length > 0);
    expect(isConnected(nameless)).toBe(false);
  });
});

test("without a broker it keeps trying, keeps nothing but states, and closes at once", async () => {
  const port = await freePort();
  const opened = await open(port);
  const { publisher, log } = opened;
  await until(() => log.lines.length > 0);
  expect(log.lines[0]).toMatchObject({ level: "warn", fields: { broker: `mqtt://127.0.0.1:${port}` } });
  const stream = publisher.stream("stream");
  for (let index = 0; index < 10_000; index += 1) publishText(stream, "{}");
  publisher.retain("state", "{}");
  publisher.flush();
  // No broker has been there that could have lost them.
  expect(publisher.counters()).toEqual({ published: 0, refused: 0, dropped: 0, backlog: 0 });
  let isDrained = false;
  const drained = publisher.drained().then(() => {
    isDrained = true;
  });
  await new Promise(setImmediate);
  expect(isDrained).toBe(false);
  await publisher.close();
  await drained;
  expect(opened.clock.timers).toBe(0);
});

test("a broker that refuses the subscription to commands is told", async () => {
  const filter = "can/can0/alarms/+/set";
  const { port } = await scriptedBroker([filter]);
  const receiver = Promise.resolve({ command: () => {} });
  const { log } = await open(port, { subscription: { filters: [filter], maxPayloadBytes: 100, receiver } });
  await until(() => log.lines.some(({ fields }) => fields.code === "COMMANDS_UNHEARD" && fields.filter === filter));
});

test("states wait for the answer to the first subscription, over as many connections as it takes", async () => {
  const { port, sessions } = await scriptedBroker();
  let begin = (): void => {};
  const receiver = new Promise<MessageReceiver>((resolve) => {
    begin = () => resolve({ command: () => {} });
  });
  const opened = await open(port, { subscription: { filters: ["state"], maxPayloadBytes: 100, receiver } });
  opened.publisher.retain("state", "1");
  await until(() => isConnected(opened));
  sessions[0]!.end();
  await until(() => isAway(opened));
  begin();
  opened.clock.advance(5000);
  const topicsOf = ({ packets }: Session): readonly unknown[] =>
    packets.flatMap((packet) => (packet.cmd === "publish" ? packet.topic : packet.cmd === "subscribe" ? "read" : []));
  await until(() => topicsOf(sessions[1] ?? sessions[0]!).includes("state"));
  expect(sessions.map(topicsOf)).toEqual([[identityTopic], [identityTopic, "read", "state"]]);
});

test("each connection of several brings identity and states, hears commands, and leaves as many timers", async () => {
  const filter = "can/can0/alarms/+/set";
  const { port, sessions } = await scriptedBroker();
  const commands: unknown[] = [];
  const receiver = Promise.resolve({ command: (topic: string, payload: unknown) => commands.push([topic, payload]) });
  const opened = await open(port, { subscription: { filters: [filter], maxPayloadBytes: 100, receiver } });
  opened.publisher.retain("state", "1");
  const timers: number[] = [];
  for (const count of [1, 2, 3]) {
    const published = (): unknown[] =>
      (sessions[count - 1]?.packets ?? []).flatMap((packet) => (packet.cmd === "publish" ? [packet.topic] : []));
    await until(() => published().length === 2 && subscriptionsOf(sessions[count - 1]!).length === 1);
    expect(published()).toEqual([identityTopic, "state"]);
    expect(subscriptionsOf(sessions[count - 1]!)).toEqual([[filter, 0]]);
    const topic = "can/can0/alarms/all/set";
    sessions[count - 1]!.send({ cmd: "publish", topic, payload: `${count}`, qos: 0, dup: false, retain: false });
    await until(() => commands.length === count);
    timers.push(opened.clock.timers);
    sessions[count - 1]!.end();
    await until(() => !isConnected(opened));
    opened.clock.advance(5000);
  }
  expect(commands).toEqual([1, 2, 3].map((count) => ["can/can0/alarms/all/set", `${count}`]));
  expect(new Set(timers).size).toBe(1);
});

test("a port without an MQTT server is no broker", async () => {
  const server = createServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const opened = await open((server.address() as { port: number }).port);
  await until(() => opened.log.lines.length > 0);
  expect(isConnected(opened)).toBe(false);
  expect(opened.clock.timers).toBe(1);
});

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of its own, made with openssl. */
function authority(
  folder: string,
  name: string,
): { ca: string; certificate(of: string, extension?: string): Certificate } {
  const openssl = (...args: string[]): void => {
    const { status, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  };
  const file = (suffix: string): string => join(folder, `${name}${suffix}`);
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...curve,
    "-keyout",
    file(".key"),
    "-out",
    file(".crt"),
    "-days",
    "2",
    "-subj",
    `/CN=${name}`,
  );
  return {
    ca: file(".crt"),
    certificate(of, extension) {
      const [cert, key, request] = [file(`-${of}.crt`), file(`-${of}.key`), file(`-${of}.csr`)];
      const extensions = extension === undefined ? [] : ["-addext", extension];
      openssl("req", ...curve, "-keyout", key, "-out", request, "-subj", `/CN=${of}`, ...extensions);
      openssl(
        ...["x509", "-req", "-in", request, "-CA", file(".crt"), "-CAkey", file(".key"), "-CAcreateserial"],
        ...["-out", cert, "-days", "2", "-copy_extensions", "copy"],
      );
      return { cert, key };
    },
  };
}

async function tlsOptions(ca: string, { cert, key }: Certificate): Promise<{ ca: Buffer; cert: Buffer; key: Buffer }> {
  const { readFile } = await import("node:fs/promises");
  return { ca: await readFile(ca), cert: await readFile(cert), key: await readFile(key) };
}
