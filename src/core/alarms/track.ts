/**
 * An alarm from its first reading to its end, and the answers to it. Times are monotonic milliseconds; the wall clock is
 * for timestamps only.
 */

import type { Device } from "../nav/devices.ts";
import { isGrave, type Severity, severities } from "./constants.ts";
import type { Reading, Source } from "./reading.ts";

/** Time within the limit after which an alarm ends. */
const END_AFTER_SECONDS = 3;
/** The time not beyond the limit that undoes a second beyond it: a value that is beyond it for less than 40 % never rings. */
const UNDONE_BY = 1.5;
/** An interrupted danger sounds again after so many terms of its answer at the latest. */
const MAX_TERMS = 3;
/** An alarm is worse by half, and by a tenth of its limit, so that a value at its limit does not sound again and again. */
const WORSE = 1.5;
const WORSE_OF_LIMIT = 0.1;

/** An acknowledgement, and the reading that it was given to. */
export interface Answer {
  readonly at: number;
  readonly wall: number;
  readonly reading: Reading;
}

export interface Alarm {
  /** Wall clock; of one that rings again after a start, before it. */
  since: number;
  /** See `SetClock`: as it was raised. */
  readonly clock: number;
  reading: Reading;
  /** The reading farthest beyond the limit, the last one of equal ones. */
  worst: Reading;
  answer: Answer | undefined;
  /** An alarm that was never silenced has sounded since it was raised. */
  silencedUntil: number;
  /** Nothing has been read of it for long. */
  isWithoutData: boolean;
  /** Since when the danger lasts without interruption. */
  readonly lastsSince: number;
  /** Whether the value swung across its limit when it was raised. */
  readonly isSwinging: boolean;
  /** The devices that raise it, where its readings are of messages; one that is about to end keeps them. */
  devices: readonly Device[] | undefined;
}

/** State of a reading from one observation to the next. */
export interface Track {
  /** The times since which the value is beyond the limit, and within it. */
  beyondSince: number | undefined;
  withinSince: number | undefined;
  /** Of a value that swings: milliseconds beyond the limit, less those not beyond it; from zero to the delay. */
  exceeded: number;
  lastRead: number;
  /** Since when devices are beyond the limit, those too that are silent since. */
  readonly inDanger: Map<Source, number>;
  /** Those devices; while there are none, as between two waves, the last ones. */
  lastInDanger: ReadonlySet<Source>;
  /** The devices that the last answer to the alarm is for, an acknowledgement or a silence. */
  seen: ReadonlySet<Source>;
  /** Set while the alarm is raised. */
  alarm: Alarm | undefined;
  /** The answer to an alarm that has ended, for the next one about the same ship until then. */
  settled: { readonly answer: Answer; readonly until: number } | undefined;
}

const NONE: ReadonlySet<never> = new Set();

export const newTrack = (now: number): Track => ({
  beyondSince: undefined,
  withinSince: undefined,
  exceeded: 0,
  lastRead: now,
  inDanger: new Map(),
  lastInDanger: NONE,
  seen: NONE,
  alarm: undefined,
  settled: undefined,
});

export interface Step {
  readonly now: number;
  readonly wall: number;
  readonly clock: number;
  readonly delay: number;
  /** Severity of the kind. */
  readonly severity: Severity;
  /** For how long an answer counts while the danger lasts; undefined: until it is worse. */
  readonly term: number | undefined;
  readonly isQuiet: boolean;
  readonly isLatched: boolean;
  /** Whether all devices measure one thing, so that an answer for one of them is for all. */
  readonly isOfOneThing: boolean;
  readonly swings: boolean;
  /** For how long an alarm that is raised now has sounded before this start. */
  readonly soundedFor: () => number;
}

/** How far a value is beyond its limit, with its side. */
const excessOf = ({ value, limit, zone }: Reading): number =>
  zone !== "beyond" || value === undefined || limit === undefined ? 0 : value - limit;

const rankOf = ({ severity }: Reading, ofKind: Severity): number => severities.indexOf(severity ?? ofKind);

/** Whether a value is farther beyond its limit than another one, by half and a tenth of the limit. */
function isFarther(now: Reading, before: Reading): boolean {
  const [excess, was] = [excessOf(now), excessOf(before)];
  return excess * was > 0 && Math.abs(excess) > Math.abs(was) * WORSE + Math.abs(now.limit!) * WORSE_OF_LIMIT;
}

/** Whether it is of another thing; two devices may name one differently. */
const isOfOther = (now: Reading, before: Reading): boolean =>
  now.zone === "beyond" && now.of?.device === before.of?.device && now.about !== before.about;

/** Whether an alarm is worse than at its answer, or about another thing. */
const isWorse = (now: Reading, before: Reading, ofKind: Severity): boolean =>
  rankOf(now, ofKind) < rankOf(before, ofKind) ||
  (now.level ?? 0) > (before.level ?? 0) ||
  isOfOther(now, before) ||
  isFarther(now, before);

