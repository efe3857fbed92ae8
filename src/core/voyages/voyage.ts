/** Kept lines as a voyage: its entries with their corrections, its track, and the figures of any part of it. */
import { METRES_PER_MILE, type Position } from "../nav/great-circle.ts";
import { groupedBy } from "../util/grouped.ts";
import { geodesicMetres } from "./geodesic.ts";
import { crew } from "./kinds/by-hand.ts";
import type { EditLine, EntryLine, KeptLine, PictureLine, TrackLine, TrackPoint } from "./lines.ts";

export interface Entry extends EntryLine {
  /** Corrections of its text, the last one counts; the text before them is `text`. */
  readonly edits: readonly EditLine[];
  readonly pictures: readonly PictureLine[];
  /** Those on board, as the crew has written them. */
  readonly crew?: string;
}

export interface Voyage {
  /** In the order of their times. */
  readonly entries: readonly Entry[];
  readonly tracks: readonly TrackLine[];
  readonly points: readonly TrackPoint[];
  readonly from: number;
  /** Of a voyage that lasts, the last time that is kept. */
  readonly until: number;
  readonly hasEnded: boolean;
}

const byEntry = <Line extends EditLine | PictureLine>(lines: readonly Line[]): ReadonlyMap<number, readonly Line[]> =>
  groupedBy(lines, ({ entry }) => entry);

export function voyageOf(lines: readonly KeptLine[]): Voyage | undefined {
  const entries = lines.filter((line) => line.line === "entry");
  const edits = byEntry(lines.filter((line) => line.line === "edit"));
  const pictures = byEntry(lines.filter((line) => line.line === "picture"));
  const begin = entries.find(({ kind }) => kind === "begin");
  if (begin === undefined) return undefined;
  const tracks = lines.filter((line) => line.line === "track");
  const points = tracks.flatMap((track) => track.points);
  const end = entries.find(({ kind }) => kind === "end");
  const times = [...entries.map(({ time }) => time), ...tracks.map(({ time }) => time)];
  const until = end?.time ?? times.reduce((latest, time) => Math.max(latest, time), begin.time);
  return {
    entries: withCrew(
      entries
        .map((entry) => ({
          ...entry,
          edits: edits.get(entry.entry) ?? [],
          pictures: pictures.get(entry.entry) ?? [],
        }))
        .toSorted((one, other) => one.time - other.time || one.entry - other.entry),
    ),
    tracks,
    points,
    from: begin.time,
    until,
    hasEnded: end !== undefined,
  };
}

/** Each entry with those on board: the first list of a voyage counts from its begin. */
function withCrew(entries: readonly Entry[]): readonly Entry[] {
  const first = entries.find(({ kind }) => kind === crew.name);
  if (first === undefined) return entries;
  let aboard = textOf(first);
  return entries.map((entry) => {
    if (entry.kind === crew.name) aboard = textOf(entry);
    return { ...entry, crew: aboard };
  });
}

/** The text of an entry after its corrections. */
export const textOf = ({ text, edits }: Entry): string => edits.at(-1)?.text ?? text ?? "";

/** The author of that text. */
export const authorOf = (entry: Entry): string | undefined => (entry.edits.at(-1) ?? entry).author;

/** The first line of the text at the begin of a voyage, as of the name of a track. */
export function titleOf({ entries }: Voyage): string {
  const begin = entries.find(({ kind }) => kind === "begin");
  return begin === undefined ? "" : (textOf(begin).split("\n")[0] ?? "").trim();
}

export interface Figures {
  readonly groundMiles: number;
  /** Of these, in a straight line over times without fixes. */
  readonly gapMiles: number;
  readonly waterMiles: number;
  readonly underwaySeconds: number;
  readonly restSeconds: number;
  readonly sailSeconds: number;
  readonly engineSeconds: Readonly<Record<string, number>>;
  readonly fuelLitres: number;
  /** Over ground under way, knots. */
  readonly averageKnots: number | undefined;
  readonly maxSog: number | undefined;
  readonly maxStw: number | undefined;
  readonly maxWind: number | undefined;
}

interface Interval {
  readonly from: number;
  readonly until: number;
}

