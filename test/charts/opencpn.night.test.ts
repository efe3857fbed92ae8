/**
 * OpenCPN of Debian 13 on a screen of its own, connected in each of the three ways that docs/chart-plotters.md tells:
 * own ship and AIS targets have to be on its chart, own ship with a fix, and where hub has it; so have the track and the
 * entries of a voyage. HUB_SCREENS names a folder that keeps the screens.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { TrackPoint } from "../../src/core/voyages/lines.ts";
import { voyageOf } from "../../src/core/voyages/voyage.ts";
import { trackFormats } from "../../src/formats/tracks/formats.ts";
import { openCpnRoot } from "../packaging/roots.ts";
import { until } from "../support/mosquitto.ts";
import { type Namespace, openNamespace } from "../support/namespace.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { transponder, transponderAt } from "./ais-transponder.ts";
import { type Colour, pngOf, type Screen, screenIn } from "./screen.ts";

const [NMEA_0183, SIGNAL_K, FRAMES] = [10110, 3000, 1457];

/** Fields of OpenCPN's DataConnections: a network connection by TCP or by Signal K, of NMEA 0183 or NMEA 2000. */
const connection = (protocol: "tcp" | "signalk", port: number, data: "nmea0183" | "nmea2000"): string =>
  `1;${protocol === "tcp" ? 0 : 3};127.0.0.1;${port};${data === "nmea0183" ? 0 : 1};;4800;1;0;0;;0;;1;0;0;0;1;;0;;0;0;`;

const connections = {
  "NMEA 0183 over TCP": connection("tcp", NMEA_0183, "nmea0183"),
  "Signal K": connection("signalk", SIGNAL_K, "nmea0183"),
  "Yacht Devices RAW over TCP": connection("tcp", FRAMES, "nmea2000"),
};

/** Without the first two lines it asks whether it may be used for navigation. */
const configuration = (dataConnection: string): string => `[Settings]
ConfigVersionString=Version 5.10.2 Build 2024-09-11
NavMessageShown=1
[Settings/GlobalState]
VPLatLon=53.3050,    3.6150
VPScale=0.02
[Settings/NMEADataSource]
DataConnections=${dataConnection}
`;

/** The chart, without the tool bars and the status bar. */
const chart = { left: 60, top: 45, right: 890, bottom: 480 };
const TILE = 40;

/** Colours of own ship with a fix, and without. */
const isRed = (colour: Colour): boolean => colour >> 16 > 150 && ((colour >> 8) & 255) < 60 && (colour & 255) < 60;
const isGrey = (colour: Colour): boolean => {
  const parts = [colour >> 16, (colour >> 8) & 255, colour & 255];
  return Math.max(...parts) - Math.min(...parts) < 6 && Math.min(...parts) > 50 && Math.max(...parts) < 190;
};
/** Colours of AIS targets without a name and with one. */
const targetColours: ReadonlySet<Colour> = new Set([0xf4da48, 0x68e456]);

let inside: Namespace;
let root: string;

beforeAll(async () => {
  root = await openCpnRoot();
  inside = await openNamespace(SIGNAL_K);
  writeFileSync(inside.file("/etc/mosquitto.conf"), "user root\nlistener 1883 127.0.0.1\nallow_anonymous true\n");
  const daemon = (name: string, ...args: readonly string[]): ChildProcess =>
    inside.spawn(process.execPath, [resolve(`dist/${name}.mjs`), ...args]);
  const programs = [
    inside.spawn("mosquitto", ["-c", "/etc/mosquitto.conf"]),
    daemon("hub-cand", "--simulate", "--serve-frames", `${FRAMES}`),
    daemon("hub-link", "--nmea0183", `${NMEA_0183}`, "--signalk", `${SIGNAL_K}`),
  ];
  for (const { stdout, stderr } of programs) for (const stream of [stdout, stderr]) stream!.resume();
  stop = async () => {
    const ended = programs.map((program) => once(program, "exit"));
    for (const program of programs) program.kill("SIGKILL");
    await Promise.all(ended);
    await inside.close();
  };
  while ((await ownShip()) === undefined) await delay(100);
}, 400_000);

let stop = async (): Promise<void> => {};
afterAll(() => stop());

interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The position of the boat by hub; undefined while it is unknown. */
async function ownShip(): Promise<Position | undefined> {
  const asked = request({
    socketPath: inside.socket(SIGNAL_K),
    path: "/signalk/v1/api/vessels/self/navigation/position/value",
    headers: { host: "localhost" },
  });
  const answer = once(asked.end(), "response").catch(() => undefined);
  const [response] = (await answer) ?? [];
  return response?.statusCode === 200 ? (JSON.parse(await text(response)) as Position) : undefined;
}

