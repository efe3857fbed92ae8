/** Whether a value has changed since it was published in a lane. */
import { localTimeOffset } from "../../../core/n2k/pgns/gnss.ts";

/** The smallest change that counts, by path: `voltageV`, `depth_water.depth`. */
export type DeadBands = ReadonlyMap<string, number>;

/** Members that change from message to message without a change of values: counters, the age of a source, the clock. */
const without = new Set(["sequenceId", "sId", "source", "time"]);
/** The clock in parts, whose names are those of durations in other messages. */
const partsOfClock = new Set(["hours", "minutes", "seconds"]);
const isClock = (path: string, pgn: unknown): boolean =>
  path === "date.fraction" || (pgn === localTimeOffset.pgn && partsOfClock.has(path));

/** Names of numbers that begin anew after 360 degrees. */
const direction = /Deg$|^cog$|heading|angle|direction|course|bearing/i;

/** A difference of decimal fractions, such as 13.35 - 13.3, may be slightly below the band that it equals. */
const ROUNDING = 1 - 1e-6;

function differs(name: string, before: number, after: number, band: number): boolean {
  const difference = Math.abs(after - before);
  return (direction.test(name) ? Math.min(difference, Math.abs(360 - difference)) : difference) >= band * ROUNDING;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Compares two values of JSON member by member; a number counts as changed from its dead band on.
 *
 * @example
 * hasChanged({ depth: 3.1, sequenceId: 1 }, { depth: 3.14, sequenceId: 2 }, new Map([["depth", 0.1]])) // false
 */
export function hasChanged(before: unknown, after: unknown, bands: DeadBands, path = ""): boolean {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names) {
      const place = path === "" ? name : `${path}.${name}`;
      if (without.has(name) || isClock(place, after.pgn)) continue;
      if (hasChanged(before[name], after[name], bands, place)) return true;
    }
    return false;
  }
  if (before === after) return false;
  const band = bands.get(path);
  if (band !== undefined && typeof before === "number" && typeof after === "number")
    return differs(path, before, after, band);
  return typeof after !== "object" || typeof before !== "object" || JSON.stringify(before) !== JSON.stringify(after);
}
