/**
 * Sends the files of a queue to an engine over HTTP, the oldest first. An engine that is away or busy is tried again for ever; points
 * that it refuses are dropped and counted, those of a body that is too large for it only where one line is.
 *
 * What it has taken is removed a while later, and sent again if it fails meanwhile, or this process does, because an engine that is
 * killed loses what it had not on disk. The same points have the same time stamps, and engines keep them once.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { linesIn, type SegmentQueue } from "./segment-queue.ts";

/** From a failure to the next attempt; twice as long each time, up to the second number. */
const RETRY_MS = [1000, 30_000] as const;
const ANSWER_MS = 30_000;
/** VictoriaMetrics has on disk within five seconds what it has taken. */
const SETTLED_MS = 10_000;

/** Answers that mean that these points will never be taken; others pass, or are for the operator to mend. */
const refusals = [400, 413, 422];
/** More than the engine, or a proxy before it, takes at once. */
const TOO_LARGE = 413;
/** Of an answer, for the log. */
const MAX_REASON_BYTES = 200;
const LINE_FEED = 0x0a;

export interface LineForwarderOptions {
  readonly url: string;
  /** Value of the header Authorization. */
  readonly authorization?: string | undefined;
  readonly queue: SegmentQueue;
  readonly clock: Clock;
  readonly log: Log;
}

export class LineForwarder {
  readonly #options: LineForwarderOptions;
  #request: AbortController | undefined;
  #isClosed = false;
  #isBusy = false;
  /** Files that the engine has taken and may lose, the oldest first, and the monotonic time of that. */
  #taken: readonly { readonly number: number; readonly at: number }[] = [];
  #retryMs: number = RETRY_MS[0];
  /** Monotonic time of the next attempt, milliseconds. */
  #next = Number.NEGATIVE_INFINITY;
  /** The failure that was logged; undefined: none since the last success. */
  #failure: string | undefined;
  /** Bodies that the engine has taken. */
  sent = 0;
  /** Points that it has refused, and its last reason. */
  refused = 0;
  refusal = { status: 0, reason: "" };

  constructor(options: LineForwarderOptions) {
    this.#options = options;
  }

  /** Sends what there is, unless it is sending already or waits for the next attempt. */
  async advance(): Promise<void> {
    const { queue, clock } = this.#options;
    if (this.#isBusy || this.#isClosed || clock.monotonic() < this.#next) return;
    this.#isBusy = true;
    try {
      await this.#removeTaken(clock.monotonic() - SETTLED_MS);
      for (;;) {
        const segment = await queue.take(this.#taken.at(-1)?.number);
        if (segment === undefined || this.#isClosed) return;
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
    this.#isClosed = true;
    this.#request?.abort();
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
    const { url, authorization, clock } = this.#options;
    if (this.#isClosed) return "closed";
    const request = new AbortController();
    this.#request = request;
    // Not AbortSignal.timeout(): inside of AbortSignal.any() Node 20 collects it as garbage before its time.
    const cancel = clock.after(ANSWER_MS, () => request.abort(new Error("no answer in time")));
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "text/plain; charset=utf-8", ...(authorization !== undefined && { authorization }) },
        body: body as Uint8Array<ArrayBuffer>,
        redirect: "error",
        signal: request.signal,
      });
      const reason = await beginningOf(response);
      if (response.ok && isPage(response)) return "a page in place of the answer of an engine";
      if (response.ok) this.#succeed();
      else if (response.status === TOO_LARGE && linesIn(body) > 1) return await this.#postHalves(body);
      else if (refusals.includes(response.status)) this.#refuse(body, response.status, reason);
      else return `${response.status} ${reason}`;
      return undefined;
    } catch (error) {
      const { cause, message } = error as Error;
      return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message;
    } finally {
      cancel();
    }
  }

  async #postHalves(body: Uint8Array): Promise<string | undefined> {
    const next = body.indexOf(LINE_FEED, body.length >> 1) + 1;
    // The last line may be longer than the others together.
    const middle = next < body.length ? next : body.lastIndexOf(LINE_FEED, body.length - 2) + 1;
    return (await this.#post(body.subarray(0, middle))) ?? (await this.#post(body.subarray(middle)));
  }

  #refuse(body: Uint8Array, status: number, reason: string): void {
    this.refused += linesIn(body);
    this.refusal = { status, reason };
  }

  #succeed(): void {
    const { log, url } = this.#options;
    if (this.#failure !== undefined || this.sent === 0) log.info("the engine takes points", { url });
    this.sent++;
    this.#failure = undefined;
    this.#retryMs = RETRY_MS[0];
  }

  #fail(reason: string): void {
    if (this.#isClosed) return;
    const { log, clock, url, queue } = this.#options;
    const fields = { url, reason, waitingBytes: queue.bytes };
    if (this.#failure === reason) log.debug("the engine is still away", fields);
    else log.warn("the engine is away, points wait on disk", { code: "HISTORY_AWAY", ...fields });
    this.#failure = reason;
    this.#next = clock.monotonic() + this.#retryMs;
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MS[1]);
  }
}

/** The first bytes of a body, which may have no end. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= MAX_REASON_BYTES) break;
  }
  return text.slice(0, MAX_REASON_BYTES);
}

/** Of a network that asks for a login first, or of a web server at the wrong port. */
const isPage = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith("text/html") ?? false;
