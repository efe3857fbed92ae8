/** A recording, and the output of hub-cand for it on Node, which other runtimes have to give byte by byte. */
import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { simulatedCandump } from "../../src/services/simulation/candump-text.ts";
import { bundled } from "../support/bundled.ts";

/** Start of the recording. */
const BEGINNING = Date.UTC(2026, 10, 21, 8, 14, 26);
const DURATION_MS = 30_000;

/** Writes half a minute of the simulated voyage, with every kind of message of many frames that it has. */
export function writeRecording(folder: string): string {
  const path = join(folder, "voyage.log");
  writeFileSync(path, [...simulatedCandump(DURATION_MS, BEGINNING)].join(""));
  return path;
}

/** The arguments with which hub-cand publishes all that it can about the recording. */
export const readingArguments = (recording: string, folder: string): readonly string[] => [
  ...["--replay", recording, "--speed", "0", "--stdout", "--config", join(folder, "none.json")],
];

/** The lines of hub-cand on Node, from the same sources: without the version and the date that a build writes in. */
export async function nodeReading(recording: string, folder: string): Promise<string> {
  copyFileSync("build/Release/hub_can.node", join(folder, "hub_can.node"));
  const program = await bundled(folder, 'import "./src/daemons/hub-cand.ts";');
  return outputOf(process.execPath, [program, ...readingArguments(recording, folder)], process.env);
}

/** Standard output of a program that ends with 0. */
export function outputOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8", maxBuffer: 1 << 28 });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** The same through a pipe whose reader takes its time. */
export function slowlyReadOutputOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv): string {
  return outputOf("sh", ["-c", '"$@" | (sleep 1; cat)', "sh", program, ...args], env);
}
