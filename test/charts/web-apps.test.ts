/**
 * KIP and Freeboard-SK from npm, served beside hub-link as the boat's nginx does, in Chromium: what they draw is what
 * hub has. HUB_SCREENS names a folder that keeps the screens.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { extname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectAsync } from "mqtt";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { alarmKinds } from "../../src/alarms/definitions.ts";
import { notificationOf } from "../../src/signalk/notification-paths.ts";
import { sailed } from "../bridge/hazards/voyages.ts";
import { openBrowser, withoutChromium } from "../browser.ts";
import { reportAlarms } from "../display/alarms/reports.ts";
import { startHubCand } from "../hub-cand.ts";
import { freePort, type Mosquitto, mosquitto, withoutMosquitto } from "../mosquitto.ts";
import { type NpmPackage, packageFolder, withoutPackages } from "../npm-package.ts";
import { titled } from "../packaging/packages.ts";
import { transponder, transponderAt } from "./ais-transponder.ts";

const kip: NpmPackage = {
  name: "@mxtommy/kip",
  version: "4.8.5",
  integrity: "sha512-MFZvsHGVYuNFWMcAV3WAeS2ipCtG9EXnnM4hkp1o8bagrf1mNTAy2hgkzW/c++YzO5ASYQM3x0jXfz5v6OoLqw==",
};
const freeboard: NpmPackage = {
  name: "@signalk/freeboard-sk",
  version: "3.1.1",
  integrity: "sha512-JCf2SNSkGSlTkvp9MJ6GU28cHsCxtWoWLTLBtmo2jvN7oQhBW72yLAOf9cLHNf+NoDAZ97pFjre7RRFrjx2SLA==",
};

const pagesOf = (app: NpmPackage): string => join(packageFolder(app), "public");

/** Why these tests are skipped, or undefined; where everything has to run (CI=true) they fail instead. */
const obstacle = withoutMosquitto ?? withoutChromium ?? withoutPackages([kip, freeboard]);

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** Serves the apps below their names, and passes `/signalk` on, as the snippet of nginx does. */
async function serve(signalK: number): Promise<Server> {
  const server = createServer((asked, answer) => {
    const { url = "/", method, headers } = asked;
    if (url.startsWith("/signalk")) {
      const onward = request({ host: "127.0.0.1", port: signalK, path: url, method, headers }, (response) => {
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      });
      asked.pipe(onward.on("error", () => answer.destroy()));
      return;
    }
    const { pathname } = new URL(url, "http://localhost");
    const app = [kip, freeboard].find(({ name }) => pathname.startsWith(`/${name}/`));
    const path = app && join(pagesOf(app), pathname.slice(app.name.length + 2) || "index.html");
    if (path === undefined || !existsSync(path) || !statSync(path).isFile()) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" });
    answer.end(readFileSync(path));
  });
  server.on("upgrade", ({ url, rawHeaders }, socket) => {
    const onward = connect(signalK, "127.0.0.1");
    onward.write(`GET ${url} HTTP/1.1\r\n`);
    for (let at = 0; at < rawHeaders.length; at += 2) onward.write(`${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`);
    onward.write("\r\n");
    for (const [one, other] of [
      [onward, socket],
      [socket, onward],
    ] as const)
      one.on("error", () => other.destroy()).pipe(other);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

let broker: Mosquitto;
let browser: Browser;
let server: Server;
let signalK: number;
const daemons: ChildProcess[] = [];

beforeAll(async () => {
  if (obstacle !== undefined) return;
  broker = await mosquitto();
  signalK = await freePort();
  const url = `mqtt://127.0.0.1:${broker.port}`;
  const link = spawn(process.execPath, [resolve("dist/hub-link.mjs"), "--broker", url, "--signalk", String(signalK)]);
  daemons.push(link, startHubCand(["--simulate", "--broker", url]));
  for (const { stdout, stderr } of daemons) for (const stream of [stdout, stderr]) stream!.resume();
  server = await serve(signalK);
  browser = await openBrowser();
  while ((await hubValue("navigation.position")) === undefined) await delay(100);
});

afterAll(async () => {
  for (const daemon of daemons) daemon.kill("SIGKILL");
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  await broker?.stop();
});

/** A value of the boat as hub-link has it. */
async function hubValue(path: string): Promise<unknown> {
  const url = `http://127.0.0.1:${signalK}/signalk/v1/api/vessels/self/${path.replaceAll(".", "/")}/value`;
  const response = await fetch(url).catch(() => undefined);
  return response?.status === 200 ? response.json() : undefined;
}

/** Opens a page of an app, which reaches nothing but the server. */
async function open(path: string, from = server): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.addInitScript({ path: "test/charts/watch-canvases.js" });
  await page.route("**/*", (route) =>
    new URL(route.request().url()).hostname === "127.0.0.1" ? route.continue() : route.abort(),
  );
  await page.goto(`http://127.0.0.1:${(from.address() as AddressInfo).port}/${path}`);
  return page;
}

/** Everything the page has drawn so far: each text and image with its place. */
const drawnOn = async (page: Page): Promise<ReadonlyMap<string, { readonly x: number; readonly y: number }>> =>
  new Map(await page.evaluate<[string, { x: number; y: number }][]>("[...globalThis.drawn]"));

const keep = async (page: Page, name: string): Promise<void> => {
  if (process.env.HUB_SCREENS) await page.screenshot({ path: join(process.env.HUB_SCREENS, `${name}.png`) });
};

const options = { skip: obstacle !== undefined };

/** Programs of a test, which end with it. */
function running(...programs: readonly ChildProcess[]): void {
  for (const { stdout, stderr } of programs) for (const stream of [stdout, stderr]) stream!.resume();
  onTestFinished(() => {
    for (const program of programs) program.kill("SIGKILL");
  });
}

/** Broker and hub-link of another boat, without its data, and the server of the apps in front of them. */
async function otherBoat(): Promise<{ readonly url: string; readonly between: Server }> {
  const own = await mosquitto();
  onTestFinished(() => own.stop());
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${own.port}`;
  running(spawn(process.execPath, [resolve("dist/hub-link.mjs"), "--broker", url, "--signalk", String(port)]));
  const between = await serve(port);
  onTestFinished(() => {
    between.closeAllConnections();
    between.close();
  });
  return { url, between };
}

test(titled("the gauges of KIP show depth and speed of the boat, and move", obstacle), options, async () => {
  const page = await open(`${kip.name}/`);
  await page.getByRole("button", { name: "Load Demo" }).click();
  // A gauge shows what was a moment ago, so that all values of hub are kept.
  const values = { depths: new Set<string>(), speeds: new Set<string>() };
  let shown: readonly number[] = [0, 0];
  while (!(shown[0]! > 0 && shown[1]! > 1)) {
    const [depth, speed] = await Promise.all(
      ["environment.depth.belowTransducer", "navigation.speedThroughWater"].map(hubValue),
    );
    values.depths.add(Number(depth).toFixed(1));
    values.speeds.add(((Number(speed) * 3600) / 1852).toFixed(1));
    await delay(200);
    const texts = await drawnOn(page).catch(() => new Map());
    shown = Object.values(values).map((set) => [...set].filter((value) => texts.has(value)).length);
  }
  await keep(page, "KIP");
});

test(
  titled("KIP shows a boat that has an AIS transponder by NMEA 0183 and nothing else", obstacle),
  options,
  async () => {
    const { url, between } = await otherBoat();
    const receiver = await freePort();
    running(
      spawn(process.execPath, transponderAt(receiver)),
      startHubCand(["--broker", url, "--source", `nmea0183+tcp://127.0.0.1:${receiver}`, "-c", "/nonexistent"]),
    );
    const page = await open(`${kip.name}/`, between);
    await page.getByRole("button", { name: "Load Demo" }).click();
    const { sogKnots } = transponder;
    const texts = ["53° 18.30' N", "3° 36.90' E", sogKnots.toFixed(1)];
    let drawn = await drawnOn(page).catch(() => new Map());
    while (!texts.every((each) => drawn.has(each))) {
      await delay(200);
      drawn = await drawnOn(page).catch(() => new Map());
    }
    // There is no depth, and none is made up.
    expect(drawn.has("--")).toBe(true);
    await keep(page, "KIP transponder");
  },
);

