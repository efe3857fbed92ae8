/**
 * A second process of the same program for requests that cause much work. It may use time and memory; if it runs out of
 * memory, it ends alone, and its requests are answered with 500. It starts with the first such request, listens on an
 * abstract socket, and ends when it has been idle for a while, or with its parent. Requests and responses pass through
 * as bytes.
 *
 * A worker thread would not do: V8 ends the whole process for most allocations beyond the limit of a worker.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { freemem, totalmem } from "node:os";
import { createInterface } from "node:readline";
import type { Log } from "../../../core/ports/log.ts";

/** The path of an abstract socket, which has no file and ends with the process. */
export const pathOf = (name: string): string => `\0${name}`;
const IDLE_MS = 10_000;
const END_MS = 10;
const MIB = 1 << 20;
const MIN_HEAP_MIB = 64;
/**
 * Shares of the usable memory: one third for the heap, one quarter for bodies, which exist twice for a moment. The rest
 * is for the bytes of files: with more, the kernel would discard the code of all processes before it ends one.
 */
const [HEAP, BODIES] = [3, 4];

type Lock = <Value>(work: () => Promise<Value>) => Promise<Value>;

export interface SecondProcessOptions {
  readonly program: string;
  readonly args: () => readonly string[];
  /** The environment of the second process, which tells it the name of its socket. */
  readonly environment: (socketName: string) => NodeJS.ProcessEnv;
  /** Runs one change at a time; the second process holds it while it serves a change. */
  readonly exclusive: Lock;
  readonly log: Log;
  readonly idleMs?: number;
  /** Usable bytes. Default: the memory of the machine or of the control group. */
  readonly memory?: () => number;
}

/** At least a quarter of all memory, because a sandbox may hide how much of the used memory is a cache. */
function availableMemory(): number {
  const available = process.availableMemory?.() ?? freemem();
  return Math.max(available, Math.min(totalmem(), process.constrainedMemory?.() || Infinity) / 4);
}

interface Running {
  readonly child: ChildProcess;
  /** The path of its socket, as soon as it listens; rejects if it ends before. */
  readonly socket: Promise<string>;
}

export class SecondProcess {
  readonly #options: SecondProcessOptions;
  readonly #memory: () => number;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;
  #requests = 0;
  /** Bytes of the bodies of unanswered requests in the second process. */
  #held = 0;

  constructor(options: SecondProcessOptions) {
    this.#options = options;
    this.#memory = options.memory ?? availableMemory;
  }

