/**
 * Sends lines to an engine over HTTP, the oldest first, from memory, to spare the medium of a boat's computer. While
 * the engine takes none, and at the end, they go to a queue on disk. An engine that is away or busy is tried again
 * without end; refused points are dropped and counted, of a body that is too large only single lines.
 *
 * Lines that the engine took are kept until it must have written them to disk, and sent again if it fails before, or if
 * this process ends. Repeated points have the same time stamps, and engines store them once.
 */

import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import { linesIn, type SegmentQueue } from "../files/segment-queue.ts";
import type { Answer, EngineClient } from "../http/engine-client.ts";
import type { LineBuffer } from "./line-buffer.ts";

/** Time from a failure to the next attempt; twice as long each time, up to the second number. */
const RETRY_MS = [1000, 30_000] as const;
const ANSWER_MS = 30_000;
/**
 * VictoriaMetrics as packaged has points on disk after four minutes: every `-inmemoryDataFlushInterval` it writes the
 * points that have been in memory for that time.
 */
const SETTLED_MS = 270_000;
/** Interval at which points are written to disk while the engine is away. */
const STORE_MS = 60_000;
/** Maximum characters that wait in memory while the queue is sent, before they are appended to it. */
const MAX_WAITING = 1 << 20;

/** Status codes for points that will never be accepted; other errors pass, or the operator has to correct them. */
const refusals = [400, 413, 422];
/** Status of a body that is too large for the engine, or for a proxy in front of it. */
const TOO_LARGE = 413;
const LINE_FEED = 0x0a;

export interface LineForwarderOptions {
  /** URL for the log. */
  readonly url: string;
  readonly engine: EngineClient;
  readonly buffer: LineBuffer;
  readonly queue: SegmentQueue;
  readonly clock: Clock;
  readonly log: Log;
}

/** The body of one request, and a function to call when the engine has taken it. */
interface Body {
  readonly bytes: Uint8Array;
  taken(at: number): void;
}

/** Attempts after which the lines of a body are tried apart. */
const MAX_FAILED_ANSWERS = 5;

const isTaken = (answer: Answer | string): boolean =>
  typeof answer !== "string" && answer.status >= 200 && answer.status < 300 && !answer.isPage;

function halvesOf(body: Uint8Array): readonly [half: Uint8Array, rest: Uint8Array] {
  const next = body.indexOf(LINE_FEED, body.length >> 1) + 1;
  // The last line may be longer than the others together.
  const middle = next < body.length ? next : body.lastIndexOf(LINE_FEED, body.length - 2) + 1;
  return [body.subarray(0, middle), body.subarray(middle)];
}
export class LineForwarder {
  readonly #options: LineForwarderOptions;
  #request: AbortController | undefined;
  #isClosed = false;
  #turn: Promise<void> | undefined;
  /** Files that the engine has taken and may lose, the oldest first, with the monotonic time at which it took them. */
  #taken: readonly { readonly number: number; readonly at: number }[] = [];
  #retryMs: number = RETRY_MS[0];
  /** Monotonic times of the next attempt and of the next writing to disk, milliseconds. */
  #nextAttempt = Number.NEGATIVE_INFINITY;
  #nextStore = Number.NEGATIVE_INFINITY;
  /** The failure that was logged; undefined: none since the last success. */
  #failure: string | undefined;
  /** Attempts in a row that the engine has answered with a failure of its own. */
  #failedAnswers = 0;
  /** Bodies that the engine has taken. */
  sent = 0;
  /** Points that the engine has refused, and its last reason. */
  refused = 0;
  refusal = { status: 0, reason: "" };
  /** Faults of hub itself, each of which costs a turn, and the reason of the last. */
  faults = 0;
  fault = "";

  constructor(options: LineForwarderOptions) {
    this.#options = options;
  }

