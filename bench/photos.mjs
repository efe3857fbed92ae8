/**
 * Requests to hub-configd for a setting of a project with 8 MB of media, compared with reading and writing the bytes of
 * its file alone: milliseconds of the wall clock, and CPU time of the process, which is valid on a busy machine too.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { cpuOf, durableWrite, each, get, mediaOf, put, raw, startConfigd } from "./servers.mjs";

const TIMES = 5;
/** Time after which the time stamps of a file show every change. */
const SETTLED_MS = 4000;

/** The longest time of `/health`, requested a hundred times a second while `work` runs. */
async function worstHealth(port, work) {
  let isOver = false;
  let worst = 0;
  const ask = async () => {
    while (!isOver) {
      const begin = performance.now();
      await raw(port, get("/health"));
      worst = Math.max(worst, performance.now() - begin);
      await delay(10);
    }
  };
  const asking = ask();
  await work();
  isOver = true;
  await asking;
  return worst;
}

export async function openPhotos(folder) {
  mkdirSync(join(folder, "configuration"));
  const file = join(folder, "configuration/photos.json");
  const project = { uid: "u", name: "Hull 42", settings: [], media: [mediaOf(6_000_000)] };
  writeFileSync(file, `${JSON.stringify(project, null, 2)}\n`);
  const server = await startConfigd(folder);
  const { port, stop } = server;
  const change = (n) => raw(port, put("/project/photos/settings/x", JSON.stringify({ n, t: performance.now() })));
  const look = () => raw(port, get("/project/photos/settings"));
  const write = () => durableWrite(folder, join(folder, "bare.json"), readFileSync(file));
  const read = () => readFileSync(file).length;
  // V8 compiles what is hot.
  await each(20, change);
  const inputs = [
    { name: "a setting is written", bare: () => each(TIMES, write), configd: () => each(TIMES, change) },
    { name: "the settings are read at once", bare: () => each(TIMES, read), configd: () => each(TIMES, look) },
    {
      name: "the settings are read after seconds",
      prepare: () => delay(SETTLED_MS),
      bare: () => each(TIMES, read),
      configd: () => each(TIMES, look),
    },
    {
      name: "the longest /health while settings are written",
      bare: () => worstHealth(port, () => delay(400)),
      configd: () => worstHealth(port, () => each(TIMES, change)),
    },
  ];
  const measured = (side) => async (input) => {
    // Reading the bytes alone takes the same time whenever they were written.
    if (side === "configd") await input.prepare?.();
    const cpuSeconds = () => cpuOf(side === "configd" ? server : { child: process });
    const begin = cpuSeconds();
    const ms = await input[side]();
    return { ms, "ms of CPU": (1000 * (cpuSeconds() - begin)) / TIMES };
  };
  return { inputs, programs: { "the bytes alone": measured("bare"), "hub-configd": measured("configd") }, close: stop };
}
