/**
 * The unit of the crew for a number with a unit of the reports: for limits, forms, differences and alarms, which are
 * stored and sent as they were. Pure.
 */

import { isOfDepth } from "../../../core/alarms/words.ts";
import { METRES_PER_MILE } from "../../../core/nav/great-circle.ts";
import { fixed } from "../../../core/text/quantity.ts";
import { numberText } from "../languages/formats.ts";
import { convert, type MeasureName, measureText, type UnitChoice } from "./units.ts";

/** A number with its unit; the kind of an alarm says what the unit does not. */
export interface Marked {
  readonly unit?: string | undefined;
  readonly kind?: string | undefined;
}

export interface CrewUnit {
  readonly unit: string;
  /** The number that the crew reads. */
  readonly show: (stored: number) => number;
  /** The number with its unit, a length in whole ones. */
  readonly text: (stored: number) => string;
  /** The number that is stored for one that the crew types: the stored one, while that is shown so. */
  readonly store: (shown: number, stored?: number) => number;
}

const PASCALS_PER_HECTOPASCAL = 100;

/** The measure of a unit of reports and settings, and its factor to the unit of the measure. */
function measureOf({ unit, kind }: Marked): readonly [MeasureName, number] | undefined {
  switch (unit) {
    case "nm":
    case "NM":
      return ["distance", 1];
    case "m":
      return ["depth", 1];
    case "kn":
      return [kind === "wind" || kind === "gust" ? "wind" : "speed", 1];
    case "°C":
      return ["temperature", 1];
    case "kPa":
      return ["enginePressure", 1];
    case "Pa":
      return ["airPressure", 1];
    case "hPa":
      return ["airPressure", PASCALS_PER_HECTOPASCAL];
    default:
      return undefined;
  }
}

/** Metres to an anchor, a person or a receiver. */
const isLength = ({ unit, kind }: Marked): boolean => unit === "m" && !isOfDepth(kind);

/** Fathoms are a unit of depth alone: other lengths are in feet then. */
const unitsFor = (units: UnitChoice, marked: Marked): UnitChoice =>
  isLength(marked) && units.depth === "fm" ? { ...units, depth: "ft" } : units;

/** Decimals that keep what was typed through the conversion. */
const [SHOWN_DECIMALS, STORED_DECIMALS] = [2, 4];

const rounded = (value: number, decimals: number): number => Number(fixed(value, decimals));

/** Undefined where the crew reads the unit of the reports, and for Beaufort, of which a number is a range. */
export function crewUnit(marked: Marked, choice: UnitChoice): CrewUnit | undefined {
  const found = measureOf(marked);
  if (found === undefined) return undefined;
  const [measure, factor] = found;
  const units = unitsFor(choice, marked);
  const unit = units[measure];
  const at = (stored: number): number => convert(measure, units, stored * factor);
  const [zero, one] = [at(0), at(1)];
  const isSame = unit === marked.unit || (one === 1 && zero === 0);
  if (isSame || unit === "Bft") return undefined;
  const show = (stored: number): number => rounded(at(stored), SHOWN_DECIMALS);
  return {
    unit,
    show,
    text: (stored) => `${isLength(marked) ? fixed(show(stored), 0) : numberText(String(show(stored)))}\u202f${unit}`,
    store: (shown, stored) =>
      stored !== undefined && show(stored) === shown ? stored : rounded((shown - zero) / (one - zero), STORED_DECIMALS),
  };
}

/** Metres to an anchor or a person as text, whole numbers: 47 m, 154 ft. */
export function lengthText(units: UnitChoice, metres: number): readonly [string, string] {
  const { unit, show } = crewUnit({ unit: "m" }, units) ?? { unit: "m", show: (value: number) => value };
  return [fixed(show(metres), 0), unit];
}

/** A distance to a person or a vessel in distress; near ones in metres or feet, by which a helmsman steers. */
export function rangeText(units: UnitChoice, miles: number): readonly [string, string] {
  if (miles >= 0.5) return [numberText(measureText("distance", units, miles)), units.distance];
  return lengthText(units, miles * METRES_PER_MILE);
}

/** A value of an alarm as text; undefined where it has the unit of the report. */
export function crewText(marked: Marked, units: UnitChoice, value: number): string | undefined {
  const found = measureOf(marked);
  if (found === undefined) return undefined;
  const [measure, factor] = found;
  if (isLength(marked)) return lengthText(units, value).join("\u202f");
  // A fall of the barometer has a tenth of a hectopascal.
  if (measure === "airPressure" && units.airPressure === "hPa") return undefined;
  return `${numberText(measureText(measure, units, value * factor))}\u202f${units[measure]}`;
}
