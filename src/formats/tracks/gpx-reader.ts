/**
 * Reads GPX 1.0 and 1.1 (Topografix, "GPX 1.1 Schema Documentation"), which have the same elements: waypoints, routes
 * and tracks, each given to the visitor when its element ends. A file is read in pieces, so that it costs no more memory
 * than the points that the visitor keeps. A document type, with which entities could grow without bound, is refused.
 */
import { SaxesParser, type SaxesTagPlain } from "saxes";

/** The file is no GPX, or has more than there is room for. */
export class GpxError extends Error {
  override readonly name = "GpxError";
}

export type GpxTexts = Readonly<Record<string, string>>;

/** A waypoint, a route with one segment, or a track. */
export interface GpxPart<Point> {
  readonly element: "wpt" | "rte" | "trk";
  readonly texts: GpxTexts;
  readonly segments: readonly (readonly Point[])[];
}

export interface GpxVisitor<Point> {
  /** Returns the point as it is kept, or undefined to leave it out; a number that the file lacks is NaN. */
  point(
    element: string,
    place: { readonly latitude: number; readonly longitude: number },
    texts: GpxTexts,
  ): Point | undefined;
  /** Whether a segment of a track is kept. */
  segment?(points: readonly Point[]): boolean;
  part(part: GpxPart<Point>): void;
  /** An element that is none of these. */
  ignored?(): void;
}

/** Bytes that are read at a time; on a Raspberry Pi this takes some ten milliseconds. */
const PIECE_BYTES = 16 << 10;
const MAX_DECLARATION = 200;
const MAX_DEPTH = 32;
const MAX_TEXT = 10_000;
const MAX_REASON = 200;
/** Of an element; GPX has two, and those of its namespaces. */
const MAX_ATTRIBUTES = 100;

/** A part as it is read: its texts by their elements, and what has ended in it. */
interface Open<Point> {
  readonly element: string;
  readonly texts: Record<string, string>;
  readonly place: { readonly latitude: number; readonly longitude: number };
  readonly segments: Point[][];
  readonly points: Point[];
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

/** Gives the parts of a file to a visitor; `rest` is awaited between pieces. Rejects with a GpxError. */
export async function readGpx<Point>(
  bytes: Uint8Array,
  visitor: GpxVisitor<Point>,
  rest: () => Promise<void>,
): Promise<void> {
  const parser = parserFor(visitor);
  const encoding = encodingOf(bytes);
  const decoder = decoderOf(encoding);
  const decoded = (piece?: Uint8Array): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new GpxError(`The file is not ${encoding.toUpperCase()}.`);
    }
  };
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    parser.write(decoded(bytes.subarray(at, at + PIECE_BYTES)));
    await rest();
  }
  parser.write(decoded()).close();
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
    throw new GpxError(`The encoding of the file is unknown: ${encoding}.`);
  }
}

function parserFor<Point>(visitor: GpxVisitor<Point>): SaxesParser {
  const parser = new SaxesParser();
  /** Elements that are open; a text for one whose text is kept, undefined for one that is left out, with all in it. */
  const open: (Open<Point> | string | undefined)[] = [];
  let attributes = 0;
  const addText = (chunk: string): void => {
    const [above, name] = [open.at(-2), open.at(-1)];
    if (typeof name !== "string" || typeof above !== "object") return;
    above.texts[name] = `${above.texts[name] ?? ""}${chunk}`.slice(0, MAX_TEXT);
  };
  const entered = (tag: SaxesTagPlain): Open<Point> | string | undefined => {
    if (open.length >= MAX_DEPTH) throw new GpxError("The file is nested too deeply.");
    const local = localOf(tag);
    if (open.length === 0) {
      if (local !== "gpx") throw new GpxError("The file is not GPX.");
      return openOf<Point>(tag);
    }
    const above = open.at(-1);
    if (typeof above !== "object") return undefined;
    if (children[above.element]!.includes(local)) return openOf<Point>(tag);
    if (texts[above.element]!.includes(local)) return local;
    visitor.ignored?.();
    return undefined;
  };
  parser.on("doctype", () => {
    throw new GpxError("A file with a document type is refused.");
  });
  parser.on("error", ({ message }) => {
    throw new GpxError(`The file is not XML: ${message.slice(0, MAX_REASON)}`);
  });
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw new GpxError("An element has too many attributes.");
  });
  parser.on("opentag", (tag) => {
    attributes = 0;
    open.push(entered(tag));
  });
  parser.on("closetag", () => {
    const part = open.pop();
    const above = open.at(-1);
    if (typeof part === "object" && typeof above === "object") leave(part, above, visitor);
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  return parser;
}

function leave<Point>(part: Open<Point>, above: Open<Point>, visitor: GpxVisitor<Point>): void {
  const { element, place, points } = part;
  if (element === "rtept" || element === "trkpt" || element === "wpt") {
    const point = visitor.point(element, place, part.texts);
    if (point !== undefined) (element === "wpt" ? points : above.points).push(point);
  }
  if (element === "trkseg") {
    if (points.length > 0 && (visitor.segment?.(points) ?? true)) above.segments.push(points);
  } else if (element === "wpt" || element === "rte" || element === "trk")
    visitor.part({ element, texts: part.texts, segments: element === "trk" ? part.segments : [points] });
}

/** The name without the prefix of its namespace: other elements of these names do not stand in GPX. */
const localOf = ({ name }: SaxesTagPlain): string => name.slice(name.indexOf(":") + 1);

const openOf = <Point>(tag: SaxesTagPlain): Open<Point> => ({
  element: localOf(tag),
  texts: {},
  place: { latitude: numberIn(tag.attributes.lat), longitude: numberIn(tag.attributes.lon) },
  segments: [],
  points: [],
});

/** NaN for a text that is no number. */
export const numberIn = (text = ""): number => (text.trim() === "" ? Number.NaN : Number(text));