/** Times at rest: a boat that swings at anchor goes nowhere. */
function restsOf({ entries }: Voyage): readonly Interval[] {
  const changes = entries.filter(({ kind }) => kind === "rest" || kind === "underway");
  return changes.flatMap(({ kind, time }, at) =>
    kind === "rest" ? [{ from: time, until: changes[at + 1]?.time ?? Number.POSITIVE_INFINITY }] : [],
  );
}

const placeOf = ([, latitude, longitude]: TrackPoint): Position => ({ latitude, longitude });

/** A leg that implies more is no way of the boat but a fault of the receiver. */
const LARGEST_KNOTS = 80;

const larger = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);

/** The figures of a voyage, or of its part in `[from, until)`. */
export function figuresOf(voyage: Voyage, from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY): Figures {
  const isWithin = (time: number): boolean => time >= from && time < until;
  const rests = restsOf(voyage);
  let [groundMiles, gapMiles] = [0, 0];
  for (const [at, point] of voyage.points.entries()) {
    const before = voyage.points[at - 1];
    if (before === undefined || !isWithin(point[0]) || point[0] <= before[0]) continue;
    if (rests.some((rest) => point[0] > rest.from && point[0] <= rest.until)) continue;
    const miles = geodesicMetres(placeOf(before), placeOf(point)) / METRES_PER_MILE;
    if (miles / ((point[0] - before[0]) / 3_600_000) > LARGEST_KNOTS) continue;
    groundMiles += miles;
    if (point[3] === 1) gapMiles += miles;
  }
  let [seconds, restSeconds, sailSeconds, waterMiles, fuelLitres] = [0, 0, 0, 0, 0];
  let maxima: Pick<Figures, "maxSog" | "maxStw" | "maxWind"> = {
    maxSog: undefined,
    maxStw: undefined,
    maxWind: undefined,
  };
  const engineSeconds: Record<string, number> = {};
  for (const track of voyage.tracks) {
    if (!isWithin(track.time)) continue;
    seconds += track.seconds ?? 0;
    restSeconds += track.restSeconds ?? 0;
    sailSeconds += track.sailSeconds ?? 0;
    waterMiles += track.waterMiles ?? 0;
    fuelLitres += track.fuelLitres ?? 0;
    for (const [engine, ran] of Object.entries(track.engineSeconds ?? {}))
      engineSeconds[engine] = (engineSeconds[engine] ?? 0) + ran;
    maxima = {
      maxSog: larger(maxima.maxSog, track.maxSog),
      maxStw: larger(maxima.maxStw, track.maxStw),
      maxWind: larger(maxima.maxWind, track.maxWind),
    };
  }
  const underwaySeconds = seconds - restSeconds;
  return {
    ...{ groundMiles, gapMiles, waterMiles, underwaySeconds, restSeconds, sailSeconds, engineSeconds, fuelLitres },
    averageKnots: underwaySeconds > 0 ? ((groundMiles - gapMiles) * 3600) / underwaySeconds : undefined,
    ...maxima,
  };
}

export interface ListedVoyage {
  readonly name: string;
  readonly title: string;
  readonly from: number;
  readonly until: number;
  readonly hasEnded: boolean;
  readonly figures: Figures;
  /** Lines that a power cut has damaged. */
  readonly damaged: number;
}

const SECTORS = 16;

/** Shares of the time by direction of the wind, in sectors from north on, and the strongest mean of each. */
export function windRoseOf({
  tracks,
}: Pick<Voyage, "tracks">): readonly { readonly share: number; readonly strongest: number }[] {
  const rose = Array.from({ length: SECTORS }, () => ({ share: 0, strongest: 0 }));
  let all = 0;
  for (const { seconds = 0, windDirection, windSpeed } of tracks) {
    if (windDirection === undefined || windSpeed === undefined) continue;
    const sector = rose[Math.round((windDirection / 360) * SECTORS) % SECTORS]!;
    all += seconds;
    sector.share += seconds;
    sector.strongest = Math.max(sector.strongest, windSpeed);
  }
  return all === 0 ? [] : rose.map(({ share, strongest }) => ({ share: share / all, strongest }));
}
