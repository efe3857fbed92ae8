/** gpsd as a client of hub-link reads position, course and time of own ship, and the ships around. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { startHubCand } from "../hub-cand.ts";
import { freePort, mosquitto, subscriber, until, withoutMosquitto } from "../mosquitto.ts";

const isMissing = spawnSync("gpsd", ["-V"], { env: { PATH: `${process.env.PATH}:/usr/sbin` } }).error !== undefined;
const obstacle = withoutMosquitto ?? (isMissing && process.env.CI !== "true" ? "gpsd is not installed" : undefined);

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.reverse()) await end();
});

function started(child: ChildProcess): ChildProcess {
  endings.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  });
  return child;
}

type Report = Readonly<Record<string, unknown>> & { readonly class: string };

/** Waits until a port of 127.0.0.1 is served. */
async function connected(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise((done) =>
      socket.once("connect", () => done(true)).once("error", () => done(false)),
    );
    if (isOpen) return socket;
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** The reports of gpsd, which reads the lines of a TCP port; a list that grows. */
async function gpsd(port: number): Promise<readonly Report[]> {
  // It does not try a second time.
  (await connected(port)).destroy();
  const control = await freePort();
  const command = ["gpsd", "-N", "-b", "-n", "-S", String(control), `tcp://127.0.0.1:${port}`];
  // As root it would offer its time to the machine's clock, by shared memory that outlives it.
  const [program, ...args] = process.getuid?.() === 0 ? ["unshare", "--ipc", ...command] : command;
  started(spawn(program!, args, { env: { PATH: `${process.env.PATH}:/usr/sbin` }, stdio: "ignore" }));
  const socket = await connected(control);
  endings.push(() => socket.destroy());
  const reports: Report[] = [];
  createInterface({ input: socket }).on("line", (line) => {
    try {
      reports.push(JSON.parse(line));
    } catch {
      // Of some headings version 3.22 writes what is no JSON.
    }
  });
  socket.write('?WATCH={"enable":true,"json":true,"scaled":true};\n');
  return reports;
}

test(`gpsd has the position and the ships${obstacle === undefined ? "" : ` (skipped: ${obstacle})`}`, {
  skip: obstacle !== undefined,
  timeout: 120_000,
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
  expect(Math.abs(Date.parse(String(fix.time)) - Date.now())).toBeLessThan(120_000);

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
