/** From frames on a bus to messages at a subscriber of a broker, without sending a frame. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCanBus } from "../../../src/adapters/node/can/can-bus.ts";
import { startHubCand } from "../../support/hub-cand.ts";
import { type Mosquitto, mosquitto, type Subscriber, subscriber, withoutMosquitto } from "../../support/mosquitto.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { Candump, type Vcan, vcan } from "./vcan.ts";

const within = { timeout: 60_000, interval: 20 };

interface PgnMessage {
  readonly topic: string;
  readonly data: { readonly [name: string]: unknown };
}

const dataOf = ({ topic, payload }: { topic: string; payload: string }): PgnMessage => ({
  topic,
  data: JSON.parse(payload).data,
});

describe.skipIf(withoutMosquitto !== undefined)(`from vcan to a broker ${withoutMosquitto ?? ""}`, () => {
  let folder: string;
  let bus: Vcan;
  let broker: Mosquitto;
  let listener: Subscriber;
  let daemon: ChildProcess;
  let witness: Candump;

  beforeAll(async () => {
    folder = temporaryFolder("vcan");
    bus = vcan("hubmqtt0");
    broker = await mosquitto();
    listener = await subscriber(broker.port);
    witness = new Candump(bus.name);
    await witness.isListening();
    daemon = startHubCand(["-i", bus.name, "-c", "/nonexistent", "-b", `mqtt://127.0.0.1:${broker.port}`]);
    daemon.stdout!.resume();
    daemon.stderr!.resume();
    await listener.until(({ topic, payload }) => topic.endsWith("/interface") && payload.includes('"up":true'));
  });
  afterAll(async () => {
    if (daemon.exitCode === null) daemon.kill("SIGKILL");
    await witness.stop();
    await listener.close();
    await broker.stop();
    bus.remove();
    rmSync(folder, { recursive: true });
  });

  test("a frame of cansend and a fast packet of this test arrive, decoded", async () => {
    execFileSync("cansend", [bus.name, "09F10D23#FFFFFFFFE803FFFF"]);
    const rudder = await listener.until(({ topic }) => topic === `can/${bus.name}/device/35/pgn/127245`);
    expect(dataOf(rudder).data).toMatchObject({ pgn: 127245 });

    const sender = openCanBus(bus.name, new Uint32Array(0), { transmit: true });
    await expect.poll(() => sender.status().state, within).toBe("up");
    // 129029 of 43 bytes in seven frames: latitude 54.5, longitude 10.25 in units of 1e-16 degree.
    const payload = Buffer.alloc(43, 0xff);
    payload.writeBigInt64LE(545_000_000_000_000_000n, 7);
    payload.writeBigInt64LE(102_500_000_000_000_000n, 15);
    const frames = [Buffer.concat([Buffer.of(0x20, 43), payload.subarray(0, 6)])];
    for (let at = 6; at < 43; at += 7) {
      const part = Buffer.alloc(8, 0xff);
      part[0] = 0x20 + frames.length;
      payload.copy(part, 1, at, at + 7);
      frames.push(part);
    }
    for (const frame of frames) expect(sender.send(0x0df80524, frame)).toBe(true);
    sender.close();
    const position = await listener.until(({ topic }) => topic === `can/${bus.name}/device/36/pgn/129029`);
    expect(dataOf(position).data).toMatchObject({ pgn: 129029, latitude: 54.5, longitude: 10.25 });
    listener.clear();
  });
});
