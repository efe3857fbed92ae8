/**
 * GPX 1.1 (Topografix, "GPX 1.1 Schema Documentation") and resources: waypoints, routes and tracks. Files of GPX 1.0,
 * which has the same elements, are read too.
 *
 * A document type, with which entities could grow without bound, is refused; depth, length and the number of points are
 * limited.
 */
import { SaxesParser, type SaxesTagNS } from "saxes";
import { uuidOf } from "../../../core/text/uuid.ts";
import { Refused } from "./refused.ts";
import type { Resources, StoredResource } from "./resources.ts";
import { type Coordinate, MAX_NAME, type Route, type Track, type Waypoint } from "./shapes.ts";

export const MAX_GPX_BYTES = 4 << 20;
const MAX_DEPTH = 32;
const MAX_TEXT = 10_000;

export interface GpxContent {
  readonly found: readonly StoredResource[];
  /** Elements that resources have no place for, such as symbols, and lines of fewer than two points. */
  readonly ignored: number;
}

/** A point, route, segment or track as it is read: its texts by their elements, and the points below it. */
interface Part {
  readonly element: string;
  readonly texts: Record<string, string>;
  readonly place: Coordinate | undefined;
  readonly parts: Part[];
}

/** Elements that have points, or are points, with those that may stand in them. */
const children: Readonly<Record<string, readonly string[]>> = {
  gpx: ["wpt", "rte", "trk"],
  rte: ["rtept"],
  trk: ["trkseg"],
  trkseg: ["trkpt"],
  wpt: [],
  rtept: [],
  trkpt: [],
};
const points: ReadonlySet<string> = new Set(["wpt", "rtept", "trkpt"]);
/** Elements whose texts are kept, by the element in which they stand. */
const texts: Readonly<Record<string, readonly string[]>> = {
  gpx: [],
  wpt: ["name", "desc", "ele", "type"],
  rte: ["name", "desc"],
  rtept: ["name", "ele"],
  trk: ["name", "desc"],
  trkseg: [],
  trkpt: ["ele", "time"],
};

/** The resources in a file. Their ids follow from their content, so that a file read twice is there once. */
export function resourcesIn(bytes: Uint8Array): GpxContent {
  const { root, ignored } = partsIn(textIn(bytes));
  const made = root.parts.map((part) => readers[part.element as keyof typeof readers](part));
  const found = made.flatMap((each) => (each === undefined ? [] : [each]));
  const shortSegments = root.parts.flatMap(({ element, parts }) => (element === "trk" ? parts.filter(isShort) : []));
  return { found, ignored: ignored + made.length - found.length + shortSegments.length };
}

function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refused(400, "The file is not UTF-8.");
  }
}

function partsIn(text: string): { readonly root: Part; readonly ignored: number } {
  const parser = new SaxesParser({ xmlns: true });
  /** Elements that are open; undefined for one that is left out, with all in it. */
  const open: (Part | string | undefined)[] = [];
  let root: Part | undefined;
  let ignored = 0;
  const enter = (tag: SaxesTagNS): Part | string | undefined => {
    if (open.length >= MAX_DEPTH) throw new Refused(400, "The file is nested too deeply.");
    const { local } = tag;
    if (open.length === 0) {
      if (local !== "gpx") throw new Refused(400, "The file is not GPX.");
      root = partOf(tag);
      return root;
    }
    const above = open.at(-1);
    if (typeof above !== "object") return undefined;
    if (children[above.element]!.includes(local)) {
      const part = partOf(tag);
      above.parts.push(part);
      return part;
    }
    if (texts[above.element]!.includes(local)) return local;
    ignored += 1;
    return undefined;
  };
  const addText = (chunk: string): void => {
    const [above, name] = [open.at(-2), open.at(-1)];
    if (typeof name !== "string" || typeof above !== "object") return;
    above.texts[name] = `${above.texts[name] ?? ""}${chunk}`.slice(0, MAX_TEXT);
  };
  parser.on("doctype", () => {
    throw new Refused(400, "A file with a document type is refused.");
  });
  parser.on("error", ({ message }) => {
    throw new Refused(400, `The file is not XML: ${message.slice(0, MAX_NAME)}`);
  });
  parser.on("opentag", (tag) => void open.push(enter(tag)));
  parser.on("closetag", () => void open.pop());
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(text).close();
  if (root === undefined) throw new Refused(400, "The file is not GPX.");
  return { root, ignored };
}

function partOf({ local, attributes }: SaxesTagNS): Part {
  const part = { element: local, texts: {}, parts: [] };
  if (!points.has(local)) return { ...part, place: undefined };
  const [latitude, longitude] = [numberIn(attributes.lat?.value), numberIn(attributes.lon?.value)];
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
    throw new Refused(400, `A ${local} has no latitude and longitude.`);
  return { ...part, place: [longitude, latitude] };
}

const numberIn = (text = ""): number => (text.trim() === "" ? Number.NaN : Number(text));

const placeOf = ({ place, texts: { ele } }: Part): Coordinate => {
  const altitude = numberIn(ele);
  return Number.isFinite(altitude) ? [...place!, altitude] : place!;
};

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

const stored = <Kind extends StoredResource["kind"]>(kind: Kind, resource: object): StoredResource => ({
  kind,
  id: uuidOf(`gpx ${kind} ${JSON.stringify(resource)}`),
  resource: resource as StoredResource["resource"],
});

/** No line has fewer than two points. */
const isShort = ({ parts }: Part): boolean => parts.length < 2;

const readers = {
  wpt: (part: Part) =>
    stored("waypoints", {
      ...named(part),
      ...(part.texts.type !== undefined && { type: nameOf(part.texts.type) }),
      feature: { type: "Feature", geometry: { type: "Point", coordinates: placeOf(part) }, properties: {} },
    }),
  rte: (part: Part) => {
    if (isShort(part)) return undefined;
    const coordinatesMeta = part.parts.map(({ texts: { name = "" } }) => ({ name: nameOf(name) }));
    const geometry = { type: "LineString", coordinates: part.parts.map(placeOf) };
    return stored("routes", {
      ...named(part),
      feature: { type: "Feature", geometry, properties: { coordinatesMeta } },
    });
  },
  trk: (part: Part) => {
    const segments = part.parts.filter((segment) => !isShort(segment));
    if (segments.length === 0) return undefined;
    const coordinates = segments.map(({ parts }) => parts.map(placeOf));
    const times = segments.map(({ parts }) => parts.map((point) => point.texts.time?.trim() ?? null));
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

/** An element with its text; nothing without a text. */
const element = (name: string, text: unknown): string =>
  text === undefined || text === null || text === "" ? "" : `<${name}>${escaped(String(text))}</${name}>`;

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

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text of an element: characters that XML 1.0 does not have are left out. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll(/[&<>"]/g, (character) => entities[character]!);
