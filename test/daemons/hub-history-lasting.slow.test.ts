/**
 * An hour of hub-history: its parts, an engine of the test's own that comes, stays and goes, and a clock that the test
 * moves. Each point is in the engine, and at the end nothing is held that was not held at the beginning.
 */
import { once } from "node:events";
import { mkdtempSync, readdirSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { segmentQueue } from "../../src/adapters/node/files/segment-queue.ts";
import { EngineClient } from "../../src/adapters/node/http/engine-client.ts";
import { LineBuffer } from "../../src/adapters/node/streams/line-buffer.ts";
import { LineForwarder } from "../../src/adapters/node/streams/line-forwarder.ts";
import { History } from "../../src/services/history/history.ts";
import { held } from "../support/held.ts";
import { memoryClock } from "../support/memory/clock.ts";
import { memoryLog } from "../support/memory/log.ts";

/** Minutes of a cycle, in which all happens that happens in the hour, and the cycles. */
const [CYCLE, CYCLES] = [10, 6];
const ANSWER_MS = 30_000;
const STEP_SECONDS = 10;

type Mood = "takes" | "is busy" | "ends" | "is mute";

/** The behaviour of the engine in each minute of a cycle; at its end it has taken and written everything. */
const moods: Readonly<Record<number, Mood>> = { 1: "is busy", 2: "ends", 4: "is mute" };

test("an hour of an engine that comes, stays and goes costs no point, and leaves nothing behind", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hub-history-hour-"));
  let mood: Mood = "takes";
  const taken = new Set<string>();
  const mute: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (mood === "ends") request.socket.destroy();
    else if (mood === "is mute") mute.push(response);
    else if (mood === "is busy") response.writeHead(503).end();
    else {
      for (const line of body.split("\n").slice(0, -1)) taken.add(line);
      response.writeHead(204).end();
    }
  });
  // An idle connection ends by the clock of the machine, which is another.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  const [clock, log, buffer] = [memoryClock({ wall: Date.UTC(2026, 10, 21) }), memoryLog(), new LineBuffer(4 << 20)];
  const queue = await segmentQueue({ folder, maxBytes: 1 << 26, log });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/write`;
  const engine = new EngineClient({ url });
  const forwarder = new LineForwarder({ url, engine, buffer, queue, clock, log });
  const written: string[] = [];
  const onLine = (line: string): void => {
    written.push(line.trimEnd());
    buffer.add(line);
  };
  const history = new History({ prefix: "can/can0", lane: 1, onLine });

  let step = 0;
  /** Some seconds of the boat, and the program's tick. */
  const tick = async (isHeard: boolean): Promise<void> => {
    step += 1;
    const metadata = { rxDate: new Date(clock.wall()).toISOString() };
    for (let instance = 0; isHeard && instance < 3; instance++) {
      const data = { pgn: 127508, instance, voltageV: 12 + (step % 100) / 100 };
      const payload = Buffer.from(JSON.stringify({ data, metadata }));
      history.hear(`can/can0/every/1/device/20/pgn/127508/${instance}`, payload, false);
    }
    clock.advance(1000 * STEP_SECONDS);
    const turn = forwarder.advance();
    if (mood !== "is mute") return turn;
    // An answer is waited for half a minute, which the clock moves on at once.
    let isOver = false;
    void turn.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if (mute.splice(0).length > 0) clock.advance(ANSWER_MS);
    }
  };

  const cycle = async () => {
    for (let minute = 0; minute < CYCLE; minute++) {
      mood = moods[minute] ?? "takes";
      for (let count = 0; count < 60 / STEP_SECONDS; count++) await tick(minute < 7);
      // The engine ends, and runs again before the next request.
      if (minute === 5) {
        server.closeAllConnections();
        await expect.poll(() => engine.hasLost, { timeout: 60_000 }).toBe(true);
      }
    }
    return { timers: clock.timers, files: readdirSync(folder), lines: buffer.length, queue: queue.bytes, ...held() };
  };
  const states = [];
  for (let count = 0; count < CYCLES; count++) states.push(await cycle());
  for (const state of states) expect(state).toEqual(states[0]);
  expect(states[0]).toMatchObject({ timers: 0, files: [], lines: 0, queue: 0 });
  expect(written).toHaveLength((CYCLES * 7 * 60 * 3) / STEP_SECONDS);
  expect(written.filter((line) => !taken.has(line))).toEqual([]);
  expect(taken.size).toBe(written.length);
  expect([queue.dropped, buffer.dropped, forwarder.refused, history.malformed]).toEqual([0, 0, 0, 0]);
  // One line for each absence of the engine.
  const away = log.lines.filter(({ fields }) => fields.code === "HISTORY_AWAY");
  expect(away.length).toBeLessThanOrEqual(CYCLES * 4);
  await forwarder.close();
  await queue.close();
});
