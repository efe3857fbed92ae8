/**
 * The settings of the alarms: the entry `alarms` of `settings` in deploy.json. An alarm with an invalid member keeps
 * its settings, and the others are changed. Each invalid part gives a warning.
 */
import * as z from "zod";
import { accept, entry, type Warn } from "../report/read-entry.ts";
import { type AlarmKind, type alarmDefinitions, alarmKinds, definitionOf } from "./definitions.ts";
import { limitRow } from "./own-limits.ts";

/** The members of the entry; each may be absent, and so may each member of an alarm. */
const schema = z.object(
  Object.fromEntries(
    alarmKinds.map((kind) => [kind, definitionOf(kind).settings.prefault({} as never)]),
  ) as unknown as {
    [Kind in AlarmKind]: (typeof alarmDefinitions)[Kind]["settings"];
  },
);

/** The limits of the crew's own without the rows that cannot be used, so that they do not switch off the others. */
function withUsableRows(limits: unknown, warn: Warn): unknown {
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

export type AlarmSettings = z.output<typeof schema>;

export const alarmSettings = entry<AlarmSettings>("alarms", {
  title: "Alarms",
  schema,
  byDefault: schema.parse({}),
  members: {
    ...schema.shape,
    limits: (value, warn) => accept(schema.shape.limits, withUsableRows(value, warn), "limits", warn),
  } as Parameters<typeof entry<AlarmSettings>>[1]["members"],
  unknown: "is no alarm",
});
