/**
 * Converts MBTiles, tables of pictures in SQLite (github.com/mapbox/mbtiles-spec), to PMTiles: a first reading finds the
 * tiles, and a second one passes their pictures on, so that no more than a picture is in memory.
 */
import { zxyToTileId } from "pmtiles";
import type { ChartProblem } from "../../../core/util/chart-header.ts";
import { NoSqlite, openSqlite, type SqliteFile, type Table, type Value } from "./sqlite-file.ts";
import { type TileEntry, type TileFile, tileFileStart } from "./tile-file.ts";
import { latitudeOf, longitudeOf, type Tile } from "./tiles.ts";

export type ConversionProblem = ChartProblem | "no tiles" | "too many tiles";

export class NoChart extends Error {
  readonly problem: ConversionProblem;

  constructor(problem: ConversionProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

/** Some hundred megabytes of memory. */
export const MAX_TILES = 2_000_000;
const MAX_ZOOM = 22;
const MAX_TEXT = 1000;

/** Whole files are known by their beginnings. */
const pictures: readonly (readonly [type: number, start: readonly number[]])[] = [
  [2, [0x89, 0x50, 0x4e, 0x47]],
  [3, [0xff, 0xd8, 0xff]],
  // "RIFF" of WebP.
  [4, [0x52, 0x49, 0x46, 0x46]],
];

const pictureType = (bytes: Uint8Array): number | undefined =>
  pictures.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[0];

export interface Converted {
  /** Bytes of the whole chart. */
  readonly size: number;
  /** The chart, from its beginning to its end. */
  readonly chunks: () => AsyncGenerator<Uint8Array>;
}

/** Where the pictures are: in the rows of the tiles, or in a table of their own that tiles refer to. */
interface Layout {
  readonly tiles: Table;
  readonly pictures: Table;
  /** The column of both that has the name of a picture; undefined: a tile has its picture. */
  readonly key: string | undefined;
}

function layoutOf({ tables }: SqliteFile): Layout {
  const named = (name: string): Table | undefined => tables.find((table) => table.name === name);
  const [tiles, map, images] = [named("tiles"), named("map"), named("images")];
  if (tiles !== undefined) return { tiles, pictures: tiles, key: undefined };
  if (map !== undefined && images !== undefined) return { tiles: map, pictures: images, key: "tile_id" };
  throw new NoChart("no chart");
}

function columnIn({ columns }: Table, column: string): number {
  const index = columns.indexOf(column);
  if (index === -1) throw new NoChart("no chart");
  return index;
}

async function textsOf(file: SqliteFile): Promise<ReadonlyMap<string, string>> {
  const table = file.tables.find(({ name }) => name === "metadata");
  const texts = new Map<string, string>();
  if (table === undefined) return texts;
  for await (const { values } of file.rows(table, false)) {
    const [name, value] = ["name", "value"].map((column) => values[columnIn(table, column)]);
    if (texts.size < 50) texts.set(String(name), String(value ?? "").slice(0, MAX_TEXT));
  }
  return texts;
}

/** The place of a tile, whose rows are counted from the south; undefined if it is none. */
function placeIn(zoom: Value, column: Value, row: Value): Tile | undefined {
  if (typeof zoom !== "number" || typeof column !== "number" || typeof row !== "number") return undefined;
  const count = 2 ** zoom;
  const isIn = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < count;
  if (!Number.isInteger(zoom) || zoom < 0 || zoom > MAX_ZOOM || !isIn(column) || !isIn(row)) return undefined;
  return { zoom, x: column, y: count - 1 - row };
}

/** The pictures in the order of their table: offset and length, by key or by number of the row. */
async function picturesOf(file: SqliteFile, { pictures: table, key }: Layout) {
  const found = new Map<string | number, Omit<TileEntry, "id">>();
  const [data, name] = [columnIn(table, "tile_data"), key === undefined ? -1 : columnIn(table, key)];
  let [bytes, row] = [0, 0];
  for await (const { values, lengths } of file.rows(table, false)) {
    // A value that is no blob is left out.
    const length = values[data] instanceof Uint8Array ? lengths[data]! : 0;
    const id = key === undefined ? row : String(values[name]);
    if (length > 0 && !found.has(id)) found.set(id, { offset: bytes, length });
    // A picture without a tile is passed on too: the second reading is as the first one.
    bytes += length;
    row++;
    if (row > MAX_TILES) throw new NoChart("too many tiles");
  }
  return { found, bytes };
}

type Area = TileFile["bounds"];

function areaWith([west, south, east, north]: Area, { zoom, x, y }: Tile): Area {
  return [
    Math.min(west, longitudeOf(x, zoom)),
    Math.min(south, latitudeOf(y + 1, zoom)),
    Math.max(east, longitudeOf(x + 1, zoom)),
    Math.max(north, latitudeOf(y, zoom)),
  ];
}

async function tilesOf(file: SqliteFile, layout: Layout) {
  const { found, bytes } = await picturesOf(file, layout);
  const { tiles: table, key } = layout;
  const [zoomAt, columnAt, rowAt] = ["zoom_level", "tile_column", "tile_row"].map((name) => columnIn(table, name));
  const name = key === undefined ? -1 : columnIn(table, key);
  const entries = new Map<number, TileEntry>();
  let bounds: Area = [180, 90, -180, -90];
  let [least, most, row] = [MAX_ZOOM, 0, 0];
  for await (const { values } of file.rows(table, false)) {
    const place = placeIn(values[zoomAt!]!, values[columnAt!]!, values[rowAt!]!);
    const picture = found.get(key === undefined ? row : String(values[name]));
    row++;
    if (row > MAX_TILES) throw new NoChart("too many tiles");
    if (place === undefined || picture === undefined) continue;
    const id = zxyToTileId(place.zoom, place.x, place.y);
    entries.set(id, { id, ...picture });
    bounds = areaWith(bounds, place);
    [least, most] = [Math.min(least, place.zoom), Math.max(most, place.zoom)];
  }
  const sorted = [...entries.values()].sort((one, other) => one.id - other.id);
  return { entries: sorted, bounds, zooms: [least, most] as const, bytes };
}

async function* blobsOf(file: SqliteFile, { pictures: table }: Layout): AsyncGenerator<Uint8Array> {
  const data = columnIn(table, "tile_data");
  for await (const { values } of file.rows(table, true)) {
    const blob = values[data];
    if (blob instanceof Uint8Array) yield blob;
  }
}

/** Reads the file once; throws `NoChart` for one that has no pictures of tiles. */
export async function convertMbtiles(file: Blob): Promise<Converted> {
  try {
    const source = await openSqlite(file);
    const layout = layoutOf(source);
    const texts = await textsOf(source);
    const tiles = await tilesOf(source, layout);
    let type: number | undefined;
    for await (const blob of blobsOf(source, layout)) {
      type = pictureType(blob);
      break;
    }
    if (tiles.entries.length === 0) throw new NoChart("no tiles");
    if (type === undefined) throw new NoChart("no pictures");
    const metadata = Object.fromEntries(
      ["name", "attribution", "description"].flatMap((name) => (texts.has(name) ? [[name, texts.get(name)]] : [])),
    );
    const start = tileFileStart({ ...tiles, type, metadata });
    return {
      size: start.length + tiles.bytes,
      async *chunks() {
        yield start;
        yield* blobsOf(source, layout);
      },
    };
  } catch (error) {
    // A RangeError: a place outside of a page.
    if (error instanceof NoSqlite || error instanceof RangeError) throw new NoChart("damaged", { cause: error });
    throw error;
  }
}
