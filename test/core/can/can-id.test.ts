import fc from "fast-check";
import { expect, test } from "vitest";
import { fromCanId, isAddressed, toCanId } from "../../../src/core/can/can-id.ts";

test("toCanId puts 129025 of address 3 together as on the wire", () => {
  expect(toCanId({ priority: 2, pgn: 129025, source: 3, destination: 255 })).toBe(0x09f80103);
});

test("fromCanId takes apart a request to all", () => {
  expect(fromCanId(0x18eaff24)).toEqual({ priority: 6, pgn: 59904, source: 36, destination: 255 });
});

test("fromCanId finds an address up to PF 239, and a part of the PGN from 240 on", () => {
  expect(fromCanId(0x18ef2310)).toEqual({ priority: 6, pgn: 61184, source: 16, destination: 35 });
  expect(fromCanId(0x18f02310)).toEqual({ priority: 6, pgn: 61475, source: 16, destination: 255 });
  expect(fromCanId(0x19ef2310)).toEqual({ priority: 6, pgn: 126720, source: 16, destination: 35 });
});

test("toCanId undoes fromCanId for every identifier", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0x1fffffff }), (id) => {
      const parts = fromCanId(id);
      expect(toCanId(parts)).toBe(id);
      if (isAddressed(parts.pgn)) expect(parts.pgn & 0xff).toBe(0);
      else expect(parts.destination).toBe(255);
    }),
  );
});
