/**
 * Limits that the crew sets on any number or state of any message: the rows of `alarms.limits`, and the values that they
 * watch.
 */

import * as z from "zod";
import type { Definition } from "../n2k/definition.ts";
import type { ChoiceField, Field, NumberField, RepeatField } from "../n2k/field.ts";
import { publishedFields, publishedKeyNames } from "../n2k/layout.ts";
import { binarySwitchBankStatus } from "../n2k/pgns/electrical.ts";
import { definitions } from "../n2k/pgns/index.ts";
import type { Thing } from "../n2k/thing.ts";
import type { Device } from "../nav/devices.ts";
import { type NavigationData, navigationData } from "../nav/navigation-report.ts";
import { marksOf, membersOf } from "../report/marks.ts";
import type { ReportUnit } from "../report/unit-words.ts";
import { groupedBy, setNewest } from "../util/grouped.ts";
import { severities } from "./constants.ts";
import type { Heard } from "./heard.ts";
import { deviceSentence, type Names } from "./names.ts";
import type { Reading } from "./reading.ts";

const definitionsByPgn: ReadonlyMap<number, Definition> = new Map(definitions.map((each) => [each.pgn, each]));

/** A published field of a PGN; undefined if no field has that name. */
function publishedField(pgn: number, member: string): Field | undefined {
  const definition = definitionsByPgn.get(pgn);
  return definition && publishedFields(definition).find(({ name }) => name === member)?.field;
}

/** The number that a row watches in a PGN. */
function fieldOf(pgn: number, member: string): NumberField | undefined {
  const field = publishedField(pgn, member);
  return field?.kind === "number" ? field : undefined;
}

/** The numbered list of a PGN, such as the switches of a bank. */
function listOf(pgn: number): { readonly name: string; readonly list: RepeatField } | undefined {
  const definition = definitionsByPgn.get(pgn);
  for (const { name, field } of definition === undefined ? [] : publishedFields(definition))
    if (field.kind === "repeat" && field.numbered !== undefined) return { name, list: field };
  return undefined;
}

/** The object of a row: a member of a message, or of the items of its numbered list with a number or a name. */
interface Watched {
  readonly pgn: number | undefined;
  readonly member: string;
  readonly item?: number | string | undefined;
}

/** A switch as other programs write it: `switch3`, `indicator3`. */
const numberedMember = /^(?:switch|indicator)([1-9][0-9]?)$/i;

/** The PGN, the member and the item that a row watches. A row for a switch needs neither PGN nor member. */
export function watchedBy({ pgn, member, switch: item }: Pick<LimitRow, "pgn" | "member" | "switch">): Watched {
  const [, digits] = numberedMember.exec(member ?? "") ?? [];
  const number = item ?? (digits === undefined ? undefined : Number(digits));
  return number === undefined
    ? { pgn, member: member ?? "" }
    : {
        pgn: pgn ?? binarySwitchBankStatus.pgn,
        member: digits === undefined ? (member ?? "status") : "status",
        item: number,
      };
}

/** The field with the states of a row. */
function choiceOf({ pgn, member, item }: Watched): ChoiceField | undefined {
  if (pgn === undefined) return undefined;
  const field = item === undefined ? publishedField(pgn, member) : listOf(pgn)?.list.group[member];
  return field?.kind === "choice" ? field : undefined;
}

const membersOfReport: ReadonlyMap<string, z.ZodType> = new Map(membersOf(navigationData));

/** Units that alarms write in another way. */
const writtenUnits: Partial<Record<ReportUnit, string>> = { "deg/s": "°/s", deg: "°", NM: "nm" };

function navigationUnit(path: string): string | undefined {
  const member = membersOfReport.get(path);
  const unit = member && marksOf(member).unit;
  return unit && (writtenUnits[unit] ?? unit);
}

function isMember(row: LimitRow): boolean {
  const watched = watchedBy(row);
  const { pgn, member, item } = watched;
  if (row.is !== undefined) return choiceOf(watched) !== undefined;
  if (item !== undefined) return false;
  return pgn === undefined ? membersOfReport.has(member) : fieldOf(pgn, member) !== undefined;
}

/** The states that a row may name. */
const statesOf = (row: LimitRow): readonly string[] => {
  const { choices = {}, otherwise } = choiceOf(watchedBy(row)) ?? {};
  return [...Object.values(choices), ...(otherwise === undefined ? [] : [otherwise])].map(String);
};

