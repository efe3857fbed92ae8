import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bytesEqual, joined, lengthOf, type Pieces, piecesEqual } from "../../../src/core/util/bytes.ts";

const bytes = fc.uint8Array({ max: 2, maxLength: 8 });
const pieces = fc.array(bytes, { maxLength: 5 });

test("pieces are equal exactly if what they are joined to is, wherever they are cut", () => {
  const areEqual = (one: Pieces, other: Pieces): boolean => Buffer.compare(joined(one), joined(other)) === 0;
  fc.assert(
    fc.property(pieces, pieces, fc.array(fc.nat(40)), (one, other, cuts) => {
      expect(piecesEqual(one, other)).toBe(areEqual(one, other));
      const places = [0, ...cuts.sort((a, b) => a - b), 1000];
      const cut = places.slice(1).map((end, index) => joined(one).slice(places[index], end));
      expect([piecesEqual(one, cut), piecesEqual(cut, one), lengthOf(cut)]).toEqual([true, true, lengthOf(one)]);
      expect(bytesEqual(joined(one), joined(other))).toBe(areEqual(one, other));
    }),
  );
});

test("one piece is not copied, and views of the same memory are equal by their place", () => {
  const piece = Uint8Array.of(1, 2, 3);
  expect(joined([piece])).toBe(piece);
  expect(bytesEqual(piece, piece.subarray(0))).toBe(true);
  expect(bytesEqual(piece, piece.subarray(0, 2))).toBe(false);
});
