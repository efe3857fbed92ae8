/**
 * All that is published with `--all-pgns` from the simulated voyage, and from the real recordings where they are, beside
 * canboatjs: PGN by PGN, each field by its name there. HUB_FIELDS=FILE writes the table of all messages, in place of the first 100 of each PGN in each recording.
 */
import { writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { publishedFields } from "../../../src/core/n2k/layout.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { memoize } from "../../../src/core/util/memoize.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { packetsOf } from "../../support/packets.ts";
import { realRecording, realRecordings, voyage } from "../../support/recordings.ts";
import { canboatPgns } from "./canboat.ts";
import { canboatMessage, compare } from "./canboat-reading.ts";
import { compare as comparePublic, newTally, type Tally } from "./public-reading.ts";
import { layouts, shared } from "./public-table.ts";

const path = process.env.HUB_FIELDS;
const MAX_MESSAGES = path === undefined ? 100 : Number.POSITIVE_INFINITY;

interface Row {
  messages: number;
  /** In no layout of the public database; published as bytes. */
  unknown: number;
  /** Given to another layout there, with the name of that. */
  readonly elsewhere: Map<string, number>;
  readonly tally: Tally;
  /** Fields that only one of the two has, by name. */
  readonly onlyHere: Set<string>;
  readonly onlyThere: Set<string>;
}

const rows = new Map<number, Row>();
const rowOf = (pgn: number): Row => {
  const row = rows.get(pgn) ?? {
    messages: 0,
    unknown: 0,
    elsewhere: new Map(),
    tally: newTally(),
    onlyHere: new Set(),
    onlyThere: new Set(),
  };
  rows.set(pgn, row);
  return row;
};

const ownDefinitions = new Map([...definitions, ...reportOnly].map((each) => [each.pgn, each]));
const decoder = memoize((definition: Definition) => decoderOf(definition));

/** Names of a message, those in its lists too. */
const namesIn = (message: object): string[] =>
  Object.entries(message).flatMap(([name, value]) =>
    Array.isArray(value) && typeof value[0] === "object" ? value.flatMap(namesIn) : value === undefined ? [] : [name],
  );

function hear(pgn: number, source: number, payload: Uint8Array): void {
  const row = rowOf(pgn);
  row.messages += 1;
  const reading = canboatMessage(pgn, source, payload);
  const own = ownDefinitions.get(pgn);
  if (own === undefined) {
    const layout = layouts.find((each) => each.pgn === pgn && each.variant.matches(payload, 0, payload.length));
    const there = canboatPgns(pgn).find(({ Id }) => Id === reading?.id);
    if (layout?.other === undefined && there === undefined) {
      row.unknown += 1;
      return;
    }
    if (layout?.other === undefined || reading === undefined || there !== layout.other) {
      const title = `${layout?.other?.Id ?? "bytes"}: ${reading?.id ?? "not read"}`;
      row.elsewhere.set(title, (row.elsewhere.get(title) ?? 0) + 1);
      return;
    }
    const { definition } = layout.variant;
    const message = decoder(definition)(payload, 0, payload.length, source);
    comparePublic(definition, layout.other, message as never, reading.fields, payload.length, row.tally);
    return;
  }
  if (reading === undefined) {
    row.elsewhere.set("not read", (row.elsewhere.get("not read") ?? 0) + 1);
    return;
  }
  const message = decoder(own)(payload, 0, payload.length, source);
  const comparison = { compared: 0, differences: [] as { field: string; own: unknown; other: unknown }[] };
  compare(own, message as never, reading.fields, payload.length, comparison);
  row.tally.agreed += comparison.compared - comparison.differences.length;
  for (const { field, own: one, other } of comparison.differences)
    row.tally.differences.push(`${field}: ${JSON.stringify(one)} ${JSON.stringify(other)}`);
  const known = new Set(canboatPgns(pgn).flatMap(({ Fields }) => Fields.map(({ Id }) => Id)));
  const published = new Set(publishedFields(own).map(({ name }) => name));
  for (const name of namesIn(reading.fields)) if (known.has(name) && !published.has(name)) row.onlyThere.add(name);
  for (const name of namesIn(message)) if (name !== "pgn" && !known.has(name)) row.onlyHere.add(name);
}

test("the voyage", async () => {
  const { said } = await voyage(60_000);
  for (const { pgn, source, payload } of said) hear(pgn, source, payload);
});

test.each(realRecordings)("%s", async (name) => {
  const { publicReader, setPublic, reader, fastPackets } = createCatalogue();
  setPublic({ pgns: shared, isWanted: () => true });
  const file = new RecordingFile(realRecording(name), { clock: systemClock, log: memoryLog(), speed: 0 });
  const source = new ReassembledSource({ name, batches: file.batches(), close: () => file.close() });
  const heard = new Map<number, number>();
  for await (const batch of source.packets(fastPacketTable(fastPackets())))
    for (const { pgn, source: address, bytes, at, end } of packetsOf(batch)) {
      if ((reader(pgn) ?? publicReader(pgn)) === undefined) continue;
      const count = heard.get(pgn) ?? 0;
      heard.set(pgn, count + 1);
      if (count < MAX_MESSAGES) hear(pgn, address, bytes.slice(at, end));
    }
});

test("no field says something else, but for reasons that are named", () => {
  const all = [...rows.values()];
  const agreed = all.reduce((sum, { tally }) => sum + tally.agreed, 0);
  const elsewhere = all.reduce(
    (sum, row) => sum + [...row.elsewhere.values()].reduce((one, other) => one + other, 0),
    0,
  );
  // 130850, whose fields it counts where the layouts differ.
  expect(elsewhere).toBeLessThan(10);
  const differences = all.flatMap(({ tally }) => tally.differences);
  expect(agreed).toBeGreaterThan(10_000);
  expect(differences).toEqual([]);
});

afterAll(() => {
  if (path === undefined) return;
  const countsOf = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([what, count]) => `${count} × ${what}`).join("; ");
  const line = ([pgn, { messages, unknown, elsewhere, tally, onlyHere, onlyThere }]: readonly [
    number,
    Row,
  ]): string => {
    const samples = [...new Set(tally.differences)].slice(0, 3).join("; ");
    const explained = countsOf(tally.explained);
    const cells = [pgn, messages, unknown, countsOf(elsewhere), tally.agreed, tally.differences.length, samples];
    return `| ${[...cells, explained, [...onlyThere].join(" "), [...onlyHere].join(" ")].join(" | ")} |`;
  };
  const names = ["PGN", "messages", "without a layout", "another layout there", "fields that agree", "that differ"];
  const head = [[...names, "examples", "explained", "only there", "only here"], Array(10).fill("---")].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  writeFileSync(path, `${[...head, ...[...rows].sort(([one], [other]) => one - other).map(line)].join("\n")}\n`);
});
