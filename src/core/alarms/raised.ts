/** Raised alarms: their order, those that a report has room for, and their rows in the report and the history. */
import { thingOf } from "../n2k/thing.ts";
import { isoTime } from "../text/date.ts";
import { englishParts, isVerbatim, type Sentence, sentence } from "../text/sentence.ts";
import { groupedBy } from "../util/grouped.ts";
import { ESCALATE_AFTER_MS, isGrave, type Severity, severities } from "./constants.ts";
import { definitionOf } from "./definitions.ts";
import { deviceSentence, type Names } from "./names.ts";
import type { Key, Reading } from "./reading.ts";
import { type ActiveAlarm, MAX_ALARMS, MAX_PAST_TEXT, type PastAlarm } from "./report.ts";
import { clockSetSec } from "./set-clock.ts";
import type { Alarm, Track } from "./track.ts";
import { type AlarmKind, alarmKinds } from "./words.ts";

export interface Raised {
  readonly id: string;
  readonly kind: AlarmKind;
  readonly alarm: Alarm;
  /** The track of the alarm, which takes answers. */
  readonly track: Track;
}

export const idOf = (kind: AlarmKind, key: Key): string => (key === undefined ? kind : `${kind}-${key}`);

/** How near ships are, minutes or nautical miles: of too many ships the nearest count, of everything else the newest. */
const nearness: Partial<Readonly<Record<AlarmKind, (reading: Reading) => number | undefined>>> = {
  cpa: ({ minutes }) => minutes,
  guardZone: ({ value }) => value,
  lostTarget: ({ place }) => place?.range,
};

/** When it began, milliseconds since 1970: of a call its first report, also before this start. */
const beganAt = ({ alarm: { since, reading } }: Pick<Raised, "alarm">): number => {
  const first = reading.place?.first?.at;
  return first === undefined ? since : Date.parse(first);
};

export const isAnsweredAnywhere = ({ alarm: { answer, reading } }: Pick<Raised, "alarm">): boolean =>
  answer !== undefined || reading.answered === "acknowledged";

/** The order within a kind in which alarms find room: without an answer, severe, near, new. */
function compareNeed(a: Raised, b: Raised): number {
  const near = ({ kind, alarm }: Raised): number => nearness[kind]?.(alarm.reading) ?? Number.MAX_VALUE;
  return (
    Number(isAnsweredAnywhere(a)) - Number(isAnsweredAnywhere(b)) ||
    severities.indexOf(severityOf(a)) - severities.indexOf(severityOf(b)) ||
    near(a) - near(b) ||
    beganAt(b) - beganAt(a)
  );
}

/** The order of a report: severe first, then by kind, then by age. */
const compareRows = (a: Raised, b: Raised): number =>
  severities.indexOf(severityOf(a)) - severities.indexOf(severityOf(b)) ||
  alarmKinds.indexOf(a.kind) - alarmKinds.indexOf(b.kind) ||
  beganAt(a) - beganAt(b);

/** The alarms of a report: the first of each kind, then the second ones, so that many of one kind hide no other kind. */
export function rowsOf(raised: readonly Raised[]): readonly Raised[] {
  const all = raised.toSorted(compareRows);
  if (all.length <= MAX_ALARMS) return all;
  // The last one in the list is the newest of those that began at one time.
  const byKind = groupedBy(all.toReversed().sort(compareNeed), ({ kind }) => kind);
  const places = [...byKind.values()].flatMap((ofKind) => ofKind.map((raised, place) => ({ raised, place })));
  const ranks = new Map(all.map((raised, rank) => [raised, rank]));
  places.sort((a, b) => a.place - b.place || ranks.get(a.raised)! - ranks.get(b.raised)!);
  const kept = new Set(places.slice(0, MAX_ALARMS).map(({ raised }) => raised));
  return all.filter((raised) => kept.has(raised));
}

/** Whether an alarm does not end without data. */
export const waitsForAnswer = (raised: Pick<Raised, "kind" | "alarm">): boolean =>
  (raised.alarm.reading.isLatched || isGrave(severityOf(raised))) && !isAnsweredAnywhere(raised);

