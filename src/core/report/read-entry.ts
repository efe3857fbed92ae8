/** Reads the entries of `settings` in deploy.json: each may be any JSON value, and unusable parts change nothing. */
import * as z from "zod";

/** Settings of an entry, and a warning for each part of it that could not be used. */
export interface EntryReading<Settings> {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

type Warn = (warning: string) => void;

interface EntryOptions<Settings> {
  /** Settings without an entry. */
  readonly byDefault: Settings;
  /** Settings in force. */
  readonly before: Settings;
  /** Makes the warning about a member that is not of `shape`. Absent for an entry that other programs use too. */
  readonly unknown?: (key: string) => string;
  readonly shape: object;
}

const anObject = z.record(z.string(), z.unknown());

/**
 * Reads an entry; `read` makes settings of its members. An entry that is not an object leaves the settings in force.
 */
export function readEntry<Settings>(
  entry: unknown,
  { byDefault, before, shape, unknown }: EntryOptions<Settings>,
  read: (members: Readonly<Record<string, unknown>>, warn: Warn) => Settings,
): EntryReading<Settings> {
  if (entry === undefined) return { settings: byDefault, warnings: [] };
  const { data: members } = anObject.safeParse(entry);
  if (members === undefined)
    return unknown === undefined
      ? { settings: byDefault, warnings: [] }
      : { settings: before, warnings: ["the entry must be an object"] };
  const warnings: string[] = [];
  const settings = read(members, (warning) => warnings.push(warning));
  if (unknown !== undefined)
    for (const key of Object.keys(members))
      if (key !== "name" && !Object.hasOwn(shape, key)) warnings.push(unknown(key));
  return { settings, warnings };
}

interface MemberOptions<Value> {
  /** Value of an absent member. */
  readonly byDefault: Value;
  /** Value of a member that cannot be used. */
  readonly held: Value;
}

/** Reads a member of an entry by its schema; each issue gives a warning that begins with its name. */
export function readMember<Value>(
  members: Readonly<Record<string, unknown>>,
  name: string,
  schema: z.ZodType<Value>,
  { byDefault, held }: MemberOptions<Value>,
  warn: Warn,
): Value {
  if (!Object.hasOwn(members, name)) return byDefault;
  const result = schema.safeParse(members[name]);
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) warn([name, ...path, message].join(" "));
  return held;
}
