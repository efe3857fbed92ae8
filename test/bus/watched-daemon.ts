/** hub-cand on an interface, and the messages that it publishes about that interface. */
import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { startHubCand } from "../support/hub-cand.ts";

export interface PublishedInterface {
  /** Wall clock at which it was read, milliseconds. */
  readonly at: number;
  readonly retain: boolean;
  readonly data: { readonly [name: string]: unknown };
}

export class WatchedDaemon {
  readonly interface: string;
  readonly published: PublishedInterface[] = [];
  /** Lines of all other topics. */
  readonly others: string[] = [];
  stderr = "";
  readonly #child: ChildProcess;

  constructor(name: string, ...options: readonly string[]) {
    this.interface = name;
    this.#child = startHubCand(["-i", name, "--stdout", "-c", "/nonexistent", ...options]);
    let rest = "";
    this.#child.stdout!.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        if (!line.startsWith(`{"topic":"can/${name}/interface"`)) {
          this.others.push(line);
          continue;
        }
        const { retain, payload } = JSON.parse(line);
        this.published.push({ at: Date.now(), retain, data: payload.data });
      }
    });
    this.#child.stderr!.on("data", (chunk: Buffer) => {
      this.stderr += chunk;
    });
  }

  get latest(): PublishedInterface["data"] | undefined {
    return this.published.at(-1)?.data;
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await once(this.#child, "close");
  }
}

const run = promisify(execFile);

/** `ip`, asynchronously: the program that answers the kernel may run on this event loop. */
export const ip = async (...words: readonly string[]): Promise<string> => (await run("ip", words)).stdout;
