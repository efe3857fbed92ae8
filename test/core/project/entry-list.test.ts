import fc from "fast-check";
import { expect, test } from "vitest";
import { byName, EntryList } from "../../../src/core/project/entry-list.ts";
import type { JsonObject } from "../../../src/core/project/json.ts";

const entry = fc.record({ name: fc.integer({ min: 0, max: 12 }), n: fc.nat() });
const change = fc.record({ kind: fc.constantFrom("put", "put", "append", "remove", "rename", "back"), entry });

test("an indexed list is the array that the same changes make one by one, whatever was done before", () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 30 }), fc.array(change, { maxLength: 60 }), (first, changes) => {
      let array: readonly JsonObject[] = first;
      let earlier = array;
      for (const { kind, entry } of changes) {
        const index = EntryList.of(array, byName);
        const place = array.findIndex(({ name }) => name === entry.name);
        expect(index.get(entry.name)).toBe(array[place]);
        const before = [...array];
        // A list that was changed before may be used again, as that of a request that was refused.
        if (kind === "back") [array, earlier] = [earlier, array];
        let expected: readonly JsonObject[] = array;
        if (kind === "put") {
          expected = place === -1 ? [...before, entry] : before.with(place, entry);
          index.put(entry);
        } else if (kind === "append") {
          expected = [...before, entry];
          index.append(entry);
        } else if (kind === "remove") {
          expected = before.filter((_, at) => at !== place);
          expect(index.remove(entry.name)).toBe(place !== -1);
        } else if (kind === "rename" && place !== -1) {
          const renamed = { ...entry, name: 100 + entry.n };
          if (array.some(({ name }) => name === renamed.name)) continue;
          expected = before.with(place, renamed);
          index.replace(entry.name, renamed);
        }
        if (kind !== "back") {
          earlier = array;
          array = index.toArray();
          expect(earlier).toEqual(before);
        }
        expect(array).toEqual(expected);
      }
    }),
    { numRuns: 300 },
  );
});
