/**
 * Tracks of GPX as the lines of voyages. A track with times is one, or several where it is silent as long as between two
 * voyages; waypoints and routes are left out.
 */
import { beginsWithDay } from "../../core/text/date.ts";
import { ENDS_AFTER_MS } from "../../core/voyages/keeper.ts";
import type { EntryLine, KeptLine, TrackPoint } from "../../core/voyages/lines.ts";
import { GpxError, readGpx } from "./gpx-reader.ts";

const MAX_POINTS = 500_000;
const MAX_VOYAGES = 1000;
const MAX_NAME = 200;
/** Points of a line, so that no line is long. */
const LINE_POINTS = 200;
/** Points further apart have a gap between them. */
const GAP_MS = 600_000;
/** Limits of a plausible time: that of GPS begins in 1980. */
const [EARLIEST, LATEST] = [Date.UTC(1980), Date.UTC(2200)];

export interface ReadTracks {
  readonly voyages: readonly (readonly KeptLine[])[];
  /** Points of tracks without a place or a time of their own. */
  readonly leftOut: number;
}

/** A time of XML Schema; one without a zone is UTC (GPX 1.1). */
function timeIn(text = ""): number {
  const iso = text.trim().replace(" ", "T");
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}Z`);
  return time >= EARLIEST && time < LATEST && beginsWithDay(iso) ? time : Number.NaN;
}

/** Reads a file; `rest` is awaited between its pieces. Rejects with a GpxError. */
export async function voyagesInGpx(bytes: Uint8Array, rest: () => Promise<void>): Promise<ReadTracks> {
  const voyages: (readonly KeptLine[])[] = [];
  let [count, leftOut] = [0, 0];
  await readGpx<TrackPoint>(
    bytes,
    {
      point(element, { latitude, longitude }, texts) {
        if (element !== "trkpt") return undefined;
        const time = timeIn(texts.time);
        if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !Number.isNaN(time))) {
          leftOut++;
          return undefined;
        }
        count++;
        if (count > MAX_POINTS) throw new GpxError(`There are more than ${MAX_POINTS} points.`);
        return [time, latitude, longitude];
      },
      part({ element, texts, segments }) {
        if (element !== "trk") return;
        const points = inOrder(segments);
        leftOut += segments.reduce((sum, { length }) => sum + length, 0) - points.length;
        for (const sailed of parted(points)) {
          if (voyages.length >= MAX_VOYAGES) throw new GpxError(`There are more than ${MAX_VOYAGES} voyages.`);
          voyages.push(voyageLines((texts.name ?? "").trim().slice(0, MAX_NAME), sailed));
        }
      },
    },
    rest,
  );
  return { voyages, leftOut };
}

/** The points in the order of their times, one for each, with a gap before each segment and after a long silence. */
function inOrder(segments: readonly (readonly TrackPoint[])[]): readonly TrackPoint[] {
  const ordered = segments
    .map((points) => points.toSorted(([one], [other]) => one - other))
    .sort(([one], [other]) => one![0] - other![0]);
  const found: TrackPoint[] = [];
  for (const segment of ordered) {
    let isFirst = true;
    for (const [time, latitude, longitude] of segment) {
      const last = found.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY;
      if (time <= last) continue;
      const isAfterGap = found.length > 0 && (isFirst || time - last > GAP_MS);
      found.push(isAfterGap ? [time, latitude, longitude, 1] : [time, latitude, longitude]);
      isFirst = false;
    }
  }
  return found;
}

/** The parts between silences that end a voyage; a single point is none. */
function parted(points: readonly TrackPoint[]): readonly (readonly TrackPoint[])[] {
  const parts: TrackPoint[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const [time, latitude, longitude] = point;
    if (time - last > ENDS_AFTER_MS) parts.push([[time, latitude, longitude]]);
    else parts.at(-1)!.push(point);
    last = time;
  }
  return parts.filter(({ length }) => length > 1);
}

/** Days of all zones begin at a quarter of an hour, so that a line is of one day. */
const quarterOf = ([time]: TrackPoint): number => Math.floor(time / 900_000);

/** A voyage along points, whose name may be empty. */
export function voyageLines(name: string, points: readonly TrackPoint[]): readonly KeptLine[] {
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
  for (let at = 0, end = 0; at < points.length; at = end) {
    const quarter = quarterOf(points[at]!);
    while (end < points.length && end < at + LINE_POINTS && quarterOf(points[end]!) === quarter) end++;
    const part = points.slice(at, end);
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