/** Starts a program of the root, for which the folder is /tmp. */
function spawnInRoot(folder: string, ...command: readonly string[]): ChildProcess {
  const prepare = [
    'mount --bind "$1" "$2/tmp" && mount -t proc proc "$2/proc" && mount --rbind /dev "$2/dev"',
    'shift && exec chroot "$@"',
  ].join(" && ");
  const child = inside.spawn("unshare", ["--mount", "sh", "-c", prepare, "sh", folder, root, ...command], {
    HOME: "/tmp",
    DISPLAY: ":1",
    LC_ALL: "C.UTF-8",
  });
  for (const stream of [child.stdout, child.stderr]) stream!.resume();
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill("SIGKILL")) await once(child, "exit");
  });
  return child;
}

/**
 * Pixels of own ship with and without a fix, and how many targets there are: tiles of the chart with enough of their
 * pixels.
 */
function seenOn({ at }: Screen) {
  let [red, grey] = [0, 0];
  const tiles = new Map<string, number>();
  for (let y = chart.top; y < chart.bottom; y++) {
    for (let x = chart.left; x < chart.right; x++) {
      const colour = at(x, y);
      if (isRed(colour)) red++;
      if (isGrey(colour)) grey++;
      const tile = `${Math.floor(x / TILE)} ${Math.floor(y / TILE)}`;
      if (targetColours.has(colour)) tiles.set(tile, (tiles.get(tile) ?? 0) + 1);
    }
  }
  return { red, grey, targets: [...tiles.values()].filter((pixels) => pixels > 60).length };
}

/** Starts OpenCPN on a screen of its own, connected to hub, with the text of a GPX file if there is one. */
async function openOpenCpn(dataConnection: string, gpx?: string) {
  const folder = temporaryFolder("opencpn");
  if (gpx !== undefined) writeFileSync(join(folder, "voyage.gpx"), gpx);
  mkdirSync(join(folder, ".opencpn"));
  writeFileSync(join(folder, ".opencpn/opencpn.conf"), configuration(dataConnection));
  spawnInRoot(folder, "Xvfb", ":1", "-screen", "0", "1280x800x24", "-fbdir", "/tmp");
  const dump = join(folder, "Xvfb_screen0");
  await until(() => existsSync(join(folder, ".X11-unix/X1")) && existsSync(dump));
  const program = spawnInRoot(folder, "opencpn", "--no_opengl", ...(gpx === undefined ? [] : ["/tmp/voyage.gpx"]));
  const screen = (): Screen => screenIn(dump);
  const keep = (name: string): void => {
    if (process.env.HUB_SCREENS) writeFileSync(join(process.env.HUB_SCREENS, `${name}.png`), pngOf(screen()));
  };
  const file = (name: string): string => join(folder, ".opencpn", name);
  return { program, screen, keep, log: file("opencpn.log"), objects: file("navobj.xml") };
}

test.each(Object.entries(connections))("own ship and targets are on the chart by %s", async (name, dataConnection) => {
  const { program, screen, keep, log: logFile } = await openOpenCpn(dataConnection);
  const isThere = ({ red, grey, targets }: ReturnType<typeof seenOn>) => red > 250 && grey < 150 && targets >= 3;
  // By NMEA 0183 and frames a target appears with its next message.
  while (!isThere(seenOn(screen()))) await delay(200);
  for (let look = 0; look < 8; look++) {
    await delay(300);
    const seen = seenOn(screen());
    expect(isThere(seen), JSON.stringify(seen)).toBe(true);
  }
  keep(name);
  const { latitude, longitude } = (await ownShip())!;
  program.kill("SIGTERM");
  await once(program, "exit");
  const log = readFileSync(logFile, "utf8");
  const [, lat, lon, sog] = /LOGBOOK:.* Lat +([\d.-]+) Lon +([\d.-]+) COG +[\d.]+ SOG +([\d.]+) kts/.exec(log) ?? [];
  expect(Number(lat)).toBeCloseTo(latitude, 3);
  expect(Number(lon)).toBeCloseTo(longitude, 3);
  expect(Number(sog)).toBeGreaterThan(3);
});

