/**
 * The settings of the alarms: the entry `alarms` of `settings` in deploy.json. An alarm with an invalid member keeps
 * its settings, and the others are changed. Each invalid part gives a warning.
 */
import * as z from "zod";
import { accept, entry, type Warn, warningsOf } from "../report/read-entry.ts";
import { type alarmDefinitions, definitionOf } from "./definitions.ts";
import { MAX_LIMIT_ROWS } from "./hazards/own.ts";
import { limitRow } from "./own-limits.ts";
import { type AlarmKind, alarmKinds } from "./words.ts";

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
  const taken = new Set<unknown>();
  const usable = rows.filter((row: unknown, index) => {
    const { data, error } = limitRow.safeParse(row);
    const refused = [...warningsOf(error)];
    if (data !== undefined && taken.has(data.id)) refused.push({ path: [], problem: "has the id of a row above" });
    if (taken.size === MAX_LIMIT_ROWS) refused.push({ path: [], problem: `is more than ${MAX_LIMIT_ROWS} rows` });
    for (const { path, problem } of refused) warn(["limits", "rows", index, ...path], problem);
    if (refused.length === 0) taken.add(data!.id);
    return refused.length === 0;
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
    limits: (value, warn) => accept(schema.shape.limits, withUsableRows(value, warn), ["limits"], warn),
  } as Parameters<typeof entry<AlarmSettings>>[1]["members"],
  unknown: "is no alarm",
});
