/**
 * Whatever a client is allowed to publish neither ends nor delays the connection of a program: each kind of message,
 * each version of MQTT that a program speaks, behind Mosquitto with the access control lists of the packages.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endsWithTest, killed } from "../support/ends-with-test.ts";
import { textOf } from "../support/hub-cand.ts";
import {
  type Mosquitto,
  mosquitto,
  type Subscriber,
  subscriber,
  until,
  withoutMosquitto,
} from "../support/mosquitto.ts";
import { connected, freePort } from "../support/ports.ts";
import { atNight } from "../support/size.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const examples = resolve("packaging/examples");
const endings: (() => unknown)[] = [];
const ends = async (): Promise<void> => {
  for (const end of endings.splice(0).reverse()) await end();
};

interface Boat extends Mosquitto {
  /** Port of the listener for displays, over WebSocket. */
  readonly displays: number;
}

/** The packaged broker, on other ports; retained messages outlive it. */
async function boat(): Promise<Boat> {
  const displays = await freePort();
  const folder = temporaryFolder("commands");
  const guardedBy = (name: string): string => `acl_file ${join(examples, name)}`;
  const broker = await mosquitto({
    general: [
      "per_listener_settings true",
      "max_queued_messages 1000",
      "persistence true",
      `persistence_location ${folder}/`,
    ],
    listener: [
      guardedBy("hub.acl"),
      ...[
        `listener ${displays} 127.0.0.1`,
        "protocol websockets",
        "allow_anonymous true",
        guardedBy("hub-displays.acl"),
      ],
    ],
  });
  endings.push(() => broker.stop());
  (await connected(displays)).destroy();
  return Object.assign(broker, { displays });
}