test("a boat that has an AIS transponder by NMEA 0183 and nothing else is on the chart, with its ships", {}, async () => {
  const [brokerPort, receiverPort, linkPort] = [1884, 10_111, 10_112];
  const broker = `mqtt://127.0.0.1:${brokerPort}`;
  writeFileSync(inside.file("/etc/second.conf"), `user root\nlistener ${brokerPort} 127.0.0.1\nallow_anonymous true\n`);
  const daemon = (name: string, ...args: readonly string[]): ChildProcess =>
    inside.spawn(process.execPath, [resolve(`dist/${name}.mjs`), "--broker", broker, ...args]);
  const programs = [
    inside.spawn("mosquitto", ["-c", "/etc/second.conf"]),
    inside.spawn(process.execPath, transponderAt(receiverPort)),
    daemon("hub-cand", "--source", `nmea0183+tcp://127.0.0.1:${receiverPort}`, "--config", "/nonexistent"),
    daemon("hub-link", "--nmea0183", `${linkPort}`),
  ];
  onTestFinished(() => {
    for (const program of programs) program.kill("SIGKILL");
  });
  for (const { stdout, stderr } of programs) for (const stream of [stdout, stderr]) stream!.resume();
  const { program, screen, keep, log } = await openOpenCpn(connection("tcp", linkPort, "nmea0183"));
  const isThere = ({ red, targets }: ReturnType<typeof seenOn>) => red > 250 && targets >= 4;
  while (!isThere(seenOn(screen()))) await delay(200);
  keep("AIS transponder alone");
  program.kill("SIGTERM");
  await once(program, "exit");
  const [, lat, lon] = /LOGBOOK:.* Lat +([\d.-]+) Lon +([\d.-]+) /.exec(readFileSync(log, "utf8")) ?? [];
  expect(Number(lat)).toBeCloseTo(transponder.latitude, 3);
  expect(Number(lon)).toBeCloseTo(transponder.longitude, 3);
});

/** Pixels of a dialog. */
const whiteOn = ({ at }: Screen): number => {
  let white = 0;
  for (let y = chart.top; y < chart.bottom; y++)
    for (let x = chart.left; x < chart.right; x++) if (at(x, y) === 0xffffff) white++;
  return white;
};

test("a distress call by radio is a target of OpenCPN's, and an alarm with a dialog", {
  timeout: 120_000,
}, async () => {
  const { screen, keep } = await openOpenCpn(connections["NMEA 0183 over TCP"]);
  while (seenOn(screen()).red <= 250) await delay(200);
  const { red } = seenOn(screen());
  expect(whiteOn(screen())).toBeLessThan(10_000);
  const data = {
    ...{ pgn: 129808, format: "Distress", category: "Distress", natureOfDistress: "Sinking" },
    ...{ address: "2446600000", latitude: 53.29, longitude: 3.66, timeOfPosition: 29_666 },
  };
  // A radio repeats its call until it has an answer.
  for (let look = 0; seenOn(screen()).red < red + 500 || whiteOn(screen()) < 40_000; look++) {
    if (look % 50 === 0) {
      const now = Date.now();
      const metadata = { rxDate: new Date(now).toISOString(), rxTimestamp: Math.floor(now / 1000), expireAfterSec: 60 };
      const call = ["-t", "can/can0/device/9/pgn/129808", "-m", JSON.stringify({ data, metadata })];
      inside.run("mosquitto_pub", "-h", "127.0.0.1", ...call);
    }
    // The ring around the vessel, and the words beside it, are drawn.
    await delay(200);
  }
  keep("DSC");
});

test("a voyage as GPX is a track of OpenCPN's with its times, and its entries are marks", async () => {
  const begin = Date.UTC(2026, 5, 1, 6);
  const points = Array.from({ length: 20 }, (_, at): TrackPoint => {
    const [latitude, longitude] = [(53_300 + at) / 1000, (3600 + (at % 3)) / 1000];
    return at === 10 ? [begin + at * 60_000, latitude, longitude, 1] : [begin + at * 60_000, latitude, longitude];
  });
  const conditions = { latitude: 53.305, longitude: 3.601 };
  const voyage = voyageOf([
    { line: "entry", entry: 0, kind: "begin", time: begin, text: "To Den Helder", conditions },
    { line: "track", time: points.at(-1)![0], points },
    { line: "entry", entry: 1, kind: "note", time: begin + 60_000, text: 'Said "<&>", twice', conditions },
  ])!;
  const written = trackFormats.gpx!.write(voyage, "To Den Helder");
  const { program, screen, keep, objects } = await openOpenCpn(connections["NMEA 0183 over TCP"], written);
  while (seenOn(screen()).red <= 250) await delay(200);
  keep("GPX");
  program.kill("SIGTERM");
  await once(program, "exit");
  const kept = readFileSync(objects, "utf8");
  const numbers = /<trkpt lat="([\d.-]+)" lon="([\d.-]+)">\s*<time>([^<]+)<\/time>/g;
  const track = [...kept.matchAll(numbers)].map(([, latitude, longitude, time]) => ({
    time: Date.parse(time!),
    latitude: Number(latitude),
    longitude: Number(longitude),
  }));
  expect(track).toEqual(points.map(([time, latitude, longitude]) => ({ time, latitude, longitude })));
  expect(kept.split("<trkseg>")).toHaveLength(3);
  const marks = kept.matchAll(/<name>([^<]+)<\/name>\s*<desc>([^<]+)<\/desc>/g);
  expect([...marks].map(([, name, text]) => [name, text])).toEqual([
    ["Voyage begins", "To Den Helder"],
    ["Note", 'Said "&lt;&amp;&gt;", twice'],
  ]);
});