  /**
   * Passes a request on, with `body` if it has been read from, and its response to the client; rejects if there is
   * none.
   */
  async forward(request: IncomingMessage, body: AsyncIterable<Uint8Array> = bodyOf(request)): Promise<void> {
    const room = this.#memory() / BODIES;
    clearTimeout(this.#idle);
    this.#requests++;
    let size = 0;
    const take = (bytes: number): void => {
      size += bytes;
      this.#held += bytes;
      if (this.#held > room) throw new Error("not enough memory");
    };
    try {
      if (Number(request.headers["content-length"] ?? 0) > room - this.#held) throw new Error("not enough memory");
      this.#running ??= this.#start();
      await this.#pass(request, counted(body, take), this.#running);
    } catch (error) {
      // If the client has gone, no response is missing.
      const { message: reason } = error as Error;
      if (!request.socket.destroyed) this.#options.log.error("large request failed", { code: "OUT_OF_MEMORY", reason });
      throw error;
    } finally {
      this.#held -= size;
      this.#requests--;
      if (this.#requests === 0) this.#idle = setTimeout(() => this.close(), this.#options.idleMs ?? IDLE_MS).unref();
    }
  }

  /** Ends the process, also within a request. */
  close(): void {
    const ended = this.#running;
    this.#running = undefined;
    ended?.child.kill("SIGKILL");
  }

  async #pass(request: IncomingMessage, body: AsyncIterable<Uint8Array>, running: Running): Promise<void> {
    const upstream = connect(await running.socket);
    /** Whether it has answered or was given up, so that its connection may close. */
    let isOver = false;
    upstream.once("data", () => {
      isOver = true;
    });
    upstream.once("close", (hadError) => {
      // The process has ended, unless the client has gone; the parent gets the event later.
      if (!isOver && (hadError || !request.socket.destroyed) && this.#running === running) this.close();
    });
    try {
      await exchange(request, body, upstream, () => running.child.connected);
    } finally {
      isOver = true;
    }
  }

  #start(): Running {
    const name = `hub-configd-${process.pid}-${crypto.randomUUID()}`;
    const child = startChild(this.#options, name, this.#memory());
    const ready = once(child, "message").then(() => pathOf(name));
    ready.catch(() => {});
    child.once("exit", () => {
      if (this.#running?.child === child) this.#running = undefined;
    });
    return { child, socket: Promise.race([ready, once(child, "exit").then(() => Promise.reject(new Error("ended")))]) };
  }
}

function startChild(options: SecondProcessOptions, name: string, memory: number): ChildProcess {
  const { program, args, environment, exclusive } = options;
  const heap = Math.max(MIN_HEAP_MIB, Math.floor(memory / HEAP / MIB));
  const child = fork(program, args(), {
    // The flags of the first process are not passed on: they are for little memory.
    execArgv: [`--max-old-space-size=${heap}`],
    env: environment(name),
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  // Only its log lines are passed on: V8 prints pages when it runs out of memory.
  createInterface(child.stderr!).on("line", (line) => {
    if (line.startsWith("config: ")) process.stderr.write(`${line}\n`);
  });
  // The request itself reports that there is no response.
  child.on("error", () => {});
  let unlock = (): void => {};
  child.once("exit", () => unlock());
  child.on("message", (message) => {
    if (message === "unlock") unlock();
    if (message !== "lock") return;
    void exclusive(async () => {
      if (!child.connected) return;
      const unlocked = new Promise<void>((resolve) => {
        unlock = resolve;
      });
      child.send("locked");
      await unlocked;
    });
  });
  return child;
}

const bodyOf = (request: IncomingMessage): AsyncIterable<Uint8Array> => request.iterator({ destroyOnReturn: false });

async function* counted(body: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    count(chunk.length);
    yield chunk;
  }
}

/** Sends the request, whose body may arrive slowly, and passes the response to the client until the connection ends. */
async function exchange(
  request: IncomingMessage,
  body: AsyncIterable<Uint8Array>,
  upstream: Socket,
  isAlive: () => boolean,
): Promise<void> {
  const { socket } = request;
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  let isAnswered = false;
  const abandon = (): void => void upstream.destroy();
  socket.once("close", abandon);
  const answered = new Promise<void>((resolve, reject) => {
    upstream.once("data", () => {
      isAnswered = true;
    });
    upstream.on("error", () => {});
    upstream.once("close", () =>
      isAnswered || socket.destroyed ? resolve() : reject(new Error("the process for it has ended")),
    );
  });
  answered.catch(() => {});
  try {
    upstream.write(headOf(request, isChunked));
    upstream.pipe(socket, { end: false });
    for await (const chunk of body) {
      if (isChunked) upstream.write(`${chunk.length.toString(16)}\r\n`);
      const isFull = !upstream.write(chunk);
      if (isChunked) upstream.write("\r\n");
      // `once` is not used: it rejects when the other side has answered before it has read all.
      const drained = (): Promise<void> => new Promise((resolve) => upstream.once("drain", resolve));
      if (isFull && !upstream.destroyed) await Promise.race([drained(), answered]);
    }
    if (isChunked) upstream.write("0\r\n\r\n");
    await answered;
    // A killed process closes its sockets too, a moment before its parent gets the event.
    await new Promise((resolve) => setTimeout(resolve, END_MS));
    if (isAlive()) socket.end(() => socket.destroy());
    else socket.resetAndDestroy();
  } finally {
    socket.off("close", abandon);
    upstream.destroy();
  }
}

const hopByHop: ReadonlySet<string> = new Set(["connection", "expect", "keep-alive", "transfer-encoding"]);

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage, isChunked: boolean): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    const isLength = isChunked && name.toLowerCase() === "content-length";
    if (!hopByHop.has(name.toLowerCase()) && !isLength) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  if (isChunked) lines.push("Transfer-Encoding: chunked");
  return `${lines.join("\r\n")}\r\n\r\n`;
}
