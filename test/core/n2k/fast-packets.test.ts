import { expect, test } from "vitest";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";

test("fastPacketTable pairs each PGN with its expected length, 0 for any", () => {
  expect(fastPacketTable([{ pgn: 129029 }, { pgn: 127747, length: 15 }])).toEqual(
    Uint32Array.of(129029, 0, 127747, 15),
  );
});
