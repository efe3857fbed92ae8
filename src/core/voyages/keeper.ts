/**
 * From observations to the lines of voyages. A line `entry` of the kind `begin` opens a voyage, one of the kind `end`
 * closes it. The state that outlasts a power cut is what the kept lines say: the keeper recalls them at its start, and
 * recalls each line that it makes in the same way.
 */
import type { Position } from "../nav/great-circle.ts";
import { rounded } from "../util/rounded.ts";
import { geodesicMetres } from "./geodesic.ts";
import { kinds } from "./kinds/index.ts";
import type { Kind, Situation, Watcher } from "./kinds/kind.ts";
import { LatestValues, SILENT_MS } from "./latest-values.ts";
import type { EntryLine, KeptLine, TrackLine, TrackPoint } from "./lines.ts";
import { Minutes, type Span } from "./minutes.ts";
import { type Dated, Motion, UNDERWAY_KNOTS } from "./motion.ts";
import {
  type Conditions,
  type HeardAlarm,
  type Mooring,
  type Observation,
  type PastAlarm,
  positionOf,
} from "./observation.ts";
import { type Fix, SimplifiedTrack } from "./simplified-track.ts";

const SAMPLE_MS = 1000;
/** A line of the track is made this often; what was not kept is lost in a power cut. */
const LINE_MS = { underway: 60_000, rest: 600_000 };
/** Fixes further apart begin a new segment of the track, and their time is not counted. */
const GAP_MS = 60_000;
/** A report comes each second: a longer silence is that of the program or the bus, not of one device. */
const UNHEARD_MS = 3000;
/** Rest that is no anchorage, and silence, after which a voyage has ended. */
export const ENDS_AFTER_MS = 12 * 3_600_000;
/** A clock that steps by less is corrected, not set. */
const CORRECTED_MS = 60_000;
/** A fix that implies more is wrong, unless it stays there. */
const LARGEST_KNOTS = 80;
const METRES_PER_MS_AND_KNOT = 1852 / 3_600_000;
const BELIEVED_AFTER_MS = 10_000;
/** Fixes of a run that may become a voyage. */
const MAX_RUN = 600;
/** Samples until it is decided whether the boat is at rest: more than the time that it takes. */
const MAX_HELD = 700;

interface Open {
  readonly from: number;
  next: number;
  /** Recalled in the order of `kinds`. */
  readonly watchers: readonly { readonly kind: Kind; readonly watcher: Watcher }[];
}

/** A span of which it is not decided yet what it counts as; `running` is undefined until an engine or its silence is known. */
type HeldSpan = Omit<Span, "isUnderway" | "running"> & { readonly running: Span["running"] | undefined };

/** Of a centimetre. */
const POSITION_DECIMALS = 7;

export class VoyageKeeper {
  readonly #entryEveryMs: number;
  #open: Open | undefined;
  #motion = new Motion();
  #track = new SimplifiedTrack();
  #points: TrackPoint[] = [];
  #minutes = new Minutes();
  #held: HeldSpan[] = [];
  #latest = new LatestValues();
  /** Those of the navigation report, and all at the last sample. */
  #values: Conditions = {};
  #conditions: Conditions = {};
  #mooring: Mooring | undefined;
  #isAnchorWatched: boolean | undefined;
  #alarms: readonly HeardAlarm[] | undefined;
  #isStarting = false;
  /**
   * By how much the clock was set ahead under way. The times here are without it, so that no pause is seen where messages
   * went on; those of lines are with it.
   */
  #setAheadMs = 0;
  /** How far the times of the messages were ahead of those of their arrival, at most: they may arrive late, not early. */
  #aheadMs = Number.NEGATIVE_INFINITY;
  #pastAlarms: readonly PastAlarm[] = [];
  /** The last time at which the boat was heard, since when without a pause, and how long the pause before was. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #heardSince = Number.NEGATIVE_INFINITY;
  #unheardMs = 0;
  /** The last time at an anchor that is watched, by what was kept too. */
  #anchoredAt = Number.NEGATIVE_INFINITY;
  #wasAnchored = false;
  /** Time of the last sample and of the last fix, and of the last line of the track. */
  #time = Number.NEGATIVE_INFINITY;
  #fix: Fix | undefined;
  #linedAt = Number.NEGATIVE_INFINITY;
  #doubtedSince: number | undefined;
  #isAfterGap = false;
  /** Lines that are not returned yet. */
  #lines: KeptLine[] = [];
  /** The run that may become a voyage. */
  #run: { readonly fix: Fix; readonly situation: Situation; readonly running: Span["running"] }[] = [];