test(titled("a person overboard is a notification of KIP until the person is back", obstacle), options, async () => {
  const button = "can/can0/alarms/manOverboard/set";
  const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
  onTestFinished(() => client.endAsync());
  const page = await open(`${kip.name}/`);
  await page.getByRole("button", { name: "Load Demo" }).click();
  await client.publishAsync(button, "{}", { retain: true });
  await page.locator("button", { hasText: "notifications" }).first().click({ timeout: 60_000 });
  const notification = page.getByText(/^Man overboard, \d{3}°, 0\.\d\d nm, man-overboard button$/).first();
  await notification.waitFor();
  await keep(page, "KIP man overboard");
  await client.publishAsync(button, "", { retain: true });
  await notification.waitFor({ state: "detached" });
});

test(titled("every kind of alarm is a notification of KIP until it ends", obstacle), options, async () => {
  const { url, between } = await otherBoat();
  const client = await connectAsync(url);
  onTestFinished(() => client.endAsync());
  const alarms = alarmKinds.map((kind) => sailed(kind).alarm);
  await reportAlarms(client, { alarms });
  const page = await open(`${kip.name}/`, between);
  await page.getByRole("button", { name: "Load Demo" }).click();
  await page.locator("button", { hasText: "notifications" }).first().click({ timeout: 60_000 });
  const notifications = alarms.map((alarm) => {
    const { message } = notificationOf(alarm) as { readonly message: string };
    return page.getByText(message, { exact: true }).first();
  });
  for (const notification of notifications) await notification.waitFor({ state: "attached" });
  await keep(page, "KIP alarms");
  await reportAlarms(client, {});
  for (const notification of notifications) await notification.waitFor({ state: "detached" });
});

