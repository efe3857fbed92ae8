/**
 * A busy bus: the traffic of a full NMEA 2000 bus with a blocked event loop, and ten times as much.
 *
 * HUB_LOAD_SECONDS: duration of the full bus. Rates and seconds are by the clock of the guest.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, createWriteStream, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { skipIdleTime } from "../../guest/idle-time.ts";
import { hubCand, runHubCand } from "../../support/hub-cand.ts";
import { type Mosquitto, mosquitto, type Subscriber, subscriber, withoutMosquitto } from "../../support/mosquitto.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { Candump, LinesOfFile, play, recordingOf, type Vcan, vcan, voyageFrames } from "./vcan.ts";

const { ownFlags } = (await import("../../../bench/process.mjs" as string)) as {
  ownFlags(script: string): readonly string[];
};

/** Frames of eight bytes a second on a bus of 250 kbit/s, with average bit stuffing. */
const FULL_BUS = 1910;
/** The event loop is blocked for so long after the first second, and is seen to catch up in those that are left. */
const blockedSeconds = 2;
const seconds = Number(process.env.HUB_LOAD_SECONDS ?? blockedSeconds + 2);
/** Time for which a USB adapter gathers frames. */
const ADAPTER_DELAY_MS = 5;
const STORM_SECONDS = 1;
const within = { timeout: 300_000, interval: 200 };
/** Upper bound of the memory of a daemon that needs some 80 MB. */
const MOST_MEMORY = 160 << 20;

const memory = (pid: number, field: "VmHWM" | "VmRSS"): number =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;

/** User and system time of a process, seconds. */
const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** A second of a voyage, repeated: to simulate more would take longer than the test. */
const piece = voyageFrames(FULL_BUS);
const traffic = (count: number): string[] => Array.from({ length: count }, (_, at) => piece[at % piece.length]!);

