/**
 * Writes PMTiles files with pictures, by version 3 of the specification (github.com/protomaps/PMTiles/blob/main/spec).
 */
import { crc32, deflateSync } from "node:zlib";
import { zxyToTileId } from "pmtiles";

const HEADER_BYTES = 127;
const UNCOMPRESSED = 1;
const PNG = 2;

/** A picture of one pixel, which is drawn over the whole tile. */
export function onePixel(red: number, green: number, blue: number): Uint8Array {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const EIGHT_BITS_RGB = [8, 2, 0, 0, 0];
  return Buffer.concat([
    Buffer.from([0x89, ...Buffer.from("PNG\r\n\x1a\n", "latin1")]),
    chunk("IHDR", Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, ...EIGHT_BITS_RGB])),
    chunk("IDAT", deflateSync(Buffer.from([0, red, green, blue]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

interface Picture {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
  readonly png: Uint8Array;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}

/** A file of one directory; `tileType` of other files than pictures makes one that the display cannot use. */
export function pmtiles(pictures: readonly Picture[], metadata: object, tileType = PNG): Uint8Array {
  const tiles = pictures
    .map(({ zoom, x, y, png }) => ({ id: zxyToTileId(zoom, x, y), png }))
    .sort((one, other) => one.id - other.id);
  const offsets = tiles.map((_, index) => tiles.slice(0, index).reduce((sum, { png }) => sum + png.length, 0));
  const directory = Buffer.from([
    ...varint(tiles.length),
    ...tiles.flatMap(({ id }, index) => varint(id - (tiles[index - 1]?.id ?? 0))),
    ...tiles.flatMap(() => varint(1)),
    ...tiles.flatMap(({ png }) => varint(png.length)),
    ...offsets.flatMap((offset) => varint(offset + 1)),
  ]);
  const text = Buffer.from(JSON.stringify(metadata));
  const data = Buffer.concat(tiles.map(({ png }) => png));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles", "latin1");
  header.writeUInt8(3, 7);
  const parts = [directory.length, text.length, 0, data.length];
  let at = HEADER_BYTES;
  parts.forEach((length, part) => {
    header.writeBigUInt64LE(BigInt(at), 8 + part * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + part * 16);
    at += length;
  });
  for (const place of [72, 80, 88]) header.writeBigUInt64LE(BigInt(tiles.length), place);
  const zooms = pictures.map(({ zoom }) => zoom);
  header.set([1, UNCOMPRESSED, UNCOMPRESSED, tileType, Math.min(...zooms), Math.max(...zooms)], 96);
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + index * 4);
  return Buffer.concat([header, directory, text, data]);
}