const row = z.strictObject({
  id: z.string("must be a text").regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,31}$/, "must be letters, digits and hyphens"),
  pgn: z.int("must be a PGN").describe("absent: the navigation report").optional(),
  member: z
    .string("must be a text")
    .describe("a number or a state of the message, as in `group.member` of the report; absent: the state of a switch")
    .optional(),
  switch: z
    .union([z.int().min(1).max(28), z.string().min(1)], "must be a number from 1 to 28 or a name")
    .describe("number of an indicator of PGN 127501, or the crew's name for it")
    .optional(),
  instance: z.int("must be an integer").describe("value of any key field; absent: all of them").optional(),
  key: z
    .record(z.string(), z.union([z.int(), z.string()]), "must be an object")
    .describe("key fields with their values, which choose one of several: a tank by its number and its fluid")
    .optional(),
  device: z
    .string("must be a text")
    .describe("its NAME in decimal digits, the crew's name for it, or else its model; absent: all")
    .optional(),
  above: z.number("must be a number").describe("it rings above").optional(),
  below: z.number("must be a number").describe("it rings below").optional(),
  is: z.string("must be a text").describe("it rings in this state: `On`, `Off`").optional(),
  seconds: z
    .number("must be a number")
    .min(0)
    .max(3600)
    .describe("for so long; absent: the delay of the alarm")
    .optional(),
  severity: z.enum(severities).default("warning"),
  text: z.string("must be a text").min(1).max(200),
});

export type LimitRow = Readonly<z.infer<typeof row>>;

export const limitRow = row
  .refine(
    ({ above, below, is }) => above !== undefined || below !== undefined || is !== undefined,
    "type a number above or below which it rings",
  )
  .refine(
    ({ above, below, is }) => is === undefined || (above === undefined && below === undefined),
    "needs no limit beside is",
  )
  .refine(
    ({ above, below }) => above === undefined || below === undefined || above > below,
    "the number above has to be the greater one",
  )
  .refine(isMember, {
    error: ({ input }) => `names no ${(input as LimitRow).is === undefined ? "number" : "state"} of the message`,
  })
  .refine((row) => row.is === undefined || !isMember(row) || statesOf(row).includes(row.is), {
    error: ({ input }) => `is must be one of ${statesOf(input as LimitRow).join(", ")}`,
  });

/** Age at which a value no longer counts; the slowest messages are sent once a minute. */
const MAX_AGE_MS = 90_000;
const MAX_VALUES = 1000;
/** Margin as a fraction of the limit. */
const MARGIN = 0.02;

interface Value {
  readonly value: number | string;
  readonly arrived: number;
  readonly device: Device;
  /** The numbers of its message and item, such as the instance: several devices may have the same. */
  readonly number: string;
  /** The item of a numbered list. */
  readonly thing?: Thing | undefined;
}

type Data = Readonly<Record<string, unknown>>;

/** Whether a row is about the thing of a message, whose key fields have these values. */
const isKeyOf = ({ instance, key = {} }: LimitRow, keys: readonly unknown[], message: Data): boolean =>
  (instance === undefined || keys.includes(instance)) &&
  Object.entries(key).every(([name, value]) => message[name] === value);

/** The place of the value that a row watches, as text: without limits, severity and words. */
const objectOf = ({ pgn, member, switch: item, instance, key, device }: LimitRow): string =>
  JSON.stringify([pgn, member, item, instance, key, device]);

export class OwnLimits {
  #rows: readonly LimitRow[] = [];
  /** Values by row, device and keys, the oldest first. */
  readonly #values = new Map<string, Value>();

