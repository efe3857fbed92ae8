/**
 * No list of any length is spread into the arguments of a call: 120,000 of them overflow the stack, and the program
 * ends.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The reason why a list has a limit, whatever comes from outside. */
type Bound =
  | "arguments, which are passed on"
  | "a list in the source"
  | "the document"
  | "lists of a byte's length"
  | "a packet, a sentence, a transfer"
  | "segments of a path"
  | "two"
  | "the corners of a view"
  | "the depths of twenty seconds"
  | "the alarms of a report"
  | "the last minutes"
  | "the table of a polar"
  | "the waypoints of a message";

/** Characters that tell a spread from others of its file. */
const EXCERPT = 40;

/** Spreads of short lists, by file: the argument with the text after it in its line, truncated. */
const bounded: Readonly<Record<string, readonly (readonly [spread: string, bound: Bound])[]>> = {
  "adapters/node/mqtt/incoming-packets.ts": [["...bytes);", "a packet, a sentence, a transfer"]],
  "adapters/node/http/static-files.ts": [["...path));", "segments of a path"]],
  "services/api/http/endpoint.ts": [
    ["...(body ? [readBody(body)] : []),", "two"],
    ["...(body ? [validBody(body)] : []),", "two"],
    ["...middleware,", "a list in the source"],
  ],
  "services/bridge/bridge.ts": [
    ["...report),", "arguments, which are passed on"],
    ["...report),", "arguments, which are passed on"],
  ],
  "daemons/hub-configd.ts": [["...request);", "arguments, which are passed on"]],
  "daemons/program/options.ts": [["...notes);", "a list in the source"]],
  "adapters/node/mqtt/publisher.ts": [['...["", ...filters].map((filter) => pack', "a list in the source"]],
  "core/alarms/depth-watch.ts": [["...times.map((time, index) => Math.abs(d", "the depths of twenty seconds"]],
  "web/display/bus/traffic-tables.tsx": [["...shares, 0.01);", "the last minutes"]],
  "web/display/chart/tiles.ts": [
    ["...easts), Math.max(...easts)].map((by) ", "the corners of a view"],
    ["...easts)].map((by) => Math.floor(column", "the corners of a view"],
    ["...norths), coverage.maxLat);", "the corners of a view"],
    ["...norths), coverage.minLat);", "the corners of a view"],
  ],
  "services/link/signalk-v2/course-app.ts": [["...jsonBody, (c) => changing(c, async ()", "two"]],
  "services/link/signalk-v2/resources-app.ts": [
    ["...jsonBody, (c) =>", "two"],
    ["...jsonBody, (c) =>", "two"],
  ],
  "daemons/hub-link.ts": [
    ["...message)) link.hear(...message);", "arguments, which are passed on"],
    ["...message);", "arguments, which are passed on"],
  ],
  "web/display/sailing/past.ts": [
    ["...known) };", "the last minutes"],
    ["...known), high: Math.max(...known) };", "the last minutes"],
  ],
  "core/nav/polar.ts": [
    ["...all), 90] : [90, Math.max(...all)];", "the table of a polar"],
    ["...all)];", "the table of a polar"],
  ],
  "core/nav/routes.ts": [["...waypoints);", "the waypoints of a message"]],
  "core/nav/quantities.ts": [["...pgns);", "a list in the source"]],
  "web/display/alarms/alarm-sound.ts": [["...since));", "the alarms of a report"]],
  "web/display/data/freshness.ts": [
    ["...this.#gaps);", "a list in the source"],
    ["...this.#gaps)));", "a list in the source"],
  ],
  "web/display/instruments/instrument.ts": [
    ["...known.map((reading) => reading.age));", "a list in the source"],
    ["...known.map((reading) => reading.value)", "a list in the source"],
  ],
  "web/display/systems/mains.tsx": [
    ["...rows);", "two"],
    ["...rows.map(({ data }) => data));", "two"],
    ["...(cannotBe ? [] : [power(watts)]),", "two"],
  ],
  "core/findings/kinds/sensors.ts": [["...lasting.map(([, since]) => since)),", "a packet, a sentence, a transfer"]],
  "formats/gateway/actisense.ts": [
    ["...RECEIVE_ALL));", "a list in the source"],
    ["...deleted),", "lists of a byte's length"],
    ["...dropped, ...deleted),", "lists of a byte's length"],
  ],
  "formats/gateway/bst.ts": [["...stuffed, DLE, ETX);", "a packet, a sentence, a transfer"]],
  "core/n2k/catalogue.ts": [
    ["...message);", "arguments, which are passed on"],
    ["...message);", "arguments, which are passed on"],
  ],
  "core/n2k/compile.ts": [
    ["...Object.keys(tools),", "a list in the source"],
    ["...Object.values(tools), ...this.#consta", "a list in the source"],
    ["...names,", "the document"],
    ["...this.#constants);", "the document"],
  ],
  "core/n2k/decode.ts": [["...more);", "arguments, which are passed on"]],
  "core/n2k/encode.ts": [
    ["...latin1);", "lists of a byte's length"],
    ["...units.flatMap((unit) => [unit & 0xff,", "lists of a byte's length"],
  ],
  "core/n2k/verbs.ts": [["...Object.keys(choices).map(Number));", "the document"]],
  "core/can/frames.ts": [["...head, pgn & 0xff, (pgn >> 8) & 0xff, ", "a list in the source"]],
  "core/n2k/json.ts": [["...texts.map(({ length }) => length));", "the document"]],
  "core/n2k/layout.ts": [
    ["...keyedFields(field));", "the document"],
    ["...placedFrom(field.group, bit));", "the document"],
    ["...placedFrom(field.matching, bit).map((", "the document"],
    ["...placedFrom(field.otherwise, bit).map(", "the document"],
  ],
  "formats/nmea0183/navigation-sentences.ts": [
    ["...modeOf(find(hasFix) === true && numbe", "a packet, a sentence, a transfer"],
  ],
  "formats/nmea0183/pgn-sentences.ts": [["...sources);", "a list in the source"]],
  "formats/nmea0183/sentence.ts": [
    ['...members.map(find)) ?? "",', "a list in the source"],
    ["...values) : undefined;", "a list in the source"],
  ],
  "formats/nmea0183/six-bit.ts": [["...codes), fillBits: codes.length * 6 - ", "a packet, a sentence, a transfer"]],
  "core/project/entries.ts": [["...Object.keys(keys)),", "a list in the source"]],
  "core/project/muxing-rules.ts": [["...(rule === undefined ? [] : [rule]));", "two"]],
  "formats/signalk/session.ts": [["...message);", "two"]],
  "services/simulation/traffic.ts": [["...framesOf(schedule, payload));", "a packet, a sentence, a transfer"]],
  "services/simulation/voyage.ts": [["...speedChanges);", "a list in the source"]],
  "services/simulation/waves.ts": [["...sines.map(([amplitude, period, phase ", "a list in the source"]],
  "core/text/ascii-buffer.ts": [["...more);", "arguments, which are passed on"]],
};