/** A port before the broker's where MQTT 5 is refused. */
async function withoutVersion5(port: number): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes: Buffer) => {
      if (bytes[bytes.indexOf("MQTT") + 4] === 5) {
        socket.end(Buffer.of(0x20, 2, 0, 1));
        return;
      }
      const broker = connect(port, "127.0.0.1");
      broker.on("error", () => {}).on("close", () => socket.destroy());
      socket.on("close", () => broker.destroy());
      broker.write(bytes);
      socket.pipe(broker).pipe(socket);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  endings.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

interface Daemon {
  readonly child: ChildProcess;
  readonly log: () => string;
  readonly connections: () => number;
}

function start(program: string, port: number, ...args: readonly string[]): Daemon {
  const settings = [resolve(`dist/${program}.mjs`), "-b", `mqtt://127.0.0.1:${port}`, ...args];
  const child = endsWithTest(spawn(process.execPath, settings, { stdio: ["ignore", "ignore", "pipe"] }));
  const log = textOf(child.stderr!);
  endings.push(() => killed(child, "SIGTERM"));
  return { child, log, connections: () => log().split("connected to the broker").length - 1 };
}

async function seenAt(port: number, options?: Parameters<typeof subscriber>[1], filter?: string): Promise<Subscriber> {
  const seen = await subscriber(port, options, filter);
  endings.push(() => seen.close());
  return seen;
}

/** A program of the boat's computer, which may raise alarms. */
const program = ({ port }: Boat): Promise<Subscriber> => seenAt(port, {}, "can/+/alarms");

const display = ({ displays }: Boat): Promise<Subscriber> => seenAt(displays, { protocol: "ws" }, "can/+/alarms");

/** Topic of each kind, below the topics of a program, and its payload. */
const kinds: readonly (readonly [name: string, payload: string | Buffer, count: number])[] = [
  ["a long message", "x".repeat(700), 1],
  ["a message of 100 kB", "x".repeat(100_000), 1],
  ["a message of 12 MB", Buffer.alloc(12 << 20, "x"), 1],
  ["an empty message", "", 1],
  ["bytes that are no text", Buffer.of(0, 0xff, 0xfe, 0x80, 0xc0, 0, 10, 13), 1],
  ["JSON of another kind", '[[],{"data":null}]', 1],
  ["JSON that is cut off", '{"radius":', 1],
  ["6000 messages that are understood", "silence", 6000],
  ["6000 messages that are not", "explode", 6000],
  ["1000 long messages", "x".repeat(2000), 1000],
];
/** Retained or not is the same to a program that is connected; large kinds are sent one way, by day all with QoS 1. */
const waysOf = (bytes: number, count: number, qos: number): readonly boolean[] =>
  bytes > 1e6 || count > 1 ? [qos === 1] : [false, true];
const cases = kinds.flatMap(([name, payload, count]) =>
  atNight([1] as const, [0, 1, 2] as const).flatMap((qos) =>
    waysOf(payload.length, count, qos).map((retain) => ({
      name,
      payload,
      count,
      qos,
      retain,
      how: retain ? "retained" : "not retained",
    })),
  ),
);

async function publish({ client }: Subscriber, topic: string, message: (typeof cases)[number]): Promise<void> {
  const { payload, count, qos, retain } = message;
  await Promise.all(Array.from({ length: count }, () => client.publishAsync(topic, payload, { qos, retain })));
}

const skip = withoutMosquitto !== undefined;
/** Each start has a number of its own in the anchor watches that it sets. */
let radius = 10;
const watchOf = (metres: number): string => `{"radius":${metres},"latitude":52,"longitude":4}`;

describe.skipIf(skip).each(atNight([5], [5, 4]))("hub-cand by MQTT version %i, and a display", (version) => {
  let broker: Boat;
  let port: number;
  let attacker: Subscriber;
  let raiser: Subscriber;
  let bridge: Daemon;
  beforeAll(async () => {
    broker = await boat();
    port = version === 5 ? broker.port : await withoutVersion5(broker.port);
    attacker = await display(broker);
    raiser = await program(broker);
    bridge = start("hub-cand", port, "--simulate");
    // A command that is sent before the subscription would be lost.
    const timer = setInterval(() => attacker.client.publish("can/can0/alarms/anchorWatch/set", watchOf(radius)), 100);
    await attacker.until(({ payload }) => payload.includes(`"radius":${radius}`));
    clearInterval(timer);
  });
  afterAll(ends);

  /** Sets an anchor watch, and waits until it is in the report. */
  async function obeys(): Promise<void> {
    radius += 1;
    attacker.clear();
    // The broker drops messages of QoS 0 while it holds a thousand for a client that a flood keeps busy.
    const set = (): unknown => attacker.client.publish("can/can0/alarms/anchorWatch/set", watchOf(radius));
    set();
    const timer = setInterval(set, 1000);
    await attacker.until(({ payload, retain }) => !retain && payload.includes(`"radius":${radius}`));
    clearInterval(timer);
  }

  test.each(cases)("$name, QoS $qos, $how, hold nothing up", async (message) => {
    await obeys();
    for (const target of ["all", "depth", "anchorWatch", "x".repeat(300), "Ж🛥"])
      await publish(attacker, `can/can0/alarms/${target}/set`, { ...message, count: Math.ceil(message.count / 5) });
    for (const id of ["bilge", "x".repeat(300)])
      await publish(raiser, `can/can0/alarms/external/${id}/set`, { ...message, count: Math.ceil(message.count / 5) });
    await obeys();
    expect(bridge.connections()).toBe(1);
    expect(bridge.log()).not.toContain("BROKER_AWAY");
  });

  test("a program raises alarms and ends them, a display may not, and thousands leave room for other commands", async () => {
    const alarm = (message: string): string => JSON.stringify({ severity: "alarm", message });
    attacker.client.publish("can/can0/alarms/external/display/set", alarm("of a display"));
    for (let id = 0; id < 2000; id++)
      raiser.client.publish(`can/can0/alarms/external/flood${id}/set`, alarm(`number ${id}`));
    await obeys();
    // The report has room for the newest ones.
    await attacker.until(({ payload }) => payload.includes("external-flood"));
    const seen = await attacker.until(({ payload, retain }) => !retain && payload.includes(`"radius":${radius}`));
    expect(seen.payload).not.toContain("of a display");
    // Those that ended without an answer stay listed as such.
    const isOver = (): boolean =>
      attacker.messages.length > 0 &&
      !JSON.stringify(JSON.parse(attacker.messages.at(-1)!.payload).data.alarms).includes("external-flood");
    while (!isOver()) {
      for (let id = 0; id < 2000; id++) raiser.client.publish(`can/can0/alarms/external/flood${id}/set`, "");
      await obeys();
    }
    expect(bridge.connections()).toBe(1);
  });

  test("they are counted, and told once a minute", async () => {
    const seen = await seenAt(broker.port, {}, "can/can0/health");
    // With MQTT 5 the broker sends no message above the announced packet size; with QoS 0 it sends messages for which
    // it has room.
    const leastTooLong = version === 5 ? 10 : 1000;
    await seen.until(({ payload }) => {
      const { tooLong, notUnderstood, withoutEffect } = JSON.parse(payload).data.commandsSkipped;
      return tooLong > leastTooLong && notUnderstood > 1000 && withoutEffect > 1000;
    });
    expect(bridge.log().length).toBeLessThan(5000);
  });

  test("what is retained holds up neither a new start nor a new broker", async () => {
    const long = cases.find(({ name, retain }) => retain && name === "a long message")!;
    for (const target of ["all", "depth", ...Array.from({ length: 50 }, (_, index) => `retained${index}`)])
      await publish(attacker, `can/can0/alarms/${target}/set`, long);
    await obeys();
    expect(await killed(bridge.child, "SIGTERM")).toBe(0);
    const again = start("hub-cand", port, "--simulate");
    await obeys();
    expect(again.connections()).toBe(1);

    const { pid } = broker;
    process.kill(pid, "SIGTERM");
    await until(() => again.log().includes("BROKER_AWAY"));
    await until(() => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    });
    await broker.restart();
    await until(() => again.connections() === 2);
    const kept = await seenAt(broker.port, {}, "can/can0/alarms/+/set");
    await kept.until(({ topic, retain }) => retain && topic.includes("/all/"));
    await obeys();
    expect(again.connections()).toBe(2);
  });
});

