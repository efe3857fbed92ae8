/** Tracks of GPX as the lines of voyages: each track with times is one; waypoints and routes are left out. */
import type { EntryLine, KeptLine, TrackPoint } from "../../core/voyages/lines.ts";
import { GpxError, readGpx } from "./gpx-reader.ts";

const MAX_POINTS = 500_000;
const MAX_TRACKS = 200;
const MAX_NAME = 200;
/** Points of a line, so that no line is long. */
const LINE_POINTS = 200;
/** Points further apart have a gap between them. */
const GAP_MS = 600_000;

export interface ReadTracks {
  readonly voyages: readonly (readonly KeptLine[])[];
  /** Points without a time or a place. */
  readonly leftOut: number;
}

/** Reads a file; `rest` is awaited between its pieces. Rejects with a GpxError. */
export async function voyagesInGpx(bytes: Uint8Array, rest: () => Promise<void>): Promise<ReadTracks> {
  const voyages: (readonly KeptLine[])[] = [];
  let [count, leftOut, latest] = [0, 0, Number.NEGATIVE_INFINITY];
  await readGpx<TrackPoint>(
    bytes,
    {
      point(element, { latitude, longitude }, texts) {
        if (element !== "trkpt") return undefined;
        const time = Date.parse(texts.time?.trim() ?? "");
        if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && time > latest)) {
          leftOut++;
          return undefined;
        }
        latest = time;
        count++;
        if (count > MAX_POINTS) throw new GpxError(`There are more than ${MAX_POINTS} points.`);
        return [time, latitude, longitude];
      },
      part({ element, texts, segments }) {
        latest = Number.NEGATIVE_INFINITY;
        if (element !== "trk") return;
        const points = segments.flatMap(withGaps);
        if (points.length < 2) return;
        if (voyages.length >= MAX_TRACKS) throw new GpxError(`There are more than ${MAX_TRACKS} tracks.`);
        voyages.push(linesOf((texts.name ?? "").trim().slice(0, MAX_NAME), points));
      },
    },
    rest,
  );
  return { voyages, leftOut };
}

/** A segment but the first begins with a gap, and so does a point long after the one before it. */
const withGaps = (points: readonly TrackPoint[], segment: number): readonly TrackPoint[] =>
  points.map((point, at) => {
    const [time, latitude, longitude] = point;
    const isAfterGap = at === 0 ? segment > 0 : time - points[at - 1]![0] > GAP_MS;
    return isAfterGap ? [time, latitude, longitude, 1] : point;
  });

function linesOf(name: string, points: readonly TrackPoint[]): readonly KeptLine[] {
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
