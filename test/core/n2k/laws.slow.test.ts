/** Properties of every definition, for any bytes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CanIdParts, GLOBAL_ADDRESS } from "../../../src/core/can/can-id.ts";
import { broadcastFrames, type CanFrame, fastPacketFrames, singleFrame } from "../../../src/core/can/frames.ts";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { bitsOf, minimumBits } from "../../../src/core/n2k/field.ts";
import { jsonWriterOf } from "../../../src/core/n2k/json.ts";
import { assumed } from "../../../src/core/n2k/pgns/assumed.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";
import { messages } from "./messages.ts";

const all: readonly Definition[] = [
  ...definitions,
  ...reportOnly,
  ...assumed.flatMap(({ public: other }) => (other === undefined ? [] : [other.definition])),
];

const leastBytes = ({ fields }: Definition): number => Math.ceil(minimumBits(fields) / 8);

/** Bytes of the group that repeats to the end; 1 when there is none, or its length varies. */
function groupBytes({ fields }: Definition): number {
  const group = Object.values(fields).find((field) => field.kind === "repeat" && field.times === undefined);
  const sizes = group?.kind === "repeat" ? Object.values(group.group).map(bitsOf) : [];
  return sizes.includes(undefined) ? 1 : Math.max(1, sizes.reduce<number>((sum, bits) => sum + bits!, 0) / 8);
}

/** Texts of other characters need not fit into the bytes that they were read from; `encode.test.ts` looks at them. */
const inAscii = (message: unknown): unknown =>
  JSON.parse(JSON.stringify(message), (name, value) =>
    name !== "textLength" && (typeof value !== "string" || /^[ -~]*$/.test(value)) ? value : undefined,
  );

const SOURCE = 7;

/** Numbers without a place in JSON: not finite, or -0. */
function* oddNumbers(value: unknown): Generator<number> {
  if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))) yield value;
  if (typeof value === "object" && value !== null) for (const each of Object.values(value)) yield* oddNumbers(each);
}

/** A single frame is its data; the others bring their bytes behind a head. */
function payloadOf(frames: readonly CanFrame[], transport: Definition["transport"], length: number): Uint8Array {
  if (frames.length === 1 && transport === "single") return frames[0]!.data;
  const pieces =
    transport === "fast"
      ? frames.map(({ data }, index) => data.subarray(index === 0 ? 2 : 1))
      : frames.slice(1).map(({ data }) => data.subarray(1));
  return Uint8Array.from(Buffer.concat(pieces).subarray(0, length));
}

const framesOf = ({ transport, pgn }: Definition, payload: Uint8Array): readonly CanFrame[] => {
  const header: CanIdParts = { priority: 6, pgn, source: SOURCE, destination: GLOBAL_ADDRESS };
  if (transport === "single" && payload.length <= 8) return [singleFrame(header, payload)];
  return transport === "fast" ? fastPacketFrames(header, payload, 3) : broadcastFrames(header, payload);
};

describe.each(all.map((definition) => ({ definition, title: `${definition.pgn} ${definition.title}` })))(
  "$title",
  ({ definition }) => {
    const decode = decoderOf(definition);
    const json = textOf(jsonWriterOf(definition));
    const encode = encoderOf(definition);
    const least = leastBytes(definition);
    const anyBytes = fc.uint8Array({ maxLength: least + 40 });

    test("any bytes of any length give an object and the same as text, without odd numbers", () => {
      fc.assert(
        fc.property(anyBytes, (bytes) => {
          const message = decode(bytes, 0, bytes.length, SOURCE);
          const text = json(bytes, 0, bytes.length, SOURCE);
          expect(JSON.stringify(message)).toBe(JSON.stringify(JSON.parse(text)));
          expect(text).toMatch(/^[ -~]*$/);
          expect([...oddNumbers(message)]).toEqual([]);
        }),
        { numRuns: 60 },
      );
    });

    test("nothing behind the end is read, nor anything before the beginning", () => {
      const around = fc.uint8Array({ minLength: 80, maxLength: 80 });
      fc.assert(
        fc.property(anyBytes, around, around, (bytes, one, other) => {
          const place = (padding: Uint8Array): string => {
            const buffer = Uint8Array.from([...padding.subarray(0, 32), ...bytes, ...padding.subarray(32)]);
            return json(buffer, 32, 32 + bytes.length, SOURCE);
          };
          expect(place(one)).toBe(place(other));
        }),
        { numRuns: 60 },
      );
    });

    test("a message read from a whole payload, written and read again is the same", () => {
      const group = groupBytes(definition);
      const isVariable = Object.values(definition.fields).some(({ kind }) => kind === "lauText");
      const whole = fc
        .uint8Array({ minLength: least, maxLength: least + 40 })
        .map((bytes) => bytes.subarray(0, bytes.length - ((bytes.length - least) % group)));
      fc.assert(
        fc.property(whole, (bytes) => {
          const message = decode(bytes, 0, bytes.length, SOURCE);
          const again = encode(message);
          const read = inAscii(decode(again, 0, again.length, SOURCE));
          // Behind a broken string all is absent; written anew, fields that know no absence are zeros.
          if (isVariable) expect(read).toMatchObject(inAscii(message) as object);
          else expect(read).toEqual(inAscii(message));
        }),
        { numRuns: 60 },
      );
    });

    test("a message survives being written, cut into frames and read", () => {
      fc.assert(
        fc.property(messages(definition), (message) => {
          const payload = encode(message as never);
          const received = payloadOf(framesOf(definition, payload), definition.transport, payload.length);
          expect(decode(received, 0, received.length, SOURCE)).toMatchObject(message);
        }),
        { numRuns: 40 },
      );
    });
  },
);
