/** A virtual bus for a test, traffic for it, and candump as a second listener. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { simulatedCandump } from "../../../src/services/simulation/candump-text.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

export interface Vcan {
  readonly name: string;
  /** Frames sent by all programs since it was made. */
  sentFrames(): number;
  up(): void;
  down(): void;
  make(): void;
  remove(): void;
}

/** Makes a virtual interface that is up; an existing one of this name is removed first. */
export function vcan(name: string): Vcan {
  const ip = (...words: string[]): void => void execFileSync("ip", words, { stdio: "pipe" });
  const remove = (): void => void spawnSync("ip", ["link", "delete", name]);
  const make = (): void => {
    ip("link", "add", "dev", name, "type", "vcan");
    ip("link", "set", name, "up");
  };
  remove();
  make();
  return {
    name,
    sentFrames: () => Number(readFileSync(`/sys/class/net/${name}/statistics/tx_packets`, "utf8")),
    up: () => ip("link", "set", name, "up"),
    down: () => ip("link", "set", name, "down"),
    make,
    remove,
  };
}

/** The first `count` frames of the simulated voyage as lines `ID#DATA`. */
export function voyageFrames(count: number): string[] {
  const frames: string[] = [];
  for (const text of simulatedCandump(Number.POSITIVE_INFINITY, Date.UTC(2026, 10, 21))) {
    for (const line of text.split("\n")) {
      if (line === "") continue;
      if (frames.length === count) return frames;
      frames.push(line.slice(line.lastIndexOf(" ") + 1));
    }
  }
  return frames;
}

/** Text of `candump -L` in which frames follow each other at a rate, frames a second. */
export function recordingOf(frames: readonly string[], rate: number, name: string, begin = 1_700_000_000): string {
  return frames.map((frame, at) => `(${(begin + at / rate).toFixed(6)}) ${name} ${frame}\n`).join("");
}

/**
 * `canplayer` on a file of `candump -L` text, at the rate of its time stamps; resolves at its end. It sends the frames
 * that are due every `gap` milliseconds.
 */
export async function play(file: string, gap = 1): Promise<void> {
  const player = spawn("canplayer", ["-g", String(gap), "-I", file], { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(player, "close");
  if (code !== 0) throw new Error(`canplayer ended with ${code}`);
}

/**
 * Sends frames `ID#DATA` by one process, as fast as the interface takes them: the parts of one message are at most
 * 750 ms apart, which programs that are started one by one exceed on a busy machine.
 */
export function burst(name: string, frames: readonly string[]): void {
  execFileSync("canplayer", ["-t", "-g", "0"], {
    input: frames.map((frame) => `(0.000000) ${name} ${frame}\n`).join(""),
  });
}

/** A file of lines to which a program is writing. */
export class LinesOfFile {
  readonly #path: string;
  #at = 0;
  #count = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The number of whole lines so far; only new bytes are read. */
  get count(): number {
    const file = openSync(this.#path, "r");
    const chunk = Buffer.alloc(1 << 16);
    for (let length = readSync(file, chunk, 0, chunk.length, this.#at); length > 0; ) {
      this.#at += length;
      for (let at = chunk.indexOf(10); at !== -1 && at < length; at = chunk.indexOf(10, at + 1)) this.#count++;
      length = readSync(file, chunk, 0, chunk.length, this.#at);
    }
    closeSync(file);
    return this.#count;
  }

  lines(): string[] {
    return readFileSync(this.#path, "utf8").split("\n").slice(0, -1);
  }
}

/** A frame without meaning, which shows that a listener is listening. */
const PROBE = "7FF#00";
export const isProbe = (line: string): boolean => line.endsWith(` ${PROBE}`);

/**
 * `candump -L` beside the daemon: its output, and the number of frames that the kernel had no room for in its socket.
 * It writes to a file, so that no slow reader delays it; it ends with the interface.
 */
export class Candump {
  readonly #name: string;
  readonly #folder = temporaryFolder("candump");
  readonly #child: ChildProcess;

  constructor(name: string) {
    this.#name = name;
    const file = openSync(join(this.#folder, "log"), "w");
    this.#child = spawn("candump", ["-L", "-d", "-r", String(4 << 20), name], { stdio: ["ignore", file, "inherit"] });
    closeSync(file);
  }

  /** Resolves when it has written a probe, which is not among `frames`. */
  async isListening(): Promise<void> {
    while (!this.text.includes(PROBE)) {
      execFileSync("cansend", [this.#name, PROBE]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The output so far, in whole lines. */
  get text(): string {
    return readFileSync(join(this.#folder, "log"), "utf8").replace(/[^\n]*$/, "");
  }

  /** Frames as `ID#DATA`. */
  get frames(): string[] {
    return this.text
      .split("\n")
      .filter((line) => line.startsWith("(") && !isProbe(line))
      .map((line) => line.slice(line.lastIndexOf(" ") + 1));
  }

  /** The number of `frames`, counted in C: an emulated processor takes seconds to split what a storm has left. */
  get count(): number {
    const counted = spawnSync("grep", ["-c", `^(.* [^ ]*#`, join(this.#folder, "log")], { encoding: "utf8" });
    const probes = spawnSync("grep", ["-c", ` ${PROBE}$`, join(this.#folder, "log")], { encoding: "utf8" });
    return Number(counted.stdout) - Number(probes.stdout);
  }

  /** Frames for which the kernel had no room, by its own count. */
  get dropped(): number {
    const counts = [...this.text.matchAll(/^DROPCOUNT: dropped (\d+) CAN frame/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "close");
    if (this.#child.exitCode === null && this.#child.kill()) await ended;
    rmSync(this.#folder, { recursive: true });
  }
}
