/** Shared parts of the panels of systems: values of fields as text, and links to their trends. */
import type { Definition, Message } from "../../../core/n2k/definition.ts";
import type { NumberField } from "../../../core/n2k/field.ts";
import { fieldLabel } from "../../../core/n2k/label.ts";
import { isImplausible } from "../../../core/n2k/plausible.ts";
import { ofUnit } from "../../../core/n2k/units.ts";
import { fixed } from "../../../core/text/quantity.ts";
import type { ActiveAlarm } from "../alarms/alarms.ts";
import { settings } from "../data/settings.ts";
import type { DeviceMessage as Row } from "../data/store.ts";
import { convert, withUnit } from "../instruments/units.ts";
import { numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import type { Fact, Struck } from "../parts/facts.tsx";
import { Icon } from "../parts/icon.tsx";
import { pastState } from "../trend/boat-history.ts";
import { firstValue, hashOf, type KindName, measureOf, systemName } from "./system-values.ts";

/** A sensor without a reading sends the lowest possible number. */
const ABSOLUTE_ZERO = -273;

export const isReading = (field: NumberField, value: number | undefined): value is number =>
  value !== undefined && !(field.unit === "°C" && value <= ABSOLUTE_ZERO);

export function fieldText(field: NumberField, value: number | undefined): string {
  if (!isReading(field, value)) return "–";
  const { units } = settings.value;
  const measure = ofUnit(measureOf, field.unit ?? "");
  if (measure !== undefined) return withUnit(measure, units, value);
  if (field.unit === "L/h") return `${numberText(fixed(convert("volume", units, value), 1))}\u202f${units.volume}/h`;
  return `${numberText(fixed(value, Math.min(1, field.scale.decimals)))}${field.unit === undefined ? "" : `\u202f${field.unit}`}`;
}

/** Label of a field, and its value with unit; struck out if it has expired or is implausible. */
export const factOf = <Of extends Definition>(
  { pgn, fields }: Of,
  name: keyof Message<Of> & string,
  data: Partial<Message<Of>>,
  isOld = false,
  alarm?: ActiveAlarm,
): Fact => {
  const field = fields[name] as NumberField;
  const value = (data as Readonly<Record<string, number | undefined>>)[name];
  const isStruck = isOld || (isReading(field, value) && struck(pgn, name, data));
  return [said(fieldLabel(name, field)), fieldText(field, value), isStruck, alarm];
};

export const struck = (pgn: number, name: string, data: object): Struck =>
  isImplausible(pgn, name, data as Readonly<Record<string, unknown>>) && "implausible";

/** A link to the trend of a system, if the boat has a history. */
export function TrendLink({ kind, row }: { readonly kind: KindName; readonly row: Row<object> }) {
  const value = firstValue(kind, row);
  if (value === undefined || pastState.value === "none") return null;
  return (
    <a class="trend-link" href={hashOf(value)}>
      <span class="spoken">{say("Trend of {name}", { name: systemName(value) })}</span>
      <Icon d="M3 3V21H21M6 16L10 10L14 13L20 6" />
    </a>
  );
}
