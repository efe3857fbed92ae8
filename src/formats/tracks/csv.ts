/** The entries of a voyage as CSV (RFC 4180), with the names and units of the first row. */
import { isoTime } from "../../core/text/date.ts";
import { entryText } from "../../core/voyages/kinds/index.ts";
import type { Conditions } from "../../core/voyages/observation.ts";
import { authorOf, type Entry, textOf, type Voyage } from "../../core/voyages/voyage.ts";

const named = (values: Readonly<Record<string, number>> | undefined): string =>
  Object.entries(values ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join("; ");

const columns: readonly (readonly [title: string, read: (entry: Entry, conditions: Conditions) => unknown])[] = [
  ["time UTC", ({ time }) => isoTime(time)],
  ["entry", (entry) => entryText(entry)],
  ["text", (entry) => textOf(entry)],
  ["crew", ({ crew }) => crew],
  ["author", (entry) => authorOf(entry)],
  ["latitude deg", (_, { latitude }) => latitude],
  ["longitude deg", (_, { longitude }) => longitude],
  ["course over ground deg", (_, { cog }) => cog],
  ["speed over ground kn", (_, { sog }) => sog],
  ["heading deg", (_, { heading }) => heading],
  ["speed through water kn", (_, { stw }) => stw],
  ["true wind kn", (_, { windSpeed }) => windSpeed],
  ["wind from deg", (_, { windDirection }) => windDirection],
  ["depth below transducer m", (_, { depth }) => depth],
  ["offset of depth m", (_, { depthOffset }) => depthOffset],
  ["pressure Pa", (_, { pressure }) => pressure],
  ["air °C", (_, { airTemperature }) => airTemperature],
  ["water °C", (_, { waterTemperature }) => waterTemperature],
  ["log nm", (_, { log }) => log],
  ["engines h", (_, { engineHours }) => named(engineHours)],
  ["tanks %", (_, { tanks }) => named(tanks)],
];

/** A text that a spreadsheet would compute is marked as one. */
function field(value: unknown): string {
  const text = value === undefined ? "" : String(value);
  const plain = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export const csvText = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");

export function csvOf({ entries }: Voyage): string {
  const rows = entries.map((entry) => columns.map(([, read]) => read(entry, entry.conditions ?? {})));
  return csvText([columns.map(([title]) => title), ...rows]);
}
