/**
 * Speed of the display on a slow tablet: Chromium slowed down six times, a boat that reports ten times a second and
 * hears 80 ships off a coast. Prints the first paint, and the frames a second that the browser has left on each page:
 * `node bench/display-speed.mjs`, after `npm run build`. BENCH_SECONDS is the time for each page (20). Nothing else may
 * run on the machine.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectAsync } from "mqtt";
import { chromium } from "playwright-core";
import { startBroker } from "../scripts/broker.mjs";
import { chromiumPath } from "../scripts/chromium.mjs";
import { serveDisplay } from "../scripts/serve-display.mjs";
import { root } from "./rounds.mjs";

const SLOWER = 6;
const STATIONS = 80;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const prefix = "can/can0";

const envelope = (data, expireAfterSec) =>
  JSON.stringify({
    data,
    metadata: { rxDate: new Date().toISOString(), rxTimestamp: Math.floor(Date.now() / 1000), expireAfterSec },
  });

const sourceOf = (pgn) => ({ name: "7", friendlyName: "Masthead", pgn, rxTimestamp: 0, age: 0.1 });

/** Every value changes with every report. */
function navigation(count) {
  const turn = (count * 0.7) % 360;
  return {
    position: { hasFix: true, fixType: "dgnss", method: 2, numSatellites: 9, latitude: 55.95, longitude: 12.75 },
    speed_course: {
      ...{ cog: turn, sog: 5 + (count % 10) / 10, headingTrue: turn, speedThroughWater: 5, rateOfTurn: 1 },
      source: sourceOf(129026),
    },
    wind_apparent: { speed: 15 + (count % 20) / 10, angle: 30 + (count % 10), source: sourceOf(130306) },
    wind_true: { speed: 12, angle: 40, direction: turn, reference: "water", computed: true, source: sourceOf(130306) },
    depth_water: { depth: 10 + (count % 30) / 10, source: sourceOf(128267) },
  };
}

const ships = (count) => ({
  ownShip: {},
  targets: Array.from({ length: STATIONS }, (_, index) => ({
    mmsi: 244_000_000 + index,
    class: index % 2 === 0 ? "A" : "B",
    name: `SHIP ${index}`,
    lastSeen: new Date().toISOString(),
    cog: (index * 37) % 360,
    sog: index % 15,
    range: 0.1 + (index % 16) * 0.25 + (count % 10) / 100,
    bearing: (index * 53 + count) % 360,
    cpa: index / 10,
    tcpa: index,
  })),
});

const broker = await startBroker({ port: 21883, webSocketPort: 29001 });
const display = await serveDisplay({ folder: join(root, "dist/display"), brokerPort: broker.port, port: 28080 });
const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
let count = 0;
const beat = setInterval(() => {
  client.publish(`${prefix}/navigation`, envelope(navigation(count), 2));
  if (count % 10 === 0) client.publish(`${prefix}/ais`, envelope(ships(count / 10), 60));
  count++;
}, 100);
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
/** Runs in the page: the frames that are drawn in that time. */
const framesIn = (/** @type {number} */ milliseconds) => `new Promise((resolve) => {
  const end = performance.now() + ${milliseconds};
  let drawn = 0;
  const next = () => {
    if (performance.now() >= end) return resolve(drawn);
    drawn++;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})`;

try {
  const page = await browser.newPage({ viewport: { width: 1024, height: 600 } });
  page.setDefaultTimeout(120_000);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(`${display.url}#/sail`);
  await page.locator('[data-id=depth][data-kind="live"]').waitFor();
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  console.log(`first paint: ${Math.round(paint)} ms`);
  for (const name of ["sail", "ships"]) {
    await page.evaluate(`location.hash = "#/${name}"`);
    await delay(5000);
    const frames = Number(await page.evaluate(framesIn(1000 * SECONDS)));
    console.log(`${name}: ${(frames / SECONDS).toFixed(1)} frames a second`);
  }
} finally {
  clearInterval(beat);
  await browser.close();
  await client.endAsync(true);
  await display.close();
  await broker.close();
}
