/** What stands around `data` in every message: when it was received and when it is no longer true. */
import { AsciiBuffer, Copy, type Piece, pieceOf, textOf } from "../n2k/ascii-buffer.ts";
import { isoTime } from "../n2k/date.ts";

/** Seconds after which a message is stale, for all but the navigation report. */
export const EXPIRE_AFTER_SECONDS = 60;

/** What every message begins with. */
export const DATA: Piece = pieceOf('{"data":');

const ZERO = 0x30;

/**
 * Makes the function that writes `,"metadata":{…}}`, which ends a message, for a wall-clock time in milliseconds since 1970.
 * Thousands of messages share a second, so its text is made once and only the milliseconds are put in.
 */
export function createMetadata(expireAfterSeconds = EXPIRE_AFTER_SECONDS): (out: AsciiBuffer, wall: number) => void {
  let second = Number.NaN;
  const text = new AsciiBuffer(128);
  const piece = new Copy();
  let milliseconds = 0;
  return (out, wall) => {
    const whole = Math.floor(wall / 1000);
    if (whole !== second) {
      second = whole;
      text.at = 0;
      text.ascii(`,"metadata":{"rxDate":"${isoTime(whole * 1000).slice(0, -4)}`);
      milliseconds = text.at;
      text.ascii(`000Z","rxTimestamp":${whole},"expireAfterSec":${expireAfterSeconds}}}`);
      piece.take(text, 0);
    }
    const rest = (wall - whole * 1000) | 0;
    const { bytes } = piece;
    bytes[milliseconds] = ZERO + ((rest / 100) | 0);
    bytes[milliseconds + 1] = ZERO + (((rest / 10) | 0) % 10);
    bytes[milliseconds + 2] = ZERO + (rest % 10);
    out.put(piece);
  };
}

/** Makes the function that puts JSON text into the envelope; for messages that are not thousands. */
export function createEnvelope(): (data: string, wall: number) => string {
  const metadata = createMetadata();
  return textOf((out, data: string, wall: number) => {
    out.put(DATA);
    out.ascii(data);
    metadata(out, wall);
  });
}
