/** MBTiles that Python's SQLite has written become charts that the library of PMTiles reads. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PMTiles, type RangeResponse } from "pmtiles";
import { describe, expect, test } from "vitest";
import { chartProblem } from "../../../src/core/util/chart-header.ts";
import { convertMbtiles, NoChart } from "../../../src/web/display/chart/mbtiles.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A file that statements have made; pictures of a tile are `picture(zoom, column, row, bytes)`. */
function sqliteFile(statements: string): Uint8Array<ArrayBuffer> {
  const folder = temporaryFolder("mbtiles");
  const path = join(folder, "chart.mbtiles");
  const program = `
import sqlite3, sys
file = sqlite3.connect(sys.argv[1])
def picture(zoom, column, row, size):
    return b"\\x89PNG" + bytes((zoom * 7 + column * 3 + row * 5 + at) % 251 for at in range(size))
file.create_function("picture", 4, picture)
file.executescript(sys.stdin.read())
file.commit()
file.close()`;
  const { status, stderr } = spawnSync("python3", ["-c", program, path], { input: statements, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return new Uint8Array(readFileSync(path));
}

function pictureOf(zoom: number, column: number, row: number, size: number): Uint8Array {
  const bytes = Array.from({ length: size }, (_, at) => (zoom * 7 + column * 3 + row * 5 + at) % 251);
  return Uint8Array.from([0x89, 0x50, 0x4e, 0x47, ...bytes]);
}

async function converted(file: Uint8Array<ArrayBuffer>) {
  const { size, chunks } = await convertMbtiles(new Blob([file]));
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks()) parts.push(chunk);
  const bytes = Buffer.concat(parts);
  expect(bytes.length).toBe(size);
  expect(chartProblem(bytes, size)).toBeUndefined();
  const getBytes = async (offset: number, length: number): Promise<RangeResponse> => ({
    data: Uint8Array.from(bytes.subarray(offset, offset + length)).buffer,
  });
  return new PMTiles({ getBytes, getKey: () => "chart" });
}

const tileTable = "CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);";
/** All tiles of some zoom levels, with pictures of many lengths, most of them beyond their page. */
const filled = (most: number, size: string): string => `
  WITH RECURSIVE zooms(z) AS (SELECT 0 UNION ALL SELECT z + 1 FROM zooms WHERE z < ${most}),
    places(p) AS (SELECT 0 UNION ALL SELECT p + 1 FROM places WHERE p < ${4 ** most - 1})
  INSERT INTO tiles SELECT z, p % (1 << z), p / (1 << z), picture(z, p % (1 << z), p / (1 << z), ${size})
    FROM zooms JOIN places WHERE p < 1 << (2 * z);`;
const sizeOf = (zoom: number, column: number, row: number): number => (zoom * 977 + column * 331 + row * 127) % 9001;
const sizes = "(z * 977 + (p % (1 << z)) * 331 + (p / (1 << z)) * 127) % 9001";

describe.each([512, 4096, 65_536])("pages of %i bytes", (page) => {
  test("every tile has its picture", async () => {
    const chart = await converted(sqliteFile(`PRAGMA page_size = ${page}; ${tileTable} ${filled(3, sizes)}`));
    for (let zoom = 0; zoom <= 3; zoom++)
      for (let column = 0; column < 2 ** zoom; column++)
        for (let row = 0; row < 2 ** zoom; row++) {
          const tile = await chart.getZxy(zoom, column, 2 ** zoom - 1 - row);
          const expected = pictureOf(zoom, column, row, sizeOf(zoom, column, row));
          expect(Buffer.from(tile!.data).equals(expected), `${zoom} ${column} ${row}`).toBe(true);
        }
    expect(await chart.getHeader()).toMatchObject({ minZoom: 0, maxZoom: 3, tileType: 2 });
  });
});

test("more tiles than one directory has", async () => {
  const chart = await converted(sqliteFile(`${tileTable} ${filled(7, "1")}`));
  for (const [zoom, column, row] of [
    [7, 0, 0],
    [7, 127, 127],
    [6, 31, 40],
    [0, 0, 0],
  ] as const) {
    const tile = await chart.getZxy(zoom, column, 2 ** zoom - 1 - row);
    expect(new Uint8Array(tile!.data)).toEqual(pictureOf(zoom, column, row, 1));
  }
});

test("pictures that tiles share, in a table of their own, with the source and the area", async () => {
  const chart = await converted(
    sqliteFile(`
      CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
      CREATE TABLE images (tile_data BLOB, tile_id TEXT);
      CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id);
      CREATE TABLE metadata (name text, value text);
      INSERT INTO metadata VALUES ('attribution', 'Harbour office'), ('bounds', 'nonsense'), ('name', 'Sound');
      INSERT INTO images VALUES (picture(1, 1, 1, 5000), 'water'), (picture(2, 2, 2, 70), 'shore');
      INSERT INTO map VALUES (3, 4, 5, 'water'), (3, 5, 5, 'water'), (3, 4, 4, 'shore'), (3, 9, 4, 'shore'),
        (3, 0, -1, 'shore'), (3, 0, 0, 'gone'), (90, 0, 0, 'shore'), ('three', 1, 1, 'shore'), (NULL, 1, 1, 'shore');`),
  );
  for (const column of [4, 5])
    expect(new Uint8Array((await chart.getZxy(3, column, 2))!.data)).toEqual(pictureOf(1, 1, 1, 5000));
  expect(new Uint8Array((await chart.getZxy(3, 4, 3))!.data)).toEqual(pictureOf(2, 2, 2, 70));
  expect(await chart.getMetadata()).toMatchObject({ attribution: "Harbour office", name: "Sound" });
  const { minLon, maxLon, minLat, maxLat, numAddressedTiles } = await chart.getHeader();
  expect([minLon, maxLon, minLat, numAddressedTiles]).toEqual([0, 90, 0, 3]);
  expect(maxLat).toBeCloseTo(66.5133, 3);
});

const problemOf = (file: Uint8Array<ArrayBuffer>): Promise<unknown> =>
  convertMbtiles(new Blob([file])).then(
    () => undefined,
    (error: unknown) => (error instanceof NoChart ? error.problem : error),
  );

test.each<[string, () => Uint8Array<ArrayBuffer>, string]>([
  ["another file", () => new TextEncoder().encode("PMTiles".padEnd(4000)), "damaged"],
  ["an empty file", () => new Uint8Array(), "damaged"],
  ["other tables", () => sqliteFile("CREATE TABLE boats (name text);"), "no chart"],
  ["other columns", () => sqliteFile("CREATE TABLE tiles (a, b, c, d);"), "no chart"],
  ["no tiles", () => sqliteFile(tileTable), "no tiles"],
  ["vector tiles", () => sqliteFile(`${tileTable} INSERT INTO tiles VALUES (0, 0, 0, x'1f8b0800');`), "no pictures"],
])("%s: %s", async (_, file, problem) => {
  expect(await problemOf(file())).toBe(problem);
});

test("a damaged file ends as one that is, or as a chart, and never otherwise", async () => {
  const file = sqliteFile(`PRAGMA page_size = 512; ${tileTable} ${filled(2, sizes)}`);
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const problems = new Set<unknown>();
  for (let number = 0; number < 400; number++) {
    const damaged = file.slice(0, random(20) === 0 ? random(file.length) : file.length);
    // The beginnings of pages have the structure.
    for (let count = 0; count < 3; count++) damaged[random(file.length / 512) * 512 + random(40)] = random(256);
    problems.add(await problemOf(damaged));
  }
  for (const problem of problems)
    expect(["no chart", "no tiles", "no pictures", "damaged", undefined]).toContain(problem);
  expect(problems).toContain("damaged");
});
