/** Maintenance of engines by their hours: rows of the crew's own. */
import { signal } from "@preact/signals";
import { say } from "../languages/say.ts";

/** The entry of the settings that has the rows: `{"name": "maintenance", "rows": [{...}]}`. */
export const MAINTENANCE = "maintenance";

export interface MaintenanceRow {
  readonly engine: number;
  /** "Oil and filter". */
  readonly what: string;
  readonly everyHours: number;
  /** Engine hours at which it was last done. */
  readonly doneAtHours: number;
}

const MAX_ROWS = 100;
const MAX_TEXT = 60;

const isHours = (value: unknown): value is number => typeof value === "number" && value >= 0 && value < 1e6;

function rowOf(item: unknown): readonly MaintenanceRow[] {
  const { engine, what, everyHours, doneAtHours } = (item ?? {}) as Readonly<Record<string, unknown>>;
  const isUsable =
    Number.isInteger(engine) &&
    typeof what === "string" &&
    what.length <= MAX_TEXT &&
    isHours(everyHours) &&
    everyHours > 0 &&
    isHours(doneAtHours);
  return isUsable ? [{ engine: engine as number, what, everyHours, doneAtHours }] : [];
}

/** The usable rows of an entry, which may have been written by hand. */
export const rowsOf = (rows: unknown): readonly MaintenanceRow[] =>
  Array.isArray(rows) ? rows.slice(0, MAX_ROWS).flatMap(rowOf) : [];

/** The rows in force; empty until they have been read, and ashore. */
export const maintenance = signal<readonly MaintenanceRow[]>([]);

/** Share of the interval before it is due from which on it is said to be soon. */
const SOON = 0.1;

export interface Due {
  /** Hours until it is due, negative since. */
  readonly hours: number;
  readonly state: "later" | "soon" | "due";
}

export function dueOf({ everyHours, doneAtHours }: MaintenanceRow, engineHours: number): Due {
  const hours = doneAtHours + everyHours - engineHours;
  return { hours, state: hours <= 0 ? "due" : hours <= SOON * everyHours ? "soon" : "later" };
}

/** "due since 12 h", "in 60 h". */
export const dueText = ({ hours }: Due): string =>
  hours <= 0
    ? say("due since {duration}", { duration: `${Math.round(-hours)}\u202fh` })
    : say("in {duration}", { duration: `${Math.ceil(hours)}\u202fh` });
