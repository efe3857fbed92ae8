/**
 * gpsd as a client of hub-link reads position, course and time of own ship, and the ships around; chrony takes the time
 * from it.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { killed } from "../support/ends-with-test.ts";
import { startHubCand } from "../support/hub-cand.ts";
import { mosquitto, subscriber, until, withoutMosquitto } from "../support/mosquitto.ts";
import { connected, freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const isMissing = spawnSync("gpsd", ["-V"], { env: { PATH: `${process.env.PATH}:/usr/sbin` } }).error !== undefined;
const obstacle = withoutMosquitto ?? (isMissing && process.env.CI !== "true" ? "gpsd is not installed" : undefined);

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.reverse()) await end();
});

function started(child: ChildProcess): ChildProcess {
  endings.push(() => killed(child));
  return child;
}

type Report = Readonly<Record<string, unknown>> & { readonly class: string; readonly receivedMs: number };

/** The reports of gpsd, which reads the lines of a TCP port; a list that grows. */
async function gpsd(port: number): Promise<readonly Report[]> {
  // gpsd does not try a second time.
  (await connected(port)).destroy();
  const control = await freePort();
  const command = ["gpsd", "-N", "-b", "-n", "-S", String(control), `tcp://127.0.0.1:${port}`];
  // As root gpsd would offer its time to the machine's clock, by shared memory that outlives it.
  const [program, ...args] = process.getuid?.() === 0 ? ["unshare", "--ipc", ...command] : command;
  started(spawn(program!, args, { env: { PATH: `${process.env.PATH}:/usr/sbin` }, stdio: "ignore" }));
  const socket = await connected(control);
  endings.push(() => socket.destroy());
  const reports: Report[] = [];
  createInterface({ input: socket }).on("line", (line) => {
    try {
      reports.push({ ...JSON.parse(line), receivedMs: Date.now() });
    } catch {
      // gpsd 3.22 writes invalid JSON for some headings.
    }
  });
  socket.write('?WATCH={"enable":true,"json":true,"scaled":true};\n');
  return reports;
}

