/**
 * The paths that the history has: the rows of the table of paths whose values follow from numbers. hub-history writes
 * numbers and key fields, so that a row reads its message again from the series of one device and one instance.
 */
import { publishedKeyNames } from "../../../core/n2k/layout.ts";
import type { Labels } from "../../../core/ports/history-engine.ts";
import { NAVIGATION, navigationField, seriesName } from "../../../core/topics/measurements.ts";
import { pgnMeasurement } from "../../../core/topics/pgn-measurement.ts";
import { navigationPaths } from "../navigation-paths.ts";
import { type PathOf, pathOf } from "../path-template.ts";
import { pgnPaths } from "../pgn-paths.ts";
import type { Row, Value } from "../row.ts";

type Data = Readonly<Record<string, unknown>>;

/** A number, or a position as longitude and latitude, as GeoJSON has it. */
export type PastValue = number | readonly [longitude: number, latitude: number];

export interface PastRow {
  /** Names of the series by the members that the row reads. */
  readonly series: ReadonlyMap<string, string>;
  /** Whether the value is an angle, which has no average as a number. */
  readonly isAngle: boolean;
  readonly isPosition: boolean;
  /** The path for a series; undefined if the series belongs to another row. */
  pathOf(labels: Labels): string | undefined;
  /** The value of the members; undefined if one is missing. */
  valueOf(members: Data): PastValue | undefined;
}

/** Paths of instances, such as `propulsion.port.revolutions`, are many rows of one template. */
const matchOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[\\w-]+")}$`);

export interface PlacedPastRow extends PastRow {
  /** Whether a path may be one of the row. */
  mayBe(path: string): boolean;
}

/** Reads a message in which every member is `number`, and notes the members that are read. */
function trial(row: Row<Data>, number: number): { readonly value: PastValue | undefined; readonly read: Set<string> } {
  const read = new Set<string>();
  const message = new Proxy<Data>(
    {},
    {
      get(_, name) {
        read.add(String(name));
        return number;
      },
    },
  );
  return { value: pastValue(row.value(message, {})), read };
}

function pastValue(value: Value | undefined): PastValue | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || !("latitude" in value)) return undefined;
  const { latitude, longitude } = value;
  return typeof latitude === "number" && typeof longitude === "number" ? [longitude, latitude] : undefined;
}

interface Place {
  readonly row: Row<Data>;
  readonly nameOf: (member: string) => string;
  readonly keys: readonly string[];
  readonly when: Data;
}

function pastRow({ row, nameOf, keys, when }: Place): readonly PlacedPastRow[] {
  // Some rows have values for positive or for negative numbers alone.
  const tried = [1, -1].map((number) => trial(row, number)).find(({ value }) => value !== undefined);
  if (tried === undefined) return [];
  const place: PathOf = pathOf(row.path);
  const pattern = matchOf(row.path);
  const members = [...tried.read].filter((member) => !keys.includes(member));
  return [
    {
      series: new Map(members.map((member) => [member, nameOf(member)])),
      isAngle: row.meta.units === "rad",
      isPosition: typeof tried.value === "object",
      mayBe: (path) => pattern.test(path),
      pathOf: (labels) =>
        Object.entries(when).every(([name, value]) => labels[name] === String(value)) ? place(labels) : undefined,
      valueOf: (data) => pastValue(row.value(data, {})),
    },
  ];
}

const ofNavigation = Object.entries(navigationPaths).flatMap(([group, rows]) =>
  (rows as readonly Row<unknown>[]).flatMap((row) =>
    pastRow({
      row: row as Row<Data>,
      nameOf: (member) => seriesName(NAVIGATION, navigationField(group, member)),
      keys: [],
      when: {},
    }),
  ),
);

const ofPgns = pgnPaths
  .filter(({ each }) => each === undefined)
  .flatMap(({ definition, when, rows }) => {
    const keys = publishedKeyNames(definition);
    const measurement = pgnMeasurement(definition.pgn);
    return rows.flatMap((row) => pastRow({ row, nameOf: (member) => seriesName(measurement, member), keys, when }));
  });

export const pastRows: readonly PlacedPastRow[] = [...ofNavigation, ...ofPgns];
