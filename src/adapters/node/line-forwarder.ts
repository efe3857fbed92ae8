/**
 * Sends the files of a queue to an engine over HTTP, the oldest first. An engine that is away or busy is tried again for ever; a file
 * that it refuses is dropped and counted.
 *
 * What it has taken is removed a while later, and sent again if it fails meanwhile, or this process does, because an engine that is
 * killed loses what it had not on disk. The same points have the same time stamps, and engines keep them once.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { SegmentQueue } from "./segment-queue.ts";

/** From a failure to the next attempt; twice as long each time, up to the second number. */
const RETRY_MS = [1000, 30_000] as const;
const ANSWER_MS = 30_000;
/** VictoriaMetrics has on disk within five seconds what it has taken. */
const SETTLED_MS = 10_000;

/** Answers that mean that these points will never be taken; others pass, or are for the operator to mend. */
const refusals = [400, 413, 422];

export interface LineForwarderOptions {
  readonly url: string;
  /** Value of the header Authorization. */
  readonly authorization?: string | undefined;
  readonly queue: SegmentQueue;
  readonly clock: Clock;
  readonly log: Log;
  /** For lines that each file can cause. */
  readonly limitedLog: Log;
}

export class LineForwarder {
  readonly #options: LineForwarderOptions;
  readonly #end = new AbortController();
  #isBusy = false;
  /** Files that the engine has taken and may lose, the oldest first, and the monotonic time of that. */
  #taken: readonly { readonly number: number; readonly at: number }[] = [];
  #retryMs: number = RETRY_MS[0];
  /** Monotonic time of the next attempt, milliseconds. */
  #next = Number.NEGATIVE_INFINITY;
  /** The failure that was logged; undefined: none since the last success. */
  #failure: string | undefined;
  /** Files that the engine has taken, and refused. */
  sent = 0;
  refused = 0;

  constructor(options: LineForwarderOptions) {
    this.#options = options;
  }

  /** Sends what there is, unless it is sending already or waits for the next attempt. */
  async advance(): Promise<void> {
    const { queue, clock } = this.#options;
    if (this.#isBusy || this.#end.signal.aborted || clock.monotonic() < this.#next) return;
    this.#isBusy = true;
    try {
      await this.#removeTaken(clock.monotonic() - SETTLED_MS);
      for (;;) {
        const segment = await queue.take(this.#taken.at(-1)?.number);
        if (segment === undefined || this.#end.signal.aborted) return;
        const failure = segment.bytes.length === 0 ? undefined : await this.#post(segment.bytes);
        if (failure !== undefined) {
          this.#taken = [];
          this.#fail(failure);
          return;
        }
        this.#taken = [...this.#taken, { number: segment.number, at: clock.monotonic() }];
      }
    } finally {
      this.#isBusy = false;
    }
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#removeTaken(Number.POSITIVE_INFINITY);
  }

  /** Removes what was taken at a time or before. */
  async #removeTaken(at: number): Promise<void> {
    const settled = this.#taken.filter((one) => one.at <= at);
    this.#taken = this.#taken.slice(settled.length);
    for (const { number } of settled) await this.#options.queue.remove(number);
  }

  /** Why the engine did not take it; undefined: it has, or never will. */
  async #post(body: Uint8Array): Promise<string | undefined> {
    const { url, authorization, limitedLog } = this.#options;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "text/plain; charset=utf-8", ...(authorization !== undefined && { authorization }) },
        body: body as Uint8Array<ArrayBuffer>,
        redirect: "error",
        signal: AbortSignal.any([this.#end.signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      const text = (await response.text()).slice(0, 200);
      if (response.ok) this.#succeed();
      else if (refusals.includes(response.status)) {
        this.refused++;
        limitedLog.warn("the engine refuses points, they are dropped", {
          code: "HISTORY_REFUSED",
          status: response.status,
          reason: text,
        });
      } else return `${response.status} ${text}`;
      return undefined;
    } catch (error) {
      const { cause, message } = error as Error;
      return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message;
    }
  }

  #succeed(): void {
    const { log, url } = this.#options;
    if (this.#failure !== undefined || this.sent === 0) log.info("the engine takes points", { url });
    this.sent++;
    this.#failure = undefined;
    this.#retryMs = RETRY_MS[0];
  }

  #fail(reason: string): void {
    if (this.#end.signal.aborted) return;
    const { log, clock, url, queue } = this.#options;
    const fields = { url, reason, waitingBytes: queue.bytes };
    if (this.#failure === reason) log.debug("the engine is still away", fields);
    else log.warn("the engine is away, points wait on disk", { code: "HISTORY_AWAY", ...fields });
    this.#failure = reason;
    this.#next = clock.monotonic() + this.#retryMs;
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MS[1]);
  }
}
