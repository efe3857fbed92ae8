/** The built display in a real Chromium, with a real Mosquitto that speaks WebSocket, for tests of what a crew sees. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connectAsync, type MqttClient } from "mqtt";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { appTopics } from "../../../src/core/topics/topics.ts";
import { identityPayload } from "../../../src/services/api/identity.ts";
import { openBrowser, withoutChromium } from "../../support/browser.ts";
import { killed } from "../../support/ends-with-test.ts";
import { startHubCand } from "../../support/hub-cand.ts";
import { type Mosquitto, mosquitto, withoutMosquitto } from "../../support/mosquitto.ts";
import { freePort } from "../../support/ports.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { fallSilent } from "./alarms/reports.ts";

/** Why tests with a display are skipped, or undefined. */
export const withoutDisplay: string | undefined = withoutMosquitto ?? withoutChromium;

export const folder = resolve("dist/display");

const configInfo = identityPayload(
  { name: "hub-configd", version: "1.2.0", hostname: "boat", features: [] },
  true,
  Date.now(),
);

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Screens that every page has to fit. */
export const sizes: readonly Size[] = [
  { width: 800, height: 480 },
  { width: 1024, height: 600 },
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 768, height: 1024 },
  { width: 720, height: 1280 },
  // A laptop or a tablet at 200 %.
  { width: 640, height: 400 },
];

/** The script that finds layout faults of the page, evaluated in the browser. */
export const layoutFindings = readFileSync(new URL("layout-findings.js", import.meta.url), "utf8");

export interface Display {
  readonly page: Page;
  /** Errors of the page and its console, and requests to other hosts; none are expected. */
  readonly complaints: readonly string[];
}

/**
 * Contexts whose pages keep no files: a worker that fetches all of them takes as long as the page itself. Tests of what
 * is kept open contexts of their own.
 */
export const keepingNothing = { serviceWorkers: "block" } as const;

/** Changes settings of a page, which it has after it is loaded again. */
export async function changeSettings(page: Page, settings: object): Promise<void> {
  await page.evaluate(`localStorage["hub-display"] = JSON.stringify(
    { ...JSON.parse(localStorage["hub-display"]), ...${JSON.stringify(settings)} })`);
  await page.reload();
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds on a page, with the first element of each; `options` are members of those of axe.run. */
export async function axeFindings(page: Page, options = ""): Promise<readonly string[]> {
  // The page's own rules forbid foreign scripts, except those of the debugger.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate(
    `axe.run({ ${options} resultTypes: ["violations"], selectors: false })`,
  )) as {
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Pages ask hub-configd every ten seconds whether others have changed something; in tests every second. */
const oftenAsked = `{
  const { setInterval: every } = globalThis;
  globalThis.setInterval = (work, period, ...rest) => every(work, period === 10_000 ? 1000 : period, ...rest);
}`;

export interface Boat {
  readonly broker: Mosquitto;
  readonly browser: Browser;
  /** URL of the display, served as on a boat. */
  readonly url: string;
  /** Port of the broker. */
  readonly webSocketPort: number;
  /** Publishes by hand. */
  readonly client: MqttClient;
  /** The running hub-configd, where a folder was given to it. */
  readonly service: ChildProcess | undefined;
  /** Runs the bridge: with `--simulate`, unless it is given something else to read. */
  bridge(source?: readonly string[]): ChildProcess;
  /**
   * Opens the display at a page, with its own storage, in which settings may be before; the broker is spoken to
   * directly.
   */
  open(hash: string, size?: Size, settings?: object): Promise<Display>;
  /** Like `open`, for another file of the display, or with other parameters: `fleet.html`, `./?boat=hull-1#/sail`. */
  openAt(address: string, size?: Size, settings?: object): Promise<Display>;
  /** Closes what was opened so far: each open display costs the others time. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

interface BoatOptions {
  /** Folder of a hub-configd that is run for the display. */
  readonly configuration?: string;
  /** Port of the engine; without it there is no history. */
  readonly historyPort?: number;
  /** Port of the voyages of hub-history. */
  readonly voyagesPort?: number;
  /** Folder of the boat's own charts. */
  readonly charts?: string;
}

/** Runs hub-configd until it answers. */
async function openConfiguration(
  folder: string,
  port: number,
  charts = resolve(folder, "charts"),
): Promise<ChildProcess> {
  const args = [
    ...["dist/hub-configd.mjs", "-c", folder, "-s", resolve("dist/swagger"), "-p", String(port)],
    ...["--charts", charts],
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`hub-configd ended with ${child.exitCode}`);
    await setTimeout(50);
  }
  return child;
}

