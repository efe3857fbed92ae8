/**
 * Speed of the display on a slow tablet: Chromium slowed down six times, a boat that reports ten times a second and
 * hears 80 ships off a coast. Prints, over a bad link of 25 kB and 60 ms, the first paint, the first values and the script
 * of the first page, of a first visit and of a second one; then the frames a second that the browser has left on each
 * page: `node bench/display-speed.mjs`, after `npm run build`. BENCH_SECONDS is the time for each page (20), BENCH_ROUNDS
 * that of visits (3). Nothing else may run on the machine.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectAsync } from "mqtt";
import { chromium } from "playwright-core";
import { startBroker } from "../scripts/broker.mjs";
import { chromiumPath } from "../scripts/chromium.mjs";
import { serveDisplay } from "../scripts/serve-display.mjs";
import { badLink } from "./bad-link.mjs";
import { root } from "./rounds.mjs";

const SLOWER = 6;
const STATIONS = 80;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Time for the service worker to fetch all files over the bad link. */
const INSTALL_MS = 90_000;
const BAD_LINK = { bytesPerSecond: 25_000, roundTripMs: 60 };
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

/** Runs in the page: times in milliseconds, and kB of script that came over the link until then. */
const readVisit = `({
  "first paint": performance.getEntriesByName("first-contentful-paint")[0].startTime,
  "first values": performance.now(),
  "kB of script": performance
    .getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(".js"))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize / 1000, 0),
})`;

async function openPage(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return page;
}

async function visit(page, go) {
  await go();
  await page.locator('[data-id=depth][data-kind="live"]').waitFor();
  return page.evaluate(readVisit);
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

function printVisits(title, visits) {
  const figures = Object.keys(visits[0]).map((name) => `${name} ${Math.round(median(visits.map((one) => one[name])))}`);
  console.log(`${title}: ${figures.join(", ")} (medians of ${visits.length}, ms)`);
}

try {
  /** @type {Record<"first" | "second", Record<string, number>[]>} */
  const visits = { first: [], second: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const link = await badLink(Number(new URL(display.url).port), BAD_LINK);
    const context = await browser.newContext({ viewport: { width: 1024, height: 600 } });
    const page = await openPage(context);
    const open = () => page.goto(`http://127.0.0.1:${link.port}/display/#/sail`);
    visits.first.push(await visit(page, open));
    const isKept = () => page.evaluate("navigator.serviceWorker.controller !== null");
    const deadline = performance.now() + INSTALL_MS;
    while (!(await isKept()) && performance.now() < deadline) await delay(200);
    if (await isKept()) {
      await page.goto("about:blank");
      visits.second.push(await visit(page, open));
    } else console.log("no second visit: the service worker was not installed in time");
    await context.close();
    link.close();
  }
  printVisits("first visit, empty cache", visits.first);
  if (visits.second.length > 0) printVisits("second visit, from the service worker", visits.second);
  const page = await openPage(await browser.newContext({ viewport: { width: 1024, height: 600 } }));
  await page.goto(`${display.url}#/sail`);
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
