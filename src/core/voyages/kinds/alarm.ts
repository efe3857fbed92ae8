/** Alarms, their answers and their ends. */
import type { Dated } from "../motion.ts";
import type { HeardAlarm, PastAlarm } from "../observation.ts";
import type { Details, Due, Kind, Situation, Watcher, Words } from "./kind.ts";

type Name = "alarm" | "alarmAnswer" | "alarmEnd" | "backOnBoard";

/** Alarms that an entry says have begun and none that they have ended: bounded, because their ids come from the bus. */
const MAX_LASTING = 200;

/** Alarms without a sound say what the crew does, such as that it arrives. */
const SILENT = "caution";

/** An alarm that was raised earlier is entered where it was raised: a press of the button may arrive late. */
const LATE_MS = 5000;

/** Members that name the subject of an alarm; the text of an entry has the first one that is present. */
const subjects = ["person", "name", "engine", "battery", "about"] as const;

const detailsOf = ({ id, title, severity, since, ...of }: HeardAlarm): Details => ({
  ...{ alarm: id, title, severity, since },
  ...Object.fromEntries(subjects.flatMap((each) => (of[each] === undefined ? [] : [[each, of[each]]]))),
});

interface Lasting {
  readonly details: Details;
  readonly isAnswered: boolean;
}

/** By id, which an alarm has in common with those before it. */
type AllLasting = ReadonlyMap<string, Lasting>;

function alarms(createFound: () => (lasting: AllLasting, situation: Situation) => readonly Due[]): () => Watcher {
  return () => {
    const lasting = new Map<string, Lasting>();
    const found = createFound();
    return {
      recall({ kind, details }) {
        const id = String(details?.alarm);
        if (kind === "alarm" && details !== undefined && (lasting.has(id) || lasting.size < MAX_LASTING))
          lasting.set(id, { details, isAnswered: details.isAnswered !== undefined });
        else if (kind === "alarmAnswer" && details !== undefined && lasting.has(id))
          lasting.set(id, { details, isAnswered: true });
        else if (kind === "alarmEnd" || kind === "backOnBoard") lasting.delete(id);
      },
      hear: (situation) => found(lasting, situation),
    };
  };
}

function subjectOf({ person, name, engine, battery, about }: Details): NonNullable<Words[2]> {
  if (person !== undefined) return ["person {number}", { number: person }];
  if (name !== undefined) return String(name);
  if (engine !== undefined) return ["engine {engine}", { engine }];
  if (battery !== undefined) return ["battery {battery}", { battery }];
  return about === undefined ? "" : [String(about), {}];
}

const words = (details: Details): Words => [String(details.title ?? ""), {}, subjectOf(details)];

const kind = (name: Name, title: string, watch: () => Watcher): Kind => ({ name, title, watch, words });

/** Whether it is no longer the one that has begun. One with an answer goes on: a start of hub-cand may have dated it anew. */
const isAnother = ({ since, isAcknowledged, person }: HeardAlarm, { details }: Lasting): boolean =>
  since !== details.since && (person !== undefined || !isAcknowledged);

/** Times of the alarms, which follow the clock, are those of the voyage without what it was set ahead by. */
const timeOf =
  ({ setAheadMs }: Pick<Situation, "setAheadMs">) =>
  (wall = Number.POSITIVE_INFINITY): number =>
    wall - setAheadMs;

/** One that has its answer at its begin: an earlier one, which counts for the same danger. */
function dueAt(alarm: HeardAlarm, situation: Pick<Situation, "time" | "setAheadMs">): Due {
  const details = { ...detailsOf(alarm), ...(alarm.isAcknowledged && { isAnswered: 1 }) };
  const since = timeOf(situation)(Date.parse(alarm.since));
  return situation.time - since > LATE_MS ? { details, time: since, conditions: { ...alarm.boatAt } } : { details };
}

export const alarm = kind(
  "alarm",
  "Alarm",
  alarms(() => (lasting, { alarms: heard = [], ...now }) => {
    const begun = heard.filter((each) => {
      const before = lasting.get(each.id);
      return each.severity !== SILENT && (before === undefined || isAnother(each, before));
    });
    return begun.slice(0, MAX_LASTING - lasting.size).map((each) => dueAt(each, now));
  }),
);

