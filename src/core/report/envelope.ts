/** The envelope of every message: `data`, and `metadata` with the time of reception and the expiry. */
import * as z from "zod";
import { type AsciiBuffer, type EncodedText, encodeText, textOf } from "../text/ascii-buffer.ts";
import { isoTime } from "../text/date.ts";
import { mark } from "./marks.ts";
import { EXPIRE_AFTER_SECONDS } from "./timing.ts";
import { writerOf } from "./write.ts";

export const metadataOf = <Seconds extends number>(expireAfterSec: Seconds) =>
  z.strictObject({
    rxDate: z.iso.datetime().describe("receive time"),
    rxTimestamp: z.int().describe("receive time, whole seconds since 1970-01-01"),
    expireAfterSec: mark(z.literal(expireAfterSec), { unit: "s" }),
  });

/** The message of `data`; `metadata` is given if it has another expiry or more members. */
export const envelopeOf = <Data extends z.ZodType, Metadata extends z.ZodType = ReturnType<typeof metadataOf<60>>>(
  data: Data,
  metadata?: Metadata,
) => z.strictObject({ data, metadata: (metadata ?? metadataOf(EXPIRE_AFTER_SECONDS)) as Metadata });

/** Metadata of a message received at `wall`, milliseconds since 1970. */
export const metadataAt = <Seconds extends number = typeof EXPIRE_AFTER_SECONDS>(
  wall: number,
  expireAfterSec = EXPIRE_AFTER_SECONDS as Seconds,
) => ({ rxDate: isoTime(wall), rxTimestamp: Math.floor(wall / 1000), expireAfterSec });

/** The beginning of every message. */
export const DATA: EncodedText = encodeText('{"data":');

const ZERO = 0x30;
const utf8 = new TextEncoder();

/**
 * Makes the function that writes `,"metadata":{...}}`, the end of a message received at `wall`, milliseconds since
 * 1970. Thousands of messages share a second, so the text is made once per second and only its milliseconds are
 * replaced.
 */
export function createMetadataWriter(
  expireAfterSec: number = EXPIRE_AFTER_SECONDS,
): (out: AsciiBuffer, wall: number) => void {
  const metadataText = textOf(writerOf(metadataOf(expireAfterSec)));
  let second = Number.NaN;
  let encoded = encodeText("");
  let bytes: Uint8Array = new Uint8Array(0);
  let milliseconds = 0;
  return (out, wall) => {
    const whole = Math.floor(wall / 1000);
    if (whole !== second) {
      second = whole;
      const text = `,"metadata":${metadataText(metadataAt(whole * 1000, expireAfterSec))}}`;
      milliseconds = text.indexOf(".000Z") + 1;
      if (text.length !== encoded.length) {
        encoded = encodeText(text);
        bytes = new Uint8Array(encoded.words.buffer);
      } else utf8.encodeInto(text, bytes);
    }
    const rest = (wall - whole * 1000) | 0;
    bytes[milliseconds] = ZERO + ((rest / 100) | 0);
    bytes[milliseconds + 1] = ZERO + (((rest / 10) | 0) % 10);
    bytes[milliseconds + 2] = ZERO + (rest % 10);
    out.write(encoded);
  };
}
