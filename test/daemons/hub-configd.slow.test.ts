import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { MqttClient } from "mqtt";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { bundled } from "../support/bundled.ts";
import { textOf } from "../support/hub-cand.ts";
import { until, withoutMosquitto } from "../support/mosquitto.ts";
import { type Namespace, openNamespace, withoutNamespace } from "../support/namespace.ts";
import { atNight } from "../support/size.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const options = { skip: withoutNamespace !== undefined };

let folder: string;
let program: string;

beforeAll(async () => {
  folder = temporaryFolder("configd");
  program = await bundled(folder, 'import "./src/daemons/hub-configd.ts";');
});

async function namespace(...ports: readonly number[]): Promise<Namespace> {
  const opened = await openNamespace(...ports);
  onTestFinished(() => opened.close());
  opened.run("mkdir", "-p", "/usr/share/hub-config/swagger");
  writeFileSync(opened.file("/usr/share/hub-config/swagger/index.html"), "<p>console");
  return opened;
}

interface Daemon {
  readonly child: ChildProcess;
  stdout: string;
  stderr: string;
  readonly ended: Promise<number | string>;
}

const start = (inside: Namespace, ...args: readonly string[]): Daemon => startProgram([program], inside, ...args);

function startProgram(program: readonly string[], inside: Namespace, ...args: readonly string[]): Daemon {
  const child = inside.spawn(process.execPath, [...program, ...args]);
  const daemon: Daemon = {
    child,
    stdout: "",
    stderr: "",
    ended: once(child, "close").then(([code, signal]) => (code ?? signal) as number | string),
  };
  child.stdout!.on("data", (chunk: Buffer) => {
    daemon.stdout += chunk;
  });
  child.stderr!.on("data", (chunk: Buffer) => {
    daemon.stderr += chunk;
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await daemon.ended;
  });
  return daemon;
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

function send(inside: Namespace, method: string, path: string, body?: string, port = 12000): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        socketPath: inside.socket(port),
        method,
        path,
        headers: { Host: "x", "Content-Length": body?.length ?? 0 },
        // A transaction has three headers a step.
        maxHeaderSize: 1 << 20,
      },
      (incoming) => {
        let text = "";
        incoming.on("data", (chunk: Buffer) => {
          text += chunk;
        });
        incoming.on("end", () => resolve({ status: incoming.statusCode!, body: text }));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function started(inside: Namespace, ...args: readonly string[]): Promise<Daemon> {
  const daemon = start(inside, ...args);
  for (;;) {
    const isReady = await send(inside, "GET", "/health").then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isReady) return daemon;
    if (daemon.child.exitCode !== null) throw new Error(daemon.stderr);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const summary = (port = 12000, configFolder = "/etc/hub", verbose = 0): string =>
  `config: verbose = ${verbose}\nconfig: wsPort = ${port}\nconfig: configFolder = ${configFolder}\n` +
  "config: swaggerFolder = /usr/share/hub-config/swagger\n";

test("help, version and refusals end at once with their codes", options, async () => {
  const inside = await namespace();
  const end = async (...args: readonly string[]): Promise<[number | string, string, string]> => {
    const daemon = start(inside, ...args);
    const code = await daemon.ended;
    return [code, daemon.stdout, daemon.stderr];
  };
  const help = readFileSync("test/snapshots/hub-configd.help.txt", "utf8");
  expect(await end("-h")).toEqual([0, help, ""]);
  expect(await end("--nonsense")).toEqual([0, help, "unknown option --nonsense\n"]);
  expect(await end("-V")).toEqual([0, "0.0.0-source\n", ""]);
  expect(await end("-p", "12k")).toEqual([1, "", "invalid port: 12k\n"]);
  expect(await end("-s", "/x", "-c", "/y")).toEqual([1, "", "config: swagger folder /x: not a directory\n"]);
  expect(await end("-s", "/usr/share/hub-config/swagger/index.html")).toEqual([
    1,
    "",
    "config: swagger folder /usr/share/hub-config/swagger/index.html: not a directory\n",
  ]);
  // ENOTDIR, and a loop of links.
  const page = "/usr/share/hub-config/swagger/index.html";
  expect(await end("-s", `${page}/x`)).toEqual([1, "", `config: swagger folder ${page}/x: not a directory\n`]);
  inside.run("ln", "-s", "loop", "/etc/loop");
  expect(await end("-c", "/etc/loop/x")).toEqual([
    1,
    "",
    "config: configuration folder /etc/loop/x: not a directory\n",
  ]);
  expect(await end("-c", "/y")).toEqual([1, "", "config: configuration folder /y: not a directory\n"]);
  inside.run("mount", "-o", "remount,ro", "/etc");
  expect(await end()).toEqual([1, "", "config: configuration folder /etc/hub: not writable\n"]);
});

test("a route that does not compile ends it with 1 and one line", options, async () => {
  const inside = await namespace();
  const broken = await bundled(
    folder,
    `import { endpoints } from "./src/services/api/app.ts";
     endpoints.get("/:id{[}", (c) => c.text(""));
     await import("./src/daemons/hub-configd.ts");`,
  );
  const daemon = startProgram([broken], inside);
  expect([await daemon.ended, daemon.stdout]).toEqual([1, summary()]);
  expect(daemon.stderr).toMatch(/^config: .*\n$/);
});

test("it starts, serves at 127.0.0.1 alone, and stops on SIGTERM with 0", options, async () => {
  const inside = await namespace(12000);
  inside.run("ip", "addr", "add", "127.0.0.2/8", "dev", "lo");
  inside.run("mkdir", "/usr/share/hub-config/templates", "/etc/hub/configuration");
  writeFileSync(inside.file("/usr/share/hub-config/templates/ketch.json"), '{"uid": "t", "name": "Ketch"}');
  for (const leftOver of ["deploy.json.tmp", "configuration/.0123456789abcdef.tmp"])
    writeFileSync(inside.file(`/etc/hub/${leftOver}`), "half");
  const daemon = await started(inside);
  expect(await send(inside, "GET", "/")).toEqual({ status: 200, body: "<p>console" });
  expect(JSON.parse((await send(inside, "GET", "/project")).body)).toMatchObject([{ id: "ketch", template: true }]);
  expect((await send(inside, "PUT", "/project/hull-42")).status).toBe(201);
  expect(readdirSync(inside.file("/etc/hub"))).toEqual(["configuration"]);
  expect(readdirSync(inside.file("/etc/hub/configuration"))).toEqual(["hull-42.json"]);

  const tables = inside.spawn("cat", ["/proc/net/tcp", "/proc/net/tcp6"]);
  const text = textOf(tables.stdout!);
  await once(tables, "close");
  const listening = [...text().matchAll(/: ([0-9A-F]+):2EE0 [0-9A-F:]+ 0A/g)].map(([, address]) => address);
  expect(listening).toEqual(["0100007F"]);
  const second = start(inside, "-p", "0x2EE0");
  expect(await second.ended).toBe(1);
  expect(second.stdout).toBe(summary());
  expect(second.stderr).toBe("config: cannot listen on 127.0.0.1:12000: EADDRINUSE\n");

  daemon.child.kill("SIGTERM");
  daemon.child.kill("SIGTERM");
  expect(await daemon.ended).toBe(0);
  expect(daemon.stdout).toBe(summary());
});

test(
  "with -v each request is one line, without headers or bodies, until SIGUSR2 and after SIGUSR1",
  options,
  async () => {
    const inside = await namespace(12000);
    // Applications that cannot be read do not keep it from starting.
    writeFileSync(inside.file("/etc/hub/apps"), "");
    const daemon = await started(inside, "-v");
    expect(daemon.stderr).toMatch(/^config: cannot remove left-over files code=LEFTOVER_FILES reason=ENOTDIR/);
    expect(daemon.stdout.startsWith(summary(12000, "/etc/hub", 1))).toBe(true);
    await send(inside, "PUT", "/project/hull-42");
    await send(inside, "PUT", "/project/hull-42/sensor/bilge?secret=1", '{"secret": 1}');
    expect(daemon.stdout).toMatch(/\nPUT \/project\/hull-42\/sensor\/bilge 201 \d+ ms\n/);
    expect(daemon.stdout).not.toContain("secret");
    const told = async (signal: NodeJS.Signals, line: string, project: string): Promise<string> => {
      daemon.child.kill(signal);
      await until(() => daemon.stdout.includes(line));
      daemon.stdout = "";
      await send(inside, "PUT", `/project/${project}`);
      return daemon.stdout;
    };
    expect(await told("SIGUSR2", "config: verbose = 0\n", "b")).toBe("");
    expect(await told("SIGUSR1", "config: verbose = 1\n", "a")).toMatch(/^PUT \/project\/a 201 /);
    daemon.child.kill("SIGINT");
    expect(await daemon.ended).toBe(0);
  },
);

/** Sends one request on a connection of its own; the whole answer, which is empty while the port is not open. */
function answerTo(inside: Namespace, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(inside.socket(12000), () => socket.write(text));
    socket.on("data", (chunk: Buffer) => {
      answer += chunk;
    });
    socket.on("error", () => {}).on("close", () => resolve(answer));
  });
}

