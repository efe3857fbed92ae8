/**
 * The settings of the alarms: the entry `alarms` of `settings` in deploy.json. An alarm with an invalid member keeps the settings
 * it had, and the others are changed. Each invalid part gives a warning.
 */
import * as z from "zod";
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

const anObject = z.record(z.string(), z.unknown());

/** Reads the entry, which may be any JSON value; undefined: there is none. */
export function readAlarmSettings(
  entry: unknown,
  before = defaultAlarmSettings,
): { settings: AlarmSettings; warnings: readonly string[] } {
  if (entry === undefined) return { settings: defaultAlarmSettings, warnings: [] };
  const { data: members } = anObject.safeParse(entry);
  if (members === undefined) return { settings: before, warnings: ["the entry must be an object"] };
  const warnings: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const kind of alarmKinds) {
    const result = alarmsEntry.shape[kind].safeParse(Object.hasOwn(members, kind) ? members[kind] : {});
    settings[kind] = result.data ?? before[kind];
    for (const { path, message } of result.error?.issues ?? []) warnings.push([kind, ...path, message].join(" "));
  }
  for (const key of Object.keys(members))
    if (key !== "name" && !Object.hasOwn(alarmsEntry.shape, key)) warnings.push(`${key} is no alarm`);
  return { settings: settings as AlarmSettings, warnings };
}
