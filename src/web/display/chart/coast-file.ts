/** Reads the files of the coastline, which `scripts/coast.mjs` makes and describes. Pure. */
import type { Position } from "../../../core/nav/great-circle.ts";

/** Share of the size of a cell by which it overlaps its neighbours. */
const MARGIN = 1 / 256;

/** Largest coordinate within a cell. */
export const STEPS = 65535;

/** Rings as x and y in turn; the even-odd rule tells what is inside. */
export type Rings = readonly Uint16Array[];

/** A square of land; the coordinates of its rings are 0 to `STEPS` from the south-western corner. */
export interface CoastCell {
  /** Degrees; with its margin, which its neighbours have too. */
  readonly west: number;
  readonly south: number;
  readonly size: number;
  readonly land: Rings;
  /** Water within the land, and islands in it; a lake may reach into the sea. */
  readonly lakes: Rings;
}

export function readCoast(file: ArrayBuffer): readonly CoastCell[] {
  const words = new Uint16Array(file);
  const cells: CoastCell[] = [];
  let at = 0;
  const next = (): number => words[at++]!;
  while (at < words.length) {
    const [west, south, size] = [next() - 180, next() - 90, next()];
    const rings = (): Rings =>
      Array.from({ length: next() }, () => {
        const length = 2 * next();
        at += length;
        return words.subarray(at - length, at);
      });
    const margin = size * MARGIN;
    const extent = { west: west - margin, south: south - margin, size: size + 2 * margin };
    cells.push({ ...extent, land: rings(), lakes: rings() });
  }
  return cells;
}

function isWithin(ring: Uint16Array, x: number, y: number): boolean {
  let isIn = false;
  for (let at = 0, last = ring.length - 2; at < ring.length; last = at, at += 2) {
    const [ax, ay, bx, by] = [ring[at]!, ring[at + 1]!, ring[last]!, ring[last + 1]!];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
  }
  return isIn;
}

export const isLand = (cells: readonly CoastCell[], { latitude, longitude }: Position): boolean =>
  cells.some(({ west, south, size, land, lakes }) => {
    const [x, y] = [((longitude - west) / size) * STEPS, ((latitude - south) / size) * STEPS];
    if (x < 0 || y < 0 || x > STEPS || y > STEPS) return false;
    const isIn = (rings: Rings): boolean => rings.filter((ring) => isWithin(ring, x, y)).length % 2 === 1;
    return isIn(land) && !isIn(lakes);
  });

/** Degrees of a block, which is a file. */
const BLOCK = 20;

/** Names of the blocks within `north` degrees of latitude and `east` degrees of longitude of a place. */
export function blocksAround(
  { latitude, longitude }: Position,
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
