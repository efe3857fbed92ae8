/**
 * The settings of the alarms: the entry `alarms` of `settings` in deploy.json. An alarm with an invalid member keeps
 * its settings, and the others are changed. Each invalid part gives a warning.
 */
import * as z from "zod";
import { type EntryReading, readEntry, readMember } from "../report/read-entry.ts";
import { type AlarmKind, type alarmDefinitions, alarmKinds, definitionOf } from "./definitions.ts";
import { limitRow } from "./own-limits.ts";

/** The members of the entry; each may be absent, and so may each member of an alarm. */
export const alarmsEntry = z.object(
  Object.fromEntries(
    alarmKinds.map((kind) => [kind, definitionOf(kind).settings.prefault({} as never)]),
  ) as unknown as {
    [Kind in AlarmKind]: (typeof alarmDefinitions)[Kind]["settings"];
  },
);

/** The limits of the crew's own without the rows that cannot be used, so that they do not switch off the others. */
function withUsableRows(limits: unknown, warn: (warning: string) => void): unknown {
  const rows = (limits as { readonly rows?: unknown } | null | undefined)?.rows;
  if (!Array.isArray(rows)) return limits;
  const usable = rows.filter((row: unknown, index) => {
    const { error } = limitRow.safeParse(row);
    for (const { path, message } of error?.issues ?? [])
      warn(["limits", "rows", index, ...path, message, "(the other rows apply)"].join(" "));
    return error === undefined;
  });
  return { ...(limits as object), rows: usable };
}

export type AlarmSettings = z.output<typeof alarmsEntry>;

export const defaultAlarmSettings: AlarmSettings = alarmsEntry.parse({});

/** Reads the entry, which may be any JSON value; undefined: there is none. */
export const readAlarmSettings = (entry: unknown, before = defaultAlarmSettings): EntryReading<AlarmSettings> =>
  readEntry(
    entry,
    { byDefault: defaultAlarmSettings, before, shape: alarmsEntry.shape, unknown: (key) => `${key} is no alarm` },
    (members, warn) => {
      const usable = "limits" in members ? { ...members, limits: withUsableRows(members.limits, warn) } : members;
      const settings = alarmKinds.map((kind) => {
        const options = { byDefault: defaultAlarmSettings[kind], held: before[kind] };
        return [kind, readMember<object>(usable, kind, alarmsEntry.shape[kind], options, warn)];
      });
      return Object.fromEntries(settings) as AlarmSettings;
    },
  );
