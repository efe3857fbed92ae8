/**
 * Requests to stop: by SIGINT, SIGTERM, or a part of the daemon that cannot go on. The first import of a daemon, so
 * that a signal during the start is a clean stop too.
 *
 * A daemon ends by an empty event loop, so that output to a pipe is delivered on every runtime. Only if something keeps
 * it alive long after the request to stop, such as a reader that never reads, it ends by `process.exit`.
 */
import { setTimeout } from "node:timers";

export class Stop {
  /** Longest time from the signal to the end. */
  deadlineMs = 2000;
  /** Resolves at the request to stop. */
  readonly asked: Promise<void>;
  #exitCode = 0;
  #isAsked = false;
  #resolveAsked = (): void => {};
  #resolveUntil = (): void => {};

  constructor() {
    this.asked = new Promise((resolve) => {
      this.#resolveAsked = resolve;
    });
  }

  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** The exit code of the first `ask`; 0 without one. */
  get exitCode(): number {
    return this.#exitCode;
  }

  /** Requests the daemon to stop; further calls change nothing. */
  ask(exitCode = 0): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#exitCode = exitCode;
    this.#resolveAsked();
    this.#resolveUntil();
    setTimeout(() => process.exit(exitCode), this.deadlineMs).unref();
  }

  /** Resolves `milliseconds` after the request to stop; its timer does not keep the process alive. */
  async after(milliseconds: number): Promise<void> {
    await this.asked;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, milliseconds).unref();
    });
  }

  /**
   * Resolves with `event`, or at the request to stop; one call at a time. A race with `asked` would keep each of its
   * calls in memory to the end.
   */
  until(event: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isAsked) return resolve();
      this.#resolveUntil = resolve;
      void event.then(resolve);
    });
  }
}

export const stop = new Stop();

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.ask());
