/** GPX and resources: waypoints, routes and tracks. */
import type { Position } from "../../../core/nav/great-circle.ts";
import { uuidOf } from "../../../core/text/uuid.ts";
import { element } from "../../../core/text/xml.ts";
import { GpxError, type GpxPart, numberIn, readGpx } from "../../../formats/tracks/gpx-reader.ts";
import { Refused } from "./refused.ts";
import { MAX_LENGTH, MAX_RESOURCES, type Resources, type StoredResource } from "./resources.ts";
import { type Coordinate, type Kind, MAX_NAME, type Route, type Track, type Waypoint } from "./shapes.ts";

export const MAX_GPX_BYTES = 4 << 20;
/** A segment takes the memory of as many characters of points. */
const SEGMENT_LENGTH = 30;

export interface GpxContent {
  readonly found: readonly StoredResource[];
  /** Elements that resources have no place for, such as symbols, and lines of fewer than two points. */
  readonly ignored: number;
}

interface Point {
  readonly place: Coordinate;
  readonly name: string;
  readonly time: string | null;
}

type Part = GpxPart<Point>;

/**
 * The resources in a file, each once; `rest` is awaited between its pieces. Their ids follow from their content, so that
 * a file that is read twice is there once.
 */
export async function resourcesIn(bytes: Uint8Array, rest: () => Promise<void>): Promise<GpxContent> {
  /** By kind and content. */
  const found = new Map<string, Omit<StoredResource, "id">>();
  const counts: Record<Kind, number> = { waypoints: 0, routes: 0, notes: 0, tracks: 0 };
  /** Characters of the points of the resource that is being read. */
  let [length, ignored] = [0, 0];
  const lengthen = (characters: number): void => {
    length += characters;
    if (length > MAX_LENGTH) throw new GpxError(`A resource has ${MAX_LENGTH} characters at most.`);
  };
  const add = (made: Omit<StoredResource, "id">): void => {
    const content = `${made.kind} ${JSON.stringify(made.resource)}`;
    if (found.has(content)) return;
    counts[made.kind] += 1;
    if (counts[made.kind] > MAX_RESOURCES) throw new GpxError(`There are ${MAX_RESOURCES} ${made.kind} at most.`);
    found.set(content, made);
  };
  const visitor = {
    point(name: string, { latitude, longitude }: Position, texts: Part["texts"]): Point {
      if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
        throw new GpxError(`A ${name} has no latitude and longitude.`);
      const altitude = numberIn(texts.ele);
      const place: Coordinate = Number.isFinite(altitude) ? [longitude, latitude, altitude] : [longitude, latitude];
      const point = { place, name: nameOf(texts.name ?? ""), time: texts.time?.trim() ?? null };
      if (name !== "wpt") lengthen(`[${place}],`.length + point.name.length + (point.time?.length ?? 0));
      return point;
    },
    segment(points: readonly Point[]): boolean {
      if (isShort(points)) ignored++;
      else lengthen(SEGMENT_LENGTH);
      return !isShort(points);
    },
    part(part: Part): void {
      length = 0;
      const made = readers[part.element](part);
      if (made === undefined) ignored++;
      else add(made);
    },
    ignored(): void {
      ignored++;
    },
  };
  try {
    await readGpx(bytes, visitor, rest);
  } catch (error) {
    throw error instanceof GpxError ? new Refused(400, error.message) : error;
  }
  return { found: [...found].map(([content, each]) => ({ ...each, id: uuidOf(`gpx ${content}`) })), ignored };
}

/** Name and description, without what names may not have. */
const named = ({ texts: { name, desc } }: Part) => ({
  ...(name !== undefined && { name: nameOf(name) }),
  ...(desc !== undefined && { description: desc.trim() }),
});

const nameOf = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_NAME);

const stored = (kind: Kind, resource: object): Omit<StoredResource, "id"> => ({
  kind,
  resource: resource as StoredResource["resource"],
});

/** No line has fewer than two points. */
const isShort = (points: readonly Point[]): boolean => points.length < 2;

const readers = {
  wpt: (part: Part) =>
    stored("waypoints", {
      ...named(part),
      ...(part.texts.type !== undefined && { type: nameOf(part.texts.type) }),
      feature: {
        type: "Feature",
        geometry: { type: "Point", coordinates: part.segments[0]![0]!.place },
        properties: {},
      },
    }),
  rte: (part: Part) => {
    const points = part.segments[0]!;
    if (isShort(points)) return undefined;
    const coordinatesMeta = points.map(({ name }) => ({ name }));
    const geometry = { type: "LineString", coordinates: points.map(({ place }) => place) };
    return stored("routes", {
      ...named(part),
      feature: { type: "Feature", geometry, properties: { coordinatesMeta } },
    });
  },
  trk: (part: Part) => {
    const { segments } = part;
    if (segments.length === 0) return undefined;
    const coordinates = segments.map((points) => points.map(({ place }) => place));
    const times = segments.map((points) => points.map(({ time }) => time));
    const hasTimes = times.flat().some((time) => time !== null);
    return stored("tracks", {
      ...named(part),
      feature: {
        type: "Feature",
        geometry: { type: "MultiLineString", coordinates },
        properties: hasTimes ? { times } : {},
      },
    });
  },
} as const;

/** All waypoints, routes and tracks as a file. */
export function gpxOf(resources: Pick<Resources, "of">): string {
  const waypoints = resources.of("waypoints").map(([, each]) => waypointText(each as Waypoint));
  const routes = resources.of("routes").map(([, each]) => routeText(each as Route));
  const tracks = resources.of("tracks").map(([, each]) => trackText(each as Track));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="hub" xmlns="http://www.topografix.com/GPX/1/1">',
    ...waypoints,
    ...routes,
    ...tracks,
    "</gpx>\n",
  ].join("\n");
}

const pointText = (name: string, [longitude, latitude, altitude]: readonly number[], inner: string): string =>
  `<${name} lat="${latitude}" lon="${longitude}">${element("ele", altitude)}${inner}</${name}>`;

/** The elements are in the order of the schema. */
const waypointText = ({ name, description, type, feature }: Waypoint): string =>
  pointText(
    "wpt",
    feature.geometry.coordinates,
    `${element("name", name)}${element("desc", description)}${element("type", type)}`,
  );

const routeText = ({ name, description, feature }: Route): string => {
  const meta = feature.properties?.coordinatesMeta ?? [];
  const listed = feature.geometry.coordinates.map((place, at) =>
    pointText("rtept", place, element("name", meta[at]?.name)),
  );
  return `<rte>${element("name", name)}${element("desc", description)}${listed.join("")}</rte>`;
};

function trackText({ name, description, feature: { geometry, properties } }: Track): string {
  const lines = geometry.type === "LineString" ? [geometry.coordinates] : geometry.coordinates;
  const times = properties?.times;
  const timeAt = (segment: number, at: number): unknown => {
    const ofSegment: unknown = Array.isArray(times) ? times[segment] : undefined;
    const time: unknown = Array.isArray(ofSegment) ? ofSegment[at] : undefined;
    return typeof time === "string" && !Number.isNaN(Date.parse(time)) ? time : undefined;
  };
  const segments = lines.map((line, segment) => {
    const listed = line.map((place, at) => pointText("trkpt", place, element("time", timeAt(segment, at))));
    return `<trkseg>${listed.join("")}</trkseg>`;
  });
  return `<trk>${element("name", name)}${element("desc", description)}${segments.join("")}</trk>`;
}
