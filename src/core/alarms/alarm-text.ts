/**
 * The words of an alarm after its title, for displays and outlets: bearing and distance, value, limit, text. Without
 * zod, which a page does not load.
 */
import { durationText, fixed, minutesText, tenths } from "../text/quantity.ts";
import type { ActiveAlarm } from "./report.ts";
import { isOfDepth } from "./words.ts";

type Worded = Partial<
  Pick<ActiveAlarm, "kind" | "unit" | "value" | "limit" | "minutes" | "text" | "sentences" | "bearing" | "range">
>;

/** The kind of a value or a limit, and its unit in the report. */
export type Quantity = Pick<Worded, "kind" | "unit">;

/** A value with its unit. */
export type QuantityText = (quantity: Quantity, value: number) => string;

const MEGABYTES_PER_GIGABYTE = 1000;

/** A quantity in the unit of the report, or in a unit that a person would choose: "2 h" for 7200 s. */
export const inReportUnits =
  (space: string): QuantityText =>
  (quantity, value) => {
    const { unit = "" } = quantity;
    const text = (number: string, shown = unit): string => (shown === "" ? number : `${number}${space}${shown}`);
    switch (unit) {
      case "s":
        return durationText(value);
      case "°":
        return `${fixed(value, 0)}°`;
      case "nm":
        // Tenths of a mile are 185 m.
        return text(fixed(value, 2));
      case "MB":
        return value < MEGABYTES_PER_GIGABYTE
          ? text(fixed(value, 0))
          : text(tenths(value / MEGABYTES_PER_GIGABYTE), "GB");
      case "m":
        // Distances to an anchor or between receivers have no decimals.
        return text(isOfDepth(quantity.kind) || quantity.kind === "limits" ? tenths(value) : fixed(value, 0));
      case "kPa":
      case "%":
        return text(fixed(value, 0));
      default:
        return text(tenths(value));
    }
  };

/** The words around the values of an alarm, which displays have in other languages. */
export interface AlarmPhrases {
  readonly limit: (limit: string) => string;
  readonly within: (value: string, time: string) => string;
  /** The text of the alarm beside its values; undefined: none. */
  readonly text: (alarm: Worded) => string | undefined;
}

const english: AlarmPhrases = {
  limit: (limit) => `limit ${limit}`,
  within: (value, time) => `${value} in ${time}`,
  text: ({ text }) => text,
};

/**
 * "1.7 m, limit 2.0 m, below the keel", "0.07 nm in 4:30", "012°, 0.13 nm, AIS man-overboard beacon"; empty for an
 * alarm without a value or a text.
 */
export function alarmText(
  alarm: Worded,
  quantityText: QuantityText = inReportUnits(" "),
  phrases: AlarmPhrases = english,
): string {
  const { value, limit, minutes, bearing, range } = alarm;
  const quantity = (of: number): string => quantityText(alarm, of);
  const parts = [
    bearing === undefined ? undefined : `${fixed(bearing, 0).padStart(3, "0")}°`,
    range === undefined ? undefined : quantityText({ unit: "nm" }, range),
    value === undefined
      ? undefined
      : minutes === undefined
        ? quantity(value)
        : phrases.within(quantity(value), minutesText(minutes)),
    value === undefined || limit === undefined || minutes !== undefined ? undefined : phrases.limit(quantity(limit)),
    phrases.text(alarm),
  ];
  return parts.filter(Boolean).join(", ");
}