describe.skipIf(withoutMosquitto !== undefined)(`hub-cand on a busy bus ${withoutMosquitto ?? ""}`, () => {
  let folder: string;
  let bus: Vcan;
  let broker: Mosquitto;
  let health: Subscriber;
  let daemon: ChildProcess;
  let stderr: string;
  let taker: ChildProcess;
  let taken: LinesOfFile;
  let runOnTheClock: () => void;

  beforeAll(async () => {
    folder = temporaryFolder("load");
    bus = vcan("hubload0");
    broker = await mosquitto();
    // Preloaded: blocks the event loop, and no other thread.
    const busy = `process.on("SIGWINCH", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${blockedSeconds * 1000}));`;
    writeFileSync(join(folder, "busy.mjs"), busy);
  });
  afterAll(async () => {
    await broker.stop();
    bus.remove();
    rmSync(folder, { recursive: true });
  });

  beforeEach(async () => {
    health = await subscriber(broker.port, {}, `can/${bus.name}/health`);
    // The subscriber is a program in C, because one in JavaScript would be the slowest part.
    const path = join(folder, "taken");
    const file = openSync(path, "w");
    const topics = ["-t", `can/${bus.name}/device/+/pgn/+`];
    taker = spawn("mosquitto_sub", ["-p", String(broker.port), "-F", "%t %p", ...topics], {
      stdio: ["ignore", file, "inherit"],
    });
    closeSync(file);
    taken = new LinesOfFile(path);
    const settings = ["-i", bus.name, "-c", "/nonexistent", "-b", `mqtt://127.0.0.1:${broker.port}`];
    const preload = ["--import", join(folder, "busy.mjs")];
    daemon = spawn(process.execPath, [...ownFlags(hubCand), ...preload, hubCand, ...settings], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    stderr = "";
    daemon.stderr!.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    await expect.poll(() => stderr, within).toContain("connected to the broker");
    await health.until(({ retain }) => !retain);
    runOnTheClock = skipIdleTime();
  });
  afterEach(async () => {
    runOnTheClock();
    if (daemon.exitCode === null && daemon.signalCode === null) {
      daemon.kill("SIGTERM");
      await once(daemon, "close");
    }
    taker.kill();
    await health.close();
  });

  /** Messages from before the connection to the broker. */
  const droppedAtFirst = (): number => Number(/connected to the broker .*dropped=(\d+)/.exec(stderr)?.[1] ?? 0);
  /** Ends the daemon; returns the counters of its last log line. */
  const counted = async (): Promise<Map<string, number>> => {
    daemon.kill("SIGTERM");
    await once(daemon, "close");
    const line = stderr.split("\n").find((text) => text.includes("counted"))!;
    return new Map([...line.matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [name!, Number(value)]));
  };
  const recording = async (frames: readonly string[], rate: number): Promise<string> => {
    const file = join(folder, "traffic.log");
    const out = createWriteStream(file);
    out.end(recordingOf(frames, rate, bus.name));
    await finished(out);
    return file;
  };
  /** The messages of a recording without their times, as `mosquitto_sub` writes them. */
  const withoutTimes = (message: string): string => message.slice(0, message.lastIndexOf(',"metadata":'));
  const expectedOf = async (file: string): Promise<string[]> => {
    const { stdout } = await runHubCand(["--replay", file, "--speed", "0", "--stdout", "-i", bus.name]);
    const messages = stdout.matchAll(/^\{"topic":"([^"]*\/pgn\/[^"]*)","retain":false,"payload":(.*),"metadata":/gm);
    return [...messages].map(([, topic, data]) => `${topic} ${data}`);
  };

  test("at the rate of a full bus no frame is lost, with the event loop blocked for seconds, and every message arrives", async () => {
    const frames = traffic(FULL_BUS * seconds);
    const file = await recording(frames, FULL_BUS);
    const expected = await expectedOf(file);
    const before = { sent: bus.sentFrames(), cpu: cpuSeconds(daemon.pid!), at: Date.now() };
    const played = play(file, ADAPTER_DELAY_MS);
    setTimeout(() => daemon.kill("SIGWINCH"), 1000);
    await played;
    const lasted = (Date.now() - before.at) / 1000;
    expect(bus.sentFrames() - before.sent).toBe(frames.length);
    await expect.poll(() => taken.count, within).toBeGreaterThanOrEqual(expected.length);
    const cpu = cpuSeconds(daemon.pid!) - before.cpu;
    console.log(
      `${frames.length} frames in ${lasted.toFixed(1)} s, ${expected.length} messages, processor ${((100 * cpu) / lasted).toFixed(1)} %,` +
        ` memory at most ${(memory(daemon.pid!, "VmHWM") / 2 ** 20).toFixed(0)} MB`,
    );
    expect(memory(daemon.pid!, "VmHWM")).toBeLessThan(MOST_MEMORY);
    const counts = await counted();
    // Only the first that differs: thousands of values are compared slowly on an emulated processor.
    const arrived = taken.lines().map(withoutTimes);
    const other = arrived.findIndex((message, at) => message !== expected[at]);
    expect([arrived.length, arrived[other]]).toEqual([expected.length, expected[other]]);
    expect(counts.get("frames")).toBe(frames.length);
    expect(counts.get("lostInKernel") ?? 0).toBe(0);
    expect(counts.get("lostInRing") ?? 0).toBe(0);
    expect(counts.get("dropped") ?? 0).toBe(droppedAtFirst());
  }, 900_000);

  test("at ten times that rate the published losses are those of sender and candump, and it recovers", async () => {
    const witness = new Candump(bus.name);
    await witness.isListening();
    const before = bus.sentFrames();
    const storm = traffic(FULL_BUS * 10 * STORM_SECONDS);
    const file = await recording(storm, FULL_BUS * 10);
    const began = Date.now();
    const played = play(file);
    // Stopped for longer than the receive buffer lasts.
    setTimeout(() => daemon.kill("SIGSTOP"), 200);
    setTimeout(() => daemon.kill("SIGCONT"), 200 + 700 * STORM_SECONDS);
    await played;
    const lasted = (Date.now() - began) / 1000;
    // The kernel reports a loss with the next frame.
    const after = traffic(FULL_BUS);
    await play(await recording(after, FULL_BUS));
    const sent = bus.sentFrames() - before;
    expect(sent).toBe(storm.length + after.length);
    // Each time all that candump has written is read.
    await expect.poll(() => witness.count + witness.dropped, { ...within, interval: 2000 }).toBe(sent);
    health.clear();
    const told = JSON.parse((await health.until(({ retain }) => !retain)).payload).data;
    const most = memory(daemon.pid!, "VmHWM");
    console.log(
      `${sent} frames, ${storm.length} of them in ${lasted.toFixed(1)} s: lost ${JSON.stringify(told.framesLost)},` +
        ` ${told.dropped} messages dropped, ${witness.dropped} frames lost by candump; memory at most ${(most / 2 ** 20).toFixed(0)} MB`,
    );
    expect(told.framesLost.kernel).toBeGreaterThan(0);
    // Frames lost to a full ring are among the counted frames.
    expect(told.framesLost.kernel).toBe(sent - told.frames);
    expect(most).toBeLessThan(MOST_MEMORY);

    // Recovered: all further frames are published.
    const messages = taken.count;
    const quiet = ["09F10DF0#FFFFFFFF10000000", "09F10DF0#FFFFFFFF20000000"];
    await play(await recording(quiet, 10));
    await expect.poll(() => taken.count, within).toBe(messages + 2);
    const counts = await counted();
    expect(counts.get("frames")! + counts.get("lostInKernel")!).toBe(sent + quiet.length);
    await witness.stop();
  }, 900_000);
});
