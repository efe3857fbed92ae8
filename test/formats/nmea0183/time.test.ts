/**
 * The time of sentences as signalk-server's parser reads it, against the time on the bus at the moment at which they
 * are sent: that of the latest message of the PGN that the report has chosen, and what has passed since. Programs take
 * the time of RMC for that of all its values.
 */
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { Nmea0183Encoder } from "../../../src/formats/nmea0183/encoder.ts";
import { heardOf, recordings } from "./heard.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages of many shapes.
type Json = any;

const require = createRequire(import.meta.url);
const Parser = require("@signalk/nmea0183-signalk") as new () => { parse(sentence: string): Json };

const MILLISECONDS_A_DAY = 86_400_000;
/** hub-link collects lines for so long. */
const COLLECT_MS = 100;

/** The time of a sentence, milliseconds since 1970; the parser cuts that of GGA and GLL to the second. */
const times: Readonly<Record<string, (update: Json) => string>> = {
  RMC: ({ timestamp }) => timestamp,
  BWC: ({ timestamp }) => timestamp,
  ZDA: ({ values }) => values[0].value,
};

/** A message with a time: seconds since midnight, and when it came. */
interface Told {
  readonly pgn: number;
  readonly time: number;
  readonly atMs: number;
}

/** The message whose time the report has chosen: on a boat with several receivers they differ by seconds. */
function chosen(all: readonly Told[], { date }: Json, atMs: number): Told | undefined {
  const { time, fraction = 0, source } = date ?? {};
  return all.findLast(
    (told) =>
      told.pgn === source?.pgn &&
      Math.abs(told.atMs - (atMs - source.age * 1000)) < 3 &&
      time?.endsWith(String(Math.floor(told.time % 60)).padStart(2, "0")) &&
      Math.abs((told.time % 1) - fraction) < 0.001,
  );
}

const SECONDS = 60;

/** Milliseconds by which the times of sentences are behind that of the bus when they leave, for about a minute. */
async function lagsOf(name: string): Promise<Map<string, number[]>> {
  const encoder = new Nmea0183Encoder();
  const parser = new Parser();
  const told: Told[] = [];
  let bus: Told | undefined;
  const lags = new Map<string, number[]>(Object.keys(times).map((id) => [id, []]));
  for await (const { on, address, data, atMs } of heardOf(name)) {
    if (on === "navigation") bus = chosen(told, data, atMs);
    else if (typeof data.time === "number") told.push({ pgn: on, time: data.time, atMs });
    const lines = on === "navigation" ? encoder.navigation(data, atMs) : encoder.pgn(on, address, data, atMs);
    for (const sentence of lines.split("\r\n")) {
      const id = sentence.slice(3, 6);
      const update = id in times && parser.parse(sentence)?.updates[0];
      if (!update || bus === undefined || sentence.split(",")[1] === "") continue;
      const lag = bus.time * 1000 + (atMs - bus.atMs) + COLLECT_MS - Date.parse(times[id]!(update));
      lags.get(id)!.push(lag - Math.round(lag / MILLISECONDS_A_DAY) * MILLISECONDS_A_DAY);
    }
    if (lags.get("RMC")!.length > SECONDS) break;
  }
  for (const each of lags.values()) each.sort((one, other) => one - other);
  return lags;
}

const atShare = (sorted: readonly number[], share: number): number => sorted[Math.floor((sorted.length - 1) * share)]!;

/** Recordings of boats whose receivers tell the time. */
const withTime = recordings.filter((name) => !["candumpSample3.txt", "sample-fast.raw.txt"].includes(name));

test.each([["voyage", ["RMC", "ZDA", "BWC"]] as const, ...withTime.map((name) => [name, ["RMC"]] as const)])(
  "%s: the times of %j are those of the bus, half of them within 0.4 s, and 99 of 100 within a second",
  async (name, ids) => {
    const lags = await lagsOf(name);
    for (const [id, sorted] of lags) {
      const told = `${name}, ${id}: ${sorted.length}, ${[0, 0.5, 0.99, 1].map((share) => Math.round(atShare(sorted, share)))}`;
      if (sorted.length === 0) continue;
      expect(atShare(sorted, 0), told).toBeGreaterThan(-20);
      expect(atShare(sorted, 0.5), told).toBeLessThan(400);
      expect(atShare(sorted, 0.99), told).toBeLessThan(1000);
    }
    for (const id of ids) expect(lags.get(id)!.length, id).toBeGreaterThan(4);
  },
);
