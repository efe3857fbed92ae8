/** Calls of distress outlive hub-cand and its broker, each killed as by the kernel. */
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { ActiveAlarm } from "../../src/core/alarms/report.ts";
import { type StandIn, tcpStandIn } from "../formats/gateway/stand-ins.ts";
import { encoded, type Said } from "../services/bridge/alarm-bus.ts";
import { startHubCand } from "../support/hub-cand.ts";
import {
  type Mosquitto,
  mosquitto,
  type ReceivedMessage,
  subscriber,
  until,
  withoutMosquitto,
} from "../support/mosquitto.ts";

const ALARMS = "can/can0/alarms";
const there = { latitude: 52.0021584, longitude: 4 };
const RADIO = "distress-244660000";
const BEACON = "manOverboard-972123456";
const radio = { pgn: 129808, format: "Distress", natureOfDistress: "Sinking", address: "2446600000", ...there };
const beacon = { pgn: 129038, mmsi: 972123456, ...there, sogMs: 0, navStatus: "AIS-SART" };
const position = { pgn: 129025, latitude: 52, longitude: 4 };
const course = { pgn: 129026, cogReference: "True", cogDeg: 0, sogMs: 3 };

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A gateway whose bus says each of the messages once a second. */
async function bus(): Promise<StandIn & { says: readonly Said[] }> {
  const gateway = await tcpStandIn((socket) => socket.write("# format=FAST\n"));
  const spoken = Object.assign(gateway, { says: [position, course] as readonly Said[] });
  const timer = setInterval(() => {
    for (const message of spoken.says) {
      const bytes = encoded(message).match(/../g)!;
      const line = [new Date().toISOString(), 2, message.pgn, 3, 255, bytes.length, ...bytes].join(",");
      for (const socket of gateway.sockets) socket.write(`${line}\n`);
    }
  }, 1000);
  endings.push(() => {
    clearInterval(timer);
    return gateway.close();
  });
  return spoken;
}

/** The interval at which the boat's Mosquitto saves, of the example; without it the calls of half an hour are lost. */
const [example] = readFileSync("packaging/examples/hub.mosquitto.conf", "utf8").match(/^autosave_interval \d+$/m)!;

/** As Debian and the example have it, each second in place of its interval. */
async function keptBroker(): Promise<Mosquitto & { saved(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "hub-calls-"));
  const kept = ["persistence true", `persistence_location ${folder}/`, example.replace(/\d+/, "1")];
  const started = await mosquitto({ general: kept });
  const file = join(folder, "mosquitto.db");
  const broker = Object.assign(started, {
    /** Waits until the calls are on the disk. */
    saved: () => until(() => existsSync(file) && [BEACON, RADIO].every((id) => readFileSync(file).includes(id))),
  });
  endings.push(() => broker.stop());
  return broker;
}

const alarmsIn = (payload: string): readonly ActiveAlarm[] => JSON.parse(payload).data.alarms;

describe.skipIf(withoutMosquitto !== undefined)(`calls of distress ${withoutMosquitto ?? ""}`, () => {
  async function openBoat() {
    const gateway = await bus();
    const broker = await keptBroker();
    const listener = await subscriber(broker.port, {}, "#");
    endings.push(() => listener.close());
    const start = () => {
      const url = `mqtt://127.0.0.1:${broker.port}`;
      const child = startHubCand([
        "--source",
        `canboat+tcp://127.0.0.1:${gateway.port}`,
        "-i",
        "can0",
        "--broker",
        url,
      ]);
      child.stderr!.resume();
      return {
        child,
        async kill(): Promise<void> {
          const closed = once(child, "close");
          child.kill("SIGKILL");
          await closed;
        },
      };
    };
    /** The alarms of the next report with this number of them. */
    const report = async (count: number): Promise<readonly ActiveAlarm[]> => {
      listener.clear();
      const isIt = ({ topic, payload, retain }: ReceivedMessage): boolean =>
        topic === ALARMS && !retain && alarmsIn(payload).filter(({ range }) => range !== undefined).length === count;
      return alarmsIn((await listener.until(isIt)).payload);
    };
    return { gateway, broker, listener, start, report };
  }

  test("they ring again after hub-cand was killed, with their first reports, until they are acknowledged", async () => {
    const { gateway, listener, start, report } = await openBoat();
    let cand = start();
    gateway.says = [position, course, radio, beacon];
    const before = await report(2);
    gateway.says = [position, course];
    const firsts = before.map(({ id, first }) => [id, first]);
    expect(before.map(({ id }) => id)).toEqual([BEACON, RADIO]);
    await cand.kill();

    cand = start();
    const again = await report(2);
    expect(again.map(({ id, first }) => [id, first])).toEqual(firsts);
    expect(again.map(({ state }) => state)).toEqual(["active", "active"]);
    listener.client.publish(`${ALARMS}/${RADIO}/set`, "acknowledge");
    await listener.until(
      ({ topic, payload }) => topic.endsWith(`calls/${RADIO}`) && payload.includes('"acknowledged":true'),
    );
    await cand.kill();

    cand = start();
    const third = await report(2);
    expect(third.map(({ id, first, state }) => [id, first, state])).toEqual([
      [...firsts[0]!, "active"],
      [...firsts[1]!, "acknowledged"],
    ]);
    await cand.kill();
  });

  test("they are there again after the broker was killed, and after both were, also when the beacon is heard before the broker is back", async () => {
    const { gateway, broker, start, report } = await openBoat();
    let cand = start();
    gateway.says = [position, course, radio, beacon];
    const before = await report(2);
    gateway.says = [position, course];
    await broker.saved();
    await broker.signal("SIGKILL");
    await broker.restart();
    const kept = await subscriber(broker.port, {}, "app/can-can0/calls/#");
    endings.push(() => kept.close());
    await until(() => new Set(kept.messages.map(({ topic }) => topic)).size === 2);
    await report(2);
    await cand.kill();
    await broker.signal("SIGKILL");

    cand = start();
    let stderr = "";
    cand.child.stderr!.on("data", (chunk) => {
      stderr += chunk;
    });
    gateway.says = [{ ...position, latitude: 52.001 }, course, beacon];
    await until(() => stderr.includes("broker is away"));
    await broker.restart();
    const again = await report(2);
    expect(again.map(({ id, first }) => [id, first])).toEqual(before.map(({ id, first }) => [id, first]));
    await cand.kill();
  });
});
