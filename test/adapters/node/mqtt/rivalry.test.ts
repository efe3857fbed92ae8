/** Clients of one name at one broker. */
import { describe, expect, onTestFinished, test } from "vitest";
import { type EndedBy, endedBy, Rivalry } from "../../../../src/adapters/node/mqtt/rivalry.ts";
import { publishText } from "../../../../src/core/ports/publisher.ts";
import { memoryClock } from "../../../support/memory/clock.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { until, withoutMosquitto } from "../../../support/mosquitto.ts";
import { connected, isConnected, type Opened, startBroker } from "./opened-publisher.ts";

const connections = ({ log }: Opened): number =>
  log.lines.filter(({ message }) => message === "connected to the broker").length;

describe.skipIf(withoutMosquitto)(`with Mosquitto${withoutMosquitto ? ` (${withoutMosquitto})` : ""}`, () => {
  test("two of one name say so once each, take turns ever more slowly, and know until one has gone", async () => {
    const broker = await startBroker();
    const all = [await connected(broker.port)];
    all.push(await connected(broker.port));
    const [first, second] = all as [Opened, Opened];
    const streams = all.map(({ publisher }) => publisher.stream("can/can0/navigation"));
    const write = setInterval(() => {
      for (const stream of streams) publishText(stream, "{}");
      for (const { publisher } of all) publisher.flush();
    }, 1);
    onTestFinished(() => clearInterval(write));
    for (let seconds = 0; seconds < 600; seconds++) {
      for (const { clock } of all) clock.advance(1000);
      // The one that waits for its next attempt has the only timer.
      await until(() => first.clock.timers + second.clock.timers === 1);
    }
    const turns = connections(first) + connections(second);
    expect(turns).toBeGreaterThan(6);
    expect(turns).toBeLessThan(30);
    for (const one of all) {
      expect(one.publisher.rival).toBe("hub-cand-can0");
      const said = one.log.lines.filter(({ level, fields }) => level === "warn" && fields.code === "CLIENT_DISPLACED");
      expect(said.map(({ fields }) => fields.clientId)).toEqual(["hub-cand-can0"]);
    }

    await second.publisher.close();
    first.clock.advance(60_000);
    await until(() => isConnected(first));
    first.clock.advance(300_000);
    expect(first.publisher.rival).toBeUndefined();
  });
});

const S = 1000;
test.each<
  readonly [string, connections: readonly (readonly [EndedBy | undefined, lastedMs: number])[], number[], boolean]
>([
  [
    "a broker that is restarted",
    [
      ["broker", 900 * S],
      [undefined, 0],
      [undefined, 0],
    ],
    [5, 5, 5],
    false,
  ],
  [
    "restarted twice within a minute",
    [
      ["broker", 20 * S],
      ["broker", 20 * S],
    ],
    [5, 5],
    false,
  ],
  ["a broker of MQTT 3.1.1 that closes each time", Array(6).fill(["broker", 5 * S]), [5, 5, 20, 40, 60, 60], true],
  ["a network that breaks", Array(5).fill([undefined, 5 * S]), [5, 5, 5, 5, 5], false],
  [
    "displaced once a day",
    [
      ["rival", 86_400 * S],
      ["rival", 86_400 * S],
    ],
    [5, 5],
    true,
  ],
  ["displaced again and again", Array(6).fill(["rival", 30 * S]), [5, 10, 20, 40, 60, 60], true],
])("%s: the times to wait", (_, ends, waited, isThere) => {
  const clock = memoryClock({ wall: 0 });
  const rivalry = new Rivalry({ clientId: "hub-cand-can0", clock, log: memoryLog() });
  const waits = ends.map(([by, lastedMs]) => {
    rivalry.begin();
    clock.advance(lastedMs);
    return rivalry.end(by, 5 * S) / S;
  });
  expect(waits).toEqual(waited);
  expect(rivalry.isThere).toBe(isThere);
});

test.each([
  ["closed", true, undefined, "broker"],
  ["closed while it wrote", true, { code: "EPIPE" }, "broker"],
  ["closed while it wrote, with a reset", true, { code: "ECONNRESET" }, "broker"],
  ["timed out", true, { code: "ETIMEDOUT" }, undefined],
  ["refused", false, { code: "ECONNREFUSED" }, undefined],
  ["not accepted", false, undefined, undefined],
])("a connection that was %s", (_, isAccepted, failure, by) => {
  expect(endedBy(isAccepted, failure)).toBe(by);
});
