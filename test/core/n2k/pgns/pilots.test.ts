/** The messages of pilots that Signal K reads are those of the table of public PGNs, by which they are published. */
import { expect, test } from "vitest";
import * as pilots from "../../../../src/core/n2k/pgns/pilots.ts";
import { shared } from "../public-table.ts";

test.each(Object.values(pilots).map((definition) => [definition.title, definition] as const))(
  "%s is a message of the table",
  (title, { pgn, fields }) => {
    const other = shared.variants(pgn).find(({ definition }) => definition.title === title)?.definition.fields ?? {};
    expect(Object.keys(fields)).toEqual(Object.keys(other));
    for (const [name, { key: _, ...field }] of Object.entries(fields)) {
      const theirs = other[name]!;
      expect(field.kind, name).toBe(theirs.kind);
      const bits = (one: object) => ("wire" in one ? (one.wire as { bits: number }).bits : undefined);
      expect(bits(field), name).toBe(bits(theirs));
      if (field.kind === "choice" && theirs.kind === "choice" && field.open)
        expect(field.choices).toEqual(theirs.choices);
      if (field.kind === "bits" && theirs.kind === "bits") expect(field.names).toEqual(theirs.names);
    }
  },
);
