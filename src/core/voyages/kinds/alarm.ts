/** Alarms, their answers and their ends. */
import type { HeardAlarm } from "../observation.ts";
import type { Details, Kind, Situation, Watcher, Words } from "./kind.ts";

type Name = "alarm" | "alarmAnswer" | "alarmEnd";

/** Alarms that an entry says have begun and none that they have ended: bounded, because their ids come from the bus. */
const MAX_LASTING = 200;

/** Alarms without a sound say what the crew does, such as that it arrives. */
const SILENT = "caution";

const keyOf = (id: unknown, since: unknown): string => `${String(id)} ${String(since)}`;

const detailsOf = ({ id, title, name, severity, since }: HeardAlarm): Details => ({
  ...{ alarm: id, title, severity, since },
  ...(name !== undefined && { name }),
});

function alarms(
  found: (lasting: ReadonlyMap<string, Lasting>, situation: Situation) => readonly Details[],
): () => Watcher {
  return () => {
    const lasting = new Map<string, Lasting>();
    return {
      recall({ kind, details }) {
        const key = keyOf(details?.alarm, details?.since);
        if (kind === "alarm" && details !== undefined && lasting.size < MAX_LASTING)
          lasting.set(key, { details, isAnswered: false });
        else if (kind === "alarmAnswer" && details !== undefined && lasting.has(key))
          lasting.set(key, { details, isAnswered: true });
        else if (kind === "alarmEnd") lasting.delete(key);
      },
      hear: (situation) => found(lasting, situation),
    };
  };
}

interface Lasting {
  readonly details: Details;
  readonly isAnswered: boolean;
}

const words = ({ title = "", name = "" }: Details): Words => [String(title), {}, String(name)];

const kind = (name: Name, title: string, watch: () => Watcher): Kind => ({ name, title, watch, words });

export const alarm = kind(
  "alarm",
  "Alarm",
  alarms((lasting, { alarms: heard = [] }) =>
    heard
      .filter(({ id, since, severity }) => severity !== SILENT && !lasting.has(keyOf(id, since)))
      .slice(0, MAX_LASTING - lasting.size)
      .map(detailsOf),
  ),
);

export const alarmAnswer = kind(
  "alarmAnswer",
  "Alarm acknowledged",
  alarms((lasting, { alarms: heard = [] }) =>
    heard
      .filter(({ id, since, isAcknowledged }) => isAcknowledged && lasting.get(keyOf(id, since))?.isAnswered === false)
      .map(detailsOf),
  ),
);

export const alarmEnd = kind(
  "alarmEnd",
  "Alarm ends",
  alarms((lasting, { alarms: heard }) => {
    if (heard === undefined) return [];
    const lasts = new Set(heard.map(({ id, since }) => keyOf(id, since)));
    return [...lasting].filter(([key]) => !lasts.has(key)).map(([, { details }]) => details);
  }),
);
