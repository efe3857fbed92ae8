/**
 * GPX 1.1 (Topografix, "GPX 1.1 Schema Documentation") and resources: waypoints, routes and tracks. Files of GPX 1.0,
 * which has the same elements, are read too.
 *
 * A file is read in pieces, and each resource is made and counted when its element ends, so that a file costs no more
 * memory than what it may have. A document type, with which entities could grow without bound, is refused.
 */
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { uuidOf } from "../../../core/text/uuid.ts";
import { element } from "../../../core/text/xml.ts";
import { Refused } from "./refused.ts";
import { MAX_LENGTH, MAX_RESOURCES, type Resources, type StoredResource } from "./resources.ts";
import { type Coordinate, type Kind, MAX_NAME, type Route, type Track, type Waypoint } from "./shapes.ts";

export const MAX_GPX_BYTES = 4 << 20;
/** Bytes that are read at a time; on a Raspberry Pi this takes some ten milliseconds. */
const PIECE_BYTES = 16 << 10;
const MAX_DECLARATION = 200;
const MAX_DEPTH = 32;
const MAX_TEXT = 10_000;
/** Of an element; GPX has two, and those of its namespaces. */
const MAX_ATTRIBUTES = 100;
/** A segment takes the memory of as many characters of points. */
const SEGMENT_LENGTH = 30;

export interface GpxContent {
  readonly found: readonly StoredResource[];
  /** Elements that resources have no place for, such as symbols, and lines of fewer than two points. */
  readonly ignored: number;
}

/** A point, route, segment or track as it is read: its texts by their elements, and what has ended in it. */
interface Part {
  readonly element: string;
  readonly texts: Record<string, string>;
  readonly place: Coordinate | undefined;
  readonly segments: Part[];
  readonly points: Coordinate[];
  /** Names of the points of a route. */
  readonly names: string[];
  /** Times of the points of a segment. */
  readonly times: (string | null)[];
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
const pointElements: ReadonlySet<string> = new Set(["wpt", "rtept", "trkpt"]);
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

/**
 * The resources in a file, each once; `rest` is awaited between its pieces. Their ids follow from their content, so that
 * a file that is read twice is there once.
 */
export async function resourcesIn(bytes: Uint8Array, rest: () => Promise<void>): Promise<GpxContent> {
  const reader = new Reader();
  const encoding = encodingOf(bytes);
  const decoder = decoderOf(encoding);
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      reader.read(decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true }));
      await rest();
    }
    reader.read(decoder.decode());
  } catch (error) {
    if (error instanceof TypeError) throw new Refused(400, `The file is not ${encoding.toUpperCase()}.`);
    throw error;
  }
  return reader.content();
}

/** The first bytes of a file, by a byte order mark or by "<" in UTF-16 (XML 1.0, appendix F.1). */
const marks = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
  ["utf-16le", [0x3c, 0x00]],
  ["utf-16be", [0x00, 0x3c]],
] as const;

/** The encoding by the first bytes of a file, or as its declaration names it. */
function encodingOf(bytes: Uint8Array): string {
  const [marked] = marks.find(([, first]) => first.every((byte, at) => bytes[at] === byte)) ?? [];
  if (marked !== undefined) return marked;
  // biome-ignore lint/plugin: the first bytes of a file
  const declaration = String.fromCharCode(...bytes.subarray(0, MAX_DECLARATION));
  const declared = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? "utf-8";
  // Programs that make a text in UTF-16 and write it in UTF-8 leave its declaration as it was.
  return /^(?:utf-?16|ucs-?2|iso-10646)/i.test(declared) ? "utf-8" : declared;
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new Refused(400, `The encoding of the file is unknown: ${encoding}.`);
  }
}

/** Reads the text of a file piece by piece. */
class Reader {
  readonly #parser = new SaxesParser();
  /** Elements that are open; undefined for one that is left out, with all in it. */
  readonly #open: (Part | string | undefined)[] = [];
  /** What was found, by its kind and content. */
  readonly #found = new Map<string, Omit<StoredResource, "id">>();
  readonly #counts: Record<Kind, number> = { waypoints: 0, routes: 0, notes: 0, tracks: 0 };
  /** Characters of the points of the resource that is being read. */
  #length = 0;
  /** Attributes of the element that is being read. */
  #attributes = 0;
  #ignored = 0;

