/** Writes files of tiles (PMTiles, version 3; github.com/protomaps/PMTiles/blob/main/spec). Pure. */
import { CHART_HEADER_BYTES } from "../../../core/util/chart-header.ts";

/** A tile by its id of PMTiles, and the bytes of its picture among all pictures. */
export interface TileEntry {
  readonly id: number;
  readonly offset: number;
  readonly length: number;
}

export interface TileFile {
  /** By id. */
  readonly entries: readonly TileEntry[];
  /** Code of the kind of picture. */
  readonly type: number;
  readonly zooms: readonly [least: number, most: number];
  /** West, south, east, north, in degrees. */
  readonly bounds: readonly [number, number, number, number];
  readonly metadata: object;
  readonly bytes: number;
}

/** Entries of one directory; the first one has to lie in the first 16 kB, beside the header. */
const MOST_IN_ROOT = 512;
const MOST_IN_LEAF = 4096;

function varint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
}

/** A directory; entries without a run are those of leaves. */
function directory(entries: readonly TileEntry[], run: 0 | 1): Uint8Array {
  const bytes: number[] = [];
  varint(bytes, entries.length);
  for (const [index, { id }] of entries.entries()) varint(bytes, id - (entries[index - 1]?.id ?? 0));
  for (const _ of entries) varint(bytes, run);
  for (const { length } of entries) varint(bytes, length);
  for (const { offset } of entries) varint(bytes, offset + 1);
  return Uint8Array.from(bytes);
}

/** All that lies before the pictures. */
export function tileFileStart({ entries, type, zooms, bounds, metadata, bytes }: TileFile): Uint8Array {
  const leaves: Uint8Array[] = [];
  const pointers: TileEntry[] = [];
  let offset = 0;
  for (let at = 0; entries.length > MOST_IN_ROOT && at < entries.length; at += MOST_IN_LEAF) {
    const leaf = directory(entries.slice(at, at + MOST_IN_LEAF), 1);
    pointers.push({ id: entries[at]!.id, offset, length: leaf.length });
    leaves.push(leaf);
    offset += leaf.length;
  }
  const root = leaves.length === 0 ? directory(entries, 1) : directory(pointers, 0);
  const text = new TextEncoder().encode(JSON.stringify(metadata));
  const parts = [root, text, ...leaves];
  const start = new Uint8Array(parts.reduce((sum, { length }) => sum + length, CHART_HEADER_BYTES));
  start.set(new TextEncoder().encode("PMTiles"));
  start[7] = 3;
  const header = new DataView(start.buffer);
  let at = CHART_HEADER_BYTES;
  [root.length, text.length, offset, bytes].forEach((length, part) => {
    header.setBigUint64(8 + part * 16, BigInt(at), true);
    header.setBigUint64(16 + part * 16, BigInt(length), true);
    at += length;
  });
  for (const place of [72, 80, 88]) header.setBigUint64(place, BigInt(entries.length), true);
  // Pictures in any order, and nothing compressed again.
  start.set([0, 1, 1, type, ...zooms], 96);
  for (const [index, degrees] of bounds.entries()) header.setInt32(102 + index * 4, Math.round(degrees * 1e7), true);
  let place = CHART_HEADER_BYTES;
  for (const part of parts) {
    start.set(part, place);
    place += part.length;
  }
  return start;
}
