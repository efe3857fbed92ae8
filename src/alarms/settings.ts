/**
 * The settings of the alarms: the entry `alarms` of `settings` in deploy.json. An alarm with an invalid member keeps
 * its settings, and the others are changed. Each invalid part gives a warning.
 */
import * as z from "zod";
import { type EntryReading, readEntry, readMember } from "../report/read-entry.ts";
import { type AlarmKind, type alarmDefinitions, alarmKinds, definitionOf } from "./definitions.ts";

/** The members of the entry; each may be absent, and so may each member of an alarm. */
export const alarmsEntry = z.object(
  Object.fromEntries(
    alarmKinds.map((kind) => [kind, definitionOf(kind).settings.prefault({} as never)]),
  ) as unknown as {
    [Kind in AlarmKind]: (typeof alarmDefinitions)[Kind]["settings"];
  },
);

export type AlarmSettings = z.output<typeof alarmsEntry>;

export const defaultAlarmSettings: AlarmSettings = alarmsEntry.parse({});

/** Reads the entry, which may be any JSON value; undefined: there is none. */
export const readAlarmSettings = (entry: unknown, before = defaultAlarmSettings): EntryReading<AlarmSettings> =>
  readEntry(
    entry,
    { byDefault: defaultAlarmSettings, before, shape: alarmsEntry.shape, unknown: (key) => `${key} is no alarm` },
    (members, warn) => {
      const settings = alarmKinds.map((kind) => {
        const options = { byDefault: defaultAlarmSettings[kind], held: before[kind] };
        return [kind, readMember<object>(members, kind, alarmsEntry.shape[kind], options, warn)];
      });
      return Object.fromEntries(settings) as AlarmSettings;
    },
  );
