/**
 * The AIS report with 10 to 5000 stations: time and bytes of a report, time of a received message, memory. Every station sends
 * all its messages; own ship has position, course and speed. Above 1000 stations those silent the longest are evicted, so that
 * time and memory stay those of 1000.
 *
 * Sizes take turns within each round; figures are medians. `node --expose-gc bench/ais.mjs` shows the memory too.
 */
import { exportsOf, heap, inTurns, medians, microseconds, printTable } from "./rounds.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 50);
const sizes = [10, 100, 1000, 5000];

const own = { latitude: 52.1234567, longitude: 4.2345678, cog: 30, sog: 12 };

/** Position report and static data of a station. MMSI are spread, so that they do not arrive in order. */
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

const { AisReporter, AsciiBuffer } = await exportsOf(`
  export { AisReporter } from "./src/nav/ais-reporter.ts";
  export { AsciiBuffer } from "./src/text/ascii-buffer.ts";`);
const wall = Date.UTC(2026, 10, 21);
const sides = sizes.map((size) => {
  const messages = Array.from({ length: size }, (_, station) => messagesOf(station)).flat();
  const before = heap();
  const reporter = new AisReporter();
  for (const message of messages) reporter.hear(message, { arrived: 0, received: wall });
  return { size, messages, reporter, memory: heap() - before, out: new AsciiBuffer(1 << 20) };
});
const results = await inTurns(sides, { rounds, warmUps: 5 }, ({ reporter, messages, out }, round) => {
  const now = (round + 6) * 1000;
  const hearing = microseconds(() => {
    for (const message of messages) reporter.hear(message, { arrived: now, received: wall + now });
  });
  out.at = 0;
  const report = microseconds(() => reporter.report(now, wall + now, own, out));
  return { hearing: hearing / messages.length, report, bytes: out.at };
});
console.log(`AIS report, ${rounds} rounds, medians, Node ${process.version}`);
printTable(
  sides.map(({ size, out, memory }, index) => {
    const { hearing, report, bytes } = medians(results[index]);
    const targets = JSON.parse(out.text()).data.targets.length;
    return {
      stations: String(size),
      targets: String(targets),
      report: `${report.toFixed(0)} µs`,
      "per target": `${(report / targets).toFixed(2)} µs`,
      bytes: String(bytes),
      "a message": `${hearing.toFixed(2)} µs`,
      memory: globalThis.gc === undefined ? "" : `${(memory / 1024).toFixed(0)} kB`,
    };
  }),
);