  /** Sends the waiting lines, unless it is sending already or waits for the next attempt. */
  async advance(): Promise<void> {
    if (this.#turn !== undefined || this.#isClosed) return;
    this.#turn = this.#advance().catch((error: unknown) => {
      this.faults++;
      this.fault = String(error);
      this.#fail(this.fault);
    });
    await this.#turn;
    this.#turn = undefined;
  }

  /** Aborts the current request, and writes the lines to disk that the engine may not have. */
  async close(): Promise<void> {
    const { buffer, engine } = this.#options;
    this.#isClosed = true;
    this.#request?.abort();
    await this.#turn;
    const waiting = buffer.waiting();
    buffer.takeBack();
    if (!(await this.#store())) buffer.drop(waiting);
    engine.close();
  }

  async #advance(): Promise<void> {
    const { engine, clock } = this.#options;
    await this.#settle(clock.monotonic() - SETTLED_MS);
    if (engine.hasLost) this.#takeBack();
    engine.hasLost = false;
    try {
      if (clock.monotonic() >= this.#nextAttempt) await this.#send();
    } finally {
      if (this.#failure !== undefined && clock.monotonic() >= this.#nextStore) await this.#store();
    }
  }

  /** The engine may have lost the lines that it took last. */
  #takeBack(): void {
    this.#taken = [];
    this.#options.buffer.takeBack();
  }

  /** Forgets the lines that the engine took before a time. */
  async #settle(since: number): Promise<void> {
    const { buffer, queue } = this.#options;
    buffer.settle(since);
    const settled = this.#taken.filter(({ at }) => at <= since);
    this.#taken = this.#taken.slice(settled.length);
    await queue.remove(settled.map(({ number }) => number));
  }

  async #send(): Promise<void> {
    const { buffer, clock } = this.#options;
    for (let body = await this.#next(); body !== undefined && !this.#isClosed; body = await this.#next()) {
      const failure = body.bytes.length === 0 ? undefined : await this.#post(body.bytes);
      if (failure !== undefined) return this.#fail(failure);
      body.taken(clock.monotonic());
      if (buffer.waitingLength > MAX_WAITING) await this.#store();
    }
  }

  /** The next body: lines on disk go first, because they are older than those in memory. */
  async #next(): Promise<Body | undefined> {
    const { buffer, queue } = this.#options;
    const segment = await queue.take(this.#taken.at(-1)?.number);
    if (segment !== undefined) {
      const taken = (at: number): void => {
        this.#taken = [...this.#taken, { number: segment.number, at }];
      };
      return { bytes: segment.bytes, taken };
    }
    const block = buffer.next();
    return block && { bytes: Buffer.from(block.text), taken: (at) => buffer.take(block, at) };
  }

  /** Moves the waiting lines to disk; false: they cannot be written, and stay in memory. */
  async #store(): Promise<boolean> {
    const { buffer, queue, clock } = this.#options;
    this.#nextStore = clock.monotonic() + STORE_MS;
    const blocks = buffer.waiting();
    const isStored = await queue.append(Buffer.from(blocks.map(({ text }) => text).join("")));
    if (isStored) buffer.remove(blocks);
    return isStored;
  }

  /** The reason why the engine did not take a body; undefined: it has, or never will. */
  async #post(body: Uint8Array): Promise<string | undefined> {
    if (this.#isClosed) return "closed";
    const answer = await this.#exchange(body);
    if (typeof answer === "string") return answer;
    const { status, reason, isPage } = answer;
    if (isPage && status >= 200 && status < 300) return "a page in place of the answer of an engine";
    if (isTaken(answer)) this.#succeed();
    else if (status === TOO_LARGE && linesIn(body) > 1) return this.#postHalves(body);
    else if (refusals.includes(status)) this.#refuse(body, status, reason);
    else if (++this.#failedAnswers >= MAX_FAILED_ANSWERS && (await this.#takesOthers(body))) return this.#sift(body);
    else return `${status} ${reason}`;
    return undefined;
  }

  /** Whether the engine takes a line of its own: the first or the last one of a body, or the newest one. */
  async #takesOthers(body: Uint8Array): Promise<boolean> {
    const first = body.subarray(0, body.indexOf(LINE_FEED) + 1);
    const last = body.subarray(body.lastIndexOf(LINE_FEED, body.length - 2) + 1);
    const newest = this.#options.buffer.waiting().at(-1)?.text.split("\n").at(-2);
    for (const line of [first, last, ...(newest === undefined ? [] : [Buffer.from(`${newest}\n`)])])
      if (line.length < body.length && isTaken(await this.#exchange(line))) return true;
    return false;
  }

  /** Sends a body in parts, and leaves out the lines that an engine which takes others never takes. */
  async #sift(body: Uint8Array): Promise<string | undefined> {
    const answer = await this.#exchange(body);
    if (typeof answer === "string") return answer;
    if (isTaken(answer)) this.#succeed();
    else if (linesIn(body) > 1) {
      const [half, rest] = halvesOf(body);
      return (await this.#sift(half)) ?? (await this.#sift(rest));
    } else this.#refuse(body, answer.status, answer.reason);
    return undefined;
  }

  /** The engine's response, or the reason why there is none. */
  async #exchange(body: Uint8Array): Promise<Answer | string> {
    const { engine, clock } = this.#options;
    const request = new AbortController();
    this.#request = request;
    const cancel = clock.after(ANSWER_MS, () => request.abort(new Error("no answer in time")));
    try {
      return await engine.post(body, request.signal);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return typeof code === "string" ? code : message;
    } finally {
      cancel();
    }
  }

  async #postHalves(body: Uint8Array): Promise<string | undefined> {
    const [half, rest] = halvesOf(body);
    return (await this.#post(half)) ?? (await this.#post(rest));
  }

  #refuse(body: Uint8Array, status: number, reason: string): void {
    this.refused += linesIn(body);
    this.refusal = { status, reason };
  }

  #succeed(): void {
    const { log, url } = this.#options;
    if (this.#failure !== undefined || this.sent === 0) log.info("the engine takes points", { url });
    this.sent++;
    this.#failedAnswers = 0;
    this.#failure = undefined;
    this.#retryMs = RETRY_MS[0];
  }

  #fail(reason: string): void {
    this.#takeBack();
    if (this.#isClosed) return;
    const { log, clock, url, buffer, queue } = this.#options;
    const fields = { url, reason, waitingBytes: queue.bytes + buffer.length };
    if (this.#failure === reason) log.debug("the engine is still away", fields);
    else log.warn("the engine is away, points wait", { code: "HISTORY_AWAY", ...fields });
    this.#failure = reason;
    this.#nextAttempt = clock.monotonic() + this.#retryMs;
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MS[1]);
  }
}
