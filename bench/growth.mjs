/**
 * `npm run bench:growth`: cost of a thousand times more: here frames of a recording and entries of a project, with the daemons;
 * AIS targets in `ais.mjs`, devices in `devices.mjs`. Sizes take turns; figures are medians. With linear growth the cost per unit
 * is constant, apart from the start.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hub, measure, recording, repeated } from "./replays.mjs";
import { inTurns, medians, printTable } from "./rounds.mjs";
import { each, get, put, raw, startConfigd } from "./servers.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const folder = mkdtempSync(join(tmpdir(), "hub-bench-growth-"));

/** 1000 to 1,000,000 frames: the beginning of the recording, or the recording repeated. */
async function ofFrames() {
  const { lines, from } = await recording(folder);
  const sides = [1e3, 1e4, 1e5, 1e6].map((frames) =>
    repeated(join(folder, `${frames}.log`), lines.slice(0, frames), frames),
  );
  const results = await inTurns(sides, { rounds }, ({ file }) =>
    measure(hub, ["--replay", file, "--speed", "0", "--stdout"], file),
  );
  console.log(`Frames replayed to stdout (${from}), CPU of the process, ${rounds} rounds, medians`);
  const rows = results.map(medians);
  printTable(
    sides.map(({ count }, index) => {
      const { cpu, memory, messages, bytes } = rows[index];
      const before = { count: index === 0 ? 0 : sides[index - 1].count, cpu: rows[index - 1]?.cpu };
      return {
        frames: String(count),
        CPU: `${(cpu / 1000).toFixed(0)} ms`,
        "each more": before.cpu === undefined ? "" : `${((cpu - before.cpu) / (count - before.count)).toFixed(2)} µs`,
        "MB at most": memory.toFixed(0),
        messages: String(messages),
        bytes: String(bytes),
      };
    }),
  );
}

/** 10 to 10,000 entries of a project. */
async function ofProjects() {
  const sides = [10, 100, 1000, 10_000].map((entries) => ({ entries, name: `project-${entries}` }));
  mkdirSync(join(folder, "configuration"));
  for (const { entries, name } of sides) {
    const sensor = Array.from({ length: entries }, (_, n) => ({ name: `sensor-${n}`, unit: "cm", min: 0, max: n }));
    const boat = { uid: name, name, sensor };
    writeFileSync(join(folder, "configuration", `${name}.json`), `${JSON.stringify(boat, null, 2)}\n`);
  }
  const { port, stop } = await startConfigd(folder);
  const results = await inTurns(sides, { rounds }, async ({ entries, name }, round) => {
    const path = `/project/${name}/sensor/sensor-${entries >> 1}`;
    const times = Math.max(3, Math.min(50, 20_000 / entries));
    return {
      whole: await each(times, () => raw(port, get(`/project/${name}`))),
      one: await each(times, () => raw(port, get(path))),
      change: await each(times, (n) => raw(port, put(path, JSON.stringify({ unit: "m", round, n })))),
    };
  });
  await stop();
  console.log(`\nEntries of a project, milliseconds a request to hub-configd, ${rounds} rounds, medians`);
  printTable(
    sides.map(({ entries, name }, index) => {
      const { whole, one, change } = medians(results[index]);
      return {
        entries: String(entries),
        kB: (statSync(join(folder, "configuration", `${name}.json`)).size / 1024).toFixed(1),
        "GET project": whole.toFixed(2),
        "GET entry": one.toFixed(2),
        "PUT entry": change.toFixed(2),
        "PUT, µs an entry": ((change * 1000) / entries).toFixed(1),
      };
    }),
  );
}

try {
  await ofFrames();
  await ofProjects();
} finally {
  rmSync(folder, { recursive: true });
}
