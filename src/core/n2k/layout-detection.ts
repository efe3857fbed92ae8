/**
 * Detects whether a message has the assumed layout of its PGN or is the public message of the same number
 * (canboat database 6.2.0).
 *
 * A sender of the assumed layout uses the expected length and sets all reserved bits. A message that fails this test is
 * not decoded by the assumed layout: an absent field is better than a wrong one.
 */
import type { Definition } from "./definition.ts";
import { minimumBits } from "./field.ts";
import { type Bits, bitsWhere } from "./layout.ts";
import type { Payload } from "./payload.ts";
import type { Assumed } from "./pgns/assumed.ts";

/** The layout of a message; `unknown` if it has neither. */
export type DetectedLayout = "assumed" | "public" | "unknown";

export type LayoutDetector = (payload: Payload) => DetectedLayout;

/** Time after a public message during which ambiguous messages of the same sender count as public ones. */
const PUBLIC_SENDER_MS = 10_000;

/** Bits that a sender of this layout fills with ones. */
export const reservedBits = ({ fields }: Definition): readonly Bits[] =>
  bitsWhere(fields, (field) => field.kind === "skip" && field.reserved && field.fill === 1);

const bytesOf = ({ transport, fields }: Definition): number =>
  transport === "single" ? 8 : Math.ceil(minimumBits(fields) / 8);

const areOnes = (bits: readonly Bits[], bytes: Uint8Array, at: number): boolean => {
  for (const [byte, mask] of bits) if ((bytes[at + byte]! & mask) !== mask) return false;
  return true;
};

/** Makes a detector, which remembers for each source address when it last sent the public message. */
export function layoutDetectorOf({ definition, public: other }: Assumed): LayoutDetector {
  const length = bytesOf(definition);
  const reserved = reservedBits(definition);
  const lastPublic: number[] = [];
  const isPublic = (source: number, arrived: number): boolean =>
    arrived - (lastPublic[source] ?? Number.NEGATIVE_INFINITY) < PUBLIC_SENDER_MS;
  const isSingle = definition.transport === "single";

  if (other === undefined)
    return ({ bytes, at, end }) => (end - at === length && areOnes(reserved, bytes, at) ? "assumed" : "unknown");

  const { shape } = other;
  const ofOtherLength = (size: number): DetectedLayout => (size === other.bytes ? "public" : "unknown");
  // The public message is a fast packet, which arrives frame by frame because the assumed one is a single frame; a
  // gateway of messages delivers it whole.
  if (other.definition.transport === "fast") {
    const isFirst = (bytes: Uint8Array, at: number): boolean =>
      (bytes[at]! & 0x1f) === 0 && bytes[at + 1] === other.bytes;
    if (shape !== undefined)
      return ({ bytes, at, end }) => {
        if (end - at !== length) return ofOtherLength(end - at);
        return isFirst(bytes, at) && areOnes(shape, bytes, at) ? "public" : "assumed";
      };
    return ({ bytes, at, end, source, arrived }) => {
      if (end - at !== length) return ofOtherLength(end - at);
      const isAssumed = areOnes(reserved, bytes, at);
      // Instance 0 or 32 may look like a first frame, but with its reserved bits set it does not prove a public sender.
      if (!isAssumed && isFirst(bytes, at)) lastPublic[source] = arrived;
      if (isPublic(source, arrived)) return "public";
      return isAssumed ? "assumed" : "unknown";
    };
  }

  // Both are single frames.
  if (isSingle && shape !== undefined)
    return ({ bytes, at, end }) =>
      end - at !== length || areOnes(shape, bytes, at)
        ? end - at === length
          ? "public"
          : "unknown"
        : areOnes(reserved, bytes, at)
          ? "assumed"
          : "unknown";
  if (isSingle)
    return ({ bytes, at, end, source, arrived }) => {
      if (end - at !== length) return "unknown";
      if (!areOnes(reserved, bytes, at)) lastPublic[source] = arrived;
      // A public message may have ones in these places by chance; an earlier public message of its sender decides.
      return isPublic(source, arrived) ? "public" : "assumed";
    };

  // The public message is a single frame, the assumed one a fast packet: the length distinguishes them.
  return ({ bytes, at, end }) => {
    if (end - at !== length) return ofOtherLength(end - at);
    return areOnes(reserved, bytes, at) ? "assumed" : "unknown";
  };
}
