/** The boat's own charts: PMTiles files with pictures. Tiles are requested when they are first in sight. */
import { signal } from "@preact/signals";
import { PMTiles, TileType } from "pmtiles";
import { CHARTS_FOLDER } from "./chart-list.ts";
import { type Coverage, parentOf, type Tile } from "./tiles.ts";

const RETRY_MS = 60_000;
/** Decoded tiles in memory; one of 256 by 256 pixels takes 256 kB. */
const MAX_KEPT = 192;

const pictures: readonly TileType[] = [TileType.Png, TileType.Jpeg, TileType.Webp, TileType.Avif];

export interface Chart {
  readonly name: string;
  readonly coverage: Coverage;
  /** Whose data it is, as the file says. */
  readonly attribution: string;
  readonly archive: PMTiles;
}

/** Opens a chart; undefined, with a warning in the console, if it cannot be used. */
export async function openChart(name: string): Promise<Chart | undefined> {
  try {
    const archive = new PMTiles(new URL(`${CHARTS_FOLDER}${encodeURIComponent(name)}`, location.href).href);
    const coverage = await archive.getHeader();
    if (!pictures.includes(coverage.tileType)) throw new Error("its tiles are no pictures");
    const { attribution } = (await archive.getMetadata()) as { readonly attribution?: unknown };
    return { name, coverage, archive, attribution: typeof attribution === "string" ? textOf(attribution) : "" };
  } catch (error) {
    console.warn(`The chart ${name} cannot be used: ${String(error)}`);
    return undefined;
  }
}

/** The text of HTML, in which files name their sources. */
const textOf = (html: string): string =>
  new DOMParser().parseFromString(html, "text/html").body.textContent?.trim() ?? "";

interface Loaded {
  /** Undefined until it has arrived, and for a tile that the file does not have. */
  picture: ImageBitmap | undefined;
  /** Monotonic milliseconds from which it is requested again; infinity once the file has answered. */
  retryAt: number;
}

/** The tile that was used last is the last one. */
const tiles = new Map<string, Loaded>();

/** Tiles that have arrived so far. */
export const arrived = signal(0);

const keyOf = ({ name }: Chart, { zoom, x, y }: Tile): string => `${name}/${zoom}/${x}/${y}`;

async function load({ archive }: Chart, { zoom, x, y }: Tile, loaded: Loaded): Promise<void> {
  loaded.retryAt = performance.now() + RETRY_MS;
  try {
    const answer = await archive.getZxy(zoom, x, y);
    if (answer !== undefined) loaded.picture = await createImageBitmap(new Blob([answer.data]));
    loaded.retryAt = Number.POSITIVE_INFINITY;
    arrived.value++;
  } catch {
    // Without the boat's server the tile appears later.
  }
}

function removeOldest(): void {
  for (const [key, { picture }] of tiles) {
    if (tiles.size <= MAX_KEPT) return;
    picture?.close();
    tiles.delete(key);
  }
}

/** The picture of a tile; undefined while it is not there. It is requested at the first call. */
export function pictureOf(chart: Chart, tile: Tile): ImageBitmap | undefined {
  const key = keyOf(chart, tile);
  const loaded = tiles.get(key) ?? { picture: undefined, retryAt: Number.NEGATIVE_INFINITY };
  tiles.delete(key);
  tiles.set(key, loaded);
  if (performance.now() >= loaded.retryAt) void load(chart, tile, loaded);
  removeOldest();
  return loaded.picture;
}

/** The nearest tile above one of which the picture is there, to be shown until its own has arrived. */
export function parentWithPicture(
  chart: Chart,
  tile: Tile,
): { readonly tile: Tile; readonly picture: ImageBitmap } | undefined {
  for (let parent = parentOf(tile); parent !== undefined; parent = parentOf(parent)) {
    const picture = tiles.get(keyOf(chart, parent))?.picture;
    if (picture !== undefined) return { tile: parent, picture };
  }
  return undefined;
}
