/** A replay or a simulation and the boat's own hub-cand at one broker: before, beside and after one another. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { AlarmsData } from "../../src/core/alarms/report.ts";
import { tcpStandIn } from "../formats/gateway/stand-ins.ts";
import { encoded, type Said } from "../services/bridge/alarm-bus.ts";
import { runHubCand, startHubCand, textOf } from "../support/hub-cand.ts";
import { keptAt, mosquitto, type ReceivedMessage, subscriber, withoutMosquitto } from "../support/mosquitto.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.reverse()) await end();
});

const there = { latitude: 52.0021584, longitude: 4 };
const position = { pgn: 129025, latitude: 52, longitude: 4 };
const call = (mmsi: string): Said => ({ pgn: 129808, format: "Distress", address: `${mmsi}0`, ...there });

/** Lines of canboat's PLAIN and FAST, a second apart. */
const lines = (begin: number, seconds: number, messages: readonly Said[]): string =>
  Array.from({ length: seconds }, (_, second) =>
    messages.map((message) => {
      const bytes = encoded(message).match(/../g)!;
      return [new Date(begin + second * 1000).toISOString(), 2, message.pgn, 3, 255, bytes.length, ...bytes].join(",");
    }),
  )
    .flat()
    .join("\n");

describe(`a replay and the boat ${withoutMosquitto ?? ""}`, {
  skip: withoutMosquitto !== undefined,
  concurrent: true,
}, () => {
  async function openBoat() {
    const gateway = await tcpStandIn((socket) => socket.write("# format=FAST\n"));
    let says: readonly Said[] = [position];
    const timer = setInterval(() => {
      for (const socket of gateway.sockets) socket.write(`${lines(Date.now(), 1, says)}\n`);
    }, 500);
    const broker = await mosquitto();
    const listener = await subscriber(broker.port, {}, "#");
    const folder = temporaryFolder("beside");
    endings.push(
      () => broker.stop(),
      () => listener.close(),
      () => gateway.close(),
      () => clearInterval(timer),
    );
    const url = `mqtt://127.0.0.1:${broker.port}`;
    const start = (...options: readonly string[]) => {
      const child = startHubCand([...options, "--broker", url]);
      endings.push(() => child.kill("SIGKILL"));
      const log = textOf(child.stderr!);
      return { child, log };
    };
    const recording = (seconds: number): string => {
      const file = join(folder, "recording.txt");
      writeFileSync(file, lines(Date.UTC(2026, 10, 21), seconds, [position, call("244999999")]));
      return file;
    };
    const alarms = async (holds: (data: AlarmsData) => boolean): Promise<readonly string[]> => {
      listener.clear();
      const isIt = ({ topic, payload, retain }: ReceivedMessage): boolean =>
        topic === "can/can0/alarms" && !retain && payload !== "" && holds(JSON.parse(payload).data);
      return JSON.parse((await listener.until(isIt)).payload).data.alarms.map(({ id }: { id: string }) => id);
    };
    return {
      listener,
      port: broker.port,
      alarms,
      recording,
      start,
      url,
      says: (...messages: readonly Said[]) => {
        says = messages;
      },
      startLive: () => start("--source", `canboat+tcp://127.0.0.1:${gateway.port}`, "--interface", "can0"),
    };
  }
  const rings =
    (id: string) =>
    ({ alarms }: AlarmsData): boolean =>
      alarms.some((alarm) => alarm.id === id);

  test("a replay neither hears the boat's calls and history, nor ends them, and the boat hears none of its", async () => {
    const boat = await openBoat();
    boat.says(position, call("244660000"));
    const live = boat.startLive();
    const known = boat.listener.until(({ topic }) => topic === "can/can0/devices/known");
    await boat.alarms(rings("distress-244660000"));
    boat.says(position);
    await boat.listener.until(({ topic }) => topic === "app/can-can0/calls/distress-244660000");
    await known;
    boat.listener.client.publish("can/can0/alarms/distress-244660000/set", "acknowledge");
    const ended = once(live.child, "close");
    await boat.listener.until(({ payload }) => payload.includes('"acknowledged":true'));
    live.child.kill("SIGKILL");
    await ended;

    const history = JSON.stringify({
      data: { alarms: [] },
      metadata: { rxDate: "2026-11-28T12:00:00Z", rxTimestamp: 1795867200, expireAfterSec: 60 },
    });
    boat.listener.client.publish("can/can0/alarms/history", history, { retain: true });
    const replay = boat.start("--replay", boat.recording(8), "--interface", "can0");
    expect(await boat.alarms(rings("distress-244999999"))).toEqual(["distress-244999999"]);
    await once(replay.child, "close");
    const left = await keptAt(boat.port);
    expect(left.map(({ topic }) => topic).sort()).toEqual([
      "app/can-can0/calls/distress-244660000",
      "app/can-can0/info",
      "can/can0/alarms/history",
      "can/can0/devices/known",
    ]);
    expect(left.find(({ topic }) => topic.endsWith("history"))!.payload).toBe(history);

    boat.startLive();
    expect(await boat.alarms(({ alarms }) => alarms.length > 0)).toEqual(["distress-244660000"]);
  });

  test("a replay does not begin beside the boat's hub-cand, and ends when that begins", async () => {
    const boat = await openBoat();
    const simulated = boat.start("--simulate", "--interface", "can0");
    await boat.listener.until(({ topic }) => topic === "can/can0/navigation");
    const ended = once(simulated.child, "close");
    const live = boat.startLive();
    const [code] = await ended;
    expect([code, simulated.log()]).toEqual([1, expect.stringContaining("BESIDE_LIVE")]);
    await boat.listener.until(({ topic, payload }) => topic === "app/can-can0/info" && payload.includes(":true"));

    const refused = await runHubCand(["--replay", boat.recording(2), "--broker", boat.url]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("--interface replay")]);
    const beside = await runHubCand(["--replay", boat.recording(2), "--broker", boat.url, "--interface", "replay"]);
    expect(beside.code, beside.stderr).toBe(0);
    expect(live.log()).not.toContain("BROKER_AWAY");
  });
});
