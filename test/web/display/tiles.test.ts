/** Where the tiles of a chart lie on a plot. */
import { expect, test } from "vitest";
import { type Coverage, placementOf, tilesInSight } from "../../../src/web/display/chart/tiles.ts";
import { pointOf, type View } from "../../../src/web/display/chart/view.ts";

const world: Coverage = { minLon: -180, minLat: -85, maxLon: 180, maxLat: 85, minZoom: 0, maxZoom: 16 };

/** Column and row of a place, by the formulas of EPSG:3857. */
function tilePlaceOf(latitude: number, longitude: number, zoom: number) {
  const northing = Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360));
  return { column: ((longitude + 180) / 360) * 2 ** zoom, row: ((1 - northing / Math.PI) / 2) * 2 ** zoom };
}

const views = [
  { latitude: 55.95, longitude: 12.75, miles: 8 },
  { latitude: -36.8, longitude: 174.8, miles: 2 },
  { latitude: 0.01, longitude: 179.99, miles: 24 },
  { latitude: -17, longitude: -179.98, miles: 4 },
  { latitude: 60, longitude: 20, miles: 64 },
  { latitude: 70, longitude: -22, miles: 0.25 },
].flatMap(({ latitude, longitude, miles }) =>
  [0, 90, 237].map((turn): View & { readonly miles: number } => ({
    ...{ center: { latitude, longitude }, scale: 400 / miles, turn, width: 1000, height: 700, miles },
  })),
);

test.each(views)("at $center.latitude $center.longitude, $miles miles, turned by $turn", (view) => {
  const tiles = tilesInSight(view, world, 1);
  expect(tiles.length).toBeGreaterThan(3);
  expect(tiles.length).toBeLessThanOrEqual(64);
  const { latitude, longitude } = view.center;
  const reach = view.miles / 60;
  for (const [north, east] of [
    [0, 0],
    [0.4, -0.4],
    [-0.5, 0.3],
    [0.2, 0.6],
  ] as const) {
    const place = {
      latitude: latitude + north * reach,
      longitude: ((longitude + (east * reach) / Math.cos((latitude * Math.PI) / 180) + 540) % 360) - 180,
    };
    const { zoom } = tiles[0]!;
    const { column, row } = tilePlaceOf(place.latitude, place.longitude, zoom);
    const tile = tiles.find(({ x, y }) => x === Math.floor(column) && y === Math.floor(row));
    expect(tile, JSON.stringify(place)).toBeDefined();
    // The point of the picture at which the place is, on the screen.
    const [a, b, c, d, e, f] = placementOf(view, tile!);
    const [right, down] = [column - tile!.x, row - tile!.y];
    const point = pointOf(view, place);
    expect(Math.hypot(a * right + c * down + e - point.x, b * right + d * down + f - point.y)).toBeLessThan(1.5);
    // A pixel of a tile of 256 is about as large as one of the screen.
    expect(Math.hypot(a, b) / 256).toBeGreaterThan(0.65);
    expect(Math.hypot(a, b) / 256).toBeLessThan(1.5);
  }
});

test("a file that covers a part, or has only large scales, gives the tiles that it has", () => {
  const view = { center: { latitude: 54, longitude: 10 }, scale: 50, turn: 0, width: 800, height: 480 };
  const part = { ...world, minLon: 10, maxLon: 10.05, minLat: 53.9, maxLat: 54.1 };
  for (const { x, zoom } of tilesInSight(view, part, 1)) {
    expect(((x + 1) / 2 ** zoom) * 360 - 180).toBeGreaterThan(10);
    expect((x / 2 ** zoom) * 360 - 180).toBeLessThan(10.05);
  }
  expect(tilesInSight(view, { ...world, maxZoom: 7 }, 1).map(({ zoom }) => zoom)).toContain(7);
  expect(tilesInSight({ ...view, scale: 0.5 }, { ...world, minZoom: 15 }, 1)).toEqual([]);
});