test.concurrent(`gpsd has the position and the ships${obstacle === undefined ? "" : ` (skipped: ${obstacle})`}`, {
  skip: obstacle !== undefined,
}, async () => {
  const broker = await mosquitto();
  endings.push(() => broker.stop());
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${broker.port}`;
  const heard = await subscriber(broker.port, {}, "can/can0/#");
  endings.push(() => heard.close());
  started(spawn(process.execPath, [resolve("dist/hub-link.mjs"), "-b", url, "-n", String(port)], { stdio: "ignore" }));
  started(startHubCand(["--simulate", "--broker", url]));
  const reports = await gpsd(port);
  const found = (like: (report: Report) => boolean): Report | undefined => reports.find(like);

  const isFix = ({ class: name, mode, track, time }: Report): boolean =>
    name === "TPV" && Number(mode) >= 2 && track !== undefined && time !== undefined;
  await until(() => found(isFix) !== undefined);
  const fix = found(isFix)!;
  const navigation = await heard.until(
    ({ topic, payload }) => topic.endsWith("/navigation") && JSON.parse(payload).data.position?.hasFix,
  );
  const { position, speed_course } = JSON.parse(navigation.payload).data;
  // The boat moves a few metres a second.
  expect(Number(fix.lat)).toBeCloseTo(position.latitude, 2);
  expect(Number(fix.lon)).toBeCloseTo(position.longitude, 2);
  expect(Math.abs(Number(fix.track) - speed_course.cog)).toBeLessThan(30);

  // The voyage begins at the time of this machine. gpsd repeats a time with other values until the next one comes.
  const lags = (): number[] => {
    const first = new Map(
      reports
        .filter(isFix)
        .toReversed()
        .map(({ time, receivedMs }) => [String(time), receivedMs]),
    );
    return [...first].map(([time, receivedMs]) => receivedMs - Date.parse(time)).sort((one, other) => one - other);
  };
  // A busy machine delays many, and hastens none.
  await until(() => lags().length > 10 && lags()[2]! < 400, 200);
  expect(lags()[0], "no time is of the future").toBeGreaterThan(-100);

  for (const type of [1, 18])
    await until(() => found((report) => report.class === "AIS" && report.type === type) !== undefined);
  const ship = found(({ class: name, type }) => name === "AIS" && type === 1)!;
  const { payload } = await heard.until(
    ({ topic, payload }) => topic.endsWith("/pgn/129038") && JSON.parse(payload).data.mmsi === ship.mmsi,
  );
  const { data } = JSON.parse(payload);
  expect(ship.mmsi).toBe(data.mmsi);
  expect(Number(ship.lat)).toBeCloseTo(data.latitude, 2);
  expect(Number(ship.lon)).toBeCloseTo(data.longitude, 2);
  expect(ship.status_text).toBe(data.navStatus);
});

const page = readFileSync("docs/clock.md", "utf8");
const documented = (pattern: RegExp): string => pattern.exec(page)![1]!;
const canRunChrony =
  process.getuid?.() === 0 &&
  spawnSync("chronyd", ["--version"], { env: { PATH: `${process.env.PATH}:/usr/sbin` } }).error === undefined;
const withoutChrony =
  obstacle ?? (canRunChrony || process.env.CI === "true" ? undefined : "chrony is not installed, or this is not root");

test.concurrent(`chrony has the time, as docs/clock.md sets it up${withoutChrony === undefined ? "" : ` (skipped: ${withoutChrony})`}`, {
  skip: withoutChrony !== undefined,
}, async () => {
  const broker = await mosquitto();
  endings.push(() => broker.stop());
  const url = `mqtt://127.0.0.1:${broker.port}`;
  const folder = temporaryFolder("chrony");
  // chronyd refuses a folder that others may write to.
  chmodSync(folder, 0o750);
  const port = await freePort();
  const here = (text: string): string[] => text.replaceAll("10110", String(port)).replaceAll("3000", "0").split(" ");
  const outlets = here(documented(/^HUB_LINK_OPTIONS="(.*)"$/m).replace(/--signalk \S+ /, ""));
  started(spawn(process.execPath, [resolve("dist/hub-link.mjs"), "-b", url, ...outlets], { stdio: "ignore" }));
  started(startHubCand(["--simulate", "--broker", url]));
  const device = here(documented(/^DEVICES="(.*)"$/m));
  const options = documented(/^GPSD_OPTIONS="(.*)"$/m).split(" ");
  const configuration = join(folder, "chrony.conf");
  const socket = join(folder, "socket");
  writeFileSync(
    configuration,
    `${documented(/^(refclock .*)$/m)}\nmakestep 1 3\nuser root\nbindcmdaddress ${socket}\ncmdport 0\npidfile ${folder}/pid\n`,
  );
  // gpsd and chrony share memory of their own, and chrony must not set this machine's clock (-x).
  const control = String(await freePort());
  const together = 'gpsd -N -S "$@" & exec chronyd -x -d -f "$0"';
  started(
    spawn(
      "unshare",
      ["--ipc", "--pid", "--fork", "--kill-child", "sh", "-c", together, configuration, control, ...options, ...device],
      { env: { PATH: `${process.env.PATH}:/usr/sbin` }, stdio: "ignore" },
    ),
  );
  const sources = (): string =>
    spawnSync("chronyc", ["-n", "-h", socket, "sources"], { encoding: "utf8" }).stdout ?? "";
  const chosen = /^#\* GPS .*\[ *([+-]\d+)(ns|us|ms)\] \+\/- *(\d+)(ns|us|ms)/m;
  const milliseconds = { ns: 1e-6, us: 1e-3, ms: 1 } as Readonly<Record<string, number>>;
  // The simulated receiver has the time of this machine. chrony begins with a wide margin, which narrows with each
  // measurement, once a second.
  await until(() => {
    const [, offset, unit, margin, marginUnit] = chosen.exec(sources()) ?? [];
    if (offset === undefined) return false;
    return Math.abs(Number(offset) * milliseconds[unit!]!) < 300 && Number(margin) * milliseconds[marginUnit!]! < 300;
  }, 500);
});
