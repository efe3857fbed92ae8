/** The display in Chromium behind nginx, with the snippets of the packages, a real engine and hub-history. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Engine, openEngine, withoutEngine } from "../../../services/history/engine.ts";
import { numbersOf, type PublishedMessages, writeVoyage } from "../../../services/history/voyage.ts";
import { killed } from "../../../support/ends-with-test.ts";
import { freePort } from "../../../support/ports.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { axeFindings, type Boat, folder as displayFolder, keepingNothing, openBoat, withoutDisplay } from "../boat.ts";

const path = `${process.env.PATH}:/usr/sbin`;
const hasNginx = spawnSync("nginx", ["-v"], { env: { PATH: path } }).error === undefined || process.env.CI === "true";
const obstacle = withoutDisplay ?? withoutEngine ?? (hasNginx ? undefined : "nginx is not installed");

/** The site of the boat with the snippets of the packages, whose ports and folder are those of the test. */
function siteOf(folder: string, port: number, replaced: Readonly<Record<string, string>>): string {
  const snippet = (name: string): string =>
    Object.entries(replaced).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      readFileSync(resolve("packaging/nginx", name), "utf8"),
    );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
daemon off; pid ${folder}/pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? "user root;" : ""} events {}
http {
  access_log off;
  include /etc/nginx/mime.types;
  ${temporary.map((part) => `${part}_temp_path ${folder}/${part};`).join(" ")}
  server {
    listen 127.0.0.1:${port};
    ${["hub-display.conf", "hub-mqtt.conf", "hub-history.conf"].map(snippet).join("\n")}
  }
}
`;
}

describe.skipIf(obstacle !== undefined)(`the history in Chromium ${obstacle ?? ""}`, () => {
  let boat: Boat;
  let engine: Engine;
  let folder: string;
  let nginx: ChildProcess;
  let url: string;
  let said: PublishedMessages;
  const begin = Date.now() - 3 * 3_600_000;

  beforeAll(async () => {
    folder = temporaryFolder("past");
    engine = await openEngine();
    await engine.start();
    said = await writeVoyage(engine.url, "can/can0", [{ from: 0, to: 10_740, wall: begin }]);
    await engine.flush();
    boat = await openBoat();
    const port = await freePort();
    const replaced = {
      ":8428/": `:${engine.port}/`,
      ":9001": `:${boat.webSocketPort}`,
      "/usr/share/hub-display/": `${displayFolder}/`,
    };
    writeFileSync(join(folder, "nginx.conf"), siteOf(folder, port, replaced));
    nginx = spawn("nginx", ["-c", join(folder, "nginx.conf")], { env: { PATH: path }, stdio: "ignore" });
    url = `http://127.0.0.1:${port}/display/`;
    while ((await fetch(url).catch(() => undefined))?.ok !== true) await new Promise((next) => setTimeout(next, 50));
  });
  afterEach(async () => await boat.closePages());
  afterAll(async () => {
    await boat?.close();
    if (nginx !== undefined) await killed(nginx, "SIGTERM");
    await engine?.close();
  });

  interface Opened {
    readonly page: Page;
    readonly context: BrowserContext;
    readonly complaints: readonly string[];
  }

  /** A browser that has never seen the boat. */
  async function open(
    hash: string,
    prepare = async (_page: Page): Promise<void> => {},
    size = { width: 1024, height: 600 },
  ): Promise<Opened> {
    const context = await boat.browser.newContext({ ...keepingNothing, viewport: size });
    // By night the sun would choose other colours.
    await context.addInitScript('localStorage["hub-display"] ??= JSON.stringify({ light: "day" });');
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    await prepare(page);
    await page.goto(`${url}#/${hash}`);
    return { page, context, complaints };
  }
  const range = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const depths = (from = 0): readonly number[] =>
    [
      ...numbersOf(
        said.get("every/10/navigation")!,
        (data: { depth_water?: { depth?: number } }) => data.depth_water?.depth,
      ),
    ].flatMap(([time, depth]) => (time >= from ? [depth] : []));
  const extremesOf = (values: readonly number[], decimals = 1): string =>
    `${Math.min(...values).toFixed(decimals)} – ${Math.max(...values).toFixed(decimals)}`;
  const showsExtremes = (page: Page, text: string): Promise<void> =>
    page.locator("[data-id=extremes]", { hasText: text }).waitFor();

  test("least and greatest depth are those that were published, after a reload too", async () => {
    const { page, complaints } = await open("value/depth");
    await range(page, "24 h").click();
    await range(page, "6 h").click();
    await showsExtremes(page, `${extremesOf(depths())} m`);
    await page.reload();
    await range(page, "6 h").click();
    await showsExtremes(page, `${extremesOf(depths())} m`);
    for (const name of ["24 h", "7 d", "90 d"]) {
      await range(page, name).click();
      await showsExtremes(page, `${extremesOf(depths())} m`);
    }
    await range(page, "1 h").click();
    await page.locator("[data-id=extremes]").waitFor();
    expect(complaints).toEqual([]);
  });

  test("the line reaches back, with the extremes around it, and ends in a gap", async () => {
    const { page } = await open("value/depth");
    await range(page, "6 h").click();
    await showsExtremes(page, extremesOf(depths()));
    await page.locator(".trend canvas").waitFor();
    // Columns of the plot, in device pixels of its inner part: where anything but paper and grid is drawn.
    const drawn = (await page.evaluate(`(() => {
      const canvas = document.querySelector(".trend canvas");
      const { width, height } = canvas;
      const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
      const water = [...document.querySelectorAll("html")].map((one) => getComputedStyle(one).getPropertyValue("--water"))[0];
      const blue = [1, 3, 5].map((at) => Number.parseInt(water.trim().slice(at, at + 2), 16));
      const isWater = (x, y) => blue.every((value, at) => Math.abs(data[4 * (y * width + x) + at] - value) < 4);
      return Array.from({ length: width }, (_, x) => [...Array(height).keys()].some((y) => isWater(x, y)));
    })()`)) as readonly boolean[];
    const [left, right] = [44, drawn.length - 20];
    const at = (share: number): boolean => drawn[Math.round(left + share * (right - left))]!;
    expect([0.1, 0.45, 0.55, 0.75, 0.95].map(at)).toEqual([false, false, true, true, true]);
  });

  test("what hub-history writes now is there for the next browser", async () => {
    const queue = join(folder, "queue");
    const args = ["--broker", `mqtt://127.0.0.1:${boat.broker.port}`, "--url", `${engine.url}/write`, "--queue", queue];
    const daemon = spawn(process.execPath, [resolve("dist/hub-history.mjs"), ...args], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    await new Promise<void>((resolve) => {
      daemon.stderr!.on("data", (text: Buffer) => String(text).includes("connected to the broker") && resolve());
    });
    const bridge = boat.bridge(["--simulate", "--lanes", "10"]);
    const before = new Date();
    const first = await open("trend/battery/20/0/voltageV");
    await first.page.locator('[data-id=system-value][data-kind="live"]').waitFor();
    // The live line joins: its value is in the range of the last hours.
    await first.page.locator("[data-id=extremes]").waitFor();
    const series = 'battery_status_voltageV{bus="can/can0",instance="0"}';
    const isWritten = async (): Promise<boolean> =>
      [...(await engine.values(series)).keys()].some((time) => time > before.getTime());
    while (!(await isWritten())) await new Promise((next) => setTimeout(next, 200));
    expect(await killed(daemon, "SIGTERM")).toBe(0);
    await killed(bridge, "SIGTERM");
    const later = await open("trend/battery/20/0/voltageV");
    const volts = (data: { voltageV?: number }): number | undefined => data.voltageV;
    await range(later.page, "6 h").click();
    const all = [...numbersOf(said.get("every/10/device/20/pgn/127508/0")!, volts).values()];
    const [low] = extremesOf(all, 2).split(" ");
    await later.page.locator("[data-id=extremes]", { hasText: `${low} – ` }).waitFor();
    expect([...first.complaints, ...later.complaints]).toEqual([]);
  });

  test("the Ships page has the track of the day, the Systems page leads to trends, and both pass axe", async () => {
    const { page, complaints } = await open("ships");
    const messages = said.get("every/10/navigation")!;
    const last = messages.findLast((text) => text.includes('"latitude"'))!;
    const publish = (): void => {
      const { data } = JSON.parse(last);
      const metadata = { rxDate: new Date().toISOString(), rxTimestamp: 0, expireAfterSec: 5, configLoaded: false };
      const position = { ...data.position, source: { ...data.position.source, age: 0.1 } };
      boat.client.publish("can/can0/navigation", JSON.stringify({ data: { ...data, position }, metadata }));
      boat.client.publish(
        "can/can0/device/20/pgn/127508",
        JSON.stringify({ data: { pgn: 127508, instance: 0, voltageV: 12.6 }, metadata }),
      );
    };
    const beat = setInterval(publish, 300);
    try {
      const points = async (): Promise<number> =>
        ((await page.locator("[data-id=own-track]").getAttribute("d")) ?? "").split("L").length;
      await expect.poll(points).toBeGreaterThan(20);
      await expect.poll(() => axeFindings(page)).toEqual([]);
      await page.evaluate('location.hash = "#/systems"');
      await page.getByRole("link", { name: "Trend of Battery 0" }).waitFor();
      await expect.poll(() => axeFindings(page)).toEqual([]);
      await page.getByRole("link", { name: "Trend of Battery 0" }).click();
      await range(page, "6 h").click();
      await page.locator("[data-id=extremes]").waitFor();
      for (const light of ["day", "night"]) {
        await page.evaluate(`document.documentElement.dataset.light = "${light}"`);
        await expect.poll(() => axeFindings(page), { message: light }).toEqual([]);
      }
      await page.getByLabel("Value").selectOption("currentA");
      await page.getByRole("heading", { name: "Current" }).waitFor();
    } finally {
      clearInterval(beat);
    }
    expect(complaints).toEqual([]);
  });

  test.each(["a page", "nothing"])("with %s as response a page is what it is without a history", async (kind) => {
    const asked: string[] = [];
    const { page, complaints } = await open("value/depth", async (one) => {
      await one.route("**/api/history/**", (route) => {
        asked.push(route.request().url());
        if (kind === "a page")
          return route.fulfill({ status: 200, contentType: "text/html", body: "<p>no history</p>" });
        return undefined;
      });
    });
    await expect.poll(() => asked.length).toBe(1);
    await range(page, "24 h").click();
    await page.waitForTimeout(300);
    await expect
      .poll(() => page.locator(".alone-tools button").allInnerTexts())
      .toEqual(["Back", "10\u202fmin", "24\u202fh"]);
    expect(asked.length).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("an engine that goes away is said, its points stay, and it comes back by itself", async () => {
    const { page, complaints } = await open("value/depth", (one) => one.clock.install());
    await range(page, "6 h").click();
    await showsExtremes(page, extremesOf(depths()));
    await engine.stop();
    await page.clock.fastForward(70_000);
    await page.getByText("history away").waitFor();
    await showsExtremes(page, extremesOf(depths()));
    await engine.start();
    await page.clock.fastForward(70_000);
    await page.getByText("history away").waitFor({ state: "detached" });
    await showsExtremes(page, extremesOf(depths()));
    expect(complaints).toEqual([]);
  });
});
