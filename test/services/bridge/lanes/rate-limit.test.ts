/** `--max-rate`: each key of a PGN and sender has a rate of its own, events have none. */

import { describe, expect, test } from "vitest";
import type { Definition } from "../../../../src/core/n2k/definition.ts";
import { encoderOf } from "../../../../src/core/n2k/encode.ts";
import { placedFields } from "../../../../src/core/n2k/layout.ts";
import { fluidLevel } from "../../../../src/core/n2k/pgns/electrical.ts";
import { temperature, windData } from "../../../../src/core/n2k/pgns/environment.ts";
import { definitions } from "../../../../src/core/n2k/pgns/index.ts";
import { fixtures } from "../../../core/n2k/fixtures.ts";
import { memoryBridge } from "../../../support/memory-bridge.ts";
import { createBursts } from "../bursts.ts";

const start = Date.UTC(2026, 10, 21);

interface Data {
  readonly [name: string]: unknown;
}

/** The messages of a bridge with `--max-rate 1` in ten seconds in which the payloads come in turn, one every 100 ms. */
function published(pgn: number, payloads: readonly Uint8Array[]): readonly Data[] {
  const { bridge, publisher } = memoryBridge({ prefix: "boat", maxRate: 1 });
  const burst = createBursts(start);
  for (let index = 0; index < 100; index++) {
    const hex = Buffer.from(payloads[index % payloads.length]!).toString("hex");
    bridge.take(burst([{ pgn, hex, at: start + 100 * index }]));
  }
  return publisher.payloads(`boat/device/3/pgn/${pgn}`).map((message) => (message as { data: Data }).data);
}

const countBy = (messages: readonly Data[], name: string): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const message of messages) counts[String(message[name])] = (counts[String(message[name])] ?? 0) + 1;
  return counts;
};

describe("two quantities that share a PGN do not starve one another", () => {
  test("apparent and true wind", () => {
    const wind = encoderOf(windData);
    const messages = published(130306, [
      wind({ pgn: 130306, windSpeedMs: 5, windAngleDeg: 40, reference: "Apparent" }),
      wind({ pgn: 130306, windSpeedMs: 4, windAngleDeg: 60, reference: "True (boat referenced)" }),
    ]);
    expect(countBy(messages, "reference")).toEqual({ Apparent: 10, "True (boat referenced)": 10 });
  });

  test("fuel and water in tanks of one number", () => {
    const tank = encoderOf(fluidLevel);
    const messages = published(127505, [
      tank({ pgn: 127505, instance: 0, fluidType: "Fuel", levelPercent: 50 }),
      tank({ pgn: 127505, instance: 0, fluidType: "Water", levelPercent: 60 }),
    ]);
    expect(countBy(messages, "fluidType")).toEqual({ Fuel: 10, Water: 10 });
  });

  test("temperatures of the sea and outside", () => {
    const sensor = encoderOf(temperature);
    const messages = published(130312, [
      sensor({ pgn: 130312, instance: 0, source: "Sea Temperature", actualTempC: 10 }),
      sensor({ pgn: 130312, instance: 0, source: "Outside Temperature", actualTempC: 20 }),
    ]);
    expect(countBy(messages, "source")).toEqual({ "Sea Temperature": 10, "Outside Temperature": 10 });
  });
});

/** A payload with one bit inverted. */
const inverted = (payload: Uint8Array, bit: number): Uint8Array =>
  payload.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

const payloads = new Map(fixtures.map(({ pgn, payload }) => [pgn, payload]));
const payloadOf = (pgn: number): Uint8Array => payloads.get(pgn)!;
/** The definitions with a fixture; another test demands one of each. */
const withPayload = definitions.filter(({ pgn }) => payloads.has(pgn));

/** The first bits of the fields of a definition that are key fields, or are not. */
const bitsOfFields = ({ fields }: Definition, isKey: boolean): readonly (readonly [name: string, bit: number])[] =>
  placedFields(fields).flatMap(({ name, field, bit }) =>
    (field.key === true) === isKey && bit !== undefined && field.kind !== "skip" ? [[name, bit] as const] : [],
  );

const limited = withPayload.filter(({ event }) => !event);

describe("every key has a rate of its own", () => {
  const cases = limited.flatMap((definition) =>
    bitsOfFields(definition, true).map(([name, bit]) => ({ pgn: definition.pgn, name, bit })),
  );

  test("the definitions have keys", () => expect(cases.length).toBeGreaterThan(70));

  test.each(cases)("$pgn $name", ({ pgn, bit }) => {
    const payload = payloadOf(pgn);
    expect(published(pgn, [payload, inverted(payload, bit)])).toHaveLength(20);
  });
});

describe("messages of one key share a rate", () => {
  const cases = limited.flatMap((definition) =>
    bitsOfFields(definition, false)
      .slice(-1)
      .map(([name, bit]) => ({ pgn: definition.pgn, name, bit })),
  );

  test.each(cases)("$pgn, whatever its $name", ({ pgn, bit }) => {
    const payload = payloadOf(pgn);
    expect(published(pgn, [payload, inverted(payload, bit)])).toHaveLength(10);
  });
});

test.each(withPayload.filter(({ event }) => event))("$pgn $title is never held back", ({ pgn }) => {
  expect(published(pgn, [payloadOf(pgn)])).toHaveLength(100);
});

test("a message of a PGN of assumed layout that is the public one is limited by the key of that", () => {
  // AC power of phase B, with a sequence number that counts up where the assumed layout has its AC instance.
  const phase = (sequence: number, connection: number): Uint8Array =>
    Uint8Array.of(sequence, connection, 0x7b, 0x00, 0xc4, 0x09, 0x00, 0x00);
  const messages = published(
    127745,
    Array.from({ length: 100 }, (_, index) => phase(index, index % 2)),
  );
  expect(countBy(messages, "acInstance")).toEqual({ 0: 10, 1: 10 });
});
