/**
 * Reads public messages whose PGN has another layout in the document. A fast packet then arrives frame by frame,
 * because the other layout is a single frame; a packet that fits into its first frame is complete:
 *
 *     byte  0 sequence, frame 0 │ 1 length │ 2 … payload │ ones
 */
import type { Read } from "./decode.ts";
import { layoutDetectorOf } from "./layout-detection.ts";
import { assumed } from "./pgns/assumed.ts";

const PAYLOAD_AT = 2;

/** Reads the public message of a PGN with `read`; undefined for a message of another layout. */
export function publicReaderOf<Result>(pgn: number, read: Read<Result>): Read<Result | undefined> {
  const entry = assumed.find(({ definition }) => definition.pgn === pgn)!;
  const detect = layoutDetectorOf(entry);
  const { bytes: length } = entry.public!;
  return (bytes, at, end, source) => {
    // A gateway of messages delivers it complete.
    if (end - at === length) return read(bytes, at, end, source);
    const start = at + PAYLOAD_AT;
    const layout = detect({ bytes, at, end, source, arrived: 0 });
    return layout === "public" ? read(bytes, start, start + length, source) : undefined;
  };
}
