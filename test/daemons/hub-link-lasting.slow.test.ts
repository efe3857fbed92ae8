/**
 * Half an hour of hub-link, at night an hour: the parts of the program as it opens them, real connections of clients
 * that come, stay and go, and a clock that the test moves. At the end it holds what it held at the beginning, and says
 * as much.
 */
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { systemClock } from "../../src/adapters/node/system-clock.ts";
import { hubLinkCommand } from "../../src/daemons/hub-link-options.ts";
import { openOutlets } from "../../src/daemons/hub-link-parts.ts";
import { Closers } from "../../src/daemons/program/closers.ts";
import { RateLimitedLog } from "../../src/services/bridge/rate-limited-log.ts";
import { Link } from "../../src/services/link/link.ts";
import { clockOf, type Published, publishedOf, START, voyageOf } from "../formats/signalk/boats.ts";
import { held } from "../support/held.ts";
import { memoryLog } from "../support/memory/log.ts";
import { freePort } from "../support/ports.ts";
import { atNight } from "../support/size.ts";

const STEP_MS = 10_000;
/** Minutes of a cycle, in which all happens that happens at all, and the cycles. */
const [CYCLE, CYCLES] = [10, atNight(3, 6)];

const LONGEST_NS = 60_000_000_000n;

/** Resolves when something holds; timers are the test's own. */
async function turns(what: string, holds: () => boolean): Promise<void> {
  const begun = process.hrtime.bigint();
  while (!holds()) {
    if (process.hrtime.bigint() - begun > LONGEST_NS) throw new Error(`this does not come: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The messages of each of the first seconds of the voyage. */
async function secondsOf(count: number): Promise<readonly (readonly Published[])[]> {
  const seconds: Published[][] = Array.from({ length: count }, () => []);
  for await (const message of publishedOf(voyageOf(count * 1000)))
    seconds[Math.min(count - 1, Math.max(0, Math.floor((clockOf(message) - START) / 1000)))]!.push(message);
  return seconds;
}

test("clients that come, stay and go leave timers, connections and listeners as they were", async () => {
  const seconds = await secondsOf(6);
  const [nmea0183, signalK, udp] = [await freePort(), await freePort(), await freePort()];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const command = hubLinkCommand([
    ...["--nmea0183", `127.0.0.1:${nmea0183}`, "--nmea0183-udp", `127.0.0.1:${udp}`],
    ...["--signalk", `127.0.0.1:${signalK}`],
  ]);
  if (command.kind !== "run") throw new Error("not to be run");
  const log = memoryLog();
  const limitedLog = new RateLimitedLog(log, () => systemClock.monotonic());
  const opened = new Closers();
  const atFirst = vi.getTimerCount();
  const outlets = await openOutlets(command.settings, { log, limitedLog, opened });
  onTestFinished(() => opened.close());
  const link = new Link({ prefix: "can/can0", outlets, clock: systemClock, log: limitedLog });
  const hear = (topic: string, text: string): void => link.hear(topic, Buffer.from(text), false);

  const lineClient = async (): Promise<{ readonly socket: Socket; readonly lines: () => number }> => {
    const socket = connect(nmea0183, "127.0.0.1").setEncoding("latin1");
    onTestFinished(() => void socket.destroy());
    let lines = 0;
    socket.on("data", (text) => {
      // The mark of hub's own output comes by its own clock, which is no part of a cycle.
      const [all, marks] = [String(text).split("\n").length - 1, String(text).split("$PHUBL").length - 1];
      lines += all - marks;
    });
    await turns("a connection for sentences", () => !socket.connecting);
    return { socket, lines: () => lines };
  };
  const streamClient = async (query = "", options = {}): Promise<WebSocket> => {
    const socket = new WebSocket(`ws://127.0.0.1:${signalK}/signalk/v1/stream${query}`, options);
    onTestFinished(() => socket.terminate());
    let isGreeted = false;
    socket.once("message", () => {
      isGreeted = true;
    });
    await turns("the greeting of a stream", () => isGreeted);
    return socket;
  };
  /** Waits for the end of a connection, which may have come already. */
  const endOf = (socket: WebSocket | Socket): (() => Promise<void>) => {
    let isOver = false;
    socket.once("close", () => {
      isOver = true;
    });
    return () => turns("the end of a connection", () => isOver);
  };

  const stays = { lines: await lineClient(), stream: await streamClient("?subscribe=all") };
  let deltas = 0;
  stays.stream.on("message", () => {
    deltas += 1;
  });
  /** Waits for the answer to the server's last ping. */
  const answered = async (): Promise<void> => {
    let isAnswered = false;
    stays.stream.once("pong", () => {
      isAnswered = true;
    });
    stays.stream.ping();
    await turns("an answer to a ping", () => isAnswered);
  };

  /** Asks for the tree, which is made in turns of the clock; resolves when it has come. */
  const ask = (): (() => Promise<void>) => {
    let answer: IncomingMessage | undefined;
    const path = "/signalk/v1/api/vessels/self";
    get({ host: "127.0.0.1", port: signalK, path, agent: false }, (response) => {
      answer = response.resume();
    });
    return async () => {
      await turns("the tree", () => answer?.complete === true);
      expect(answer!.statusCode).toBe(200);
    };
  };

  let step = 0;
  const sail = async (minutes: number, each: () => Promise<void> = async () => {}): Promise<void> => {
    for (let at = 0; at < (minutes * 60_000) / STEP_MS; at++, step++) {
      for (const { topic, payload } of seconds[step % seconds.length]!) hear(`can/can0/${topic}`, payload);
      vi.advanceTimersByTime(STEP_MS);
      await answered();
      await each();
    }
  };

  const cycle = async () => {
    const before = { lines: stays.lines.lines(), deltas };
    // A client that answers no ping: the second ping ends it.
    const silent = await streamClient("", { autoPong: false });
    const silentEnds = endOf(silent);
    for (let minute = 0; minute < CYCLE; minute++) {
      const [line, stream] = [await lineClient(), await streamClient("?subscribe=none")];
      const [lineEnds, streamEnds] = [endOf(line.socket), endOf(stream)];
      stream.send('{"context":"vessels.*","subscribe":[{"path":"*","period":1000}]}');
      const tree = ask();
      await sail(1);
      await tree();
      // One client closes its connection, the other does not.
      if (minute % 2 === 0) stream.close();
      else stream.terminate();
      await streamEnds();
      line.socket.destroy();
      await lineEnds();
      if (minute === 2) await silentEnds();
      // hub-cand goes, and is there again.
      if (minute === 5) hear("app/can-can0/info", '{"name":"hub-cand","online":false}');
      if (minute === 6) hear("app/can-can0/info", '{"name":"hub-cand","online":true}');
    }
    await sail(1);
    // Two connections of each kind are those that stay, with both of their ends.
    await turns("the end of the connections that went", () => held().handles.Socket! <= socketsOfStaying);
    return {
      timers: vi.getTimerCount(),
      ...held(),
      lines: stays.lines.lines() - before.lines,
      deltas: deltas - before.deltas,
    };
  };
  await sail(1);
  const socketsOfStaying = held().handles.Socket!;

  // The first cycle begins with nothing known.
  await cycle();
  const states = [];
  for (let count = 1; count < CYCLES; count++) states.push(await cycle());
  for (const state of states) expect(state).toEqual(states[0]);
  expect(states[0]!.lines).toBeGreaterThan(1000);
  expect(states[0]!.deltas).toBeGreaterThan(100);
  expect(stays.stream.readyState).toBe(WebSocket.OPEN);
  expect(stays.lines.socket.readyState).toBe("open");
  expect(link.skipped).toEqual({ tooLong: 0, notJson: 0, notOfTopic: 0 });
  expect(log.lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);

  stays.stream.terminate();
  stays.lines.socket.destroy();
  await opened.close();
  // The server's end of the WebSocket may still be closing, which it does for half a minute at most.
  await turns("the end of all timers", () => vi.advanceTimersByTime(1000).getTimerCount() <= atFirst);
  expect(vi.getTimerCount()).toBe(atFirst);
});
