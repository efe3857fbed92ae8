/**
 * A definition read as a list: its fields with their positions on the wire, groups flattened. For documentation
 * (`schema.ts`, `describe.ts`), for masks, and for tests that compare the definitions with others.
 */

import { memoize } from "../util/memoize.ts";
import type { Definition } from "./definition.ts";
import { bitsOf, type Field, type Fields, isPublished, type KeyedField } from "./field.ts";

export interface PlacedField {
  readonly name: string;
  readonly field: Field;
  /**
   * First bit, counted from the beginning of the message or group; undefined after a part of variable length, and for a
   * field without bits of its own.
   */
  readonly bit: number | undefined;
  /** Condition under which the message has the field, in words. */
  readonly when?: string;
}

/** All fields in wire order; the fields of `pick` and `either` stand in their place. */
export const placedFields = (fields: Fields): PlacedField[] => placedFrom(fields, 0);

function placedFrom(fields: Fields, from: number | undefined): PlacedField[] {
  const placed: PlacedField[] = [];
  let bit = from;
  for (const [name, field] of Object.entries(fields)) {
    const bits = bitsOf(field);
    // biome-ignore lint/plugin: fields of a message
    if (field.kind === "pick") placed.push(...placedFrom(field.group, bit));
    else if (field.kind === "either") {
      const { by, is } = field;
      // biome-ignore lint/plugin: fields of a message
      placed.push(...placedFrom(field.matching, bit).map((each) => ({ ...each, when: `${by} is ${is}` })));
      // biome-ignore lint/plugin: fields of a message
      placed.push(...placedFrom(field.otherwise, bit).map((each) => ({ ...each, when: `${by} is not ${is}` })));
      // biome-ignore lint/plugin: fields of a message
    } else if (field.kind === "keyed") placed.push(...keyedFields(field));
    else placed.push({ name, field, bit: bits === 0 ? undefined : bit });
    bit = bit === undefined || bits === undefined ? undefined : bit + bits;
  }
  return placed;
}

/** The fields of a value with a key, each name and kind of value once. */
function keyedFields({ by, cases, otherwise }: KeyedField): PlacedField[] {
  const found = new Map<string, PlacedField>();
  for (const [name, field] of [...Object.values(cases), otherwise].flatMap((fields) => Object.entries(fields)))
    found.set(name + JSON.stringify(field), { name, field, bit: undefined, when: `by ${by}` });
  return [...found.values()];
}

/** The fields of the members of a message or entry, by name: those of `pick`, `either` and `keyed` too. */
export const fieldsByName = memoize(
  (fields: Fields): Fields => Object.fromEntries(placedFields(fields).map(({ name, field }) => [name, field])),
);

/** The published fields in the document's order. */
export function publishedFields({ fields, order }: Pick<Definition, "fields" | "order">): PlacedField[] {
  const placed = placedFields(fields).filter(({ name }) => isPublished(name));
  return order === undefined ? placed : order.map((name) => placed.find((each) => each.name === name)!);
}

/** Names of the fields that match, in wire order; a field that is made of another one has its marks and quantity. */
export const namesWhere = (
  { fields }: Pick<Definition, "fields">,
  matches: (field: Field) => boolean | undefined,
): readonly string[] =>
  placedFields(fields).flatMap(({ name, field }) => {
    const base = field.kind === "also" || field.kind === "part" ? fields[field.of] : undefined;
    return matches(field) || (base && matches(base)) ? [name] : [];
  });

/** Names of the key fields, in wire order. */
export const keyNames = (definition: Pick<Definition, "fields">): readonly string[] =>
  namesWhere(definition, (field) => field.key);

export const publishedKeyNames = (definition: Pick<Definition, "fields">): readonly string[] =>
  keyNames(definition).filter(isPublished);

/** Bits of a payload: byte and mask. */
export type Bits = readonly [byte: number, mask: number];

/**
 * The bits of the fields that match, byte by byte; throws a TypeError if one has no fixed place.
 *
 * @example
 * bitsWhere({ instance: integer(u4), fluidType: choice(u4, TankType) }, ({ kind }) => kind === "choice") // [[0, 0xf0]]
 */
export function bitsWhere(fields: Fields, matches: (field: Field) => boolean): readonly Bits[] {
  const masks: number[] = [];
  for (const { name, field, bit } of placedFields(fields)) {
    if (!matches(field)) continue;
    const bits = bitsOf(field);
    if (bit === undefined || bits === undefined) throw new TypeError(`${name} has no fixed place`);
    for (let each = bit; each < bit + bits; each++) masks[each >> 3] = (masks[each >> 3] ?? 0) | (1 << (each & 7));
  }
  return masks.flatMap((mask, byte): Bits[] => [[byte, mask]]);
}