test(
  "from the first moment of the open port /health is 503 until the routes are compiled, and all else waits",
  options,
  async () => {
    const inside = await namespace(12000);
    start(inside);
    const ask = (line: string): Promise<string> => answerTo(inside, `${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
    let [first, head] = ["", ""];
    while (first === "" || head === "")
      [first, head] = (await Promise.all([ask("GET /health"), ask("HEAD /health")])) as [string, string];
    const others = Promise.all(["GET /info", "PUT /project/early"].map(ask));
    expect(first).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(first).toMatch(/\r\n\r\n\{\n {2}"status": "starting"\n\}\n$/);
    expect(first.toLowerCase()).not.toMatch(/content-length|transfer-encoding/);
    const [info, put] = await others;
    expect(head).toMatch(/^HTTP\/1\.1 503 .*\r\n\r\n$/s);
    expect(info).toMatch(/^HTTP\/1\.1 200 .*"name": "hub-configd"/s);
    expect(put).toMatch(/^HTTP\/1\.1 201 /);
    expect(await ask("GET /health")).toMatch(/^HTTP\/1\.1 200 .*"status": "ready"/s);
  },
);

test(
  "a project with eight megabytes of photos is served in one process, what is much work in a second one",
  options,
  async () => {
    const inside = await namespace(12000);
    inside.run("mkdir", "/etc/hub/configuration");
    const media = ["a", "b", "c", "d"].map((name) => ({ name, data: "Aa0/".repeat(1 << 19) }));
    const file = inside.file("/etc/hub/configuration/photos.json");
    writeFileSync(file, JSON.stringify({ uid: "p", name: "Photos", media }));
    const daemon = await started(inside);
    const children = (): string => spawnSync("pgrep", ["-P", String(daemon.child.pid)]).stdout.toString();
    const statuses = async (...requests: (readonly [string, string, string?])[]): Promise<number[]> => {
      const all: number[] = [];
      for (const request of requests) all.push((await send(inside, ...request)).status);
      return all;
    };
    expect(
      await statuses(
        ["PUT", "/project/photos/settings/unit", "{}"],
        ["PUT", "/project/photos/settings/unit", '{"depth": "m"}'],
        ["GET", "/project/photos/settings"],
        ["GET", "/project/photos/media/a"],
        ["GET", "/project/photos/backup"],
        ["PUT", "/project/photos/deploy"],
        ["GET", "/deploy"],
        ["GET", "/project"],
      ),
    ).toEqual([201, 201, 200, 200, 200, 201, 200, 200]);
    expect(children()).toBe("");
    const steps = Array.from({ length: 1000 }, (_, n) => ({ method: "PUT", url: `/project/x/sensor/s${n}`, data: {} }));
    expect((await send(inside, "POST", "/project/photos/transaction", JSON.stringify(steps))).status).toBe(200);
    expect(children()).not.toBe("");
    expect((await send(inside, "PUT", "/project/photos/settings/last", "{}")).status).toBe(201);
    const stored = JSON.parse(readFileSync(file, "utf8")) as Record<string, readonly { name: string }[]>;
    expect([stored.sensor!.length, stored.settings!.map(({ name }) => name)]).toEqual([1000, ["unit", "last"]]);
    expect(stored.media!.length).toBe(4);
  },
);

test("the watchdog hears of it however much hub-config-fetch reports", options, async () => {
  const inside = await namespace(12000);
  inside.run("mount", "-t", "tmpfs", "none", "/var/lib");
  inside.run("mkdir", "/var/lib/hub-config-fetch");
  const report = {
    channel: "hull-42",
    result: "failed",
    reason: "x".repeat(50_000),
    checkedAt: "2026-11-21T08:14:26Z",
  };
  writeFileSync(inside.file("/var/lib/hub-config-fetch/report.json"), JSON.stringify(report));
  const tool = inside.file("/etc/systemd-notify");
  writeFileSync(tool, '#!/bin/sh\necho "$@" >> /etc/told\n');
  chmodSync(tool, 0o755);
  const asService = 'SYSTEMD_EXEC_PID=$$ exec "$@"';
  const environment = { PATH: `/etc:${process.env.PATH}`, NOTIFY_SOCKET: "/run/notify", WATCHDOG_USEC: "300000" };
  inside.spawn("sh", ["-c", asService, "sh", process.execPath, program], environment);
  await until(() => existsSync(inside.file("/etc/told")));
  expect((await send(inside, "GET", "/health")).body.length).toBeGreaterThan(50_000);
  await until(() => readFileSync(inside.file("/etc/told"), "utf8").startsWith("READY=1\nWATCHDOG=1\n"));
});

test("folders that may not be written to are told as such", options, async () => {
  const inside = await namespace(12000);
  inside.run("mkdir", "/etc/hub/configuration");
  inside.run("chown", "-R", "65534", "/etc/hub");
  // The program has to be readable for the user that runs it.
  chmodSync(folder, 0o755);
  const child = inside.spawn("setpriv", ["--reuid=65534", "--clear-groups", process.execPath, program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await until(() => child.exitCode !== null || readdirSync(inside.file("/etc/hub")).length > 0);
  inside.run("chmod", "555", "/etc/hub/configuration");
  let reply: Reply | undefined;
  while (reply === undefined) reply = await send(inside, "PUT", "/project/a").catch(() => undefined);
  expect(JSON.parse(reply.body)).toEqual({
    error: "cannot save project",
    errno: 13,
    code: "EACCES",
    message: "permission denied",
  });
});

const mqttOptions = { skip: withoutNamespace !== undefined || withoutMosquitto !== undefined };

/** A broker at the port of the contract, or behind it; `log` gets what it says. */
async function startBroker(inside: Namespace, log: string[] = [], port = 1883): Promise<ChildProcess> {
  const configuration = `user root\nlistener ${port} 127.0.0.1\nallow_anonymous true\n`;
  writeFileSync(inside.file("/etc/mosquitto.conf"), configuration);
  const broker = inside.spawn("mosquitto", ["-c", "/etc/mosquitto.conf"]);
  broker.stderr!.on("data", (chunk: Buffer) => log.push(chunk.toString()));
  onTestFinished(() => void broker.kill("SIGKILL"));
  for (;;) {
    const socket = connect(inside.socket(port));
    // Only a broker says anything to a CONNECT.
    socket.on("error", () => {});
    socket.write(Buffer.from([0x10, 0x0d, 0, 4, ...Buffer.from("MQTT"), 4, 2, 0, 60, 0, 1, 0x70]));
    const isThere = await new Promise((resolve) => {
      socket.once("data", () => resolve(true)).once("close", () => resolve(false));
    });
    socket.destroy();
    if (isThere) return broker;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function subscribe(
  inside: Namespace,
  port = 1883,
): { readonly messages: { payload: Record<string, unknown>; retain: boolean }[] } {
  const client = new MqttClient(() => connect(inside.socket(port)), { reconnectPeriod: 0 });
  onTestFinished(() => void client.end(true));
  const messages: { payload: Record<string, unknown>; retain: boolean }[] = [];
  client.on("message", (_, payload, { retain }) => {
    messages.push({ payload: JSON.parse(payload.toString()) as Record<string, unknown>, retain });
  });
  client.subscribe("app/config/info", { qos: 1 });
  return { messages };
}

test("its identity is retained, says offline when it goes, and when it is killed", mqttOptions, async () => {
  const inside = await namespace(12000, 1883);
  const log: string[] = [];
  await startBroker(inside, log);
  const { messages } = subscribe(inside);
  const daemon = await started(inside);
  await until(() => messages.length === 1);
  // MQTT 5, a clean session, kept alive every 30 s.
  await until(() => log.join("").includes(" as hub-config (p5, c1, k30)"));
  const info = JSON.parse((await send(inside, "GET", "/info")).body) as object;
  expect(messages[0]!.payload).toEqual({
    ...info,
    online: true,
    metadata: {
      rxdate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      rxTimestamp: expect.any(Number),
      expireAfterSec: 3124137600,
    },
  });
  daemon.child.kill("SIGTERM");
  expect(await daemon.ended).toBe(0);
  await until(() => messages.length === 2);
  expect(messages[1]!.payload).toMatchObject({ online: false, name: "hub-configd" });

  const second = await started(inside);
  await until(() => messages.length === 3);
  second.child.kill("SIGKILL");
  await until(() => messages.length === 4);
  expect(messages.map(({ payload }) => payload.online)).toEqual([true, false, true, false]);

  const late = subscribe(inside);
  await until(() => late.messages.length === 1);
  expect(late.messages[0]).toMatchObject({ retain: true, payload: { online: false } });
});

test("a signal is listened for before any other module of the program runs", () => {
  const bundle = readFileSync("dist/hub-configd.mjs", "utf8");
  // Before it are modules that run when they are imported later.
  const before = bundle.slice(0, bundle.indexOf("\n// src/daemons/program/stop.ts\n"));
  const modules = before.match(/^\/\/ src\/.*$/gm)!.map((line) => line.slice("// ".length));
  const later = before.match(/^ {2}"src\/.*"\(\) \{$/gm)!.map((line) => line.split('"')[1]);
  expect(later).toEqual(modules);
  const listening = bundle.indexOf("process.on(signal");
  expect(listening).toBeGreaterThan(0);
  expect(bundle.slice(0, listening)).not.toMatch(/^(await )?(init|require)_\w+\(\);$/m);
});

test("whenever the signal comes during the start, the broker is left with the word that it has gone, or with none", {
  ...mqttOptions,
}, async () => {
  const inside = await namespace(12000, 1883);
  await startBroker(inside);
  const { messages } = subscribe(inside);
  for (const delay of atNight([0, 160, 320], [0, 80, 160, 240, 320, 400])) {
    const { child, ended } = start(inside);
    await new Promise((resolve) => setTimeout(resolve, delay));
    child.kill("SIGTERM");
    // Node itself cannot hear a signal before it has started.
    expect(await ended).toBeOneOf([0, "SIGTERM"]);
  }
  const late = subscribe(inside);
  const before = messages.length;
  const last = await started(inside);
  await until(() => messages.length > before && messages.at(-1)!.payload.online === true);
  last.child.kill("SIGTERM");
  expect(await last.ended).toBe(0);
  await until(() => messages.at(-1)!.payload.online === false);
  const told = messages.map(({ payload }) => payload.online);
  for (const [index, online] of told.entries()) expect(online && told[index + 1]).toBe(false);
  await until(() => late.messages.length > 0);
  for (const { payload } of late.messages.filter(({ retain }) => retain)) expect(payload.online).toBe(false);
});

/** Hands what it is sent on to port 1884 and keeps the answers; says so at the first. */
const withholding = `
require("node:net").createServer((inner) => {
  const outer = require("node:net").connect(1884, "127.0.0.1");
  for (const socket of [inner, outer]) socket.on("error", () => {});
  inner.pipe(outer);
  inner.on("close", () => outer.destroy());
  outer.on("data", () => console.log("answered"));
}).listen(1883, "127.0.0.1", () => console.log("ready"));`;

test(
  "a signal while it connects ends it with 0, and the broker with the word that it has gone",
  mqttOptions,
  async () => {
    const inside = await namespace(12000, 1884);
    await startBroker(inside, [], 1884);
    const { messages } = subscribe(inside, 1884);
    const relay = inside.spawn(process.execPath, ["-e", withholding]);
    onTestFinished(() => void relay.kill("SIGKILL"));
    const said = textOf(relay.stdout!);
    await until(() => said().includes("ready"));
    const daemon = start(inside);
    await until(() => said().includes("answered"));
    daemon.child.kill("SIGTERM");
    expect(await daemon.ended).toBe(0);
    await until(() => messages.length === 1);
    expect(messages[0]!.payload).toMatchObject({ online: false });
  },
);

/** Ends each connection at once and prints when it came. */
const hangingUp = `
require("node:net").createServer((socket) => {
  console.log(Math.round(performance.now()));
  socket.on("error", () => {}).destroy();
}).listen(1883, "127.0.0.1", () => console.log("ready"));`;

/** A clock that is ten times as fast, loaded before the program. */
const HURRY = 10;
const hurried = [
  "--import",
  `data:text/javascript,const { setTimeout: set } = globalThis;
  globalThis.setTimeout = (call, ms, ...args) => set(call, ms / ${HURRY}, ...args);`,
];

test(
  "the connection to the broker is tried again every 10 s, and a broker that comes later is found",
  mqttOptions,
  async () => {
    /** Attempts at a broker that hangs up; each version of MQTT is one, the second without a pause. */
    async function areTenSecondsApart(): Promise<void> {
      const inside = await namespace(12000);
      const broker = inside.spawn(process.execPath, ["-e", hangingUp]);
      onTestFinished(() => void broker.kill("SIGKILL"));
      const said = textOf(broker.stdout!);
      await until(() => said().includes("ready"));
      startProgram([...hurried, program], inside);
      const pauses = (): readonly number[] => {
        const times = (said().match(/^\d+$/gm) ?? []).map(Number);
        return times.slice(1).map((time, index) => (time - times[index]!) * HURRY);
      };
      // A busy machine stretches some of them.
      await until(() => pauses().some((pause) => pause > 9900 && pause < 15_000));
    }

    async function identityAtLateBroker(): Promise<unknown> {
      const inside = await namespace(12000, 1883);
      const daemon = startProgram([...hurried, program], inside);
      await until(() => daemon.stderr.includes("broker is away"));
      await startBroker(inside);
      const { messages } = subscribe(inside);
      await until(() => messages.length === 1);
      return messages[0]!.payload;
    }

    const [identity] = await Promise.all([identityAtLateBroker(), areTenSecondsApart()]);
    expect(identity).toMatchObject({ online: true });
  },
);
