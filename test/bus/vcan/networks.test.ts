/** Buses of one boat: addresses, one that goes and comes back, an engine, no frame sent. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHubCand } from "../../support/hub-cand.ts";
import { type Mosquitto, mosquitto, type Subscriber, subscriber, withoutMosquitto } from "../../support/mosquitto.ts";
import { burst, type Vcan, vcan } from "./vcan.ts";

interface Network {
  readonly interface: string;
  readonly firstAddr: number;
  readonly up: boolean;
}

describe.skipIf(withoutMosquitto !== undefined)(`several buses ${withoutMosquitto ?? ""}`, () => {
  let buses: readonly [Vcan, Vcan, Vcan];
  let broker: Mosquitto;
  let listener: Subscriber;
  let daemon: ChildProcess;
  let sent = 0;
  const send = (bus: Vcan, frame: string): void => {
    execFileSync("cansend", [bus.name, frame]);
    sent++;
  };
  /** The heading that an address has sent, in steps of 0.0001 rad. */
  const heading = (bus: Vcan, address: number, steps: number): void => {
    const bytes = Buffer.from("ff0000ff7fff7ffd", "hex");
    bytes.writeUInt16LE(steps, 1);
    send(bus, `09F112${address.toString(16).padStart(2, "0")}#${bytes.toString("hex")}`);
  };
  const headingDeg = async (address: number): Promise<number> => {
    const topic = `can/${buses[0].name}/device/${address}/pgn/127250`;
    return JSON.parse((await listener.until((message) => message.topic === topic)).payload).data.headingDeg;
  };
  const second = (up: boolean) =>
    listener.until(({ topic, payload }) => {
      if (topic !== `can/${buses[0].name}/interface`) return false;
      const [network] = (JSON.parse(payload).data.networks ?? []) as readonly Network[];
      return network?.interface === buses[1].name && network.firstAddr === 256 && network.up === up;
    });

  beforeAll(async () => {
    buses = [vcan("hubnet0"), vcan("hubnet1"), vcan("hubnet2")];
    broker = await mosquitto();
    listener = await subscriber(broker.port);
    const [first, ...further] = buses;
    const url = `mqtt://127.0.0.1:${broker.port}`;
    const also = ["--also", further[0]!.name, "--also", `j1939:${further[1]!.name}`];
    daemon = startHubCand(["-i", first.name, ...also, "-c", "/nonexistent", "-b", url]);
    daemon.stdout!.resume();
    daemon.stderr!.resume();
    await second(true);
  });
  afterAll(async () => {
    daemon.kill("SIGKILL");
    await listener.close();
    await broker.stop();
    for (const bus of buses) bus.remove();
  });

  test("each has its own addresses", async () => {
    heading(buses[0], 35, 1000);
    heading(buses[1], 35, 2000);
    expect([await headingDeg(35), await headingDeg(256 + 35)]).toEqual([5.73, 11.459]);
  });

  test("one that goes does not touch the other, and is heard again when it is back", async () => {
    buses[1].down();
    await second(false);
    listener.clear();
    heading(buses[0], 35, 5000);
    expect(await headingDeg(35)).toBe(28.648);
    buses[1].up();
    await second(true);
    listener.clear();
    heading(buses[1], 35, 6000);
    expect(await headingDeg(256 + 35)).toBe(34.377);
  });

  test("an engine on J1939 is one of NMEA 2000, and its fault by transport protocol an alarm of its own", async () => {
    const dataOf = async (pgn: number) => {
      const topic = `can/${buses[0].name}/device/512/pgn/${pgn}`;
      return JSON.parse((await listener.until((message) => message.topic === topic)).payload).data;
    };
    // EEC1: 621 rpm, 1/8 rpm a bit.
    send(buses[2], "0CF00400#FFFFFF6813FFFFFF");
    expect(await dataOf(127488)).toMatchObject({ engineInstance: 0, engineSpeedRpm: 621 });
    // DM1 of two faults, announced to all (BAM): oil pressure below normal and coolant above, most severe.
    const faults = ["18ECFF00#200A0002FFCAFE00", "18EBFF00#0110FF640001016E", "18EBFF00#02000001FFFFFFFF"];
    burst(buses[2].name, faults);
    sent += faults.length;
    expect((await dataOf(65226)).faults).toMatchObject([
      { spn: 100, parameter: "Engine oil pressure", fmi: 1 },
      { spn: 110, parameter: "Engine coolant temperature", fmi: 0 },
    ]);
    await listener.until(
      ({ topic, payload }) =>
        topic.endsWith("/alarms") && payload.includes("oilPressure") && payload.includes("engineTemperature"),
    );
  });

  test("no frame is sent on any", () => {
    expect(buses.reduce((sum, bus) => sum + bus.sentFrames(), 0)).toBe(sent);
  });
});
