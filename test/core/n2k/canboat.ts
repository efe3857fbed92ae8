/** The public database that the layouts are compared with: canboat 6.2.0 as @canboat/ts-pgns brings it. */
import { createRequire } from "node:module";
import { bitsOf, type Field } from "../../../src/core/n2k/field.ts";
import { type PlacedField, placedFields } from "../../../src/core/n2k/layout.ts";

export interface CanboatField {
  readonly Id: string;
  readonly Name: string;
  readonly BitOffset?: number;
  readonly BitLength?: number;
  readonly FieldType: string;
  readonly Signed?: boolean;
  readonly Resolution?: number;
  readonly Offset?: number;
  readonly Unit?: string;
  readonly LookupEnumeration?: string;
  readonly PartOfPrimaryKey?: boolean;
  readonly Match?: number;
}

export interface CanboatPgn {
  readonly PGN: number;
  readonly Id: string;
  readonly Description: string;
  readonly Type: "Single" | "Fast" | "ISO" | "Mixed";
  readonly Length?: number;
  readonly MinLength?: number;
  readonly Fallback?: boolean;
  readonly Fields: readonly CanboatField[];
}

interface Canboat {
  readonly Version: string;
  readonly PGNs: readonly CanboatPgn[];
  readonly LookupEnumerations: readonly {
    readonly Name: string;
    readonly EnumValues: readonly { readonly Name: string; readonly Value: number }[];
  }[];
  readonly LookupIndirectEnumerations: readonly {
    readonly Name: string;
    readonly EnumValues: readonly { readonly Name: string; readonly Value1: number; readonly Value2: number }[];
  }[];
}

const folder = createRequire(import.meta.url)
  .resolve("@canboat/ts-pgns")
  .replace(/dist\/[^/]*$/, "");
export const canboat: Canboat = createRequire(import.meta.url)(`${folder}canboat.json`);

const layouts = new Map<number, CanboatPgn[]>();
for (const layout of canboat.PGNs) {
  if (layout.Fallback) continue;
  const others = layouts.get(layout.PGN);
  if (others === undefined) layouts.set(layout.PGN, [layout]);
  else others.push(layout);
}

/** The layouts of a PGN, without the catch-all of its range. */
export const canboatPgns = (pgn: number): readonly CanboatPgn[] => layouts.get(pgn) ?? [];

/** Texts by code. */
export const canboatEnumeration = (name: string): ReadonlyMap<number, string> =>
  new Map(
    canboat.LookupEnumerations.find(({ Name }) => Name === name)?.EnumValues.map(({ Name, Value }) => [Value, Name]),
  );

/** Conversions from the database's unit to the published one: factor and addend. */
const conversions: Readonly<Record<string, readonly [number, number]>> = {
  "rad deg": [180 / Math.PI, 0],
  "rad/s deg/s": [180 / Math.PI, 0],
  "rad/s deg/min": [(180 / Math.PI) * 60, 0],
  "m/s kn": [3600 / 1852, 0],
  "K °C": [1, -273.15],
  "Pa kPa": [1 / 1000, 0],
  "m NM": [1 / 1852, 0],
  "s h": [1 / 3600, 0],
  "s min": [1 / 60, 0],
  "s min from UTC": [1 / 60, 0],
  "semi-circle deg": [180, 0],
  "semi-circle/s deg/s": [180, 0],
  "s/s ns/s": [1e9, 0],
};

/** Factor and addend from the unit of the database to the published one. */
export const conversionOf = (from: string | undefined, to: string | undefined): readonly [number, number] =>
  conversions[`${from} ${to ?? from}`] ?? [1, 0];

/** The place of a field: the number of parts of variable length before it, and its bit from there. */
export interface At {
  readonly behind: number;
  readonly bit: number;
}

export interface OurField extends At {
  readonly name: string;
  readonly field: Field;
  readonly bits: number | undefined;
}

/** Our fields and their places; groups that repeat a fixed number of times are written out. */
export function ours(fields: readonly PlacedField[], from: At = { behind: 0, bit: 0 }): OurField[] {
  const list: OurField[] = [];
  let at = from;
  for (const { name, field, when } of fields) {
    const bits = bitsOf(field);
    if (field.kind === "repeat") {
      const times = field.times ?? 1;
      for (let each = 0; each < times; each++) {
        const group = ours(placedFields(field.group), at);
        list.push(...group);
        at = behindOf(group, at);
      }
      continue;
    }
    list.push({ name, field, bits, ...at });
    // Both readings of an `either` begin at the same bit.
    if (when?.includes("is not") === false) continue;
    at = bits === undefined ? { behind: at.behind + 1, bit: 0 } : { behind: at.behind, bit: at.bit + bits };
  }
  return list;
}

const behindOf = (group: readonly OurField[], at: At): At => {
  const last = group.at(-1);
  if (last === undefined) return at;
  return last.bits === undefined
    ? { behind: last.behind + 1, bit: 0 }
    : { behind: last.behind, bit: last.bit + last.bits };
};

/** The fields of the database and their places. */
export function theirs({ Fields }: CanboatPgn): (At & { readonly field: CanboatField })[] {
  let at = { behind: 0, bit: 0 };
  return Fields.map((field) => {
    const here = { ...at, field };
    at =
      field.BitLength === undefined
        ? { behind: at.behind + 1, bit: 0 }
        : { behind: at.behind, bit: at.bit + field.BitLength };
    return here;
  });
}

export const sameAt = (a: At, b: At): boolean => a.behind === b.behind && a.bit === b.bit;