interface Target {
  readonly name?: string;
  readonly navigation: { readonly position: { readonly value: Place } };
}

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Metres of a degree of latitude, and of a pixel at the equator at zoom 13 (Web Mercator). */
const [DEGREE, PIXEL] = [111_320, 156_543 / 2 ** 13];
/** A name stands beside its ship. */
const BESIDE = 45;

/** The place of a ship on a chart whose centre is own ship. */
function placeOnChart({ latitude, longitude }: Place, ownShip: Place): { readonly x: number; readonly y: number } {
  const scale = Math.cos((ownShip.latitude * Math.PI) / 180);
  const metres = PIXEL * scale;
  return {
    x: 600 + ((longitude - ownShip.longitude) * scale * DEGREE) / metres,
    y: 400 - ((latitude - ownShip.latitude) * DEGREE) / metres,
  };
}

test(
  titled("own ship, ships and aids to navigation stand on Freeboard-SK's chart where they are", obstacle),
  options,
  async () => {
    const page = await open(`${freeboard.name}/?zoom=13&northup=1&movemap=1`);
    const picture = `/${freeboard.name}/assets/img/vessels/self.png`;
    const names = ["VEERKRACHT", "WINDROOS", "BANK NORTH"];
    let drawn = await drawnOn(page);
    while (![picture, ...names].every((each) => drawn.has(each))) {
      await delay(300);
      drawn = await drawnOn(page);
    }
    await keep(page, "Freeboard-SK");
    const ownShip = (await hubValue("navigation.position")) as Place;
    const tree = await fetch(`http://127.0.0.1:${signalK}/signalk/v1/api/`);
    const { vessels, atons } = (await tree.json()) as Readonly<Record<string, Readonly<Record<string, Target>>>>;
    for (const { name, navigation } of Object.values({ ...vessels, ...atons })) {
      if (name === undefined || !names.includes(name)) continue;
      const [{ x, y }, expected] = [drawn.get(name)!, placeOnChart(navigation.position.value, ownShip)];
      expect(Math.hypot(x - expected.x, y - expected.y), name).toBeLessThan(BESIDE);
    }
  },
);
