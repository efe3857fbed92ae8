/** The members of messages in words, and the first in which two messages of one subject differ. */
import type { Fields, RepeatField } from "../n2k/field.ts";
import { fieldLabel, unitOf } from "../n2k/label.ts";
import { fieldsByName, namesWhere } from "../n2k/layout.ts";

type Values = Readonly<Record<string, unknown>>;

/** A member in words, within a sentence. */
export function memberName(fields: Fields, name: string): string {
  const field = fieldsByName(fields)[name];
  const label = field === undefined ? name : fieldLabel(name, field);
  return label.charAt(0).toLowerCase() + label.slice(1);
}

const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return typeof value === "number" ? String(Number(value.toPrecision(5))) : String(value);
};

/** A member with its values: "voltage 12.6 and 13.4 V". */
export function memberValues(fields: Fields, name: string, values: readonly unknown[]): string {
  const named = fieldsByName(fields);
  const unit = unitOf(named[name], named);
  return `${memberName(fields, name)} ${values.map(valueText).join(" and ")}${unit === undefined ? "" : ` ${unit}`}`;
}

/** The first member of which two messages, or entries of their lists, have different values, with both. */
export function differenceIn(fields: Fields, mine: Values, theirs: Values): string | undefined {
  const named = fieldsByName(fields);
  const passed = new Set([...namesWhere({ fields }, (field) => field.key ?? field.counter), "pgn"]);
  for (const [name, value] of Object.entries(mine)) {
    const other = theirs[name];
    if (passed.has(name) || other === undefined) continue;
    const field = named[name];
    const difference =
      field?.kind === "repeat"
        ? differenceOfLists(field, memberName(fields, name), value as readonly Values[], other as readonly Values[])
        : valueText(value) === valueText(other)
          ? undefined
          : memberValues(fields, name, [value, other]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** The first entry that differs, by its number: "switch 3 status Off and On". */
function differenceOfLists(
  { group, numbered }: RepeatField,
  list: string,
  mine: readonly Values[],
  theirs: readonly Values[],
): string | undefined {
  const numberOf = (entry: Values, index: number): unknown => (numbered === undefined ? index + 1 : entry[numbered]);
  const others = new Map(theirs.map((entry, index) => [numberOf(entry, index), entry]));
  for (const [index, entry] of mine.entries()) {
    const number = numberOf(entry, index);
    const other = others.get(number);
    const difference = other && differenceIn(group, entry, other);
    if (difference !== undefined) return `${numbered ?? list} ${number} ${difference}`;
  }
  // Devices that number their entries may each have some of them.
  if (numbered !== undefined || mine.length === theirs.length) return undefined;
  return `number of ${list} ${mine.length} and ${theirs.length}`;
}