const brackets: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** The place of the bracket that is open at a place; undefined outside of all. */
function openAt(source: string, at: number): number | undefined {
  const closed: string[] = [];
  for (let index = at - 1; index >= 0; index--) {
    const character = source[index]!;
    const opening = brackets[character];
    if (opening !== undefined) closed.push(opening);
    else if (character === closed.at(-1)) closed.pop();
    else if ("([{".includes(character)) return index;
  }
  return undefined;
}

/** Texts and comments have brackets too; they stay as long as they are. */
const withoutTexts = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g, (text) => text.replaceAll(/[^\n]/g, " "));

/** The spreads among the arguments of calls, `push(...rows)`. Rest parameters are none. */
function spreadsIn(text: string): readonly string[] {
  const source = withoutTexts(text);
  return [...source.matchAll(/\.\.\.(?=[\w(#[])/g)].flatMap(({ index }) => {
    const open = openAt(source, index);
    if (open === undefined || source[open] !== "(") return [];
    const [callee] = /[\w.#?]*(?:<[^<>()]*>)?$/.exec(source.slice(0, open))!;
    const isParameter = /^\.\.\.\w+(?:: [^()]*)?\)(?::| =>| \{)/.test(source.slice(index));
    return callee === "" || isParameter ? [] : [text.slice(index, text.indexOf("\n", index)).slice(0, EXCERPT)];
  });
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));

test("src spreads only bounded lists into arguments", () => {
  const found = files.flatMap((file) =>
    spreadsIn(readFileSync(join("src", file), "utf8")).map((spread) => `${file}: ${spread}`),
  );
  const allowed = Object.entries(bounded).flatMap(([file, spreads]) => spreads.map(([spread]) => `${file}: ${spread}`));
  expect(found.toSorted()).toEqual(allowed.toSorted());
});

test.each([
  ["list.push(...rows);", ["...rows);"]],
  ["Math.max(0, ...sizes.keys())", ["...sizes.keys())"]],
  ["Object.assign({}, ...rows.map(({ data }) => data))", ["...rows.map(({ data }) => data))"]],
  ["this.#send(first,\n  ...others,\n);", ["...others,"]],
  ["[...one, ...other]; ({ ...one }); f([...one], { ...other });", []],
  ["const one = (...all) => all; class A { write(...all): void {} read(...all: X[]) {} }", []],
  ['// f(...a)\n/* f(...a) */ "f(...a)"', []],
])("%s", (source, spreads) => expect(spreadsIn(`${source}\n`)).toEqual(spreads));
