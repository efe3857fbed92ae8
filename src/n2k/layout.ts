/**
 * A definition read as a list: its fields with their places on the wire, groups taken apart. For the readings that people
 * see (`schema.ts`, `describe.ts`) and for the tests that compare the table with others.
 */
import { bitsOf, type Definition, type Field, type Fields, isPublished } from "./field.ts";

export interface PlacedField {
  readonly name: string;
  readonly field: Field;
  /** First bit, counted from the beginning of the message or group; undefined behind a part of variable length, and for what takes no bits of its own. */
  readonly bit: number | undefined;
  /** Which of several groups or readings it belongs to, in words. */
  readonly when?: string;
}

/** All fields in wire order. What is published flat (`pick`, `either`) stands in place of its group. */
export const placedFields = (fields: Fields): PlacedField[] => placedFrom(fields, 0);

function placedFrom(fields: Fields, from: number | undefined): PlacedField[] {
  const placed: PlacedField[] = [];
  let bit = from;
  for (const [name, field] of Object.entries(fields)) {
    const bits = bitsOf(field);
    if (field.kind === "pick") placed.push(...placedFrom(field.group, bit));
    else if (field.kind === "either") {
      const { by, is } = field;
      placed.push(...placedFrom(field.matching, bit).map((each) => ({ ...each, when: `${by} is ${is}` })));
      placed.push(...placedFrom(field.otherwise, bit).map((each) => ({ ...each, when: `${by} is not ${is}` })));
    } else placed.push({ name, field, bit: bits === 0 ? undefined : bit });
    bit = bit === undefined || bits === undefined ? undefined : bit + bits;
  }
  return placed;
}

/** The published fields in the document's order. */
export function publishedFields({ fields, order }: Pick<Definition, "fields" | "order">): PlacedField[] {
  const placed = placedFields(fields).filter(({ name }) => isPublished(name));
  return order === undefined ? placed : order.map((name) => placed.find((each) => each.name === name)!);
}
