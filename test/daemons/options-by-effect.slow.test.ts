/**
 * Each option of each daemon has a test by its effect outside, not by its parse: the table says where, and here are
 * those without another.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hubAlarmOptions } from "../../src/daemons/hub-alarm-options.ts";
import { hubCandOptions } from "../../src/daemons/hub-cand-options.ts";
import { hubConfigBackupOptions } from "../../src/daemons/hub-config-backup-options.ts";
import { hubConfigFetchOptions } from "../../src/daemons/hub-config-fetch-options.ts";
import { hubConfigdOptions } from "../../src/daemons/hub-configd-options.ts";
import { hubHistoryOptions } from "../../src/daemons/hub-history-options.ts";
import { hubLinkOptions } from "../../src/daemons/hub-link-options.ts";
import { scriptedBroker } from "../adapters/node/mqtt/scripted-broker.ts";
import { until } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { engine, published, start, startBeside } from "./started.ts";

const here = "options-by-effect";
const tables = {
  "hub-cand": hubCandOptions,
  "hub-link": hubLinkOptions,
  "hub-alarm": hubAlarmOptions,
  "hub-history": hubHistoryOptions,
  "hub-configd": hubConfigdOptions,
  "hub-config-fetch": hubConfigFetchOptions,
  "hub-config-backup": hubConfigBackupOptions,
};

const byTls = "credentials ca cert key log-level";
/** Options with which a program prints something and ends. */
const printing = { "hub-cand": "help version" };

/** Each option of each program in the file of test/daemons that shows its effect; a path where it is elsewhere. */
const shown: Readonly<Record<keyof typeof tables, Readonly<Record<string, string>>>> = {
  "hub-cand": {
    [here]: byTls,
    "hub-cand": "help version prefix stdout",
    "hub-cand-networks": "interface also",
    "hub-cand-gateways": "source",
    "hub-cand-ending": "broker",
    "hub-cand-settings": "config max-rate unknown schema",
    "hub-cand-recordings": "replay speed all-pgns",
    "hub-cand-metrics": "simulate metrics",
    "hub-cand-findings": "findings",
    "hub-history": "lanes",
    "../bus/vcan/node": "node",
    "hub-cand-record": "record record-limit",
    "../security/commands": "home-assistant",
    "hub-cand-serve-frames": "serve-frames",
  },
  "hub-link": {
    ...printing,
    [here]: `${byTls} mmsi`,
    "hub-link": "prefix broker nmea0183 nmea0183-udp",
    "hub-link-signalk": "signalk",
    "hub-link-parts": "history voyages",
    "hub-link-access": "state",
  },
  "hub-alarm": {
    ...printing,
    [here]: byTls,
    "hub-alarm": "command prefix broker",
    "hub-alarm-options": "warnings",
  },
  "hub-history": {
    ...printing,
    [here]: `${byTls} prefix authorization queue-limit`,
    "hub-history": "lane broker url queue",
    "hub-history-voyages": "voyages voyages-port voyages-interval",
  },
  "hub-configd": { ...printing, "hub-configd": "verbose port config swagger", "../web/display/boat.ts": "charts" },
  "hub-config-fetch": {
    ...printing,
    [here]: "log-level",
    "hub-config-fetch": "url channel public-key ca cert key timeout api state",
  },
  "hub-config-backup": printing,
};

describe.each(Object.entries(tables))("%s", (program, { options }) => {
  const files = Object.entries(shown[program as keyof typeof tables]);
  const names = options.map(({ long, short }: { long: string; short?: string }) => [long, short] as const);

  test.each(names)("--%s", (long, short) => {
    const [file] = files.find(([, all]) => all.split(" ").includes(long)) ?? [];
    expect(file, "say which file shows its effect").toBeDefined();
    const name = `test/daemons/${file}`;
    const path = ["test", "slow.test", "night.test"].map((ending) => `${name}.${ending}.ts`).find(existsSync);
    const text = readFileSync(path ?? name, "utf8");
    const isGiven = text.includes(`--${long}`) || (short !== undefined && text.includes(`"-${short}"`));
    expect(isGiven, `${path ?? name} gives ${program} no --${long}: show its effect there, or say where`).toBe(true);
  });

  test("no other option is named", () => {
    const named = files.flatMap(([, all]) => all.split(" "));
    expect(named.toSorted()).toEqual(names.map(([long]) => long).toSorted());
  });
});

/** An address of a broker and what else each program needs. */
const needed = async (program: string): Promise<readonly string[]> => {
  if (program === "hub-cand") return ["--simulate"];
  if (program === "hub-history") return ["--queue", temporaryFolder()];
  if (program === "hub-alarm") return ["--command", "true"];
  return ["--nmea0183", `${await freePort()}`];
};
const clients = ["hub-cand", "hub-link", "hub-alarm", "hub-history"];

