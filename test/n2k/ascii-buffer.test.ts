import { describe, expect, test } from "vitest";
import { AsciiBuffer, pieceOf } from "../../src/n2k/ascii-buffer.ts";

const written = (text: string): AsciiBuffer => {
  const out = new AsciiBuffer(16);
  out.ascii(text);
  return out;
};

describe("AsciiBuffer.piece", () => {
  test("takes the place of a former one that has room, and says nothing of it", () => {
    const former = written("a longer text than the one behind it").piece(0);
    const next = written("#short").piece(1, former);
    expect(next.words).toBe(former.words);
    const out = new AsciiBuffer(1);
    out.put(next);
    out.put(pieceOf("!"));
    expect(out.text()).toBe("short!");
  });

  test("takes memory of its own where the former one is too small", () => {
    const former = pieceOf("12345678");
    const next = written("123456789").piece(0, former);
    expect(next.words).not.toBe(former.words);
    const out = new AsciiBuffer(1);
    out.put(next);
    out.put(former);
    expect(out.text()).toBe("12345678912345678");
  });
});
