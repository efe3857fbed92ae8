/** A command of the owner, run by the shell in its own process group, and again after its end, until it is stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { attempt } from "../../core/util/attempt.ts";

/** Pause between two runs, because a command that fails at once would keep a processor busy. */
const PAUSE_MS = 1000;
/** Bytes of the standard error of a run that go to the log. */
const MAX_ERROR_BYTES = 4096;
/** Pauses for which a part that has left the process group keeps the command from running again. */
const DETACHED_PAUSES = 60;
/** Time to end after SIGTERM. */
const END_MS = 1000;

export interface RepeatedCommandOptions {
  readonly command: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
}

export class RepeatedCommand {
  readonly #options: RepeatedCommandOptions;
  #variables: Readonly<Record<string, string>> | undefined;
  #child: ChildProcess | undefined;
  #cancelNext: (() => void) | undefined;
  #ended = (): void => {};

  constructor(options: RepeatedCommandOptions) {
    this.#options = options;
  }

  /** Starts the command unless it runs. Each run has the variables of the last call in addition to the environment. */
  run(variables: Readonly<Record<string, string>>): void {
    this.#variables = variables;
    if (this.#child === undefined && this.#cancelNext === undefined) this.#start();
  }

  stop(): void {
    this.#variables = undefined;
    this.#cancelNext?.();
    this.#cancelNext = undefined;
    const group = this.#child?.pid;
    if (group === undefined) return;
    kill(group, "SIGTERM");
    // Children of the command that ignore SIGTERM may outlive it.
    this.#options.clock.after(END_MS, () => kill(group, "SIGKILL"));
  }

  /** Stops the command and waits for its end. */
  async close(): Promise<void> {
    this.stop();
    if (this.#child !== undefined)
      await new Promise<void>((resolve) => {
        this.#ended = resolve;
      });
  }

  #start(): void {
    const { command, environment, log } = this.#options;
    log.info("the command runs", { ...this.#variables });
    const child = spawn("/bin/sh", ["-c", command], {
      detached: true,
      // The end of the last one shows that all processes that inherited it have ended.
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      env: { ...environment, ...this.#variables },
    });
    this.#child = child;
    let left = MAX_ERROR_BYTES;
    child.stderr!.on("data", (bytes: Buffer) => {
      if (left > 0) process.stderr.write(bytes.subarray(0, left));
      left -= bytes.length;
    });
    child.on("error", (error) => this.#end(error.message));
    const inherited = child.stdio[3] as Readable;
    inherited.on("error", () => {}).resume();
    child.on("exit", (code, signal) => {
      const reason = code === 0 ? undefined : (signal ?? `exit code ${code}`);
      this.#whenGone(child.pid!, inherited, () => {
        inherited.destroy();
        this.#end(reason);
      });
    });
  }

  /**
   * A command that has put a part of itself in the background runs as long as that; for a minute only if the part has
   * left its process group, because that may be a service that never ends, such as a sound server.
   */
  #whenGone(group: number, inherited: Readable, end: () => void, pauses = 0): void {
    const isDetached = !inherited.readableEnded && pauses < DETACHED_PAUSES;
    if (this.#variables !== undefined && (kill(group, 0) || isDetached))
      this.#options.clock.after(PAUSE_MS, () => this.#whenGone(group, inherited, end, pauses + 1));
    else end();
  }

  #end(reason: string | undefined): void {
    this.#child = undefined;
    this.#ended();
    if (this.#variables === undefined) return;
    const { clock, log } = this.#options;
    if (reason !== undefined) log.warn("the command of an alarm fails", { code: "ALARM_COMMAND_FAILED", reason });
    this.#cancelNext = clock.after(PAUSE_MS, () => {
      this.#cancelNext = undefined;
      this.#start();
    });
  }
}

/** Sends a signal to all processes of a group, 0 to look for them; false if all have ended. */
const kill = (group: number, signal: NodeJS.Signals | 0): boolean =>
  attempt(() => process.kill(-group, signal)) ?? false;