/** A certificate that is its own authority, for 127.0.0.1. */
function certificate(name: string) {
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  execFileSync("openssl", ["req", "-x509", ...curve, "-nodes", ...subject, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  return { key, cert, pem: { key: readFileSync(key), cert: readFileSync(cert) } };
}

/** Runs a program until a line of its log matches, and ends it. */
async function runUntil(line: RegExp, program: string, ...args: readonly string[]): Promise<string> {
  const { child, log } = start(program, ...args, ...(await needed(program)));
  await until(() => line.test(log()));
  child.kill("SIGKILL");
  await once(child, "exit");
  return log();
}

describe("by TLS", () => {
  const [authority, boat] = [certificate("broker"), certificate("boat")];
  const asking = { ...authority.pem, ca: boat.pem.cert, requestCert: true, rejectUnauthorized: true };
  const file = join(temporaryFolder(), "credentials");
  writeFileSync(file, JSON.stringify({ username: "boat", password: "secret" }), { mode: 0o600 });
  const [ca, own] = [
    ["--ca", authority.cert],
    ["--cert", boat.cert, "--key", boat.key],
  ];

  test.each(clients)(
    "%s is let in with --ca, --cert, --key, --credentials, and --log-level has its lines",
    async (program) => {
      const { port, sessions } = await scriptedBroker([], asking);
      const args = ["--broker", `mqtts://127.0.0.1:${port}`, ...ca!, ...own!, "--credentials", file];
      expect(await runUntil(/connected to the broker/, program, ...args, "--log-level", "debug")).not.toBe("");
      expect(sessions[0]!.packets[0]).toMatchObject({ username: "boat", password: Buffer.from("secret") });
      const quiet = start(program, ...args, ...(await needed(program)), "--log-level", "error");
      await until(() => sessions[1]?.packets.some(({ cmd }) => cmd === "subscribe" || cmd === "publish") ?? false);
      expect(quiet.log()).toBe("");
    },
  );

  test("a broker whose authority is in no file is not believed, and one that asks for a certificate lets in no other", async () => {
    const { port } = await scriptedBroker([], asking);
    const args = ["--broker", `mqtts://127.0.0.1:${port}`];
    await runUntil(/BROKER_AWAY.*(self.signed|verify)/, "hub-alarm", ...args, ...own!);
    await runUntil(/BROKER_AWAY/, "hub-alarm", ...args, ...ca!);
  });
});

test("hub-config-fetch --log-level: lines below the level are left out", async () => {
  const folder = temporaryFolder();
  const key = join(folder, "key.pem");
  const pair = execFileSync("openssl", ["genpkey", "-algorithm", "ed25519"]);
  writeFileSync(key, execFileSync("openssl", ["pkey", "-pubout"], { input: pair }));
  const given = ["--url", "https://127.0.0.1:1/", "--channel", "boat", "--public-key", key, "--state", folder];
  const logs = await Promise.all(
    ["error", "info"].map(async (level) => {
      const { child, log } = start("hub-config-fetch", ...given, "--log-level", level);
      await once(child, "close");
      return log();
    }),
  );
  expect(logs[0]!.length).toBeLessThan(logs[1]!.length);
});

const publish = (topic: string, data: object) =>
  published(topic, JSON.stringify({ data, metadata: { rxDate: new Date().toISOString(), expireAfterSec: 60 } }));

test.each([
  ["--mmsi", "244123456", "!AIVDO"],
  ["--mmsi", "244999999", "!AIVDM"],
])("hub-link %s %s: a position report of 244123456 is %s", async (option, mmsi, sentence) => {
  const { port, sessions } = await scriptedBroker();
  const served = await freePort();
  start("hub-link", "--broker", `mqtt://127.0.0.1:${port}`, "--nmea0183", `${served}`, option, mmsi);
  await until(() => sessions[0]?.packets.some(({ cmd }) => cmd === "subscribe") ?? false);
  const socket = connect(served, "127.0.0.1").setEncoding("latin1");
  onTestFinished(() => void socket.destroy());
  let lines = "";
  socket.on("data", (chunk) => {
    lines += chunk;
  });
  await once(socket, "connect");
  const report = { pgn: 129039, mmsi: 244_123_456, messageId: 18, latitude: 52, longitude: 4, cogDeg: 10, sogKnots: 5 };
  const timer = setInterval(() => sessions[0]!.send(publish("can/can0/device/5/pgn/129039", report)), 100);
  onTestFinished(() => clearInterval(timer));
  await until(() => /!AIVD[OM]/.test(lines));
  expect(/!AIVD[OM]/.exec(lines)![0]).toBe(sentence);
});

/** hub-history with a boat of this prefix, which speaks ten times a second. */
async function historyOf(prefix: string, ...args: readonly string[]) {
  const { child, log, sessions } = await startBeside("hub-history", "--prefix", prefix, ...args);
  await until(() => sessions[0]?.packets.some(({ cmd }) => cmd === "subscribe") ?? false);
  let count = 0;
  const timer = setInterval(() => {
    for (let device = 0; device < 250; device++) {
      count += 1;
      const topic = `${prefix}/every/10/device/${device}/pgn/127257`;
      sessions[0]!.send(publish(topic, { pgn: 127257, yawDeg: count % 90, pitchDeg: 1, rollDeg: 2 }));
    }
  }, 100);
  onTestFinished(() => clearInterval(timer));
  return { child, log, count: () => count };
}

test("hub-history --authorization: the header of the file reaches the engine; --prefix: topics of that boat are heard", async () => {
  const file = join(temporaryFolder(), "authorization");
  writeFileSync(file, "Bearer secret\n");
  const { url, headers } = await engine(204);
  await historyOf("fleet/7", "--queue", temporaryFolder(), "--url", url, "--authorization", file);
  await until(() => headers.length > 0);
  expect(headers[0]!.authorization).toBe("Bearer secret");
});

test("hub-history --queue-limit: the queue on disk stays below it", async () => {
  const queue = temporaryFolder();
  const { url } = await engine(503);
  const { child, log, count } = await historyOf("can/can0", "--queue", queue, "--url", url, "--queue-limit", "2");
  const bytesOf = (): number => readdirSync(queue).reduce((sum, name) => sum + statSync(join(queue, name)).size, 0);
  // Three megabytes of lines, of which those in memory go to disk at the end.
  await until(() => count() > 30_000);
  child.kill("SIGTERM");
  await once(child, "close");
  expect(bytesOf()).toBeLessThanOrEqual(2 << 20);
  expect(bytesOf()).toBeGreaterThan(1 << 20);
  expect(log()).toContain("HISTORY_DROPPED");
});
