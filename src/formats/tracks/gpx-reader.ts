/**
 * Tracks of GPX 1.0 and 1.1 as the lines of voyages: each track with times is one, its named waypoints are left out. A
 * document type, with which entities could grow without bound, is refused.
 */
import { SaxesParser } from "saxes";
import type { EntryLine, KeptLine, TrackPoint } from "../../core/voyages/lines.ts";

/** The file is none, or is too large. */
export class GpxError extends Error {
  override readonly name = "GpxError";
}

const MAX_POINTS = 500_000;
const MAX_TRACKS = 200;
const MAX_TEXT = 200;
/** Points of a line, so that no line is long. */
const LINE_POINTS = 200;
/** Points further apart have a gap between them. */
const GAP_MS = 600_000;

interface Track {
  name: string;
  points: TrackPoint[];
}

interface Point {
  readonly latitude: number;
  readonly longitude: number;
  time: number;
}

export interface ReadTracks {
  readonly voyages: readonly (readonly KeptLine[])[];
  /** Points without a time or a place. */
  readonly leftOut: number;
}

const localOf = (name: string): string => name.slice(name.indexOf(":") + 1);

export function voyagesInGpx(text: string): ReadTracks {
  const parser = new SaxesParser();
  const tracks: Track[] = [];
  const open: string[] = [];
  let point: Point | undefined;
  let [isNewSegment, chunk, count, leftOut] = [false, "", 0, 0];

  const leavePoint = (): void => {
    const track = tracks.at(-1)!;
    const before = track.points.at(-1);
    const isUsable =
      point !== undefined &&
      Number.isFinite(point.time) &&
      Math.abs(point.latitude) <= 90 &&
      Math.abs(point.longitude) <= 180 &&
      (before === undefined || point.time > before[0]);
    if (!isUsable || point === undefined) leftOut++;
    else {
      count++;
      if (count > MAX_POINTS) throw new GpxError(`There are more than ${MAX_POINTS} points.`);
      const { time, latitude, longitude } = point;
      const isAfterGap = before !== undefined && (isNewSegment || time - before[0] > GAP_MS);
      track.points.push(isAfterGap ? [time, latitude, longitude, 1] : [time, latitude, longitude]);
      isNewSegment = false;
    }
    point = undefined;
  };

  parser.on("doctype", () => {
    throw new GpxError("A file with a document type is refused.");
  });
  parser.on("error", ({ message }) => {
    throw new GpxError(`The file is not XML: ${message.slice(0, MAX_TEXT)}`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const local = localOf(name);
    if (open.length === 0 && local !== "gpx") throw new GpxError("The file is not GPX.");
    const above = open.at(-1);
    open.push(local);
    chunk = "";
    if (local === "trk" && above === "gpx") {
      if (tracks.length >= MAX_TRACKS) throw new GpxError(`There are more than ${MAX_TRACKS} tracks.`);
      tracks.push({ name: "", points: [] });
    } else if (local === "trkseg") isNewSegment = true;
    else if (local === "trkpt" && above === "trkseg" && tracks.length > 0)
      point = { latitude: numberIn(attributes.lat), longitude: numberIn(attributes.lon), time: Number.NaN };
  });
  parser.on("closetag", ({ name }) => {
    const local = localOf(name);
    open.pop();
    const above = open.at(-1);
    if (local === "time" && above === "trkpt" && point !== undefined) point.time = Date.parse(chunk.trim());
    else if (local === "name" && above === "trk" && tracks.length > 0) tracks.at(-1)!.name = chunk.trim();
    else if (local === "trkpt" && above === "trkseg" && tracks.length > 0) leavePoint();
  });
  const addText = (more: string): void => {
    chunk = `${chunk}${more}`.slice(0, MAX_TEXT);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(text).close();
  return { voyages: tracks.filter(({ points }) => points.length > 1).map(linesOf), leftOut };
}

const numberIn = (text = ""): number => (text.trim() === "" ? Number.NaN : Number(text));

function linesOf({ name, points }: Track): readonly KeptLine[] {
  const entry = (number: number, kind: string, [time, latitude, longitude]: TrackPoint): EntryLine => ({
    line: "entry",
    entry: number,
    kind,
    time,
    ...(kind === "begin" && { details: { imported: "GPX" } }),
    conditions: { latitude, longitude },
    ...(kind === "begin" && name !== "" && { text: name }),
  });
  const lines: KeptLine[] = [entry(0, "begin", points[0]!)];
  for (let at = 0; at < points.length; at += LINE_POINTS) {
    const part = points.slice(at, at + LINE_POINTS);
    const before = points[at - 1] ?? part[0]!;
    const gaps = part.reduce(
      (sum, each, index) => sum + (each[3] === 1 ? each[0] - (part[index - 1] ?? before)[0] : 0),
      0,
    );
    const time = part.at(-1)![0];
    lines.push({ line: "track", time, points: part, seconds: (time - before[0] - gaps) / 1000 });
  }
  return [...lines, entry(1, "end", points.at(-1)!)];
}