type DatedDue = Due & Dated;

/** An alarm as hub-cand's history has it. */
const pastOf = ({ alarm: id, since }: Details, { pastAlarms }: Situation): PastAlarm | undefined =>
  pastAlarms.find((each) => each.id === id && each.since === Date.parse(String(since)));

/** An event with the time that the history of the alarms has, where hub-history heard of it at another one. */
const happenedAt = ({ details, ...heard }: DatedDue, time: number, unheardMs = 0): DatedDue => {
  const isThen = Math.abs(heard.time - time) <= LATE_MS;
  return { details, ...(isThen ? heard : { time, conditions: {} }), unheardMs };
};

const byId = (heard: readonly HeardAlarm[]): ReadonlyMap<string, HeardAlarm> =>
  new Map(heard.map((each) => [each.id, each]));

/** A person who is released has an answer for some seconds, until the alarm ends: that is no acknowledgement. */
const RELEASED_MS = 5000;

/** When an alarm was answered before its end, by the history. */
function answeredAt({ since, until = Number.POSITIVE_INFINITY, acknowledged: at }: PastAlarm): number | undefined {
  return at !== undefined && at >= since && at <= until ? at : undefined;
}

export const alarmAnswer = kind(
  "alarmAnswer",
  "Alarm acknowledged",
  alarms(() => {
    /** When each answer that is not entered yet was heard first. */
    let heardFirst: ReadonlyMap<string, DatedDue> = new Map();
    return (lasting, situation) => {
      const { time, conditions, alarms: heard = [] } = situation;
      const at = timeOf(situation);
      const present = byId(heard);
      const answers = [...lasting].flatMap(([id, before]) => {
        const { details, isAnswered } = before;
        if (isAnswered) return [];
        const [now, past] = [present.get(id), pastOf(details, situation)];
        const known = past && answeredAt(past);
        if (known === undefined && !(now?.isAcknowledged && !isAnother(now, before))) return [];
        const first = heardFirst.get(id) ?? { details, time, conditions };
        const due = known === undefined ? first : happenedAt(first, at(known));
        const lastedUntil = Math.min(time, at(past?.until));
        const isReleased = details.person !== undefined && lastedUntil - due.time <= RELEASED_MS;
        return [{ id, first, due: isReleased ? [] : [due] }];
      });
      heardFirst = new Map(answers.map(({ id, first }) => [id, first]));
      return answers.flatMap(({ due }) => due);
    };
  }),
);

/** The ends of the alarms of persons whom the button has marked, or those of all others. */
const ends = (isOfPerson: boolean): (() => Watcher) =>
  alarms(() => {
    /** When each was missing first: one that rings again soon after a start of hub-cand has not ended. */
    let missing: ReadonlyMap<string, DatedDue> = new Map();
    return (lasting, situation) => {
      const { alarms: heard, isStarting, time, unheardMs, conditions } = situation;
      if (heard === undefined) return [];
      const at = timeOf(situation);
      const present = byId(heard);
      const gone = [...lasting].filter(([id, before]) => {
        const next = present.get(id);
        return (before.details.person !== undefined) === isOfPerson && (next === undefined || isAnother(next, before));
      });
      missing = new Map(
        gone.map(([id, { details }]) => [id, missing.get(id) ?? { details, time, unheardMs, conditions }]),
      );
      return [...missing].flatMap(([id, due]) => {
        const [next, past] = [present.get(id), pastOf(due.details, situation)];
        if (past?.until !== undefined) return [happenedAt(due, at(past.until))];
        if (next === undefined && isStarting) return [];
        const ended = Math.min(due.time, at(past?.endedBefore), at(next && Date.parse(next.since)));
        return [happenedAt(due, ended, Math.max(0, (due.unheardMs ?? 0) - (due.time - ended)))];
      });
    };
  });

export const alarmEnd = kind("alarmEnd", "Alarm ends", ends(false));

/** A call by the button is heard until its person is released. */
export const backOnBoard: Kind = {
  ...kind("backOnBoard", "Back on board", ends(true)),
  words: ({ person = "" }) => ["person {number}", { number: person }],
};
