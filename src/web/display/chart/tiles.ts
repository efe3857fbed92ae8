/** Tiles of Web Mercator (EPSG:3857), as pictures of a chart are cut. Pure. */
import { radians } from "../../../core/nav/angles.ts";
import { placeOf, pointOf, type View } from "./view.ts";

/** A tile of a zoom level, counted from 180° west and from the north. */
export interface Tile {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** The part of the world that a file of tiles covers, in degrees, and its zoom levels. */
export interface Coverage {
  readonly minLon: number;
  readonly minLat: number;
  readonly maxLon: number;
  readonly maxLat: number;
  readonly minZoom: number;
  readonly maxZoom: number;
}

/** Pixels of a tile's side at which it is drawn sharp, and the most tiles of a picture. */
const TILE_PIXELS = 256;
const MAX_TILES = 64;
/** Nautical miles around the equator. */
const EQUATOR_MILES = 21_600;
/** Latitude at which the map is a square. */
const MAX_LATITUDE = 85.0511;

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

const columnOf = (longitude: number, zoom: number): number => ((longitude + 180) / 360) * 2 ** zoom;
const rowOf = (latitude: number, zoom: number): number => {
  const angle = radians(clamp(latitude, -MAX_LATITUDE, MAX_LATITUDE));
  return ((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * 2 ** zoom;
};
export const longitudeOf = (column: number, zoom: number): number => (column / 2 ** zoom) * 360 - 180;
export const latitudeOf = (row: number, zoom: number): number =>
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** zoom))) * 180) / Math.PI;

/** The zoom level whose pixels are nearest to those of the screen. */
function zoomOf({ center, scale }: View, ratio: number): number {
  const around = EQUATOR_MILES * Math.cos(radians(center.latitude)) * scale * ratio;
  return Math.round(Math.log2(around / TILE_PIXELS));
}

/** The tiles of a zoom level that are in sight; undefined if there are too many. */
function tilesAt(view: View, coverage: Coverage, zoom: number): readonly Tile[] | undefined {
  const corners = [-1, 1].flatMap((right) =>
    [-1, 1].map((down) => placeOf(view, { x: (right * view.width) / 2, y: (down * view.height) / 2 })),
  );
  const { longitude: middle } = view.center;
  /** Degrees to the east of the middle, so that 180 degrees is a place as any other. */
  const eastOf = (longitude: number): number => ((longitude - middle + 540) % 360) - 180;
  const easts = corners.map(({ longitude }) => eastOf(longitude));
  const norths = corners.map(({ latitude }) => latitude);
  const count = 2 ** zoom;
  // biome-ignore lint/plugin: corners of a view
  const [west, east] = [Math.min(...easts), Math.max(...easts)].map((by) => Math.floor(columnOf(middle + by, zoom)));
  // biome-ignore lint/plugin: corners of a view
  const top = Math.min(Math.max(...norths), coverage.maxLat);
  // biome-ignore lint/plugin: corners of a view
  const bottom = Math.max(Math.min(...norths), coverage.minLat);
  const [first, last] = [top, bottom].map((latitude) => Math.floor(rowOf(latitude, zoom)));
  const tiles: Tile[] = [];
  for (let column = west!; column <= east!; column++) {
    const x = ((column % count) + count) % count;
    if (longitudeOf(x + 1, zoom) <= coverage.minLon || longitudeOf(x, zoom) >= coverage.maxLon) continue;
    for (let y = first!; y <= Math.min(count - 1, last!); y++) tiles.push({ zoom, x, y });
    if (tiles.length > MAX_TILES) return undefined;
  }
  return tiles;
}

/** The tiles of a file that are in sight, as sharp as the screen; `ratio` is pixels of the device for each of CSS. */
export function tilesInSight(view: View, coverage: Coverage, ratio: number): readonly Tile[] {
  if (view.width === 0 || view.height === 0) return [];
  for (let zoom = clamp(zoomOf(view, ratio), coverage.minZoom, coverage.maxZoom); zoom >= coverage.minZoom; zoom--) {
    const tiles = tilesAt(view, coverage, zoom);
    if (tiles !== undefined) return tiles;
  }
  // A file without small scales shows nothing of a large area.
  return [];
}

/** The tile that a tile is a part of; undefined for the whole world. */
export const parentOf = ({ zoom, x, y }: Tile): Tile | undefined =>
  zoom === 0 ? undefined : { zoom: zoom - 1, x: x >> 1, y: y >> 1 };

/**
 * Where a tile is on the screen: the matrix that takes the unit square to it. Within a tile the projections differ by
 * less than a pixel at the ranges of the plot.
 */
export function placementOf(
  view: View,
  { zoom, x, y }: Tile,
): readonly [number, number, number, number, number, number] {
  const at = (column: number, row: number) =>
    pointOf(view, { longitude: longitudeOf(column, zoom), latitude: latitudeOf(row, zoom) });
  const [origin, right, below] = [at(x, y), at(x + 1, y), at(x, y + 1)];
  return [right.x - origin.x, right.y - origin.y, below.x - origin.x, below.y - origin.y, origin.x, origin.y];
}
