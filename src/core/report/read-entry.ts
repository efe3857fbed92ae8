/** Entries of `settings` in deploy.json: each may be any JSON value, and unusable parts change nothing. */
import * as z from "zod";

/** Settings of an entry, and a warning for each part of it that could not be used. */
export interface EntryReading<Settings> {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

export type Warn = (warning: string) => void;

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

/** The value by a schema; undefined and a warning for each issue, which begins with the place, if it is not valid. */
export function accept<Value>(schema: z.ZodType<Value>, value: unknown, place: string, warn: Warn): Value | undefined {
  const { data, error } = schema.safeParse(value);
  for (const { path, message } of error?.issues ?? []) warn([place, ...path, message].join(" "));
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
    if (member instanceof z.ZodType) return [key, key, (value, warn) => accept(member, value, key, warn)];
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
          : { settings: before, warnings: ["the entry must be an object"] };
      const warnings: string[] = [];
      const settings = { ...byDefault, ...present } as Record<string, unknown>;
      let isRefused = false;
      for (const [key, member, read] of readers) {
        if (!Object.hasOwn(given, member)) continue;
        const held = before[key as keyof Settings];
        const accepted = read(given[member], (warning) => warnings.push(warning), held);
        isRefused ||= keeps === "entry" && accepted === undefined;
        settings[key] = accepted ?? held;
      }
      if (unknown !== null)
        for (const key of Object.keys(given))
          if (key !== "name" && !Object.hasOwn(schema.shape, key)) warnings.push(`${key} ${unknown}`);
      return { settings: isRefused ? before : (settings as Settings), warnings };
    },
  };
}

/**
 * The reader of a list: `take` takes an item or says why it cannot be used, so that the others apply.
 *
 * @example (rows, warn) => eachItem(rows, { name: "rows", item: "row", max: 200 }, warn, take)
 */
export function eachItem(
  list: unknown,
  { name, item, max }: { readonly name: string; readonly item: string; readonly max: number },
  warn: Warn,
  take: (value: unknown) => string | undefined,
): boolean {
  const items = accept(z.array(z.unknown(), "must be a list"), list, name, warn);
  items?.slice(0, max).forEach((value, index) => {
    const complaint = take(value);
    if (complaint !== undefined) warn(`${name}: ${item} ${index + 1}: ${complaint}`);
  });
  if (items !== undefined && items.length > max) warn(`${name}: has more than ${max} ${item}s`);
  return items !== undefined;
}
