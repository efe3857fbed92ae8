/**
 * Messages that are not what their topic has: whatever any of their members is, hub-link goes on and sends nothing that
 * is no value.
 */
import { afterEach, expect, test, vi } from "vitest";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import * as pilots from "../../../src/core/n2k/pgns/pilots.ts";
import { messageSchema } from "../../../src/core/n2k/schema.ts";
import type { SharedText, StreamListener } from "../../../src/core/ports/text-stream.ts";
import type { JsonSchema } from "../../../src/core/report/json-schema.ts";
import { topicSchemas } from "../../../src/core/topics/schemas.ts";
import { Changes } from "../../../src/formats/signalk/changes.ts";
import type { Leaf } from "../../../src/formats/signalk/model.ts";
import { Link } from "../../../src/services/link/link.ts";
import { Nmea0183Outlet } from "../../../src/services/link/nmea0183-outlet.ts";
import { SignalKOutlet } from "../../../src/services/link/signalk-outlet.ts";
import { textOf } from "../../formats/signalk/boats.ts";
import { memoryClock } from "../../support/memory/clock.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { spoiled, spoils } from "../../web/display/malformed.ts";

afterEach(() => vi.restoreAllMocks());

/** Texts in the place of values that JSON.stringify does not write. */
const TOO_LARGE = "1e999";
const DEEP = "deep";

const jsonOf = (message: unknown): string =>
  JSON.stringify(message)
    .replaceAll(`"${TOO_LARGE}"`, TOO_LARGE)
    .replaceAll(`"${DEEP}"`, `${"[".repeat(3000)}${"]".repeat(3000)}`);

const patterns: readonly (readonly [pattern: RegExp, example: string])[] = [
  [/T/, "2026-11-24T00:00:00.000Z"],
  [/4\}-/, "2026-11-24"],
  [/:/, "01:02:03"],
];

/** A value of a schema, with all members. */
function exampleOf({ type, properties, items, additionalProperties, ...schema }: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, exampleOf(one)]));
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0]!);
  if (items !== undefined) return [exampleOf(items)];
  if (typeof additionalProperties === "object") return { depth: exampleOf(additionalProperties) };
  if (type === "boolean") return true;
  if (type === "string") return patterns.find(([pattern]) => pattern.test(schema.pattern ?? ""))?.[1] ?? "12";
  return Math.min(schema.maximum ?? 12, Math.max(schema.minimum ?? 12, 12));
}

function setUp() {
  const clock = memoryClock({ monotonic: 0, wall: Date.parse("2026-11-24T00:00:00Z") });
  const log = memoryLog();
  const lines: string[] = [];
  const texts: string[] = [];
  const nmea0183 = new Nmea0183Outlet([{ sink: { send: (text) => void lines.push(text), close: () => {} } }], clock);
  const signalK = new SignalKOutlet({
    ...{ self: "urn:mrn:imo:mmsi:299000001", prefix: "can/can0", version: "1", clock, log, hostname: () => "boat" },
  });
  const link = new Link({ prefix: "can/can0", outlets: [nmea0183, signalK], clock, log });
  const client = {
    unreadBytes: 0,
    send: (text: string | SharedText) => void texts.push(textOf(text)),
    end: () => {},
    pause: () => {},
    resume: () => {},
  };
  const target = "/signalk/v1/stream?subscribe=all&sendMeta=all";
  signalK.open({ target, port: 3000, address: undefined, header: () => undefined }, client) as StreamListener;
  return {
    filters: link.filters,
    hear: (topic: string, text: string): void => link.hear(topic, new TextEncoder().encode(text), false),
    /** All that is sent because of it. */
    sent: () => {
      clock.advance(1000);
      return { lines: lines.splice(0).join(""), texts: texts.splice(0) };
    },
  };
}

const { filters } = setUp();
const numberOf = (filter: string): number => Number(/\/pgn\/(\d+)$/.exec(filter)?.[1]);

/** Every topic that hub-link reads with its schema. */
const read: readonly (readonly [topic: string, schema: JsonSchema])[] = filters.map((filter) => {
  const topic = filter.replace("+", "4");
  const all = [...definitions, ...reportOnly, ...Object.values(pilots)];
  const definition = all.find(({ pgn }) => pgn === numberOf(filter));
  if (definition !== undefined) return [topic, messageSchema(definition)];
  const found = topicSchemas.find(({ address }) => {
    const places = { prefix: "can/can0", addr: "4", interface: "can0" };
    return address.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof places) => places[name]) === topic;
  });
  return [topic, found!.schema];
});

/** Every value that clients get has finite numbers, and no other type in place of a number. */
function expectValue(value: unknown, path: string): void {
  if (typeof value === "number") expect(Number.isFinite(value), `${path} ${value}`).toBe(true);
  expect(value, path).not.toBeNull();
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) if (member !== undefined) expectValue(member, `${path}/${name}`);
}

function expectLine(line: string): void {
  expect(line).toMatch(/^[$!][A-Z]{5},[\x20-\x7e]*\*[0-9A-F]{2}$/);
  expect(line).not.toMatch(/NaN|Infinity|undefined|null|object|true|function/);
  expect(line.length).toBeLessThanOrEqual(80);
}

const metadata = { rxDate: "2026-11-24T00:00:00.000Z", rxTimestamp: 1_795_478_400, expireAfterSec: 60 };
const good = JSON.stringify({ data: { pgn: 127505, instance: 9, fluidType: "Fuel", levelPercent: 50 }, metadata });

test("every topic that is read has an example, of which values are sent", () => {
  expect(read.length).toBeGreaterThan(40);
  for (const [topic, schema] of read) {
    const { hear, sent } = setUp();
    hear(topic, jsonOf(exampleOf(schema)));
    const { lines, texts } = sent();
    if (/device\/4\/pgn\/(127508|127245)$|navigation$|ais$|alarms$/.test(topic))
      expect(lines.length + texts.length, topic).toBeGreaterThan(1);
  }
});

test.each(read)("%s: whatever its members are, the others flow on, and what is sent are values", (topic, schema) => {
  const leaves: Leaf[] = [];
  const add = Changes.prototype.add;
  vi.spyOn(Changes.prototype, "add").mockImplementation(function (this: Changes, leaf) {
    leaves.push({ ...leaf });
    add.call(this, leaf);
  });
  const { hear, sent } = setUp();
  for (const message of spoiled(exampleOf(schema), [...spoils, DEEP])) {
    hear(topic, jsonOf(message));
    hear("can/can0/device/9/pgn/127505", good);
    const { lines, texts } = sent();
    for (const line of lines.split("\r\n").slice(0, -1)) expectLine(line);
    for (const { value, path, meta } of leaves.splice(0)) {
      if (value === null) continue;
      expectValue(value, path);
      if (meta.units !== undefined) expect(typeof value, path).toBe("number");
    }
    for (const text of texts) JSON.parse(text);
    if (!topic.includes("info")) expect(lines + texts.join(), JSON.stringify(message).slice(0, 300)).toContain("9");
  }
});
