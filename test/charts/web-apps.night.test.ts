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
import { alarmKinds } from "../../src/core/alarms/words.ts";
import { notificationOf } from "../../src/formats/signalk/notification-paths.ts";
import { History } from "../../src/services/history/history.ts";
import { sailed } from "../services/bridge/hazards/voyages.ts";
import { openEngine, withoutEngine } from "../services/history/engine.ts";
import { openBrowser, withoutChromium } from "../support/browser.ts";
import { startHubCand } from "../support/hub-cand.ts";
import { type Mosquitto, mosquitto, withoutMosquitto } from "../support/mosquitto.ts";
import { type NpmPackage, packageFolder, withoutPackages } from "../support/npm-package.ts";
import { freePort } from "../support/ports.ts";
import { titled } from "../support/size.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { reportAlarms } from "../web/display/alarms/reports.ts";
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
async function otherBoat(
  ...args: readonly string[]
): Promise<{ readonly url: string; readonly signalK: string; readonly between: Server }> {
  const own = await mosquitto();
  onTestFinished(() => own.stop());
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${own.port}`;
  running(spawn(process.execPath, [resolve("dist/hub-link.mjs"), "--broker", url, "--signalk", String(port), ...args]));
  while ((await fetch(`http://127.0.0.1:${port}/signalk`).catch(() => undefined)) === undefined) await delay(100);
  const between = await serve(port);
  onTestFinished(() => {
    between.closeAllConnections();
    between.close();
  });
  return { url, signalK: `http://127.0.0.1:${port}/signalk`, between };
}

/** A token of hub-link, asked for as by an app and granted as by a person on board. */
async function tokenFrom(signalK: string, url: string): Promise<string> {
  const client = await connectAsync(url);
  onTestFinished(() => client.endAsync());
  client.on("message", (_topic, message) => {
    for (const { id } of JSON.parse(message.toString()).requests)
      client.publish(`app/link/access/${id}/set`, "approve");
  });
  await client.subscribeAsync("app/link/access");
  const asked = await fetch(`${signalK}/v1/access/requests`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ clientId: "f54cb0a5-4a3e-4ff0-9e1e-5c1cb37d5b3b", description: "chart" }),
  });
  const { href } = (await asked.json()) as { readonly href: string };
  for (;;) {
    const response = await fetch(new URL(href, signalK));
    const { accessRequest } = (await response.json()) as { accessRequest?: { token?: string } };
    if (accessRequest?.token !== undefined) return accessRequest.token;
    await delay(100);
  }
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
    // The gauges are drawn one after the other.
    while (![...texts, "--"].every((each) => drawn.has(each))) {
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

test(titled("KIP draws the history of a battery", obstacle ?? withoutEngine), {
  skip: (obstacle ?? withoutEngine) !== undefined,
}, async () => {
  const engine = await openEngine();
  onTestFinished(() => engine.close());
  await engine.start();
  const lines: string[] = [];
  const history = new History({ prefix: "can/can0", lane: 10, onLine: (line) => lines.push(line) });
  const hear = (topic: string, data: string, rxDate = ""): void =>
    history.hear(topic, new TextEncoder().encode(`{"data":${data},"metadata":{"rxDate":"${rxDate}"}}`), false);
  hear("can/can0/devices", '{"peers":[{"addr":20,"name":13854948221379412976}]}');
  for (let minute = 50; minute > 0; minute -= 1)
    hear(
      "can/can0/every/10/device/20/pgn/127508/1",
      `{"instance":1,"voltageV":${60 + minute / 10}}`,
      new Date(Date.now() - minute * 60_000).toISOString(),
    );
  await fetch(`${engine.url}/write`, { method: "POST", body: lines.join("") });
  await engine.flush();
  const { between } = await otherBoat("--history", engine.url);
  const page = await open(`${kip.name}/`, between);
  await page.getByRole("button", { name: "Load Demo" }).click();
  await page.locator("widget-host2", { hasText: "House Bank" }).click({ button: "right" });
  let drawn = await drawnOn(page);
  while (!(drawn.has("60.0") && drawn.has("65.0"))) {
    await delay(200);
    drawn = await drawnOn(page);
  }
  await keep(page, "KIP history");
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

test(titled("a person who touches Freeboard-SK's chart sets the boat's destination", obstacle), options, async () => {
  const { url, signalK, between } = await otherBoat("--state", temporaryFolder("apps"));
  running(startHubCand(["--simulate", "--broker", url]));
  const token = await tokenFrom(signalK, url);
  const page = await open(`${freeboard.name}/?zoom=13&northup=1&movemap=1&token=${token}`, between);
  // It names the Internet's charts, which it does not reach here, and nothing else.
  await page.getByText("Internet Map Service Unavailable").waitFor();
  while (!(await drawnOn(page)).has("VEERKRACHT")) await delay(300);
  expect(await page.getByText("Unsupported Server Version").count()).toBe(0);
  await page.getByRole("button", { name: "OK" }).click();
  const touched = { x: 400, y: 350 };
  const go = page.getByText("Navigate to here");
  // The dialog takes touches until it has faded away.
  while (!(await go.isVisible())) {
    await page.mouse.click(touched.x, touched.y, { button: "right" });
    await delay(1000);
  }
  await go.click();
  await page.getByText("DTG").waitFor();
  await keep(page, "Freeboard-SK destination");
  const read = async (
    path: string,
  ): Promise<{ readonly nextPoint: { readonly position: Place }; readonly value: Place }> =>
    (await fetch(`${signalK}/${path}`)).json() as never;
  const { position } = (await read("v2/api/vessels/self/navigation/course")).nextPoint;
  const { value } = await read("v1/api/vessels/self/navigation/position");
  const place = placeOnChart(position, value);
  expect(Math.hypot(place.x - touched.x, place.y - touched.y)).toBeLessThan(BESIDE);
});
