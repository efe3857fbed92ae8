/** Lines of hub-history about lost points and messages, one for each kind of loss. */
import { once } from "node:events";
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { subscriptionsOf } from "../adapters/node/mqtt/scripted-broker.ts";
import { until } from "../support/mosquitto.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { engine, published, startBeside } from "./started.ts";

const topic = "can/can0/every/10/device/4/pgn/127508/0";
const battery = { pgn: 127508, instance: 0, voltageV: 12.5 };

/** hub-history beside an engine that answers with a status, once all its subscriptions are there. */
async function open(status: number) {
  const queue = temporaryFolder();
  const { url } = await engine(status);
  const { child, log, sessions } = await startBeside("hub-history", "--queue", queue, "--url", url);
  await until(() => sessions[0] !== undefined && subscriptionsOf(sessions[0]).length === 6);
  return { queue, child, log, session: sessions[0]! };
}

const message = (data: object, rxDate = new Date().toISOString()): string =>
  JSON.stringify({ data, metadata: { rxDate, expireAfterSec: 60 } });

test.each([
  ["points that the engine refuses", 400, message(battery), /HISTORY_REFUSED.*\b1\b/],
  ["points of 1970", 204, message(battery, "1970-01-01T00:00:09.000Z"), /HISTORY_CLOCK.*1970-01-01/],
  ["messages that are none", 204, "{", /MESSAGES_SKIPPED.*\b1\b/],
  ["messages that are too long", 204, `"${"x".repeat(1 << 20)}"`, /MESSAGES_SKIPPED.*\b1\b/],
  [
    "values that are too many",
    204,
    message(Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`n${index}`, index]))),
    /VALUES_LEFT_OUT.*\b100\b/,
  ],
])("%s are told", async (_loss, status, payload, line) => {
  const { session, log } = await open(status);
  session.send(published(topic, payload));
  await until(() => line.test(log()));
});

test("points that neither the engine nor the disk takes are told at the end", async () => {
  const { session, log, child, queue } = await open(503);
  rmSync(queue, { recursive: true });
  session.send(published(topic, message(battery)));
  await until(() => log().includes("HISTORY_AWAY"));
  const ended = once(child, "close");
  child.kill("SIGTERM");
  await ended;
  expect(log()).toMatch(/neither the engine nor the disk takes points.*HISTORY_DISK.*\b1\b/);
});
