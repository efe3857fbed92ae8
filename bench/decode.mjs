/**
 * `node bench/decode.mjs`: what it costs to read one message of each PGN, as JSON text and as an object, in nanoseconds.
 *
 * Payloads are the fixtures of the tests. Rounds of all PGNs in turn; the median of the rounds counts. A PGN that costs
 * ten times the median of all is marked; the reason is in its length: lists, and texts that are not ASCII only.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const repeats = Number(process.env.BENCH_REPEATS ?? 20_000);

const folder = mkdtempSync(join(tmpdir(), "hub-bench-"));
const outfile = join(folder, "decode.mjs");
await build({
  stdin: {
    contents: `export { createCatalogue } from "./src/n2k/catalogue.ts"; export { fixtures } from "./test/n2k/fixtures.ts";`,
    resolveDir: root,
  },
  bundle: true,
  format: "esm",
  platform: "node",
  outfile,
});
const { createCatalogue, fixtures } = await import(pathToFileURL(outfile).href);
rmSync(folder, { recursive: true });

const catalogue = createCatalogue();
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Nanoseconds per call; what comes out is used, so that nothing is left away. */
let used = 0;
function cost(read, payload) {
  const begin = process.hrtime.bigint();
  for (let count = 0; count < repeats; count++) {
    const result = read(payload, 0, payload.length, 3, 0);
    used += typeof result === "string" ? result.length : result.pgn;
  }
  return Number(process.hrtime.bigint() - begin) / repeats;
}

const rows = fixtures.flatMap(({ pgn, payload, json }) => {
  const reader = catalogue.reader(pgn);
  return reader === undefined ? [] : [{ pgn, payload, reader, bytes: json.length, text: [], object: [] }];
});
for (let round = -1; round < rounds; round++) {
  for (const { reader, payload, text, object } of rows) {
    const asText = cost(reader.json, payload);
    const asObject = cost(reader.message, payload);
    if (round < 0) continue;
    text.push(asText);
    object.push(asObject);
  }
}

const typical = median(rows.map(({ text }) => median(text)));
console.log(`${rounds} rounds of ${repeats}; half of the PGNs cost less than ${typical.toFixed(0)} ns as text\n`);
console.log("   PGN  as text  as object  characters  title");
for (const { pgn, reader, bytes, text, object } of rows.toSorted((a, b) => median(b.text) - median(a.text))) {
  const mark = median(text) > 10 * typical ? " <-- ten times the median" : "";
  console.log(
    `${pgn}  ${median(text).toFixed(0).padStart(4)} ns  ${median(object).toFixed(0).padStart(6)} ns  ${String(bytes).padStart(10)}  ${reader.definition.title}${mark}`,
  );
}
if (used < 0) console.log(used);
