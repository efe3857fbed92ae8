/** Whether a value has changed since it was published in a lane. */

import type * as z from "zod";
import type { Definition } from "../../../core/n2k/definition.ts";
import { namesWhere } from "../../../core/n2k/layout.ts";
import { type Marks, marksOf, membersOf } from "../../../core/report/marks.ts";
import { isRecord } from "../../../core/util/is-record.ts";
import { memoize } from "../../../core/util/memoize.ts";

/** The smallest change that counts, by path: `voltageV`, `depth_water.depth`. */
export type DeadBands = ReadonlyMap<string, number>;

/** Members by path, from the marks of their definitions. */
export interface Comparison {
  /** Change from message to message without a change of values: counters, clocks, the age of a source. */
  readonly ignored: ReadonlySet<string>;
  /** Numbers that begin anew after 360 degrees. */
  readonly directions: ReadonlySet<string>;
}

/** How two messages of a definition are compared. */
export const comparisonOf = memoize(
  (definition: Definition): Comparison => ({
    ignored: new Set(namesWhere(definition, (field) => field.counter ?? field.clock)),
    directions: new Set(namesWhere(definition, (field) => field.kind === "number" && field.quantity === "direction")),
  }),
);

const pathsIn = (schema: z.ZodType, name: keyof Marks): ReadonlySet<string> =>
  new Set([...membersOf(schema)].flatMap(([path, member]) => (marksOf(member)[name] ? [path] : [])));

/** How two reports of a schema are compared. */
export const comparisonOfReport = (schema: z.ZodType): Comparison => ({
  ignored: pathsIn(schema, "clock"),
  directions: pathsIn(schema, "direction"),
});

/** A difference of decimal fractions, such as 13.35 - 13.3, may be slightly below the band that it equals. */
const ROUNDING = 1 - 1e-6;

/**
 * Compares two values of JSON member by member; a number counts as changed from its dead band on.
 *
 * @example
 * hasChanged({ depthM: 3.1, sequenceId: 1 }, { depthM: 3.14, sequenceId: 2 }, comparisonOf(waterDepth), new Map([["depthM", 0.1]])) // false
 */
export function hasChanged(
  before: unknown,
  after: unknown,
  comparison: Comparison,
  bands: DeadBands,
  path = "",
): boolean {
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names) {
      const place = path === "" ? name : `${path}.${name}`;
      if (comparison.ignored.has(place)) continue;
      if (hasChanged(before[name], after[name], comparison, bands, place)) return true;
    }
    return false;
  }
  if (before === after) return false;
  const band = bands.get(path);
  if (band !== undefined && typeof before === "number" && typeof after === "number") {
    const difference = Math.abs(after - before);
    const isDirection = comparison.directions.has(path);
    return (isDirection ? Math.min(difference, Math.abs(360 - difference)) : difference) >= band * ROUNDING;
  }
  return typeof after !== "object" || typeof before !== "object" || JSON.stringify(before) !== JSON.stringify(after);
}