describe.skipIf(skip)("a program of the boat's computer, and", () => {
  let broker: Boat;
  let attacker: Subscriber;
  beforeAll(async () => {
    broker = await boat();
    attacker = await seenAt(broker.port, {}, "nothing");
  });
  afterAll(ends);

  const message = (depth: number): string =>
    JSON.stringify({
      data: { depth_water: { depth } },
      metadata: { rxDate: new Date().toISOString(), expireAfterSec: 2 },
    });

  test("hub-link by MQTT 3.1.1", async () => {
    const nmea = await freePort();
    const link = start("hub-link", broker.port, "--nmea0183", `${nmea}`);
    await until(() => link.connections() === 1);
    const plotter = connect(nmea, "127.0.0.1").setEncoding("latin1");
    endings.push(() => plotter.destroy());
    let lines = "";
    plotter.on("data", (chunk: string) => {
      lines += chunk;
    });
    await once(plotter, "connect");
    for (const [kind] of kinds) {
      for (const each of cases.filter(({ name }) => name === kind))
        for (const topic of ["navigation", "ais", "device/3/pgn/127250", "device/999/pgn/1"])
          await publish(attacker, `can/can0/${topic}`, { ...each, count: Math.ceil(each.count / 10) });
      lines = "";
      const timer = setInterval(() => attacker.client.publish("can/can0/navigation", message(7.5)), 100);
      await until(() => /DPT,7\.5/.test(lines));
      clearInterval(timer);
    }
    expect([link.connections(), link.log().includes("BROKER_AWAY")]).toEqual([1, false]);
    expect(link.log()).toContain("MESSAGES_SKIPPED");
    expect(link.log().length).toBeLessThan(5000);
  });

  test("hub-history by MQTT 3.1.1", async () => {
    let written = "";
    const engine = createHttpServer((request, response) => {
      request.setEncoding("utf8").on("data", (chunk: string) => {
        written += chunk;
      });
      request.on("end", () => response.writeHead(204).end());
    }).listen(0, "127.0.0.1");
    await once(engine, "listening");
    endings.push(() => engine.close());
    const queue = temporaryFolder("queue");
    const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}/write`;
    const history = start("hub-history", broker.port, "--lane", "1", "--url", url, "--queue", queue);
    await until(() => history.connections() === 1);
    // The first line of the log counts what there was until then, the next comes a minute later. It is retained,
    // because the program may not have subscribed yet.
    const long = cases.find(({ name, retain }) => name === "a message of 12 MB" && retain)!;
    await publish(attacker, "can/can0/every/1/navigation", long);
    await until(() => history.log().includes("MESSAGES_SKIPPED"));
    for (const each of cases)
      for (const topic of ["devices", "every/1/navigation", "every/1/device/3/pgn/127250"])
        await publish(attacker, `can/can0/${topic}`, { ...each, count: Math.ceil(each.count / 10) });
    const timer = setInterval(() => attacker.client.publish("can/can0/every/1/navigation", message(8.5)), 500);
    await until(() => written.includes("depth_water_depth=8.5"));
    clearInterval(timer);
    expect([history.connections(), history.log().includes("BROKER_AWAY")]).toEqual([1, false]);
    expect(history.log()).toMatch(/MESSAGES_SKIPPED.*tooLong=[1-9]/);
    expect(history.log().length).toBeLessThan(5000);
  });
});

describe.skipIf(skip)("behind the packaged access control list", () => {
  let broker: Boat;
  beforeAll(async () => {
    broker = await boat();
  });
  afterAll(ends);

  test.each([
    [["--prefix", "boat"], "boat"],
    [["--interface", "can1"], "can/can1"],
    [["--interface", "can1", "--lanes", "1"], "can/can1"],
    [["--interface", "can0", "--prefix", "elsewhere", "--home-assistant"], "elsewhere"],
    [["--source", "yd-raw+tcp://127.0.0.1:1", "--prefix", "gateway"], "gateway"],
  ])("hub-cand with %j says that it may not publish", async (options, prefix) => {
    const simulated = options.includes("--source") ? [] : ["--simulate"];
    const bridge = start("hub-cand", broker.port, ...simulated, ...options);
    await until(() => new RegExp(`code=PUBLISH_REFUSED .*topic=${prefix}/`).test(bridge.log()));
    expect(await killed(bridge.child, "SIGTERM")).toBe(0);
  });

  test("with the options of the package it says nothing of the kind, and has lost nothing at its start", async () => {
    const seen = await seenAt(broker.port, {}, "can/can0/health");
    const bridge = start("hub-cand", broker.port, "--simulate");
    await seen.until(({ payload }) => JSON.parse(payload).data.publishRefused === 0);
    await until(() => bridge.log().includes("connected to the broker"));
    expect(await killed(bridge.child, "SIGTERM")).toBe(0);
    expect(bridge.log()).not.toMatch(/PUBLISH_REFUSED|LOSSES|dropped=[1-9]/);
  });
});