  constructor() {
    const parser = this.#parser;
    parser.on("doctype", () => {
      throw new Refused(400, "A file with a document type is refused.");
    });
    parser.on("error", ({ message }) => {
      throw new Refused(400, `The file is not XML: ${message.slice(0, MAX_NAME)}`);
    });
    parser.on("attribute", () => {
      this.#attributes += 1;
      if (this.#attributes > MAX_ATTRIBUTES) throw new Refused(400, "An element has too many attributes.");
    });
    parser.on("opentag", (tag) => {
      this.#attributes = 0;
      this.#open.push(this.#enter(tag));
    });
    parser.on("closetag", () => this.#leave());
    parser.on("text", (text) => this.#addText(text));
    parser.on("cdata", (text) => this.#addText(text));
  }

  read(text: string): void {
    this.#parser.write(text);
  }

  content(): GpxContent {
    this.#parser.close();
    const found = [...this.#found].map(([content, each]) => ({ ...each, id: uuidOf(`gpx ${content}`) }));
    return { found, ignored: this.#ignored };
  }

  #enter(tag: SaxesTagPlain): Part | string | undefined {
    if (this.#open.length >= MAX_DEPTH) throw new Refused(400, "The file is nested too deeply.");
    const local = localOf(tag);
    if (this.#open.length === 0) {
      if (local !== "gpx") throw new Refused(400, "The file is not GPX.");
      return partOf(tag);
    }
    const above = this.#open.at(-1);
    if (typeof above !== "object") return undefined;
    if (children[above.element]!.includes(local)) {
      return partOf(tag);
    }
    if (texts[above.element]!.includes(local)) return local;
    this.#ignored += 1;
    return undefined;
  }

  #leave(): void {
    const part = this.#open.pop();
    const above = this.#open.at(-1);
    if (typeof part !== "object" || typeof above !== "object") return;
    if (part.element === "rtept" || part.element === "trkpt") return this.#addPoint(part, above);
    if (part.element === "trkseg") {
      if (isShort(part)) this.#ignored += 1;
      else {
        above.segments.push(part);
        this.#lengthen(SEGMENT_LENGTH);
      }
      return;
    }
    this.#length = 0;
    const made = readers[part.element as keyof typeof readers](part);
    if (made === undefined) this.#ignored += 1;
    else this.#add(made);
  }

  #add(made: Omit<StoredResource, "id">): void {
    const content = `${made.kind} ${JSON.stringify(made.resource)}`;
    if (this.#found.has(content)) return;
    this.#counts[made.kind] += 1;
    if (this.#counts[made.kind] > MAX_RESOURCES)
      throw new Refused(400, `There are ${MAX_RESOURCES} ${made.kind} at most.`);
    this.#found.set(content, made);
  }

  #addPoint(point: Part, { element, points, names, times }: Part): void {
    const place = placeOf(point);
    points.push(place);
    const name = nameOf(point.texts.name ?? "");
    const time = point.texts.time?.trim() ?? null;
    if (element === "rte") names.push(name);
    else times.push(time);
    this.#lengthen(`[${place}],`.length + name.length + (time?.length ?? 0));
  }

  #lengthen(characters: number): void {
    this.#length += characters;
    if (this.#length > MAX_LENGTH) throw new Refused(400, `A resource has ${MAX_LENGTH} characters at most.`);
  }

  #addText(chunk: string): void {
    const [above, name] = [this.#open.at(-2), this.#open.at(-1)];
    if (typeof name !== "string" || typeof above !== "object") return;
    above.texts[name] = `${above.texts[name] ?? ""}${chunk}`.slice(0, MAX_TEXT);
  }
}

/** The name without the prefix of its namespace: other elements of these names do not stand in GPX. */
const localOf = ({ name }: SaxesTagPlain): string => name.slice(name.indexOf(":") + 1);

function partOf(tag: SaxesTagPlain): Part {
  const local = localOf(tag);
  const part = { element: local, texts: {}, segments: [], points: [], names: [], times: [] };
  if (!pointElements.has(local)) return { ...part, place: undefined };
  const [latitude, longitude] = [numberIn(tag.attributes.lat), numberIn(tag.attributes.lon)];
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

const stored = (kind: Kind, resource: object): Omit<StoredResource, "id"> => ({
  kind,
  resource: resource as StoredResource["resource"],
});

/** No line has fewer than two points. */
const isShort = (part: Part): boolean => part.points.length < 2;

const readers = {
  wpt: (part: Part) =>
    stored("waypoints", {
      ...named(part),
      ...(part.texts.type !== undefined && { type: nameOf(part.texts.type) }),
      feature: { type: "Feature", geometry: { type: "Point", coordinates: placeOf(part) }, properties: {} },
    }),
  rte: (part: Part) => {
    if (isShort(part)) return undefined;
    const coordinatesMeta = part.names.map((name) => ({ name }));
    const geometry = { type: "LineString", coordinates: part.points };
    return stored("routes", {
      ...named(part),
      feature: { type: "Feature", geometry, properties: { coordinatesMeta } },
    });
  },
  trk: (part: Part) => {
    const { segments } = part;
    if (segments.length === 0) return undefined;
    const coordinates = segments.map(({ points }) => points);
    const times = segments.map((segment) => segment.times);
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
