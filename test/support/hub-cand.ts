/** The bundled daemon as a child process, for tests of what a user sees. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { endsWithTest } from "./ends-with-test.ts";

export const hubCand = resolve("dist/hub-cand.mjs");

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts hub-cand; standard input is what is given, or nothing. */
export function startHubCand(args: readonly string[]): ChildProcess {
  return endsWithTest(spawn(process.execPath, [hubCand, ...args], { stdio: ["pipe", "pipe", "pipe"] }));
}

/** Collects what a program writes to a stream. */
export function textOf(stream: Readable | null): () => string {
  let text = "";
  stream!.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  return () => text;
}

/** Runs hub-cand to its end. */
export async function runHubCand(args: readonly string[], input: string | Buffer = ""): Promise<Finished> {
  const child = startHubCand(args);
  const stdout: Buffer[] = [];
  const stderr = textOf(child.stderr);
  child.stdout!.on("data", (chunk: Buffer) => stdout.push(chunk));
  // The program may end without reading all of its input.
  child.stdin!.on("error", () => {});
  child.stdin!.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: stderr() };
}

export interface Line {
  readonly topic: string;
  readonly retain: boolean;
  readonly payload: {
    readonly data: { readonly pgn: number; readonly [name: string]: unknown };
    readonly metadata: object;
  };
}

/** The lines of `--stdout`, parsed. */
export const linesOf = (stdout: string): Line[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
