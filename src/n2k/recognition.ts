/**
 * Tells a message of an assumed layout from the public message of the same number
 * (canboat database 6.2.0).
 *
 * A device that speaks the assumed layout sends the expected length and ones in all reserved bits. What fails that is not
 * decoded by the assumed layout: nonsense on a boat is worse than an absent field. Depends on nothing but its arguments;
 * `marks` remembers who was heard speaking the public language.
 */
import { bitsOf, type Definition, type Field } from "./field.ts";
import type { Assumed, Bits } from "./pgns/assumed.ts";

/** What a message is: of the assumed layout, the public one, or neither that can be told. */
export type Recognition = "assumed" | "public" | "refused";

export type Recogniser = (bytes: Uint8Array, at: number, end: number, source: number, now: number) => Recognition;

/** A source stays marked as public until it has not spoken so for this long, in milliseconds. */
export const MARK_MS = 10_000;

/** Bits that a sender of this layout fills with ones; needs a layout without parts of variable length. */
export function reservedBits(definition: Definition): Bits[] {
  const masks: number[] = [];
  let bit = 0;
  for (const field of Object.values<Field>(definition.fields)) {
    const bits = bitsOf(field);
    if (bits === undefined) throw new TypeError(`${definition.pgn} has a field of variable length`);
    if (field.kind === "skip" && field.fill === 1)
      for (let each = bit; each < bit + bits; each++) masks[each >> 3] = (masks[each >> 3] ?? 0) | (1 << (each & 7));
    bit += bits;
  }
  return masks.flatMap((mask, byte): Bits[] => [[byte, mask]]).filter(([, mask]) => mask !== 0);
}

const bytesOf = (definition: Definition): number =>
  definition.transport === "single"
    ? 8
    : Math.ceil(Object.values<Field>(definition.fields).reduce((sum, field) => sum + (bitsOf(field) ?? 0), 0) / 8);

const areOnes = (bits: readonly Bits[], bytes: Uint8Array, at: number): boolean => {
  for (const [byte, mask] of bits) if ((bytes[at + byte]! & mask) !== mask) return false;
  return true;
};

/** A recogniser with its own marks; `now` is monotonic, in milliseconds. */
export function recogniserOf({ definition, public: other }: Assumed): Recogniser {
  const length = bytesOf(definition);
  const reserved = reservedBits(definition);
  const marked = new Float64Array(256).fill(Number.NEGATIVE_INFINITY);
  const isSingle = definition.transport === "single";

  if (other === undefined)
    return (bytes, at, end) => (end - at === length && areOnes(reserved, bytes, at) ? "assumed" : "refused");

  const { shape } = other;
  // The public message is a fast packet and arrives frame by frame, because the assumed one is a single frame.
  if (other.definition.transport === "fast") {
    const isFirst = (bytes: Uint8Array, at: number): boolean =>
      (bytes[at]! & 0x1f) === 0 && bytes[at + 1] === other.bytes;
    if (shape !== undefined)
      return (bytes, at, end) =>
        end - at !== length ? "refused" : isFirst(bytes, at) && areOnes(shape, bytes, at) ? "public" : "assumed";
    return (bytes, at, end, source, now) => {
      if (end - at !== length) return "refused";
      const isOurs = areOnes(reserved, bytes, at);
      // An engine 0 or 32 with an unlucky second byte still has its reserved bits, so it marks nobody.
      if (!isOurs && isFirst(bytes, at)) marked[source] = now;
      if (now - marked[source]! < MARK_MS) return "public";
      return isOurs ? "assumed" : "refused";
    };
  }

  // Both are single frames.
  if (isSingle && shape !== undefined)
    return (bytes, at, end) =>
      end - at !== length || areOnes(shape, bytes, at)
        ? end - at === length
          ? "public"
          : "refused"
        : areOnes(reserved, bytes, at)
          ? "assumed"
          : "refused";
  if (isSingle)
    return (bytes, at, end, source, now) => {
      if (end - at !== length) return "refused";
      if (!areOnes(reserved, bytes, at)) marked[source] = now;
      // A public message may have ones in these places by chance; its sender has shown what it speaks by then.
      return now - marked[source]! < MARK_MS ? "public" : "assumed";
    };

  // The public message is a single frame, the assumed one a fast packet: the length tells.
  return (bytes, at, end) => {
    if (end - at === other.bytes) return "public";
    return end - at === length && areOnes(reserved, bytes, at) ? "assumed" : "refused";
  };
}