/** The severity of a kind whose readings have none of their own. */
export function severityOfKind(kind: AlarmKind): Severity {
  const { severity } = definitionOf(kind);
  return severity === "each" ? "alarm" : severity;
}

/** A reading may lower the severity of its kind. */
const severityOf = ({ kind, alarm }: Pick<Raised, "kind" | "alarm">): Severity =>
  alarm.reading.severity ?? severityOfKind(kind);

/** The crew's name for the thing that a reading is about. */
function nameOf({ of }: Reading, { nameOfThing }: Names): string | undefined {
  const thing = of && thingOf(of.pgn, of.message as Readonly<Record<string, unknown>>);
  // A message without a key is about no thing.
  return thing && Object.keys(thing.key).length > 0 ? nameOfThing(thing, of.device) : undefined;
}

/** The sentences of a reading, with its device where several send its instance and the crew has no name for it. */
function sentencesOf(
  { sentences = [], subject, of, among }: Reading,
  name: string | undefined,
  names: Names,
): readonly Sentence[] {
  const isOneOfSeveral = subject !== undefined && among !== undefined && name === undefined;
  return isOneOfSeveral ? [...sentences, deviceSentence(of!.device, names, among)] : sentences;
}

/** The text of the report, and its sentences where there is something to translate. */
function wordsOf(sentences: readonly Sentence[] = [], longest?: number): Pick<ActiveAlarm, "text" | "sentences"> {
  if (sentences.length === 0) return { text: undefined };
  const text = englishParts(sentences).slice(0, longest);
  return sentences.every(isVerbatim) ? { text } : { text, sentences };
}

/** An alarm for the history: its worst reading, which may be of another device than the last one. */
export function pastAlarm(raised: Raised, names: Names, wall: number): PastAlarm {
  const { id, kind, alarm } = raised;
  const { worst, answer } = alarm;
  const { title: ofKind, unit = worst.unit } = definitionOf(kind);
  const { title = ofKind, subject, press, person, name = nameOf(worst, names), value, limit } = worst;
  return {
    id,
    kind,
    title,
    severity: severityOf(raised),
    subject,
    press,
    person,
    name,
    value,
    limit,
    unit,
    since: isoTime(beganAt(raised)),
    acknowledged: isAnsweredAnywhere(raised) ? isoTime(answer?.wall ?? wall) : undefined,
    ...wordsOf(sentencesOf(worst, name, names), MAX_PAST_TEXT),
  };
}

/** An alarm for the report; `clock` is of `SetClock`. */
export function activeAlarm(raised: Raised, names: Names, now: number, clock: number): ActiveAlarm {
  const { id, kind, alarm } = raised;
  const { since, reading } = alarm;
  const { subject, press, person, name = nameOf(reading, names), value, limit, minutes, place, answered } = reading;
  const { title: ofKind, unit = reading.unit, isAnsweredElsewhere } = definitionOf(kind);
  const { title = ofKind } = reading;
  const isAcknowledged = alarm.answer !== undefined || answered === "acknowledged";
  // A silence at a device that has gone does not last.
  const isSilenced = now < alarm.silencedUntil || (answered === "silenced" && !alarm.isWithoutData);
  const state = isAcknowledged ? "acknowledged" : isSilenced ? "silenced" : "active";
  const isHereOnly = isAnsweredElsewhere && alarm.answer !== undefined && answered !== "acknowledged";
  const sentences = [
    ...sentencesOf(reading, name, names),
    ...(isHereOnly ? [sentence`acknowledged here and not at the device`] : []),
    ...(alarm.isWithoutData ? [sentence`no data any more`] : []),
  ];
  const severity = severityOf(raised);
  const isUnanswered = state === "active" && isGrave(severity) && now - alarm.silencedUntil >= ESCALATE_AFTER_MS;
  const unanswered = isUnanswered || undefined;
  const addresses = alarm.devices?.map(({ address }) => address);
  return {
    id,
    kind,
    title,
    severity,
    state,
    unanswered,
    subject,
    name,
    press,
    person,
    addresses,
    value,
    limit,
    minutes,
    unit,
    since: isoTime(since),
    clockSetSec: clockSetSec(alarm.clock, clock),
    ...wordsOf(sentences),
    ...place,
  };
}
