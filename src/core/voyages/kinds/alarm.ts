/** Alarms, their answers and their ends. */
import type { Dated } from "../motion.ts";
import type { HeardAlarm } from "../observation.ts";
import type { Details, Due, Kind, Situation, Watcher, Words } from "./kind.ts";

type Name = "alarm" | "alarmAnswer" | "alarmEnd" | "backOnBoard";

/** Alarms that an entry says have begun and none that they have ended: bounded, because their ids come from the bus. */
const MAX_LASTING = 200;

/** Alarms without a sound say what the crew does, such as that it arrives. */
const SILENT = "caution";

/** An alarm that was raised earlier is entered where it was raised: a press of the button may arrive late. */
const LATE_MS = 5000;

const detailsOf = ({ id, title, name, severity, since, person }: HeardAlarm): Details => ({
  ...{ alarm: id, title, severity, since },
  ...(name !== undefined && { name }),
  ...(person !== undefined && { person }),
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

const words = ({ title = "", name = "", person }: Details): Words => [
  String(title),
  {},
  person === undefined ? String(name) : ["person {number}", { number: person }],
];

const kind = (name: Name, title: string, watch: () => Watcher): Kind => ({ name, title, watch, words });

/** Whether it is no longer the one that has begun. One with an answer goes on: a start of hub-cand may have dated it anew. */
const isAnother = ({ since, isAcknowledged, person }: HeardAlarm, { details }: Lasting): boolean =>
  since !== details.since && (person !== undefined || !isAcknowledged);

/** One that has its answer at its begin: an earlier one, which counts for the same danger. */
function dueAt(alarm: HeardAlarm, { time: now, setAheadMs }: Pick<Situation, "time" | "setAheadMs">): Due {
  const details = { ...detailsOf(alarm), ...(alarm.isAcknowledged && { isAnswered: 1 }) };
  const since = Date.parse(alarm.since) - setAheadMs;
  return now - since > LATE_MS ? { details, time: since, conditions: { ...alarm.boatAt } } : { details };
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

/** A person who is released has an answer for some seconds, until the alarm ends: that is no acknowledgement. */
const RELEASED_MS = 5000;

export const alarmAnswer = kind(
  "alarmAnswer",
  "Alarm acknowledged",
  alarms(() => {
    /** When each answer that is not entered yet was heard first. */
    let heardFirst = new Map<string, Due & Dated>();
    return (lasting, { time, conditions, alarms: heard = [] }) => {
      const answered = heard.filter(
        ({ id, isAcknowledged }) => isAcknowledged && lasting.get(id)?.isAnswered === false,
      );
      const due = (each: HeardAlarm): Due & Dated => ({ details: detailsOf(each), time, conditions });
      heardFirst = new Map(answered.map((each) => [each.id, heardFirst.get(each.id) ?? due(each)]));
      return [...heardFirst.values()].filter(
        ({ details, time: since }) => details.person === undefined || time - since > RELEASED_MS,
      );
    };
  }),
);

/** The end of an alarm that is missing, or after which another one has begun. */
function endOf(
  next: HeardAlarm | undefined,
  { time: now, unheardMs, conditions }: Pick<Situation, "time" | "unheardMs" | "conditions">,
): Omit<Due, "details"> {
  const time = Math.min(now, next === undefined ? now : Date.parse(next.since));
  if (now - time <= LATE_MS) return { time: now, unheardMs, conditions };
  return { time, unheardMs: Math.max(0, unheardMs - (now - time)), conditions: {} };
}

/** The ends of the alarms of persons whom the button has marked, or those of all others. */
const ends = (isOfPerson: boolean): (() => Watcher) =>
  alarms(() => {
    /** When each was missing first: one that rings again soon after a start of hub-cand has not ended. */
    let missing = new Map<string, Due>();
    return (lasting, { alarms: heard, isStarting, ...now }) => {
      if (heard === undefined) return [];
      const present = new Map(heard.map((each) => [each.id, each]));
      const ended = [...lasting].filter(([id, before]) => {
        const next = present.get(id);
        return (before.details.person !== undefined) === isOfPerson && (next === undefined || isAnother(next, before));
      });
      missing = new Map(
        ended.map(([id, { details }]) => [id, missing.get(id) ?? { details, ...endOf(present.get(id), now) }]),
      );
      return [...missing].filter(([id]) => !isStarting || present.has(id)).map(([, due]) => due);
    };
  });

export const alarmEnd = kind("alarmEnd", "Alarm ends", ends(false));

/** A call by the button is heard until its person is released. */
export const backOnBoard: Kind = {
  ...kind("backOnBoard", "Back on board", ends(true)),
  words: ({ person = "" }) => ["person {number}", { number: person }],
};
