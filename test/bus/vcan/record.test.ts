/**
 * `--record` and `--serve-frames` on a bus: they have the frames that candump sees, and a file gives the same messages
 * as the bus.
 */
import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { skipIdleTime } from "../../guest/idle-time.ts";
import { type Line, linesOf, runHubCand, startHubCand } from "../../support/hub-cand.ts";
import { freePort } from "../../support/ports.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { Candump, isProbe, play, recordingOf, type Vcan, vcan, voyageFrames } from "./vcan.ts";

const within = { timeout: 60_000, interval: 100 };
/** The frames include some without a PGN: a remote frame and one of 11 bits. */
const frames = [...voyageFrames(1500), "123#R4", "7FF#0102"];

/** Topic and data of the messages, without their times. */
const messagesOf = (lines: readonly Line[]): string[] =>
  lines
    .filter(({ topic }) => topic.includes("/pgn/"))
    .map(({ topic, payload }) => JSON.stringify([topic, payload.data]));
const framesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf(" ") + 1));
/** Microseconds of the stamps; 16 digits are exact in a double. */
const stampsOf = (text: string): number[] =>
  [...text.matchAll(/^\((\d+)\.(\d{6})\)/gm)].map(([, seconds, fraction]) => Number(seconds! + fraction!));

describe("hub-cand --record and --serve-frames on vcan", () => {
  let folder: string;
  let bus: Vcan;

  beforeAll(() => {
    folder = temporaryFolder("record");
    bus = vcan("hubrec0");
    writeFileSync(join(folder, "voyage.log"), recordingOf(frames, 1000, bus.name));
  });
  afterAll(() => {
    bus.remove();
    rmSync(folder, { recursive: true });
  });

  /** A daemon that listens; its function returns the messages published so far and ends it. */
  async function listening(...args: readonly string[]) {
    const child: ChildProcess = startHubCand(["-i", bus.name, "--stdout", "-c", "/nonexistent", ...args]);
    let stdout = "";
    let stderr = "";
    child.stdout!.on("data", (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr!.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    await expect.poll(() => stderr, within).toContain("info listening");
    return {
      log: () => stderr,
      published: () => stdout.split("/pgn/").length - 1,
      async end() {
        child.kill("SIGTERM");
        expect(await once(child, "close")).toEqual([0, null]);
        return messagesOf(linesOf(stdout));
      },
    };
  }

  test("the file has what candump sees, to the microsecond, and gives the same messages by --replay and canplayer", async () => {
    const records = join(folder, "records");
    const witness = new Candump(bus.name);
    await witness.isListening();
    const first = await listening("--record", records);
    onTestFinished(skipIdleTime());
    await play(join(folder, "voyage.log"));
    await expect.poll(() => witness.frames.length, within).toBe(frames.length);
    const live = await first.end();
    expect(live.length).toBeGreaterThan(500);
    const seen = witness.text.split("\n").filter((line) => !isProbe(line));
    await witness.stop();
    const [name, ...others] = readdirSync(records);
    expect(others).toEqual([]);
    const recorded = gunzipSync(readFileSync(join(records, name!))).toString();
    expect(framesOf(recorded)).toEqual(frames);
    // candump truncates the nanoseconds of the kernel's stamps, the recorder rounds them.
    const stamps = stampsOf(seen.join("\n"));
    expect(stampsOf(recorded).map((stamp, at) => Math.abs(stamp - stamps[at]!) < 1.5)).toEqual(frames.map(() => true));

    const replay = ["-i", bus.name, "--stdout", "-c", "/nonexistent", "--speed", "0", "--replay", join(records, name!)];
    expect(messagesOf(linesOf((await runHubCand(replay)).stdout))).toEqual(live);

    writeFileSync(join(folder, "recorded.log"), recorded);
    const second = await listening();
    await play(join(folder, "recorded.log"));
    await expect.poll(second.published, within).toBe(live.length);
    expect(await second.end()).toEqual(live);
  });

  test("--serve-frames gives the frames that candump sees, in its order and with its times of day", async () => {
    const witness = new Candump(bus.name);
    await witness.isListening();
    const port = await freePort();
    const daemon = await listening("--serve-frames", `${port}`, "-l", "debug");
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    await expect.poll(daemon.log, within).toContain("client connected");
    onTestFinished(skipIdleTime());
    await play(join(folder, "voyage.log"));
    await expect.poll(() => witness.frames.length, within).toBe(frames.length);
    const withPgn = voyageFrames(1500).length;
    await expect.poll(() => text.split("\r\n").length - 1, within).toBe(withPgn);
    await daemon.end();
    const seen = witness.text.split("\n").filter((line) => line !== "" && !isProbe(line));
    await witness.stop();
    const lines = text.trimEnd().split("\r\n");
    expect(lines.map((line) => line.slice(" hh:mm:ss.ddd".length).replaceAll(" ", ""))).toEqual(
      frames.slice(0, withPgn).map((frame) => `R${frame.replace("#", "")}`),
    );
    const milliseconds = lines.map((line) => Date.parse(`1970-01-01T${line.slice(0, 12)}Z`));
    const witnessed = stampsOf(seen.slice(0, withPgn).join("\n")).map((micros) => micros / 1000);
    const day = 86_400_000;
    const differences = milliseconds.map((time, at) => Math.abs(((witnessed[at]! - time + day / 2) % day) - day / 2));
    expect(Math.max(...differences)).toBeLessThan(1.01);
  });

  test("without --record no frames are kept", async () => {
    const files = readdirSync(folder, { recursive: true }).length;
    const daemon = await listening();
    execFileSync("cansend", [bus.name, "09F10D23#FFFFFFFFE803FFFF"]);
    await expect.poll(daemon.published, within).toBe(1);
    await daemon.end();
    expect(readdirSync(folder, { recursive: true })).toHaveLength(files);
  });
});
