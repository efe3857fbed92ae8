/** Two devices of one instance, for every PGN: the findings name any member of any message, of its lists too. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { FindingsMonitor, OBSERVE_MS } from "../../../src/core/findings/monitor.ts";
import type { Finding } from "../../../src/core/findings/report.ts";
import { Rivalry } from "../../../src/core/findings/rivalry.ts";
import type { Stream } from "../../../src/core/findings/stream.ts";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { keyNames } from "../../../src/core/n2k/layout.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { Packet } from "../../../src/core/ports/packet-batch.ts";
import { messages } from "../n2k/messages.ts";
import { encode, START } from "./synthetic-bus.ts";

const SECONDS = 90;

/** The findings of two devices that each send one message, once a second. */
function findingsOfTwo({ pgn }: Definition, payloads: readonly Uint8Array[]): readonly Finding[] {
  const [monitor, found, packet] = [new FindingsMonitor(), new Map<string, Finding>(), new Packet()];
  for (let at = 0; at <= SECONDS * 1000; at += 1000) {
    if (at % OBSERVE_MS === 0)
      for (const finding of monitor.observe(at, START + at).findings) found.set(finding.id, finding);
    for (const [source, bytes] of payloads.entries()) {
      const [arrived, received] = [at + 100 * source, START + at + 100 * source];
      Object.assign(packet, { arrived, received, pgn, source, destination: 255, bytes, at: 0, end: bytes.length });
      monitor.hear(Object.assign(packet, { transport: bytes.length > 8 ? 1 : 0 }));
    }
  }
  return [...found.values()];
}

type Values = Readonly<Record<string, unknown>>;

/** Two messages of one key. */
const pairs = (definition: Definition): fc.Arbitrary<readonly [Values, Values]> =>
  fc.tuple(messages(definition), messages(definition)).map(([one, other]) => {
    const key = Object.fromEntries(keyNames(definition).flatMap((name) => (name in one ? [[name, one[name]]] : [])));
    const others = Object.entries(other).filter(([name]) => !keyNames(definition).includes(name));
    return [one, { ...Object.fromEntries(others), ...key }];
  });

test.each(definitions)("two devices that send $pgn $title", (definition) => {
  for (const pair of fc.sample(pairs(definition), { numRuns: 5, seed: definition.pgn })) {
    const found = findingsOfTwo(
      definition,
      pair.map((values) => encode(definition, values)),
    );
    for (const { measured } of found) expect(measured).not.toMatch(/undefined|\[object|NaN/);
  }
});

/** Entries of a list that begin with their number, by it; any other value as it is. */
const comparable = (value: unknown): unknown =>
  Array.isArray(value) && typeof value[0] === "object" && "switch" in value[0]
    ? Object.fromEntries(value.map(({ switch: number, ...entry }) => [number, entry]))
    : value;

const isDifferent = (one: unknown, other: unknown): boolean => {
  const [mine, theirs] = [comparable(one), comparable(other)];
  if (mine === one || theirs === other) return JSON.stringify(one) !== JSON.stringify(other);
  return Object.entries(mine as Values).some(
    ([number, entry]) => number in (theirs as Values) && isDifferent(entry, (theirs as Values)[number]),
  );
};

const differing = (one: Values, other: Values, keys: readonly string[]): readonly string[] =>
  Object.keys(one).filter((name) => !keys.includes(name) && name in other && isDifferent(one[name], other[name]));

const withInstance = definitions.filter(
  ({ about, event, origin, ...definition }) =>
    about === undefined &&
    event === undefined &&
    origin !== "assumed" &&
    keyNames(definition).some((name) => /instance$/i.test(name)),
);

test.each(withInstance)("the conflict of $pgn $title names a member that differs", (definition) => {
  const read = decoderOf(definition) as (...payload: [Uint8Array, number, number, number]) => Values;
  const keys = [...keyNames(definition), "pgn", "sequenceId"];
  for (const pair of fc.sample(pairs(definition), { numRuns: 20, seed: definition.pgn })) {
    const payloads = pair.map((values) => encode(definition, values));
    const [one, other] = payloads.map((bytes) => read(bytes, 0, bytes.length, 0)) as [Values, Values];
    const conflicts = findingsOfTwo(definition, payloads).filter(({ kind }) => kind === "conflict");
    const hasInstance = keyNames(definition).some((name) => /instance$/i.test(name) && one[name] !== undefined);
    if (!hasInstance || differing(one, other, keys).length === 0) continue;
    if (/Sea Temperature|Outside Temperature|Atmospheric/.test(JSON.stringify(one))) continue;
    expect(conflicts, JSON.stringify([one, other])).toHaveLength(definition.pgn === 127245 ? 0 : 1);
  }
});

test("two that have agreed for long are in conflict some minutes after they differ", () => {
  const [one, other] = [1, 2].map((last) => ({ digests: ["same"], last }) as unknown as Stream);
  const rivalry = new Rivalry(one!, other!);
  const note = (times: number, digest: string): void => {
    for (let count = 0; count < times; count++) for (const stream of [one!, other!]) rivalry.note(stream, digest);
  };
  note(1000, "same");
  expect(rivalry.isConflict).toBe(false);
  note(150, "another");
  expect([rivalry.isConflict, rivalry.since]).toEqual([true, 2]);
});
