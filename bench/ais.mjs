/**
 * The AIS report with 10 to 5000 stations around: time of a report, bytes, time of a message heard, memory. Every station says
 * all it can, own ship has position, course and speed. Above 1000 stations the longest silent are crowded out, so that time
 * and memory stay those of 1000.
 *
 * Sizes take turns within each round; figures are medians. `node --expose-gc bench/ais.mjs` shows the memory too.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const rounds = Number(process.env.BENCH_ROUNDS ?? 50);
const sizes = [10, 100, 1000, 5000];
const folder = mkdtempSync(join(tmpdir(), "hub-bench-"));

async function load() {
  const outfile = join(folder, "ais.mjs");
  await build({
    entryPoints: [join(root, "src/nav/ais-reporter.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
  });
  return import(pathToFileURL(outfile).href);
}

const own = { latitude: 52.1234567, longitude: 4.2345678, cog: 30, sog: 12 };

/** What station number so and so says: where it is, and who. Numbers are spread, so that they do not arrive in order. */
const messagesOf = (station) => {
  const mmsi = 200_000_000 + ((station * 7919) % 5003);
  return [
    {
      pgn: 129794,
      mmsi,
      imoNumber: 9_000_000 + station,
      callsign: "PABC",
      name: `STATION ${station}`,
      shipType: 70,
      shipTypeName: "Cargo ship",
      lengthM: 110,
      beamM: 11.4,
      toBowM: 20,
      toStarboardM: 5.7,
      draftM: 3.2,
      destination: "ROTTERDAM",
    },
    {
      pgn: 129038,
      mmsi,
      latitude: 52 + (station % 97) / 100,
      longitude: 4 + (station % 89) / 100,
      cogDeg: (station * 37) % 360,
      sogKnots: (station % 200) / 10,
      headingDeg: (station * 37) % 360,
      rateOfTurnDegPerMin: 0.4,
      navStatus: "Under way using engine",
    },
  ];
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const microseconds = (run) => {
  const begin = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - begin) / 1000;
};
const heap = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

try {
  const { AisReporter } = await load();
  const wall = Date.UTC(2026, 10, 21);
  const sides = sizes.map((size) => {
    const messages = Array.from({ length: size }, (_, station) => messagesOf(station)).flat();
    const before = heap();
    const reporter = new AisReporter();
    for (const message of messages) reporter.hear(message, { arrived: 0, received: wall });
    return { size, messages, reporter, memory: heap() - before, hearing: [], reporting: [], bytes: 0, targets: 0 };
  });
  for (let round = -5; round < rounds; round++) {
    const now = (round + 6) * 1000;
    for (const side of sides) {
      const { reporter, messages } = side;
      const hearing = microseconds(() => {
        for (const message of messages) reporter.hear(message, { arrived: now, received: wall + now });
      });
      let report = "";
      const reporting = microseconds(() => {
        report = reporter.report(now, wall + now, own);
      });
      side.bytes = report.length;
      side.targets = report.split('"mmsi"').length - 1;
      if (round >= 0) {
        side.hearing.push(hearing / messages.length);
        side.reporting.push(reporting);
      }
    }
  }
  console.log(`AIS report, ${rounds} rounds, medians, Node ${process.version}`);
  console.log("  stations  targets    report  per target     bytes  a message  memory");
  for (const { size, targets, hearing, reporting, bytes, memory } of sides) {
    const report = median(reporting);
    const columns = [
      String(size).padStart(10),
      String(targets).padStart(9),
      `${report.toFixed(0)} µs`.padStart(10),
      `${(report / targets).toFixed(2)} µs`.padStart(12),
      String(bytes).padStart(10),
      `${median(hearing).toFixed(2)} µs`.padStart(11),
      globalThis.gc === undefined ? "" : `${(memory / 1024).toFixed(0)} kB`.padStart(8),
    ];
    console.log(columns.join(""));
  }
} finally {
  rmSync(folder, { recursive: true });
}
