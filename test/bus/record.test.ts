/**
 * Frames of a real SocketCAN interface in a recording: what candump sees is what is in the file, canplayer plays the file,
 * and from both ways the same messages come. Skipped as `can-bus.test.ts`; HUB_VCAN=1 makes what is missing a failure.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { simulatedCandump } from "../../src/simulation/candump-text.ts";
import { type Line, linesOf, runHubCand, startHubCand } from "../hub-cand.ts";
import { until } from "../mosquitto.ts";

const IF = `hubrec${process.pid % 10000}`;
const ip = (...words: string[]): void => void execFileSync("ip", words, { stdio: "pipe" });
const remove = (): void => void spawnSync("ip", ["link", "delete", IF]);

function obstacle(): string | undefined {
  for (const tool of ["ip", "cansend", "candump", "canplayer"]) {
    if (spawnSync("which", [tool]).status !== 0) return `no ${tool}`;
  }
  const { status, stderr } = spawnSync("ip", ["link", "add", "dev", IF, "type", "vcan"], { encoding: "utf8" });
  remove();
  return status === 0 ? undefined : `no vcan: ${stderr.trim()}`;
}

const missing = obstacle();

const voyage = [...simulatedCandump(5000, Date.UTC(2026, 10, 21), IF)].join("");
const frameOf = (line: string): string => line.split(" ").slice(1).join(" ");
const framesOf = (text: string): string[] => text.trimEnd().split("\n").map(frameOf);

/** Plays a candump file onto the interface as fast as it takes frames, in pieces that fit into its socket. */
function play(text: string): void {
  const lines = text.trimEnd().split("\n");
  for (let at = 0; at < lines.length; at += 100)
    execFileSync("canplayer", ["-t", "-g", "0", `${IF}=${IF}`], { input: `${lines.slice(at, at + 100).join("\n")}\n` });
}

/** Topic and data of the messages that frames become, without their times. */
const messagesOf = (lines: readonly Line[]): string[] =>
  lines
    .filter(({ topic }) => topic.includes("/pgn/"))
    .map(({ topic, payload }) => JSON.stringify([topic, payload.data]));

/** A daemon that listens to the interface and has said so. */
async function listening(...args: readonly string[]): Promise<{ child: ChildProcess; stdout: () => string }> {
  const child = startHubCand(["-i", IF, "--stdout", ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout!.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr!.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  await until(() => stderr.includes("info listening"));
  return { child, stdout: () => stdout };
}

const end = async (child: ChildProcess): Promise<void> => {
  child.kill("SIGTERM");
  expect((await once(child, "close"))[0]).toBe(0);
};

describe.skipIf(missing !== undefined && process.env.HUB_VCAN !== "1")(
  missing === undefined ? "--record on vcan" : `--record on vcan (skipped: ${missing})`,
  () => {
    let folder: string;
    beforeAll(() => {
      expect(missing).toBeUndefined();
      folder = mkdtempSync(join(tmpdir(), "hub-record-bus-"));
      ip("link", "add", "dev", IF, "type", "vcan");
      ip("link", "set", IF, "up");
    });
    afterAll(() => {
      remove();
      rmSync(folder, { recursive: true, force: true });
    });

    test("what is on the bus is in the file, and canplayer and --replay make the same messages of it", async () => {
      const dumped = spawn("candump", ["-L", IF], { stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void dumped.kill());
      let candump = "";
      dumped.stdout!.on("data", (chunk: Buffer) => {
        candump += chunk;
      });
      const first = await listening("--record", folder);
      play(voyage);
      execFileSync("cansend", [IF, "123#R4"]);
      execFileSync("cansend", [IF, "7FF#0102"]);
      const frames = [...framesOf(voyage), `${IF} 123#R4`, `${IF} 7FF#0102`];
      await until(() => candump.trimEnd().split("\n").length >= frames.length);
      await end(first.child);
      const [name] = readdirSync(folder);
      const recorded = gunzipSync(readFileSync(join(folder, name!))).toString();
      expect(framesOf(recorded)).toEqual(frames);
      // The kernel's stamps, to the microsecond.
      expect(recorded).toBe(candump);

      const live = messagesOf(linesOf(first.stdout()));
      expect(live.length).toBeGreaterThan(500);
      const replayed = await runHubCand(["-i", IF, "--stdout", "--speed", "0", "--replay", join(folder, name!)]);
      expect(messagesOf(linesOf(replayed.stdout))).toEqual(live);

      const second = await listening();
      play(recorded);
      await until(() => messagesOf(linesOf(second.stdout().replace(/[^\n]*$/, ""))).length >= live.length);
      await end(second.child);
      expect(messagesOf(linesOf(second.stdout()))).toEqual(live);
    }, 300_000);

    test("nothing is kept of frames where nobody records", async () => {
      const daemon = await listening();
      play(voyage);
      await until(() => messagesOf(linesOf(daemon.stdout().replace(/[^\n]*$/, ""))).length > 500);
      await end(daemon.child);
      expect(readdirSync(folder)).toHaveLength(1);
    }, 300_000);
  },
);
