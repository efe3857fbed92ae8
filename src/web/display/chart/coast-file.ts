/** Reads the files of the coastline, which `scripts/coast.mjs` makes and describes. Pure. */

/** Share of the size of a cell by which it overlaps its neighbours. */
const MARGIN = 1 / 256;

/** Largest coordinate within a cell. */
export const STEPS = 65535;

/** A square of land; the coordinates of its rings are 0 to `STEPS` from the south-western corner. */
export interface CoastCell {
  /** Degrees; with its margin, which its neighbours have too. */
  readonly west: number;
  readonly south: number;
  readonly size: number;
  /** x and y in turn; the even-odd rule tells land from water. */
  readonly rings: readonly Uint16Array[];
}

export function readCoast(file: ArrayBuffer): readonly CoastCell[] {
  const words = new Uint16Array(file);
  const cells: CoastCell[] = [];
  let at = 0;
  const next = (): number => words[at++]!;
  while (at < words.length) {
    const [west, south, size] = [next() - 180, next() - 90, next()];
    const rings = Array.from({ length: next() }, () => {
      const length = 2 * next();
      at += length;
      return words.subarray(at - length, at);
    });
    const margin = size * MARGIN;
    cells.push({ west: west - margin, south: south - margin, size: size + 2 * margin, rings });
  }
  return cells;
}

/** Degrees of a block, which is a file. */
const BLOCK = 20;

/** Names of the blocks within `north` degrees of latitude and `east` degrees of longitude of a place. */
export function blocksAround(
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
  { north, east }: { readonly north: number; readonly east: number },
): readonly string[] {
  const corner = (degrees: number): number => Math.floor(degrees / BLOCK) * BLOCK;
  const souths = new Set<number>();
  for (let south = latitude - north; south < latitude + north + BLOCK; south += BLOCK)
    souths.add(corner(Math.min(south, latitude + north) + 90) - 90);
  const wests = new Set<number>();
  const across = Math.min(east, 180);
  for (let west = longitude - across; west < longitude + across + BLOCK; west += BLOCK)
    wests.add(corner((Math.min(west, longitude + across) + 540) % 360) - 180);
  return [...wests].flatMap((west) => [...souths].map((south) => `${west}_${south}`));
}
