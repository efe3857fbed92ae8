import { expect, test } from "vitest";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { readDeviceName } from "../../../src/core/n2k/device-name.ts";
import type { Field, Fields } from "../../../src/core/n2k/field.ts";
import { devices } from "../../../src/services/simulation/devices.ts";
import type { Instant, PeriodicMessage } from "../../../src/services/simulation/periodic-message.ts";

const START = Date.UTC(2026, 10, 21, 8, 14, 26);
const momentAt = (seconds: number): Instant => ({ seconds, wall: START + 1000 * seconds });
const all = devices.flatMap((device) =>
  device.messages.map((message): [string, PeriodicMessage] => [`${device.model} ${message.definition.pgn}`, message]),
);

/** Two rounds of the boat at odd moments, the receiver's outage among them. */
const moments = Array.from({ length: 80 }, (_, index) => momentAt(0.3 + index * 30.17));

type Values = Readonly<Record<string, unknown>>;

const decoding = (definition: Definition): ((payload: Uint8Array) => Values) => {
  const read = decoderOf(definition);
  return (payload) => read(payload, 0, payload.length, 1) as unknown as Values;
};

/** Half a step of the wire and half a step of the published decimals. */
const toleranceOf = (field: Extract<Field, { kind: "number" }>): number =>
  (0.5 * field.scale.times) / field.scale.per + 0.5 * 10 ** -field.scale.decimals + 1e-9;

function expectAlike(fields: Fields, sent: Values, heard: Values): void {
  for (const [name, value] of Object.entries(sent)) {
    if (value === "") continue;
    const field = fields[name]!;
    expect(field, name).toBeDefined();
    if (field.kind === "number") {
      expect(heard[name], name).toBeTypeOf("number");
      const off = Math.abs((heard[name] as number) - (value as number));
      // An angle just below 360 may go out as 0.
      expect(Math.min(off, field.range?.[1] === 360 ? 360 - off : off), name).toBeLessThanOrEqual(toleranceOf(field));
    } else if (field.kind === "repeat") {
      const entries = value as readonly Values[];
      const found = heard[name] as readonly Values[];
      expect(found).toHaveLength(entries.length);
      for (const [index, { switch: _, ...entry }] of entries.entries()) expectAlike(field.group, entry, found[index]!);
    } else expect(heard[name], name).toEqual(value);
  }
}

test.each(all)("%s decodes to what was encoded, at any time of the voyage", (_, { definition, message, payload }) => {
  const decode = decoding(definition);
  for (const now of moments) expectAlike(definition.fields, message(now) as Values, decode(payload(now)));
});

test("devices have an address, a NAME, product data, two lists of PGNs and a heartbeat each", () => {
  expect(new Set(devices.map(({ address }) => address)).size).toBe(devices.length);
  const names = devices.map(({ messages }) => {
    const payload = messages.find(({ definition }) => definition.pgn === 60928)!.payload(momentAt(0));
    return readDeviceName(payload, 0, payload.length);
  });
  expect(new Set(names).size).toBe(devices.length);
  for (const { messages } of devices) {
    const pgns = messages.map(({ definition }) => definition.pgn);
    for (const [pgn, count] of [
      [60928, 1],
      [126464, 2],
      [126996, 1],
      [126998, 1],
    ] as const) {
      expect(pgns.filter((one) => one === pgn)).toHaveLength(count);
    }
    expect(messages.find(({ definition }) => definition.pgn === 126993)!.periodMs).toBe(60_000);
  }
});

test("devices list each PGN that they say", () => {
  for (const { messages } of devices) {
    const list = messages.find(({ definition }) => definition.pgn === 126464)!;
    const { pgns } = decoding(list.definition)(list.payload(momentAt(0))) as unknown as { pgns: { id: number }[] };
    const listed = new Set(pgns.map(({ id }) => id));
    const missing = messages.map(({ definition }) => definition.pgn).filter((pgn) => !listed.has(pgn) && pgn !== 59904);
    expect(missing).toEqual([]);
  }
});
