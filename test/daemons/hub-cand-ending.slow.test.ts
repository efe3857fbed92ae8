/**
 * The end of hub-cand: by a signal at any moment, by itself, or without a reader; and the state that it leaves at the
 * broker.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { simulatedCandump } from "../../src/services/simulation/candump-text.ts";
import { hubCand, linesOf, runHubCand, textOf } from "../support/hub-cand.ts";
import {
  keptAt,
  type Mosquitto,
  mosquitto,
  type Subscriber,
  subscriber,
  until,
  withoutMosquitto,
} from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";
import { atNight } from "../support/size.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
let voyage: string;
let killing: string;
beforeAll(() => {
  folder = temporaryFolder("cand-ending");
  voyage = join(folder, "voyage.log");
  writeFileSync(voyage, [...simulatedCandump(60_000, Date.UTC(2026, 10, 21))].join(""));
  // Sends the signal at the first moment at which it is heard.
  killing = join(folder, "killing.mjs");
  writeFileSync(
    killing,
    `process.on("newListener", (event) => {
       if (event === "SIGTERM") setImmediate(() => process.kill(process.pid, "SIGTERM"));
     });`,
  );
});

/** Standard input stays open and says nothing. */
const start = (args: readonly string[], nodeOptions: readonly string[] = []): ChildProcess => {
  const child = spawn(process.execPath, [...nodeOptions, hubCand, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
};

/** Exit code and signal. */
async function endOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  return { code, signal };
}

test("a signal is listened for before any other module of the program runs", () => {
  const bundle = readFileSync(hubCand, "utf8");
  const listening = bundle.indexOf("process.on(signal");
  expect(listening).toBeGreaterThan(0);
  // Before it are definitions of modules that are also imported later; a call runs each of them.
  expect(bundle.slice(0, listening)).not.toMatch(/^(await )?(init|require)_\w+\(\);$/m);
});

describe("a signal at the first moment at which it is heard ends it with 0", () => {
  const rows: [string, () => readonly string[]][] = [
    ["on an interface that is not there", () => ["-i", "nocan9", "--stdout"]],
    ["in a simulation", () => ["--simulate", "--stdout"]],
    ["in a replay", () => ["--replay", voyage, "--stdout"]],
    ["in a replay at full speed", () => ["--replay", voyage, "--speed", "0", "--stdout"]],
    ["in a replay of a pipe that says nothing", () => ["--replay", "-", "--speed", "0", "--stdout"]],
    ["without a broker", () => ["--simulate", "--broker", "mqtt://127.0.0.1:1"]],
    ["without a broker at full speed", () => ["--replay", voyage, "--speed", "0", "--broker", "mqtt://127.0.0.1:1"]],
  ];
  test.each(rows)("%s", async (_, args) => {
    const child = start(args(), ["--import", killing]);
    child.stdout!.resume();
    child.stderr!.resume();
    expect(await endOf(child)).toMatchObject({ code: 0, signal: null });
  });

  test("with metrics and a recorder", async () => {
    const args = ["--simulate", "--stdout", "--metrics", String(await freePort()), "--record", folder];
    const child = start(args, ["--import", killing]);
    child.stdout!.resume();
    child.stderr!.resume();
    expect(await endOf(child)).toMatchObject({ code: 0, signal: null });
  });
});

describe("output that is read slowly", () => {
  const full = ["--speed", "0", "--stdout", "--config", "/none"];

  test("arrives whole from a replay, through a pipe and through a socket", () => {
    const run = (command: string): string =>
      spawnSync("sh", ["-c", command, "sh", process.execPath, hubCand, "--replay", voyage, ...full], {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      }).stdout;
    const whole = run('"$@" 2>/dev/null');
    expect(whole.split("\n").length).toBeGreaterThan(5000);
    expect(run('"$@" 2>/dev/null | (sleep 1; cat)')).toBe(whole);
  });

  test("that is never read does not keep it alive after the signal", async () => {
    const child = start(["--simulate", "--stdout"]);
    const stderr = textOf(child.stderr!);
    child.stdout!.pause();
    await until(() => stderr().includes("PGNs read by an assumed layout"));
    // More than a socket holds.
    await pause(4000);
    // The last lines may be read after the exit.
    const said = once(child.stderr!, "end");
    child.kill("SIGTERM");
    expect(await endOf(child)).toEqual({ code: 0, signal: null });
    await said;
    expect(stderr()).toMatch(/^info counted /m);
  });
});

test("a device that is full ends it with 1, a code, and no stack", async () => {
  const child = spawn("sh", ["-c", '"$@" >/dev/full', "sh", process.execPath, hubCand, "--simulate", "--stdout"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const stderr = textOf(child.stderr);
  const [code] = await once(child, "close");
  expect(code).toBe(1);
  expect(stderr()).toMatch(/^error standard output cannot be written code=STDOUT_GONE reason=ENOSPC$/m);
  expect(stderr()).not.toContain("    at ");
});

describe.skipIf(withoutMosquitto !== undefined)(`the broker ${withoutMosquitto ?? ""}`, () => {
  let broker: Mosquitto;
  let listener: Subscriber;
  beforeAll(async () => {
    broker = await mosquitto();
    listener = await subscriber(broker.port);
  });
  afterAll(async () => {
    await listener.close();
    await broker.stop();
  });
  const identities = (name: string): boolean[] =>
    listener.messages
      .filter(({ topic }) => topic === `app/can-${name}/info`)
      .map(({ payload }) => (JSON.parse(payload) as { online: boolean }).online);

  test("has each message once, as it is printed, and an offline identity after the end of a replay, and after a signal", async () => {
    const url = `mqtt://127.0.0.1:${broker.port}`;
    const replay = start(["--replay", voyage, "--speed", "0", "-i", "can1", "--broker", url]);
    replay.stderr!.resume();
    expect(await endOf(replay)).toMatchObject({ code: 0 });
    await until(() => identities("can1").length === 2);
    const { stdout } = await runHubCand(["--replay", voyage, "--speed", "0", "-i", "can1", "--stdout"]);
    const isStream = ({ topic }: { readonly topic: string }): boolean =>
      /^can\/can1\/.*(pgn\/\d+|navigation|ais)$/.test(topic);
    const printed = linesOf(stdout).filter(isStream);
    expect(printed.length).toBeGreaterThan(5000);
    const arrived = listener.messages.filter(isStream);
    expect(arrived.map(({ topic, payload }) => [topic, JSON.parse(payload)])).toEqual(
      printed.map(({ topic, payload }) => [topic, payload]),
    );
    const simulation = start(["--simulate", "-i", "can2", "--broker", url]);
    simulation.stderr!.resume();
    await until(() => identities("can2").length === 1);
    simulation.kill("SIGTERM");
    expect(await endOf(simulation)).toMatchObject({ code: 0 });
    await until(() => identities("can2").length === 2);
    expect([identities("can1"), identities("can2")]).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  test("has an offline identity after a signal while it connects", async () => {
    const sockets: Socket[] = [];
    let answered = (): void => {};
    const accepted = new Promise<void>((resolve) => {
      answered = resolve;
    });
    // Hands CONNECT on to the broker and keeps its answer.
    const server = createServer((inner) => {
      const outer = connect(broker.port, "127.0.0.1");
      sockets.push(inner, outer);
      for (const socket of [inner, outer]) socket.on("error", () => {});
      inner.pipe(outer);
      inner.on("close", () => outer.destroy());
      outer.on("data", answered);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as { port: number };
    // A simulation would ask first whether the boat publishes the same topics.
    const child = start(["--source", "yd-raw+tcp://127.0.0.1:1", "-i", "can3", "--broker", `mqtt://127.0.0.1:${port}`]);
    child.stderr!.resume();
    await accepted;
    child.kill("SIGTERM");
    expect(await endOf(child)).toMatchObject({ code: 0 });
    await until(() => identities("can3").length === 1);
    expect(identities("can3")).toEqual([false]);
  });

  test("has an offline identity, or none, for a signal at any moment of the start", async () => {
    // The last one is there, on a machine that is however slow.
    const moments = atNight([0, 180, 360], [0, 90, 180, 270, 360, 450, 540]).map((ms) => () => pause(ms));
    moments.push(() => until(() => identities(`early${moments.length - 1}`).length === 1));
    const ends = await Promise.all(
      moments.map(async (moment, index) => {
        const child = start(["--simulate", "-i", `early${index}`, "--broker", `mqtt://127.0.0.1:${broker.port}`]);
        child.stderr!.resume();
        await moment();
        child.kill("SIGTERM");
        return endOf(child);
      }),
    );
    // Node itself cannot hear a signal before it has started.
    for (const { code, signal } of ends)
      expect([code, signal]).toBeOneOf([
        [0, null],
        [null, "SIGTERM"],
      ]);
    // The broker publishes the last will of a program that has run out of time, a moment after its end.
    const online = async () =>
      (await keptAt(broker.port))
        .filter(({ topic }) => topic.startsWith("app/can-early"))
        .map(({ payload }) => (JSON.parse(payload) as { online: boolean }).online);
    await expect.poll(async () => new Set(await online())).toEqual(new Set([false]));
  });
});
