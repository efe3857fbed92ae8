/** Entries of `settings` in deploy.json: each may be any JSON value, and unusable parts change nothing. */
import * as z from "zod";

/** A part of an entry that cannot be used. */
export interface Warning {
  /** The members that lead to it from the entry down; an item of a list is its index, or its text. */
  readonly path: readonly (string | number)[];
  readonly problem: string;
}

/**
 * A warning as text, items of lists counted from 1.
 *
 * @example warningText({ path: ["rows", 2, "topic"], problem: "must be a text" }) // "rows no. 3 topic: must be a text"
 */
export const warningText = ({ path, problem }: Warning): string =>
  path.length === 0
    ? problem
    : `${path.map((step) => (typeof step === "number" ? `no. ${step + 1}` : step)).join(" ")}: ${problem}`;

/** Settings of an entry, and a warning for each part of it that could not be used. */
export interface EntryReading<Settings> {
  readonly settings: Settings;
  readonly warnings: readonly Warning[];
}

export type Warn = (path: Warning["path"], problem: string) => void;

export interface SettingsEntry<Settings> {
  readonly name: string;
  readonly title: string;
  /** The schema of the form and of the reference. */
  readonly schema: z.ZodType;
  /** Settings without the entry. */
  readonly byDefault: Settings;
  /** Settings of the entry, given those in force, and a warning for each part that cannot be used. */
  read(entry: unknown, before?: Settings): EntryReading<Settings>;
}

/** Reads the value of a member, given the one in force; undefined if it cannot be used. */
type Reader<Value> = (value: unknown, warn: Warn, before: Value) => Value | undefined;

/** A member of the settings: its schema or reader, and its name in the entry, if that is another. */
type Member<Value> = z.ZodType<Value> | Reader<Value> | readonly [name: string, reader: Reader<Value>];

interface EntryOptions<Settings> {
  readonly title: string;
  readonly schema: z.ZodObject;
  /** Settings without an entry; a member that is absent has its value of these. */
  readonly byDefault: Settings;
  readonly members: { readonly [Name in keyof Settings]?: Member<Settings[Name]> };
  /** Settings of which an entry has no member. */
  readonly present?: Partial<Settings>;
  /** The end of the warning about a member that the schema does not have; null: other programs have members there too. */
  readonly unknown?: string | null;
  /** The part that stays in force where a member cannot be used: the value of the member, or all settings. */
  readonly keeps?: "member" | "entry";
}

/** A warning for each issue that a schema has found. */
export const warningsOf = (error: z.ZodError | undefined): readonly Warning[] =>
  (error?.issues ?? []).map(({ path, message }) => ({ path: path as Warning["path"], problem: message }));

/** The value by its schema. Throws an `Error` that has the path and problem of each issue. */
export function checked<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const { data, error } = schema.safeParse(value);
  if (error !== undefined) throw new Error(warningsOf(error).map(warningText).join("; "));
  return data;
}

/** The same of JSON text. Throws a `SyntaxError` for other text. */
export const parsed = <Value>(schema: z.ZodType<Value>, text: string): Value => checked(schema, JSON.parse(text));

/** The value at a path by its schema; undefined and a warning for each issue if it is not valid. */
export function accept<Value>(
  schema: z.ZodType<Value>,
  value: unknown,
  at: Warning["path"],
  warn: Warn,
): Value | undefined {
  const { data, error } = schema.safeParse(value);
  for (const { path, problem } of warningsOf(error)) warn([...at, ...path], problem);
  return data;
}

const anObject = z.record(z.string(), z.unknown());

/**
 * An entry of the settings. A member that cannot be used gives a warning and keeps the value in force, and so does an
 * entry that is not an object.
 *
 * @example entry("networks", { title: "Networks", schema, byDefault: { also: [] }, members: { also: schema.shape.also } })
 */
export function entry<Settings extends object>(
  name: string,
  { title, schema, byDefault, members, present, unknown = `is no member of ${name}`, keeps }: EntryOptions<Settings>,
): SettingsEntry<Settings> {
  const known = members as unknown as Readonly<Record<string, Member<unknown>>>;
  const readers = Object.entries(known).map(([key, member]): readonly [string, string, Reader<unknown>] => {
    if (member instanceof z.ZodType) return [key, key, (value, warn) => accept(member, value, [key], warn)];
    return typeof member === "function" ? [key, key, member] : [key, ...member];
  });
  return {
    name,
    title,
    schema,
    byDefault,
    read(value, before = byDefault) {
      if (value === undefined) return { settings: byDefault, warnings: [] };
      const given = anObject.safeParse(value).data;
      if (given === undefined)
        return unknown === null
          ? { settings: byDefault, warnings: [] }
          : { settings: before, warnings: [{ path: [], problem: "the entry must be an object" }] };
      const warnings: Warning[] = [];
      const warn: Warn = (path, problem) => warnings.push({ path, problem });
      const settings = { ...byDefault, ...present } as Record<string, unknown>;
      let isRefused = false;
      for (const [key, member, read] of readers) {
        if (!Object.hasOwn(given, member)) continue;
        const held = before[key as keyof Settings];
        const accepted = read(given[member], warn, held);
        isRefused ||= keeps === "entry" && accepted === undefined;
        settings[key] = accepted ?? held;
      }
      if (unknown !== null)
        for (const key of Object.keys(given))
          if (key !== "name" && !Object.hasOwn(schema.shape, key)) warn([key], unknown);
      return { settings: isRefused ? before : (settings as Settings), warnings };
    },
  };
}

/**
 * The reader of a list: `take` takes an item or says what of it cannot be used, so that the others apply.
 *
 * @example (rows, warn) => eachItem(rows, { name: "rows", max: 200 }, warn, take)
 */
export function eachItem(
  list: unknown,
  { name, max }: { readonly name: string; readonly max: number },
  warn: Warn,
  take: (value: unknown) => Warning | undefined,
): boolean {
  const items = accept(z.array(z.unknown(), "must be a list"), list, [name], warn);
  items?.slice(0, max).forEach((value, index) => {
    const refused = take(value);
    if (refused !== undefined) warn([name, index, ...refused.path], refused.problem);
  });
  if (items !== undefined && items.length > max) warn([name], `has more than ${max} items`);
  return items !== undefined;
}