/** Whether a device has come into danger after the last answer to the alarm. */
const isUnseen = ({ inDanger, seen }: Track, { now, delay, isOfOneThing }: Step): boolean =>
  !isOfOneThing && [...inDanger].some(([device, since]) => !seen.has(device) && now - since >= delay);

/** Whether the term of an answer is over. A warning waits for daylight. */
function isOver({ answer, lastsSince, reading }: Alarm, { now, term, severity }: Step): boolean {
  if (answer === undefined || term === undefined || !isGrave(reading.severity ?? severity)) return false;
  return now - Math.max(answer.at, lastsSince) >= term || now - answer.at >= term * MAX_TERMS;
}

/** The answer that an alarm has when it is raised. */
function answerTo(reading: Reading, { settled }: Track, { now, wall, severity }: Step): Answer | undefined {
  if (reading.wasAcknowledged) return { at: now, wall, reading };
  const isSettled = settled !== undefined && now < settled.until && !isWorse(reading, settled.answer.reading, severity);
  return isSettled ? settled.answer : undefined;
}

function raise(track: Track, reading: Reading, step: Step): void {
  const { now, wall, clock } = step;
  const answer = answerTo(reading, track, step);
  const silencedUntil = now - (answer === undefined ? step.soundedFor() : 0);
  if (answer === undefined || track.settled === undefined) track.seen = NONE;
  const isSwinging = now - (track.beyondSince ?? now) < step.delay;
  const common = { since: wall, clock, lastsSince: now, isSwinging, answer, silencedUntil };
  track.alarm = { ...common, reading, worst: reading, isWithoutData: false, devices: undefined };
}

/** Raises, keeps or ends the alarm of a track; returns the alarm that has ended. */
export function advance(track: Track, reading: Reading, step: Step): Alarm | undefined {
  const { now, delay, severity, term, isQuiet, isLatched, swings } = step;
  const isBeyond = reading.zone === "beyond" && !isQuiet;
  if (swings) {
    const passed = (now - track.lastRead) * (isBeyond ? 1 : -1 / UNDONE_BY);
    track.exceeded = Math.min(Math.max(track.exceeded + passed, 0), delay);
  }
  track.lastRead = now;
  track.beyondSince = isBeyond ? (track.beyondSince ?? now) : undefined;
  track.withinSince = reading.zone === "within" ? (track.withinSince ?? now) : undefined;
  const { alarm, beyondSince, withinSince } = track;
  if (alarm === undefined) {
    const lasts = beyondSince !== undefined && (now - beyondSince >= delay || (swings && track.exceeded >= delay));
    if (lasts) raise(track, reading, step);
    return undefined;
  }
  const { answer, reading: before } = alarm;
  alarm.reading = reading;
  alarm.isWithoutData = false;
  if (reading.zone === "beyond" && Math.abs(excessOf(reading)) >= Math.abs(excessOf(alarm.worst)))
    alarm.worst = reading;
  const isAnswerOver =
    answer !== undefined &&
    (isWorse(reading, answer.reading, severity) || (beyondSince !== undefined && isOver(alarm, step)));
  const isQuietened = answer !== undefined || now < alarm.silencedUntil;
  // Also one that was silenced.
  if (isAnswerOver || rankOf(reading, severity) < rankOf(before, severity) || (isQuietened && isUnseen(track, step))) {
    alarm.answer = undefined;
    alarm.silencedUntil = now;
  }
  const { endSeconds = END_AFTER_SECONDS } = reading;
  const isCalm = !alarm.isSwinging || track.exceeded === 0;
  const hasPassed = isCalm && withinSince !== undefined && now - withinSince >= endSeconds * 1000;
  const isEnding = hasPassed && (alarm.answer !== undefined || !(isLatched || reading.isLatched));
  // A crew that has moored in shallow water and has acknowledged the alarm is not reminded of it.
  if (!isEnding && !(isQuiet && alarm.answer !== undefined)) return undefined;
  track.alarm = undefined;
  // The same ship comes near again; another shoal or another drag is another danger.
  const isSameAgain = reading.subject !== undefined && term !== undefined;
  track.settled =
    answer && isSameAgain && now - answer.at < term * MAX_TERMS ? { answer, until: now + term } : undefined;
  return alarm;
}

/**
 * Takes an answer to the alarm of a track. The first acknowledgement counts, for its devices and for those of all later
 * answers; a silence lasts until a time.
 */
export function takeAnswer(track: Track, given: Omit<Answer, "reading"> | { readonly silentUntil: number }): void {
  const { alarm, lastInDanger } = track;
  if (alarm === undefined) return;
  track.seen = alarm.answer === undefined ? lastInDanger : new Set([...track.seen, ...lastInDanger]);
  if ("silentUntil" in given) alarm.silencedUntil = given.silentUntil;
  else alarm.answer ??= { ...given, reading: alarm.reading };
}

/** Whether nothing of a track is needed any more. */
export const isIdle = ({ alarm, exceeded, settled }: Track, now: number): boolean =>
  alarm === undefined && exceeded === 0 && (settled === undefined || now >= settled.until);