/** Serves the display as a boat does, from a folder, at any port. */
export async function serveDisplay(options: object): Promise<Served> {
  const module = (await import("../../../scripts/serve-display.mjs" as string)) as {
    serveDisplay(options: object): Promise<Served>;
  };
  return module.serveDisplay({ port: await freePort(), ...options });
}

export async function openBoat({ configuration, historyPort, voyagesPort, charts }: BoatOptions = {}): Promise<Boat> {
  const configPort = await freePort();
  const service = configuration === undefined ? undefined : await openConfiguration(configuration, configPort, charts);
  const webSocketPort = await freePort();
  const broker = await mosquitto({ listener: [`listener ${webSocketPort} 127.0.0.1`, "protocol websockets"] });
  const served = await serveDisplay({
    folder,
    brokerPort: broker.port,
    configPort,
    historyPort: historyPort ?? (await freePort()),
    voyagesPort: voyagesPort ?? (await freePort()),
    charts,
  });
  const browser = await openBrowser();
  const client = await connectAsync({ host: "127.0.0.1", port: broker.port, protocol: "mqtt", reconnectPeriod: 100 });
  // The broker of these tests is not the one at which hub-configd says that it is there.
  if (service !== undefined) await client.publishAsync(appTopics.configInfo, configInfo, { retain: true });
  const children = service === undefined ? [] : [service];
  async function openAt(
    address: string,
    size: Size = { width: 1024, height: 600 },
    settings?: object,
  ): Promise<Display> {
    const context = await browser.newContext({ ...keepingNothing, viewport: size });
    if (service !== undefined) await context.addInitScript(oftenAsked);
    // By night the sun would choose other colours.
    const stored = JSON.stringify(JSON.stringify({ light: "day", ...settings }));
    await context.addInitScript(`localStorage["hub-display"] ??= ${stored};`);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      // A broker and a history that are away are part of the tests.
      const isAway =
        message.text().includes("WebSocket connection") || message.location().url.includes("/api/history/");
      if (message.type() === "error" && !isAway) complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!["127.0.0.1", "localhost"].includes(new URL(request.url()).hostname)) complaints.push(request.url());
    });
    const url = new URL(address, served.url);
    url.searchParams.set("broker", `ws://127.0.0.1:${webSocketPort}`);
    await page.goto(url.href);
    return { page, complaints };
  }
  return {
    broker,
    browser,
    url: served.url,
    webSocketPort,
    client,
    service,
    bridge(source = ["--simulate"]) {
      const child = startHubCand([...source, "--broker", `mqtt://127.0.0.1:${broker.port}`]);
      child.stderr!.resume();
      children.push(child);
      return child;
    },
    open: (hash, size, settings) => openAt(`./#/${hash}`, size, settings),
    openAt,
    async closePages() {
      for (const context of browser.contexts()) await context.close();
    },
    async close() {
      for (const child of children) await killed(child);
      await client.endAsync(true);
      await browser.close();
      await served.close();
      await broker.stop();
    },
  };
}

/** A folder for hub-configd, in which nothing is deployed yet. */
export function configurationFolder(): string {
  const folder = temporaryFolder("boat");
  mkdirSync(join(folder, "configuration"));
  writeFileSync(join(folder, "deploy.json"), JSON.stringify({ settings: [] }));
  return folder;
}

/** The boat of a file's tests; its pages are closed behind each test, unless the tests share one. */
export function useBoat({ keepsPages = false } = {}): Boat {
  let boat: Boat | undefined;
  beforeAll(async () => {
    boat = await openBoat();
  });
  if (!keepsPages)
    afterEach(async () => {
      if (boat !== undefined) fallSilent(boat.client);
      await boat?.closePages();
    });
  afterAll(() => boat?.close());
  return new Proxy({} as Boat, { get: (_, member) => Reflect.get(boat!, member) });
}
