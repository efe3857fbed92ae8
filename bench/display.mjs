/**
 * Cost of the display: CPU time of Chromium with all of its processes, and memory of the page, on a bus of 1910 frames
 * a second, the load of a large boat. BENCH_SECONDS is the time for each page (60).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chromium } from "playwright-core";
import { startBroker } from "../scripts/broker.mjs";
import { chromiumPath } from "../scripts/chromium.mjs";
import { serveDisplay } from "../scripts/serve-display.mjs";
import { writeCandump } from "../scripts/simulate.mjs";
import { dist, end, startNode, usageOf } from "./process.mjs";
import { root } from "./rounds.mjs";

const FRAMES_A_SECOND = 1910;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const PAGES = ["sail", "ships", "messages"];
/** Time before each measurement, so that loading does not count, nor the start of the daemon. */
const SETTLE_SECONDS = 10;

const flags =
  "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync";

/** CPU seconds of a process and its descendants. */
function used(pid) {
  const all = readdirSync("/proc").flatMap((name) => {
    try {
      return /^\d+$/.test(name) ? [{ pid: Number(name), ...usageOf(name) }] : [];
    } catch {
      // The process has just ended.
      return [];
    }
  });
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const one of all) if (family.has(one.parent)) family.add(one.pid);
  }
  return all.filter((one) => family.has(one.pid)).reduce((sum, { seconds }) => sum + seconds, 0);
}

export async function openDisplay(folder) {
  const recording = join(folder, "voyage.log");
  const frames = await writeCandump(recording, FRAMES_A_SECOND * PAGES.length * (SECONDS + 2 * SETTLE_SECONDS));
  const lines = readFileSync(recording, "utf8").trimEnd().split("\n");
  const time = (line) => Number(line.match(/^\(([\d.]+)\)/)[1]);
  const speed = FRAMES_A_SECOND / (frames / (time(lines.at(-1)) - time(lines[0])));

  const broker = await startBroker({ port: 21883, webSocketPort: 29001 });
  const display = await serveDisplay({ folder: join(root, "dist/display"), brokerPort: broker.port, port: 28080 });
  const source = ["--replay", recording, "--speed", String(speed), "--broker", `mqtt://127.0.0.1:${broker.port}`];
  const daemon = startNode(dist("hub-cand"), source, "ignore");
  const server = await chromium.launchServer({ executablePath: chromiumPath, args: flags.split(" ") });
  const browser = await chromium.connect(server.wsEndpoint());
  const page = await browser.newPage({ viewport: { width: 1024, height: 600 } });
  await page.goto(display.url);
  const session = await page.context().newCDPSession(page);
  const heap = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
  };
  const show = async ({ name }) => {
    await page.evaluate((one) => {
      globalThis.location.hash = `#/${one}`;
    }, name);
    await delay(1000 * SETTLE_SECONDS);
    const before = await heap();
    const start = used(server.process().pid);
    await delay(1000 * SECONDS);
    const share = (100 * (used(server.process().pid) - start)) / SECONDS;
    const rate = name === "messages" ? await page.locator("[data-id=rate]").textContent() : "";
    return {
      "% of a core": share,
      "heap MB": before,
      "after it": await heap(),
      "messages/s": Number.parseFloat(rate ?? ""),
    };
  };
  return {
    inputs: PAGES.map((name) => ({ name })),
    programs: { Chromium: show },
    async close() {
      await browser.close();
      await server.close();
      await end(daemon);
      await display.close();
      await broker.close();
    },
  };
}
