/**
 * Limits that the crew sets on any number of any message: the rows of `alarms.limits`, and the values that they watch.
 */
import * as z from "zod";
import type { Definition } from "../n2k/definition.ts";
import type { NumberField } from "../n2k/field.ts";
import { publishedFields, publishedKeyNames } from "../n2k/layout.ts";
import { definitions } from "../n2k/pgns/index.ts";
import { type NavigationData, navigationData } from "../nav/navigation-report.ts";
import { marksOf, membersOf } from "../report/marks.ts";
import type { ReportUnit } from "../report/unit-words.ts";
import { severities } from "./constants.ts";
import { type Reading, worse } from "./hazards/hazard.ts";

const definitionsByPgn: ReadonlyMap<number, Definition> = new Map(definitions.map((each) => [each.pgn, each]));

/** The number that a row watches in a PGN; undefined if no field has that name. */
function fieldOf(pgn: number, member: string): NumberField | undefined {
  const definition = definitionsByPgn.get(pgn);
  const field = definition && publishedFields(definition).find(({ name }) => name === member)?.field;
  return field?.kind === "number" ? field : undefined;
}

const membersOfReport: ReadonlyMap<string, z.ZodType> = new Map(membersOf(navigationData));

/** Units that alarms write in another way. */
const writtenUnits: Partial<Record<ReportUnit, string>> = { "deg/s": "°/s", deg: "°", NM: "nm" };

function navigationUnit(path: string): string | undefined {
  const member = membersOfReport.get(path);
  const unit = member && marksOf(member).unit;
  return unit && (writtenUnits[unit] ?? unit);
}

const isMember = ({ pgn, member }: { readonly pgn?: number | undefined; readonly member: string }): boolean =>
  pgn === undefined ? membersOfReport.has(member) : fieldOf(pgn, member) !== undefined;

export const limitRow = z
  .strictObject({
    id: z.string("must be a text").regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,31}$/, "must be letters, digits and hyphens"),
    pgn: z.int("must be a PGN").describe("absent: the navigation report").optional(),
    member: z.string("must be a text").describe("a number of the message, as in `group.member` of the report"),
    instance: z.int("must be an integer").describe("value of any key field; absent: all of them").optional(),
    device: z.string("must be a text").describe("as the crew calls it, else its model; absent: all").optional(),
    above: z.number("must be a number").describe("it rings above").optional(),
    below: z.number("must be a number").describe("it rings below").optional(),
    seconds: z
      .number("must be a number")
      .min(0)
      .max(3600)
      .describe("for so long; absent: the delay of the alarm")
      .optional(),
    severity: z.enum(severities).default("warning"),
    text: z.string("must be a text").min(1).max(200),
  })
  .refine(({ above, below }) => above !== undefined || below !== undefined, "needs above or below")
  .refine(({ above, below }) => above === undefined || below === undefined || above > below, "needs above over below")
  .refine(isMember, "names no number of the message");

export type LimitRow = z.infer<typeof limitRow>;

/** Age at which a value no longer counts; the slowest messages are sent once a minute. */
const MAX_AGE_MS = 90_000;
const MAX_VALUES = 1000;
/** Margin as a fraction of the limit. */
const MARGIN = 0.02;

interface Value {
  readonly value: number;
  readonly arrived: number;
  readonly source: number;
}

export class OwnLimits {
  #rows: readonly LimitRow[] = [];
  /** Values by row, device and keys. */
  readonly #values = new Map<string, Value>();

  configure(rows: readonly LimitRow[]): void {
    if (JSON.stringify(rows) === JSON.stringify(this.#rows)) return;
    this.#rows = rows;
    this.#values.clear();
  }

  /** The PGNs that are watched. */
  get pgns(): ReadonlySet<number> {
    return new Set(this.#rows.flatMap(({ pgn }) => pgn ?? []));
  }

  hear(pgn: number, message: Readonly<Record<string, unknown>>, heard: { arrived: number; source: number }): void {
    const keys = publishedKeyNames(definitionsByPgn.get(pgn)!).map((name) => message[name]);
    for (const row of this.#rows) {
      const value = message[row.member];
      if (row.pgn !== pgn || typeof value !== "number") continue;
      if (row.instance !== undefined && !keys.includes(row.instance)) continue;
      const place = [row.id, heard.source, ...keys].join(" ");
      const { arrived, source } = heard;
      if (this.#values.size < MAX_VALUES || this.#values.has(place))
        this.#values.set(place, { value, arrived, source });
    }
  }

  /** A reading for each row that has values: the value that is the farthest beyond the limit. */
  readings(
    navigation: NavigationData,
    nameOfDevice: (address: number) => string | undefined,
    now: number,
  ): readonly Reading[] {
    for (const [place, { arrived }] of this.#values) if (now - arrived > MAX_AGE_MS) this.#values.delete(place);
    return this.#rows.flatMap((row) => {
      const values = row.pgn === undefined ? inReport(navigation, row.member) : this.#valuesOf(row, nameOfDevice);
      const readings = values.map((value) => readingOf(row, value));
      return readings.length === 0 ? [] : [readings.reduce(worse)];
    });
  }

  /** The ids of the rows without a reading, among others those whose device or instance does not exist. */
  unheard(readings: readonly Reading[]): readonly string[] {
    return this.#rows.flatMap(({ id }) => (readings.some(({ key }) => key === id) ? [] : [id]));
  }

  #valuesOf({ id, device }: LimitRow, nameOfDevice: (address: number) => string | undefined): readonly number[] {
    return [...this.#values].flatMap(([place, { value, source }]) =>
      place.startsWith(`${id} `) && (device === undefined || nameOfDevice(source) === device) ? [value] : [],
    );
  }
}

function inReport(navigation: NavigationData, path: string): readonly number[] {
  const [group = "", member = ""] = path.split(".");
  const value = (navigation as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>)[group]?.[
    member
  ];
  return typeof value === "number" ? [value] : [];
}

function readingOf({ id, pgn, member, above, below, seconds, severity, text }: LimitRow, value: number): Reading {
  const isAbove = above !== undefined && value > above - Math.abs(above) * MARGIN;
  const limit = isAbove || below === undefined ? above! : below;
  const isBeyond = (above !== undefined && value > above) || (below !== undefined && value < below);
  const isNear = isAbove || (below !== undefined && value < below + Math.abs(below) * MARGIN);
  const unit = pgn === undefined ? navigationUnit(member) : fieldOf(pgn, member)?.unit;
  return {
    key: id,
    severity,
    seconds,
    title: text,
    value,
    limit,
    unit,
    zone: isBeyond ? "beyond" : isNear ? "between" : "within",
  };
}
