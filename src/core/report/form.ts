/**
 * Reads values of a form from messages that any client of a broker may have published, also a program of another version.
 * Parts that do not fit are left out: optional members, items of a list, entries of a record. An object without a required
 * member does not fit as a whole. Forms are JSON and made of schemas (read.ts): pages read messages without zod.
 */
import { isRecord } from "../util/is-record.ts";

/** The parts of the value that fit; undefined if it does not fit as a whole. */
export type Read<Value> = (value: unknown) => Value | undefined;

/** A limit of a number, or of the length of a text. */
export interface Limit {
  readonly is: "above" | "atLeast" | "below" | "atMost";
  readonly limit: number;
}

/** The source and the flags of a regular expression. */
export type Pattern = readonly [source: string, flags: string];

/** The kind of a value, with its limits and parts. */
export type Form =
  | {
      readonly is: "number" | "integer" | "text";
      readonly limits?: readonly Limit[];
      readonly patterns?: readonly Pattern[];
    }
  /** A NAME is the text of its digits. */
  | { readonly is: "flag" | "name" }
  | { readonly is: "nullable" | "record"; readonly of: Form }
  | { readonly is: "list"; readonly of: Form; readonly most: number }
  | { readonly is: "either"; readonly of: readonly Form[] }
  | { readonly is: "object"; readonly members: Readonly<Record<string, FormMember>>; readonly isLoose: boolean };

export interface FormMember {
  readonly form: Form;
  readonly isNeeded: boolean;
}

/** Maximum items of a list and entries of a record, if the schema has no maximum. */
export const MAX_ITEMS = 1000;
/** Above the numbers of every field of a bus; calculations with larger numbers may give Infinity. */
const MAX_NUMBER = 2 ** 64;
/** Maximum characters of a text. The longest text that hub publishes is a message of a fast packet as JSON. */
const MAX_TEXT = 5000;

export function readerOfForm(form: Form): Read<unknown> {
  switch (form.is) {
    case "number":
      return limited(readNumber, form, (value) => value);
    case "integer":
      return limited(readInteger, form, (value) => value);
    case "text":
      return limited(readText, form, ({ length }) => length);
    case "flag":
      return (value) => (typeof value === "boolean" ? value : undefined);
    case "name":
      return (value) => (typeof value === "string" && /^\d{1,20}$/.test(value) ? value : undefined);
    case "nullable": {
      const read = readerOfForm(form.of);
      return (value) => (value === null ? null : read(value));
    }
    case "record":
      return recordReader(readerOfForm(form.of));
    case "list":
      return listReader(readerOfForm(form.of), form.most);
    case "either": {
      const readers = form.of.map(readerOfForm);
      return (value) => readers.map((read) => read(value)).find((read) => read !== undefined);
    }
    case "object":
      return objectReader(form);
  }
}

const tests: Readonly<Record<Limit["is"], (limit: number) => (value: number) => boolean>> = {
  above: (limit) => (value) => value > limit,
  atLeast: (limit) => (value) => value >= limit,
  below: (limit) => (value) => value < limit,
  atMost: (limit) => (value) => value <= limit,
};

/** A reader of numbers or texts within limits of their size, and of texts of patterns. */
function limited<Value extends number | string>(
  read: Read<Value>,
  { limits = [], patterns = [] }: Extract<Form, { limits?: readonly Limit[] }>,
  sizeOf: (value: Value) => number,
): Read<Value> {
  const within = limits.map(({ is, limit }) => tests[is](limit));
  const matching = patterns.map((pattern) => new RegExp(...pattern));
  return (value) => {
    const one = read(value);
    if (one === undefined || !within.every((test) => test(sizeOf(one)))) return undefined;
    return matching.every((pattern) => pattern.test(String(one))) ? one : undefined;
  };
}

const readInteger: Read<number> = (value) => (Number.isSafeInteger(value) ? (value as number) : undefined);

type JsonObject = Readonly<Record<string, unknown>>;

function objectReader({ members, isLoose }: Extract<Form, { is: "object" }>): Read<JsonObject> {
  const known = Object.entries(members).map(([name, { form, isNeeded }]) => ({
    name,
    isNeeded,
    read: readerOfForm(form),
  }));
  const names = new Set(Object.keys(members));
  return (value) => {
    if (!isRecord(value)) return undefined;
    const read: [string, unknown][] = isLoose ? looseEntries(value).filter(([name]) => !names.has(name)) : [];
    for (const { name, read: readMember, isNeeded } of known) {
      const member = readMember(value[name]);
      if (member !== undefined) read.push([name, member]);
      else if (isNeeded) return undefined;
    }
    return Object.fromEntries(read);
  };
}

const listReader =
  (read: Read<unknown>, most: number): Read<readonly unknown[]> =>
  (value) =>
    Array.isArray(value)
      ? value
          .slice(0, most)
          .map(read)
          .filter((item) => item !== undefined)
      : undefined;

const recordReader =
  (read: Read<unknown>): Read<JsonObject> =>
  (value) =>
    isRecord(value) ? Object.fromEntries(readEntries(value, read)) : undefined;

const readEntries = (value: JsonObject, read: Read<unknown>): [string, unknown][] =>
  Object.entries(value)
    .slice(0, MAX_ITEMS)
    .map(([name, one]): [string, unknown] => [name, read(one)])
    .filter(([, one]) => one !== undefined);

export const readText: Read<string> = (value) =>
  typeof value === "string" && value.length <= MAX_TEXT ? value : undefined;

/** `JSON.parse` makes Infinity of 1e999. */
export const readNumber: Read<number> = (value) =>
  typeof value === "number" && Math.abs(value) <= MAX_NUMBER ? value : undefined;

/** A number, text or flag. */
export const readScalar: Read<number | string | boolean> = (value) =>
  typeof value === "boolean" ? value : (readNumber(value) ?? readText(value));

const readScalars = recordReader(readScalar);

const looseEntries = (value: JsonObject): [string, unknown][] =>
  readEntries(value, (one) => readScalar(one) ?? readScalars(one));
