/** `npm run world`: see `scripts/world.mjs`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { faultNames, scriptOf } from "./script.ts";
import { QueueWorld } from "./service/queue-world.ts";
import { ServiceWorld } from "./service/service-world.ts";
import { VoyageWorld } from "./service/voyage-world.ts";
import { shorten } from "./shorten.ts";
import { World } from "./world.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "1" },
    hours: { type: "string" },
    seconds: { type: "string" },
    faults: { type: "string", default: faultNames.join(",") },
    "as-they-are": { type: "boolean", default: false },
    "cpu-seconds": { type: "string" },
    service: { type: "boolean", default: false },
  },
});
const seconds = values.hours === undefined ? Number(values.seconds ?? 3600) : Number(values.hours) * 3600;
const faults = values.faults.split(",").filter((name) => name !== "" && name !== "none");
const unknown = faults.filter((name) => !faultNames.some((each) => each === name));
if (unknown.length > 0 || !(seconds > 0)) {
  process.stderr.write(`world: --faults are ${faultNames.join(", ")}; --hours and --seconds are above zero\n`);
  process.exit(2);
}

const begun = process.cpuUsage();
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
};
const budget = Number(values["cpu-seconds"] ?? Number.POSITIVE_INFINITY);
const count = values["cpu-seconds"] === undefined ? Number(values.seeds) : Number.POSITIVE_INFINITY;

if (values.service) {
  await simulateServices();
  process.exit();
}

let violations = 0;
let worlds = 0;
for (let seed = Number(values.seed); worlds < count && cpuSeconds() < budget; seed++) {
  const script = scriptOf(seed, seconds, faults);
  const world = new World(script);
  world.simulate();
  worlds++;
  console.log(
    `seed ${seed}: ${script.devices.length} devices, ${script.events.length} events, ${world.packets} packets, ${world.messages} messages, digest ${world.digest}`,
  );
  for (const { promise, count, second, detail } of world.violations.values()) {
    violations++;
    console.log(`  VIOLATION ${promise}: ${count} times, first after ${second} s: ${detail}`);
    if (!values["as-they-are"]) console.log(`    ${JSON.stringify(shorten(script, promise))}`);
  }
}
const hours = (worlds * seconds) / 3600;
console.error(`world: ${cpuSeconds().toFixed(1)} s of CPU, ${(hours / cpuSeconds()).toFixed(2)} hours a second`);
console.log(`${worlds} worlds, ${hours.toFixed(2)} hours, ${violations} violations`);
process.exitCode = violations > 0 ? 1 : 0;

/** The worlds of hub-configd, each of a thousand rounds, and those of hub-history: its log book, and its queue. */
async function simulateServices(): Promise<void> {
  // All their folders lie in one, which goes with the program, also if it is stopped.
  const folder = mkdtempSync(join(tmpdir(), "hub-worlds-"));
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, maxRetries: 10 }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
  let [worlds, requests, unexplained] = [0, 0, 0];
  for (let seed = Number(values.seed); worlds < count && cpuSeconds() < budget; seed++, worlds++) {
    const service = new ServiceWorld(seed);
    for (const [world, rounds] of [
      [service, 1000],
      [new VoyageWorld(seed), 100],
      [new QueueWorld(seed), 100],
    ] as const) {
      try {
        for (let round = 0; round < rounds; round++) await world.round();
      } catch (error) {
        unexplained++;
        console.log(`  VIOLATION of seed ${seed}: ${(error as Error).message}`);
      }
      world.close();
      console.log(`seed ${seed}: ${JSON.stringify(world.counts)}`);
    }
    requests += service.counts.requests;
  }
  console.log(`${worlds} worlds, ${requests} requests, ${unexplained} violations`);
  process.exitCode = unexplained > 0 ? 1 : 0;
}
