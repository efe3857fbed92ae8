/** The days of a voyage in the time zone of the crew. Pure but for the zone. */
import type { TrackPoint } from "../../../core/voyages/lines.ts";
import { type Entry, type Figures, figuresOf, type Voyage } from "../../../core/voyages/voyage.ts";
import { dayAndTime } from "../instruments/moments.ts";

export interface VoyageDay {
  readonly day: string;
  readonly entries: readonly Entry[];
  readonly points: readonly TrackPoint[];
  readonly figures: Figures;
  readonly part: Pick<Voyage, "tracks">;
}

const MINUTE_MS = 60_000;

/** The first moment of another day after a time, to the minute: a day of a zone may have 23 or 25 hours. */
function nextDay(time: number): number {
  const [day] = dayAndTime(time);
  let [before, after] = [time, time + 26 * 60 * MINUTE_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayAndTime(middle)[0] === day) before = middle;
    else after = middle;
  }
  return after;
}

export function daysOf(voyage: Voyage): readonly VoyageDay[] {
  const days: VoyageDay[] = [];
  // That a voyage has ended is known later: an entry may be of a day after its end.
  const last = voyage.entries.reduce((latest, { time }) => Math.max(latest, time), voyage.until);
  for (let from = voyage.from; from <= last; ) {
    const until = nextDay(from);
    const isWithin = (time: number): boolean => time >= from && time < until;
    days.push({
      day: dayAndTime(from)[0],
      entries: voyage.entries.filter(({ time }) => isWithin(time)),
      points: voyage.points.filter(([time]) => isWithin(time)),
      figures: figuresOf(voyage, from, until),
      part: { tracks: voyage.tracks.filter(({ time }) => isWithin(time)) },
    });
    from = until;
  }
  return days;
}
