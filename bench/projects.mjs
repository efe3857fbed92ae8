/** Requests to hub-configd for projects of 10 to 10,000 entries, milliseconds. */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { each, get, put, raw, startConfigd } from "./servers.mjs";

export async function openProjects(folder) {
  mkdirSync(join(folder, "configuration"));
  const inputs = [10, 100, 1000, 10_000].map((entries) => {
    const id = `project-${entries}`;
    const file = join(folder, "configuration", `${id}.json`);
    const sensor = Array.from({ length: entries }, (_, n) => ({ name: `sensor-${n}`, unit: "cm", min: 0, max: n }));
    writeFileSync(file, `${JSON.stringify({ uid: id, name: id, sensor }, null, 2)}\n`);
    return { name: `${entries} entries`, entries, id, kB: statSync(file).size / 1024 };
  });
  const { port, stop } = await startConfigd(folder);
  const serve = async ({ entries, id, kB }, round) => {
    const path = `/project/${id}/sensor/sensor-${entries >> 1}`;
    const times = Math.max(3, Math.min(50, 20_000 / entries));
    const change = await each(times, (n) => raw(port, put(path, JSON.stringify({ unit: "m", round, n }))));
    return {
      kB,
      "GET project": await each(times, () => raw(port, get(`/project/${id}`))),
      "GET entry": await each(times, () => raw(port, get(path))),
      "PUT entry": change,
      "PUT, µs an entry": (change * 1000) / entries,
    };
  };
  return { inputs, programs: { "hub-configd": serve }, close: stop };
}
