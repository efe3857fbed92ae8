/** The buffer that messages are written into, and the writers' word to leave room for what they write. */
import { describe, expect, test } from "vitest";
import { AsciiBuffer, pieceOf, textOf } from "../../src/n2k/ascii-buffer.ts";
import { jsonWriterOf } from "../../src/n2k/json.ts";
import { definitions, reportOnly } from "../../src/n2k/pgns/index.ts";

/** As long as a fast packet can be, full of values, of entries of lists, and of texts that get longer by being escaped. */
const full = Uint8Array.from({ length: 223 }, (_, index) => (index % 2 === 0 ? 0xc3 : 0xa9));

test.each([...definitions, ...reportOnly].map(({ pgn }) => pgn))(
  "%i is written the same, whatever room there is where it begins",
  (pgn) => {
    const write = jsonWriterOf([...definitions, ...reportOnly].find((definition) => definition.pgn === pgn)!);
    const expected = textOf(write)(full, 0, full.length, 3);
    JSON.parse(expected);
    for (let size = 1; size < expected.length + 100; size++) {
      const out = new AsciiBuffer(size);
      write(out, full, 0, full.length, 3);
      expect(out.text()).toBe(expected);
    }
  },
);

test("AsciiBuffer grows with what is in it, and knows what has been written since", () => {
  const out = new AsciiBuffer(1);
  out.ascii("one");
  out.put(pieceOf(", two and some more"));
  out.fixed(-12_345, 2);
  expect(out.text()).toBe("one, two and some more-123.45");
  expect(out.text(3)).toBe(", two and some more-123.45");
  const other = new AsciiBuffer(1);
  other.take(out, 5);
  expect(other.text()).toBe("two and some more-123.45");
  expect(out.endsWith(other, 5)).toBe(true);
  expect(out.endsWith(other, 4)).toBe(false);
  other.at = 0;
  other.put(out.piece(22));
  expect(other.text()).toBe("-123.45");
  expect(out.endsWith(other, 5)).toBe(false);
  other.at = 0;
  other.ascii("-123.46");
  expect(out.endsWith(other, 22)).toBe(false);
});

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
