/** A virtual bus of a test's own, traffic for it, and a witness beside the daemon. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { simulatedCandump } from "../../../src/simulation/candump-text.ts";

export interface Vcan {
  readonly name: string;
  /** Frames that anybody has sent since it was made. */
  sentFrames(): number;
  up(): void;
  down(): void;
  make(): void;
  remove(): void;
}

/** Makes a virtual interface that is up; one of its name goes away first. */
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

/** `canplayer` on a file of `candump -L` text, as fast as its time stamps say; resolves at its end. */
export async function play(file: string): Promise<void> {
  const player = spawn("canplayer", ["-I", file], { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(player, "close");
  if (code !== 0) throw new Error(`canplayer ended with ${code}`);
}

/** `candump` beside the daemon: how many frames it has written, and how many the kernel had no room for in its socket. */
export class Candump {
  readonly lines: string[] = [];
  /** Frames it was told it has missed. */
  dropped = 0;
  readonly #child: ChildProcess;

  constructor(name: string) {
    // Line by line even into a pipe, so that what it has seen is known while it runs.
    this.#child = spawn("candump", ["-L", "-d", "-r", String(4 << 20), name], { stdio: ["ignore", "pipe", "inherit"] });
    let rest = "";
    this.#child.stdout!.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const lost = /^DROPCOUNT: dropped (\d+) CAN frame/.exec(line);
        if (lost) this.dropped += Number(lost[1]);
        else this.lines.push(line);
      }
    });
  }

  /** Frames as `ID#DATA`. */
  get frames(): string[] {
    return this.lines.map((line) => line.slice(line.lastIndexOf(" ") + 1));
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "close");
    this.#child.kill();
    await ended;
  }
}
