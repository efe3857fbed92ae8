/** NMEA 0183 over each transport, gpsd in person, and a boat whose bus and instruments are one report. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { gateways } from "../../src/formats/gateway/table.ts";
import { plugIn, tcpStandIn, withoutSocat } from "../formats/gateway/stand-ins.ts";
import { framed } from "../formats/nmea0183/input/heard.ts";
import { endsWithTest } from "../support/ends-with-test.ts";
import { hubCand, startHubCand } from "../support/hub-cand.ts";
import { openNamespace, withoutNamespace } from "../support/namespace.ts";
import { connected, freePort, freeUdpPort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A receiver that has a fix, an echo sounder and a ship nearby. */
const sentences = [
  "$GPRMC,081426.00,A,5213.1234,N,00454.5678,E,5.4,084.4,211126,2.1,E,A",
  "$GPGGA,081426.00,5213.1234,N,00454.5678,E,1,09,0.9,3.5,M,45.1,M,,",
  "$SDDPT,4.12,0.50",
  "!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0",
]
  .map(framed)
  .join("");

/** Writes the sentences to each connection, ten times a second. */
const speak = (socket: Socket): void => {
  const timer = setInterval(() => socket.write(sentences), 100);
  socket.on("error", () => {});
  socket.on("close", () => clearInterval(timer));
};

const serve = async (): Promise<number> => {
  const standIn = await tcpStandIn(speak);
  onTestFinished(() => standIn.close());
  return standIn.port;
};

interface Message {
  readonly topic: string;
  readonly payload: { readonly data: Readonly<Record<string, unknown>> };
}

/** The first messages of a program for which each condition is true. */
async function heard(
  child: ChildProcess,
  ...conditions: readonly ((message: Message) => boolean)[]
): Promise<Message[]> {
  child.stderr?.resume();
  const found: (Message | undefined)[] = conditions.map(() => undefined);
  for await (const line of createInterface({ input: child.stdout! })) {
    const message = JSON.parse(line) as Message;
    conditions.forEach((is, index) => {
      if (found[index] === undefined && is(message)) found[index] = message;
    });
    if (found.every((each) => each !== undefined)) break;
  }
  return found as Message[];
}

const isUp = ({ topic, payload }: Message): boolean => topic === "can/boat/interface" && payload.data.up === true;
const isNavigation = ({ topic, payload: { data } }: Message): boolean =>
  topic === "can/boat/navigation" && data.position !== undefined && data.depth_water !== undefined;
const hasTarget = ({ topic, payload }: Message): boolean =>
  topic === "can/boat/ais" && JSON.stringify(payload.data).includes("477553000");

const listen = (url: string): ChildProcess => {
  const child = startHubCand(["-i", "boat", "--source", url, "--stdout"]);
  return child;
};

async function expectBoat(child: ChildProcess, url: string): Promise<void> {
  const [navigation, ais, interfaceStatus] = await heard(child, isNavigation, hasTarget, isUp);
  expect(navigation!.payload.data).toMatchObject({
    position: { latitude: expect.closeTo(52.218723, 6), longitude: expect.closeTo(4.909463, 6), hasFix: true },
    depth_water: { depth: 4.12, offset: 0.5 },
  });
  expect(ais!.payload.data).toMatchObject({ targets: [{ mmsi: 477_553_000 }] });
  expect(interfaceStatus!.payload.data).toMatchObject({ gateway: { source: url } });
}

/** Starts gpsd with the sentences; gives its port. */
async function startGpsd(): Promise<number> {
  const control = await freePort();
  const command = ["gpsd", "-N", "-b", "-n", "-S", String(control), `tcp://127.0.0.1:${await serve()}`];
  // As root gpsd would offer its time to the machine's clock, by shared memory that outlives it.
  const [program, ...args] = process.getuid?.() === 0 ? ["unshare", "--ipc", ...command] : command;
  endsWithTest(spawn(program!, args, { env: { PATH: `${process.env.PATH}:/usr/sbin` }, stdio: "ignore" }));
  (await connected(control)).destroy();
  return control;
}

type Data = Readonly<Record<string, unknown>>;

/** The first object of a connection for which each condition is true. */
async function objectsOf(socket: Socket, ...conditions: readonly ((object: Data) => boolean)[]): Promise<Data[]> {
  const found: (Data | undefined)[] = conditions.map(() => undefined);
  for await (const line of createInterface({ input: socket })) {
    const object = JSON.parse(line) as Data;
    conditions.forEach((is, index) => {
      if (found[index] === undefined && is(object)) found[index] = object;
    });
    if (found.every((each) => each !== undefined)) break;
  }
  return found as Data[];
}

const cases: Readonly<Record<string, () => Promise<void>>> = {
  "nmea0183+tcp": async () => {
    const url = `nmea0183+tcp://127.0.0.1:${await serve()}`;
    await expectBoat(listen(url), url);
  },
  "nmea0183+udp": async () => {
    const port = await freeUdpPort();
    const socket = createSocket("udp4");
    const timer = setInterval(() => socket.send(sentences, port, "127.0.0.1"), 100);
    onTestFinished(() => {
      clearInterval(timer);
      socket.close();
    });
    await expectBoat(listen(`nmea0183+udp://:${port}`), `nmea0183+udp://:${port}`);
  },
  "nmea0183+serial": async () => {
    const folder = temporaryFolder("cand-nmea0183");
    const path = join(folder, "tty");
    const device = plugIn(path, await serve());
    onTestFinished(() => device.unplug());
    while (!existsSync(path)) await pause(10);
    await expectBoat(listen(`nmea0183+serial://${path}`), `nmea0183+serial://${path}`);
  },
  gpsd: async () => {
    const control = await startGpsd();
    await expectBoat(listen(`gpsd://127.0.0.1:${control}`), `gpsd://127.0.0.1:${control}`);
  },
};