  /** Takes the rows; returns the ids of those that go on to watch what they watched. */
  configure(rows: readonly LimitRow[]): ReadonlySet<string> {
    const before = new Map(this.#rows.map((row) => [row.id, objectOf(row)]));
    const same = new Set(rows.flatMap((row) => (before.get(row.id) === objectOf(row) ? row.id : [])));
    this.#rows = rows;
    for (const place of this.#values.keys()) if (!same.has(place.split(" ", 1)[0]!)) this.#values.delete(place);
    return same;
  }

  get pgns(): ReadonlySet<number> {
    return new Set(this.#rows.flatMap((row) => watchedBy(row).pgn ?? []));
  }

  hear(pgn: number, message: Data, { arrived, device }: Heard): void {
    const names = publishedKeyNames(definitionsByPgn.get(pgn)!);
    const keys = names.map((name) => message[name]);
    for (const row of this.#rows) {
      const watched = watchedBy(row);
      if (watched.pgn !== pgn || !isKeyOf(row, keys, message)) continue;
      const place = [row.id, device.order, ...keys].join(" ");
      const heard = { arrived, device, number: keys.join(" ") };
      if (watched.item === undefined) this.#take(place, { value: message[watched.member], ...heard });
      else {
        const { name, list } = listOf(pgn)!;
        for (const item of (message[name] ?? []) as readonly Data[]) {
          const itemNumber = item[list.numbered!] as number;
          if (typeof watched.item === "number" && watched.item !== itemNumber) continue;
          const key = Object.fromEntries(names.map((each) => [each, message[each]]));
          const thing = { pgn, key: { ...key, [list.numbered!]: itemNumber } } as Thing;
          const number = `${heard.number} ${itemNumber}`;
          this.#take(`${place} ${itemNumber}`, { value: item[watched.member], ...heard, number, thing });
        }
      }
    }
  }

  /** Too many instances displace the values that are the oldest. */
  #take(place: string, { value, ...heard }: Omit<Value, "value"> & { readonly value: unknown }): void {
    if (typeof value !== "number" && typeof value !== "string") return;
    setNewest(this.#values, place, { value, ...heard }, MAX_VALUES);
  }

  /** A reading for each value of a row. */
  readings(navigation: NavigationData, names: Names, now: number): readonly Reading[] {
    for (const [place, { arrived, device }] of this.#values)
      if (now - arrived > MAX_AGE_MS || device.isOver) this.#values.delete(place);
    return this.#rows.flatMap((row): readonly Reading[] => {
      const { pgn, member } = watchedBy(row);
      if (pgn === undefined) return inReport(navigation, member).map((value) => readingOf(row, value));
      const values = this.#valuesOf(row, names);
      const byNumber = groupedBy(values, ([, { number }]) => number);
      return values.map(([place, { value, device, number }]) => {
        const among = byNumber.get(number)!.map(([, of]) => of.device);
        const sentences = among.length > 1 ? [deviceSentence(device, names, among)] : undefined;
        const by = device.isDisputed ? undefined : place;
        return { by, ...(sentences && { sentences }), ...readingOf(row, value) };
      });
    });
  }

  /** The ids of the rows without a reading, among others those whose device or instance does not exist. */
  unheard(readings: readonly Reading[]): readonly string[] {
    return this.#rows.flatMap(({ id }) => (readings.some(({ key }) => key === id) ? [] : [id]));
  }

  #valuesOf(row: LimitRow, { isCalled, nameOfThing }: Names): readonly (readonly [place: string, Value])[] {
    const { id, device: wanted, switch: item } = row;
    const isNamed = typeof item === "string";
    return [...this.#values].flatMap(([place, value]) => {
      const { device, thing } = value;
      if (!place.startsWith(`${id} `) || (wanted !== undefined && !isCalled(device, wanted))) return [];
      return isNamed && (thing === undefined || nameOfThing(thing, device) !== item) ? [] : [[place, value] as const];
    });
  }
}

function inReport(navigation: NavigationData, path: string): readonly number[] {
  const [group = "", member = ""] = path.split(".");
  const value = (navigation as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>)[group]?.[
    member
  ];
  return typeof value === "number" ? [value] : [];
}

function readingOf(row: LimitRow, value: Value["value"]): Reading {
  const { id, seconds, severity, text, is } = row;
  const its = { key: id, severity, seconds, title: text };
  if (is !== undefined) return { zone: String(value) === is ? "beyond" : "within", ...its };
  return typeof value === "number" ? { ...its, ...limited(row, value) } : { zone: "within", ...its };
}

/** The unit of the number that a row watches. */
export const unitOfLimit = ({ pgn, member = "" }: Pick<LimitRow, "pgn" | "member">): string | undefined =>
  pgn === undefined ? navigationUnit(member) : fieldOf(pgn, member)?.unit;

function limited(row: LimitRow, value: number) {
  const { above, below } = row;
  const isAbove = above !== undefined && value > above - Math.abs(above) * MARGIN;
  const limit = isAbove || below === undefined ? above! : below;
  const isBeyond = (above !== undefined && value > above) || (below !== undefined && value < below);
  const isNear = isAbove || (below !== undefined && value < below + Math.abs(below) * MARGIN);
  const unit = unitOfLimit(row);
  return { value, limit, unit, zone: isBeyond ? "beyond" : isNear ? "between" : "within" } as const;
}
