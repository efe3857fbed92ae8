import fc from "fast-check";
import { expect, test } from "vitest";
import { dropEntry, type Entry, findEntry, putEntry } from "../../src/project/document.ts";

const entry = fc.record({ name: fc.integer({ min: 0, max: 120 }), n: fc.nat() });
const change = fc.record({ kind: fc.constantFrom("put", "put", "drop", "find", "back"), entry });

test("entries of long lists are found, replaced in place and dropped as those of short ones, whatever was done before", () => {
  fc.assert(
    fc.property(
      fc.array(entry, { minLength: 40, maxLength: 150 }),
      fc.array(change, { maxLength: 60 }),
      (first, changes) => {
        let list: readonly Entry[] = first;
        let earlier: readonly Entry[] = list;
        for (const { kind, entry } of changes) {
          const place = list.findIndex(({ name }) => name === entry.name);
          expect(findEntry(list, "name", entry.name)).toBe(list[place]);
          const before = [...list];
          // A list that was changed before may be used again, as that of a request that was refused.
          if (kind === "back") [list, earlier] = [earlier, list];
          if (kind === "put") {
            earlier = list;
            list = putEntry(list, "name", entry);
            expect(list).toEqual(place === -1 ? [...before, entry] : before.with(place, entry));
            expect(earlier).toEqual(before);
          }
          if (kind === "drop") {
            list = dropEntry(list, "name", entry.name);
            expect(list).toEqual(place === -1 ? before : before.toSpliced(place, 1));
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});
