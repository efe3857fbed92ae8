/** Checks the header of a file of tiles (PMTiles, version 3), before any other byte of it is kept. Pure. */

export const CHART_HEADER_BYTES = 127;

/** Directory, metadata, leaf directories and tiles: each an offset and a length of 64 bits, from byte 8 on. */
const PARTS = 4;
/** The first directory lies in this part of the file. */
const ROOT_END = 16_384;
const MAGIC = "PMTiles";
const VERSION = 3;
const MAX_ZOOM = 30;
/** PNG, JPEG, WebP and AVIF by their codes; 1 is vector tiles. */
const PICTURES: readonly number[] = [2, 3, 4, 5];
/** No compression, and gzip: those that browsers have. */
const COMPRESSIONS: readonly number[] = [1, 2];

/** Why a file is no chart that the display can draw. */
export type ChartProblem = "no chart" | "no pictures" | "damaged";

/** Undefined for a chart. `start` has the first bytes of a file of `size` bytes. */
export function chartProblem(start: Uint8Array, size: number): ChartProblem | undefined {
  const magic = new TextDecoder("latin1").decode(start.subarray(0, MAGIC.length));
  if (start.length < CHART_HEADER_BYTES || magic !== MAGIC || start[MAGIC.length] !== VERSION) return "no chart";
  const [internal, , type, least, most] = start.subarray(97, 102) as unknown as readonly number[];
  if (!PICTURES.includes(type!)) return "no pictures";
  const view = new DataView(start.buffer, start.byteOffset);
  const partEnds = Array.from({ length: PARTS }, (_, part) => {
    const [offset, length] = [view.getBigUint64(8 + part * 16, true), view.getBigUint64(16 + part * 16, true)];
    return Number(offset + length);
  });
  const isDamaged = !COMPRESSIONS.includes(internal!) || least! > most! || most! > MAX_ZOOM || partEnds[0]! > ROOT_END;
  return isDamaged || partEnds.some((end) => end > size) ? "damaged" : undefined;
}