  /** `entryEveryMs`: the interval of the entries under way. */
  constructor(entryEveryMs: number) {
    this.#entryEveryMs = entryEveryMs;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Takes a line of the last voyage at the start, in order. */
  recall(line: KeptLine): void {
    if (line.line === "entry" && (line.kind === "anchorDown" || line.kind === "anchorUp"))
      this.#wasAnchored = line.kind === "anchorDown";
    if (this.#wasAnchored) this.#anchoredAt = Math.max(this.#anchoredAt, line.time);
    if (line.line === "track") {
      this.#recallPoints(line);
    } else if (line.line === "entry") {
      this.#recallEntry(line);
      const { time, conditions = {} } = line;
      const position = positionOf(conditions);
      if (position !== undefined && time >= this.#time) this.#fix = { time, ...position };
      if (time >= this.#time) this.#conditions = conditions;
      this.#time = Math.max(this.#time, time);
      if (line.kind === "underway" || line.kind === "begin") this.#motion = new Motion(true, { time, conditions });
      else if (line.kind === "rest" || line.kind === "end")
        this.#motion = new Motion(false, { time, conditions }, position);
    }
  }

  #recallPoints({ points, time }: TrackLine): void {
    const last = points.at(-1);
    if (last !== undefined) {
      const [at, latitude, longitude] = last;
      this.#conditions = { latitude, longitude };
      this.#fix = { time: at, latitude, longitude };
    }
    this.#time = Math.max(this.#time, time);
    this.#linedAt = this.#time;
  }

  #recallEntry(entry: EntryLine): void {
    if (entry.kind === "begin") {
      const { time: from } = entry;
      const watchers = kinds.flatMap((kind) => (kind.watch === undefined ? [] : [{ kind, watcher: kind.watch() }]));
      this.#open = { from, next: entry.entry + 1, watchers };
    }
    if (this.#open === undefined) return;
    this.#open.next = Math.max(this.#open.next, entry.entry + 1);
    for (const { watcher } of this.#open.watchers) watcher.recall?.(entry);
    if (entry.kind === "end") this.#open = undefined;
  }

  /**
   * Takes an observation, which arrived at `arrived`, monotonic milliseconds; by default nothing tells whether its clock
   * was set. Returns the lines to append, in order.
   */
  hear(observation: Observation, arrived = observation.time): readonly KeptLine[] {
    if (observation.of === "alarms") {
      const { alarms, mooring, isAnchorWatched, isStarting } = observation;
      this.#mooring = mooring;
      this.#isAnchorWatched = isAnchorWatched;
      this.#alarms = alarms;
      this.#isStarting = isStarting;
      return [];
    }
    if (observation.of === "pastAlarms") {
      this.#pastAlarms = observation.past;
      return [];
    }
    this.#noteClock(observation.time - arrived);
    const time = observation.time - this.#setAheadMs;
    if (observation.of !== "navigation") {
      this.#latest.hear({ ...observation, time });
      return [];
    }
    const { values } = observation;
    if (time < this.#time) {
      if (this.#time - time <= CORRECTED_MS) return [];
      this.#setBack();
      return this.hear(observation, arrived);
    }
    if (time - this.#time >= SAMPLE_MS) {
      this.#values = values;
      this.#sample(time);
    }
    return this.#taken();
  }

  #taken(): readonly KeptLine[] {
    const lines = this.#lines;
    if (lines.length > 0) this.#lines = [];
    return lines;
  }

  /** The line of an entry by hand, at the last time of the boat; none if no voyage is open. */
  write(kind: string, text: string, author?: string): readonly KeptLine[] {
    if (this.#open === undefined) return [];
    this.#enter(kind, this.#present, undefined, { text, author });
    return this.#taken();
  }

  /** Lines of what is not kept yet, at the end of the program. */
  finish(): readonly KeptLine[] {
    this.#countHeld();
    if (this.#open !== undefined) this.#lineTrack();
    return this.#taken();
  }

  /** A clock that is set ahead at rest makes a pause: a computer without one starts with the time at which it ended. */
  #noteClock(aheadMs: number): void {
    const step = aheadMs - this.#aheadMs;
    const hasWay = this.#motion.isUnderway && (this.#values.sog ?? 0) >= UNDERWAY_KNOTS;
    if (step > CORRECTED_MS && hasWay) this.#setAheadMs += step;
    this.#aheadMs = Math.max(this.#aheadMs, aheadMs);
  }

  #setBack(): void {
    this.#endAt(this.#present, "clock");
    this.#setAheadMs = 0;
    this.#aheadMs = Number.NEGATIVE_INFINITY;
    this.#motion = new Motion();
    this.#latest = new LatestValues();
    this.#run = [];
    this.#time = Number.NEGATIVE_INFINITY;
    this.#linedAt = Number.NEGATIVE_INFINITY;
    this.#heardAt = Number.NEGATIVE_INFINITY;
    this.#fix = undefined;
    this.#anchoredAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * A pause of the program, or of the bus, which has a position or a speed as long as it is heard. It begins where the
   * boat was heard last, by what was kept too.
   */
  #noteHeard(time: number, before: number): void {
    if ((this.#values.latitude ?? this.#values.sog) === undefined) return;
    const last = Number.isFinite(this.#heardAt) ? this.#heardAt : before;
    if (time - last > UNHEARD_MS) {
      this.#heardSince = time;
      this.#unheardMs = Number.isFinite(last) ? time - last : 0;
    }
    this.#heardAt = time;
    if (time - this.#heardSince > SILENT_MS + UNHEARD_MS) this.#unheardMs = 0;
  }

  #sample(time: number): void {
    const before = this.#time;
    if (this.#open !== undefined && time - before > ENDS_AFTER_MS) {
      this.#endAt(this.#present, "away");
      this.#motion = new Motion();
    }
    this.#time = time;
    this.#conditions = { ...this.#values, ...this.#latest.conditions(time) };
    this.#noteHeard(time, before);
    if (this.#restsAs === "anchor") this.#anchoredAt = time;
    const position = positionOf(this.#values);
    if (position !== undefined) this.#move({ time, ...position });
    if (this.#open === undefined) return;
    if (time - before <= GAP_MS) this.#count(time - before);
    else this.#isAfterGap = true;
    this.#watch(this.#situation());
    const interval = this.#motion.isUnderway ? LINE_MS.underway : LINE_MS.rest;
    if (time - this.#linedAt >= interval) this.#lineTrack();
    if (this.#motion.isUnderway) return;
    if (this.#mooring === "berth") this.#endAt(this.#motion.since, "berth");
    else if (time - Math.max(this.#motion.since.time, this.#anchoredAt) >= ENDS_AFTER_MS)
      this.#endAt(this.#motion.since, "rest");
  }

  /** Writes the entries that are due. */
  #watch(situation: Situation): void {
    for (const { kind, watcher } of this.#open?.watchers ?? [])
      for (const { details, time, conditions, unheardMs = 0 } of watcher.hear(situation)) {
        const at = {
          time: Math.max(time ?? situation.time, this.#open!.from),
          conditions: conditions ?? situation.conditions,
        };
        const unheardMinutes = Math.ceil(unheardMs / 60_000);
        const all = unheardMinutes > 1 ? { ...details, unheardMinutes } : details;
        this.#enter(kind.name, at, all);
      }
  }

  /** A boat that swings at her anchor in a stream does not lie still; one that sails has forgotten its watch. */
  get #restsAs(): Mooring | undefined {
    return this.#isAnchorWatched && !this.#motion.isUnderway ? "anchor" : this.#mooring;
  }

  #count(ms: number): void {
    const running = this.#latest.running(this.#time);
    const isKnown = running.size > 0 || this.#isSilenceKnown;
    this.#held.push({ ms, conditions: this.#values, running: isKnown ? running : undefined });
    // A run counts as under way if the boat gets under way, a lull as rest if it comes to rest.
    if ((isKnown && !this.#motion.isUndecided) || this.#held.length > MAX_HELD) this.#countHeld();
  }

  #countHeld(): void {
    const { isUnderway } = this.#motion;
    const now = this.#latest.running(this.#time);
    for (const { running = now, ...span } of this.#held) this.#minutes.add({ ...span, running, isUnderway });
    this.#held = [];
  }

  get #isSilenceKnown(): boolean {
    return this.#heardAt - this.#heardSince > SILENT_MS;
  }

  #situation(): Situation {
    return {
      time: this.#time,
      isUnderway: this.#motion.isUnderway,
      mooring: this.#mooring,
      isAnchorWatched: this.#isAnchorWatched,
      conditions: this.#conditions,
      engines: this.#latest.engines(this.#heardAt, this.#isSilenceKnown),
      isSilenceKnown: this.#isSilenceKnown,
      unheardMs: this.#unheardMs,
      alarms: this.#alarms,
      isStarting: this.#isStarting,
      pastAlarms: this.#pastAlarms,
      waypoint: this.#latest.waypoint(this.#time),
      setAheadMs: this.#setAheadMs,
      entryEveryMs: this.#entryEveryMs,
    };
  }

  get #present(): Dated {
    return { time: this.#time, conditions: this.#conditions };
  }

  /** Whether a fix is left out: it is too far from the last one, and has not stayed there. */
  #isDoubted({ time, ...position }: Fix): boolean {
    const last = this.#fix;
    if (last === undefined || time - last.time > GAP_MS) return false;
    const limit = LARGEST_KNOTS * METRES_PER_MS_AND_KNOT * (time - last.time);
    if (geodesicMetres(last, position) <= Math.max(limit, 50)) {
      this.#doubtedSince = undefined;
      return false;
    }
    this.#doubtedSince ??= time;
    if (time - this.#doubtedSince < BELIEVED_AFTER_MS) return true;
    this.#doubtedSince = undefined;
    this.#isAfterGap = true;
    return false;
  }

  #move(fix: Fix): void {
    if (this.#isDoubted(fix)) return;
    if (this.#fix !== undefined && fix.time - this.#fix.time > GAP_MS) this.#isAfterGap = true;
    const moment = { ...this.#present, position: fix, mooring: this.#restsAs };
    const hasChanged = this.#motion.hear(moment);
    this.#fix = fix;
    const { isUnderway, since, isRunning } = this.#motion;
    if (this.#open !== undefined) {
      this.#addFix(fix);
      if (!hasChanged) return;
      this.#countHeld();
      this.#lineTrack();
      this.#enter(isUnderway ? "underway" : "rest", since);
      return;
    }
    if (!isRunning && !hasChanged) this.#run = [];
    else this.#run.push({ fix, situation: this.#situation(), running: this.#latest.running(fix.time) });
    if (this.#run.length > MAX_RUN) this.#run.shift();
    if (hasChanged && isUnderway) this.#begin();
  }

  #begin(): void {
    const run = this.#run;
    this.#run = [];
    const [first] = run;
    this.#track = new SimplifiedTrack();
    this.#points = [];
    this.#minutes = new Minutes();
    this.#held = [];
    this.#isAfterGap = false;
    this.#linedAt = first!.fix.time;
    const entry: EntryLine = {
      line: "entry",
      entry: 0,
      kind: "begin",
      time: first!.fix.time,
      ...(first!.situation.isAnchorWatched && { details: { anchor: "down" } }),
      conditions: roundedConditions(first!.situation.conditions),
    };
    this.#emit(entry);
    let last = first!.fix.time;
    for (const { fix, situation, running } of run) {
      this.#addFix(fix);
      // The last fix of the run belongs to the sample that is being taken.
      if (fix.time === this.#time) continue;
      const { conditions } = situation;
      if (fix.time - last <= GAP_MS) this.#minutes.add({ ms: fix.time - last, isUnderway: true, conditions, running });
      this.#watch({ ...situation, isUnderway: true });
      last = fix.time;
    }
  }

  #addFix(fix: Fix): void {
    if (this.#isAfterGap) {
      for (const kept of this.#track.finish()) this.#keep(kept);
      this.#track = new SimplifiedTrack();
    }
    for (const kept of this.#track.add(fix)) this.#keep(kept, this.#isAfterGap);
    this.#isAfterGap = false;
  }

  #keep({ time, latitude, longitude }: Fix, isAfterGap = false): void {
    const point = [
      time + this.#setAheadMs,
      rounded(latitude, POSITION_DECIMALS),
      rounded(longitude, POSITION_DECIMALS),
    ] as const;
    this.#points.push(isAfterGap ? [...point, 1] : point);
  }

  #lineTrack(): void {
    for (const kept of this.#track.finish()) this.#keep(kept);
    const { sums, means } = this.#minutes;
    this.#linedAt = this.#time;
    if (this.#points.length === 0 && sums.seconds === undefined) return;
    const line: TrackLine = {
      line: "track",
      time: this.#time + this.#setAheadMs,
      points: this.#points,
      ...sums,
      ...means,
    };
    this.#points = [];
    this.#minutes = new Minutes();
    this.#lines.push(line);
  }

  #endAt(at: Dated, reason: string): void {
    if (this.#open === undefined) return;
    this.#countHeld();
    this.#lineTrack();
    this.#enter("end", at, { reason });
  }

  #emit(entry: EntryLine): void {
    this.#recallEntry(entry);
    this.#lines.push({ ...entry, time: entry.time + this.#setAheadMs });
  }

  #enter(
    kind: string,
    { time, conditions }: Dated,
    details?: EntryLine["details"],
    written?: { readonly text: string; readonly author: string | undefined },
  ): void {
    const entry: EntryLine = {
      line: "entry",
      entry: this.#open!.next,
      kind,
      time,
      ...(details !== undefined && Object.keys(details).length > 0 && { details }),
      conditions: roundedConditions(conditions),
      ...written,
    };
    this.#emit(entry);
  }
}

function roundedConditions(conditions: Conditions): Conditions {
  const { latitude, longitude, ...rest } = conditions;
  const others = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === "number" ? rounded(value, 2) : value,
  ]);
  const position: Position | undefined = positionOf(conditions);
  return {
    ...(position && {
      latitude: rounded(position.latitude, POSITION_DECIMALS),
      longitude: rounded(position.longitude, POSITION_DECIMALS),
    }),
    ...Object.fromEntries(others),
  };
}