test("each scheme has a case", () => {
  const schemes = gateways.flatMap(({ endpoints }) => endpoints.map(({ scheme }) => scheme));
  expect(Object.keys(cases).sort()).toEqual(schemes.filter((scheme) => /^(nmea0183|gpsd)/.test(scheme)).sort());
});

const withoutGpsd =
  spawnSync("gpsd", ["-V"], { env: { PATH: `${process.env.PATH}:/usr/sbin` } }).error !== undefined &&
  process.env.CI !== "true"
    ? "gpsd is not installed"
    : undefined;
const obstacles: Readonly<Record<string, string | undefined>> = { "nmea0183+serial": withoutSocat, gpsd: withoutGpsd };

for (const [scheme, run] of Object.entries(cases)) {
  const obstacle = obstacles[scheme];
  test.skipIf(obstacle !== undefined)(
    `${scheme}: sentences are a boat${obstacle ? ` (skipped: ${obstacle})` : ""}`,
    run,
  );
}

test.skipIf(withoutGpsd !== undefined)(
  `gpsd's own JSON has the same fix and the same ship${withoutGpsd ? ` (skipped: ${withoutGpsd})` : ""}`,
  async () => {
    const control = await startGpsd();
    const theirs = connect(control, "127.0.0.1", () =>
      theirs.write('?WATCH={"enable":true,"json":true,"scaled":true}\n'),
    );
    onTestFinished(() => void theirs.destroy());
    const [tpv, ship] = await objectsOf(
      theirs,
      ({ class: kind, mode }) => kind === "TPV" && mode === 3,
      ({ class: kind }) => kind === "AIS",
    );
    const [navigation, ais] = await heard(listen(`gpsd://127.0.0.1:${control}`), isNavigation, hasTarget);
    const { position, speed_course } = navigation!.payload.data as unknown as Readonly<Record<string, Data>>;
    expect(position!.latitude).toBeCloseTo(tpv!.lat as number, 6);
    expect(position!.longitude).toBeCloseTo(tpv!.lon as number, 6);
    expect(speed_course!.sog).toBeCloseTo((tpv!.speed as number) / (1852 / 3600), 1);
    expect(speed_course!.cog).toBeCloseTo(tpv!.track as number, 1);
    expect(position!.altitude).toBeCloseTo((tpv!.altMSL ?? tpv!.alt) as number, 1);
    const [target] = ais!.payload.data.targets as readonly Data[];
    expect(target!.mmsi).toBe(ship!.mmsi);
    const { latitude, longitude } = target!.position as Data;
    expect(latitude).toBeCloseTo(ship!.lat as number, 5);
    expect(longitude).toBeCloseTo(ship!.lon as number, 5);
  },
);

test.skipIf(withoutNamespace !== undefined)(
  `a multicast group is joined${withoutNamespace ? ` (skipped: ${withoutNamespace})` : ""}`,
  async () => {
    const namespace = await openNamespace();
    onTestFinished(() => namespace.close());
    namespace.run("ip", "link", "set", "lo", "multicast", "on");
    namespace.run("ip", "route", "add", "224.0.0.0/4", "dev", "lo");
    const url = "nmea0183+udp://239.192.0.1:60001";
    const child = namespace.spawn(process.execPath, [hubCand, "-i", "boat", "--source", url, "--stdout"]);
    const sender = `
      const socket = require("node:dgram").createSocket("udp4");
      socket.bind(0, () => setInterval(() => socket.send(${JSON.stringify(sentences)}, 60001, "239.192.0.1"), 100));`;
    namespace.spawn(process.execPath, ["-e", sender]);
    await expectBoat(child, url);
  },
);

test("a boat has its bus and its instruments in one report, and hub's own sentences stay out of it", async () => {
  const port = await serve();
  const args = ["-i", "boat", "--simulate", "--also", `nmea0183+tcp://127.0.0.1:${port}`, "--stdout"];
  const child = startHubCand(args);
  const [ofBus, ofInstrument, devices] = await heard(
    child,
    ({ topic }) => /^can\/boat\/device\/\d{1,2}\/pgn\/129029$/.test(topic),
    ({ topic, payload }) =>
      /^can\/boat\/device\/(2[5-9]\d|[3-5]\d\d)\/pgn\/129029$/.test(topic) && payload.data.method === 1,
    ({ topic, payload }) =>
      topic === "can/boat/devices" &&
      (payload.data.peers as readonly { addr: number; name: number }[]).some(
        ({ addr, name }) => addr >= 256 && name > 0,
      ),
  );
  expect(ofBus!.topic).not.toBe(ofInstrument!.topic);
  expect(ofInstrument!.payload.data.latitude).toBeCloseTo(52.218723, 6);
  expect(devices).toBeDefined();
});
