/**
 * `node bench/decode.mjs`: time to decode one message of each PGN from its payload, compared with canboatjs's `parse` of
 * `{pgn, length, data}`. hub writes JSON text, canboatjs makes an object; hub's object is measured too.
 *
 * Payloads are the fixtures of the tests, most of which canboatjs knows. PGNs and sides take turns; medians of the rounds.
 */
import { FromPgn } from "@canboat/canboatjs";
import { exportsOf, inTurns, median, medians, microseconds, printTable } from "./rounds.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const repeats = Number(process.env.BENCH_REPEATS ?? 5000);
const FULL = 65_536;

const { AsciiBuffer, createCatalogue, fixtures } = await exportsOf(`
  export { AsciiBuffer } from "./src/text/ascii-buffer.ts";
  export { createCatalogue } from "./src/n2k/catalogue.ts";
  export { fixtures } from "./test/n2k/fixtures.ts";`);
const catalogue = createCatalogue();
const parser = new FromPgn({ useCamel: true });
parser.on("error", () => {});
parser.on("warning", () => {});
const out = new AsciiBuffer(2 * FULL);
/** Consumes the results, so that the compiler removes nothing. */
let used = 0;

/** Nanoseconds per call. */
const cost = (times, read) =>
  (1000 *
    microseconds(() => {
      for (let count = 0; count < times; count++) used += read();
    })) /
  times;

function textOf(reader, payload) {
  if (out.at > FULL) out.at = 0;
  const begin = out.at;
  reader.write(out, payload, 0, payload.length, 3, 0);
  return out.at - begin;
}

const peer = (pgn, data) =>
  parser.parse({ pgn: { pgn, src: 3, dst: 255, prio: 6 }, length: data.length, data, coalesced: true });

const sides = fixtures.flatMap(({ pgn, payload }) => {
  const reader = catalogue.reader(pgn);
  if (reader === undefined) return [];
  const data = Buffer.from(payload);
  return [{ pgn, payload, reader, data, isKnown: peer(pgn, data) !== undefined }];
});
const results = await inTurns(sides, { rounds }, ({ pgn, payload, reader, data, isKnown }) => ({
  text: cost(repeats, () => textOf(reader, payload)),
  object: cost(repeats, () => reader.message(payload, 0, payload.length, 3, 0).pgn),
  other: isKnown ? cost(repeats / 10, () => peer(pgn, data)?.pgn ?? 0) : 0,
}));
const rows = sides.map((side, index) => ({ ...side, ...medians(results[index]) }));
const both = rows.filter(({ isKnown }) => isKnown);
const typical = (name) => median(both.map((row) => row[name]));
const all = (name) => both.reduce((sum, row) => sum + row[name], 0) / both.length;
console.log(`Decoding, packets at hand: ${both.length} messages, ${rounds} rounds, Node ${process.version}`);
printTable(
  Object.entries({ median: typical, mean: all }).map(([name, of]) => ({
    "": name,
    "hub, text": `${of("text").toFixed(0)} ns`,
    "hub, object": `${of("object").toFixed(0)} ns`,
    "canboatjs, object": `${of("other").toFixed(0)} ns`,
    "ratio to text": (of("other") / of("text")).toFixed(1),
    "ratio to object": (of("other") / of("object")).toFixed(1),
  })),
);
if (process.env.BENCH_EACH !== undefined) {
  printTable(
    rows
      .toSorted((a, b) => b.text - a.text)
      .map(({ pgn, text, object, other, reader }) => ({
        PGN: String(pgn),
        text: `${text.toFixed(0)} ns`,
        object: `${object.toFixed(0)} ns`,
        canboatjs: other === 0 ? "" : `${other.toFixed(0)} ns`,
        title: reader.definition.title,
      })),
  );
}
if (used < 0) console.log(used);
