import { expect, test } from "vitest";
import { packFraming } from "../../src/n2k/framing.ts";

test("packFraming pairs each fast packet with its length, 0 for any, and leaves single frames out", () => {
  const packed = packFraming([
    { pgn: 129029, fast: true },
    { pgn: 127250, fast: false },
    { pgn: 127747, fast: true, length: 15 },
    { pgn: 127488, fast: false, length: 8 },
  ]);
  expect(packed).toEqual(Uint32Array.of(129029, 0, 127747, 15));
});
