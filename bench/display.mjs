/**
 * Cost of the display: CPU time of Chromium and memory of the page, on a bus of 1910 frames a second, the load of a large boat.
 * Each page is shown for a minute: `node bench/display.mjs [SECONDS]`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { startBroker } from "../scripts/broker.mjs";
import { serveDisplay } from "../scripts/serve-display.mjs";
import { root } from "../scripts/setup.mjs";
import { writeCandump } from "../scripts/simulate.mjs";

const FRAMES_A_SECOND = 1910;
const SECONDS = Number(process.argv[2] ?? 60);
const PAGES = ["sail", "ships", "messages"];
/** Before each measurement, so that what is loaded once does not count; with start and end of the daemon. */
const SETTLE_SECONDS = 10;
const TICKS_A_SECOND = 100;

const flags =
  "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync";

/** Pid, parent and ticks of every process. */
function processes() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, "latin1")
          .replace(/^.*\) /s, "")
          .split(" ");
        return [{ pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
      } catch {
        // The process has just ended.
        return [];
      }
    });
}

/** CPU seconds of a process and its descendants. */
function used(pid) {
  const all = processes();
  const family = new Set([pid]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const one of all) if (family.has(one.parent)) family.add(one.pid);
  }
  return all.filter((one) => family.has(one.pid)).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_A_SECOND;
}

const folder = mkdtempSync(join(tmpdir(), "hub-bench-display-"));
const recording = join(folder, "voyage.log");
const frames = await writeCandump(recording, FRAMES_A_SECOND * PAGES.length * (SECONDS + 2 * SETTLE_SECONDS));
const lines = readFileSync(recording, "utf8").trimEnd().split("\n");
const time = (line) => Number(line.match(/^\(([\d.]+)\)/)[1]);
const speed = FRAMES_A_SECOND / (frames / (time(lines.at(-1)) - time(lines[0])));

const broker = await startBroker({ port: 21883, webSocketPort: 29001 });
const display = await serveDisplay({ folder: join(root, "dist/display"), brokerPort: broker.port, port: 28080 });
const daemon = spawn(
  process.execPath,
  [
    join(root, "dist/hub-cand.mjs"),
    "--replay",
    recording,
    "--speed",
    String(speed),
    "--broker",
    `mqtt://127.0.0.1:${broker.port}`,
  ],
  { stdio: "ignore" },
);
const server = await chromium.launchServer({ executablePath: "/usr/bin/chromium", args: flags.split(" ") });
const browser = await chromium.connect(server.wsEndpoint());
const rest = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

try {
  const page = await browser.newPage({ viewport: { width: 1024, height: 600 } });
  await page.goto(display.url);
  const session = await page.context().newCDPSession(page);
  const heap = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
  };
  console.log(`${FRAMES_A_SECOND} frames a second, ${SECONDS} s a page, Chromium with all of its processes`);
  for (const name of PAGES) {
    await page.evaluate((one) => {
      globalThis.location.hash = `#/${one}`;
    }, name);
    await rest(SETTLE_SECONDS);
    const before = await heap();
    const start = used(server.process().pid);
    await rest(SECONDS);
    const cpu = (used(server.process().pid) - start) / SECONDS;
    const after = await heap();
    const rate = name === "messages" ? `, ${await page.locator("[data-id=rate]").textContent()}` : "";
    console.log(
      `${name.padEnd(9)} ${(100 * cpu).toFixed(1).padStart(5)} % of a core, heap ${before.toFixed(1)} -> ${after.toFixed(1)} MB${rate}`,
    );
  }
} finally {
  await browser.close();
  await server.close();
  const ended = once(daemon, "exit");
  daemon.kill();
  await ended;
  await display.close();
  await broker.close();
  rmSync(folder, { recursive: true });
}
