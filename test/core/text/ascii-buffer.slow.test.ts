/** The buffer that messages are written into, and the room that writers reserve in it. */
import { describe, expect, test } from "vitest";
import { jsonWriterOf } from "../../../src/core/n2k/json.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { AsciiBuffer, encodeText, ReusableText, textOf } from "../../../src/core/text/ascii-buffer.ts";

/** The longest fast packet, full of values, of entries of lists, and of texts that become longer by escapes. */
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
  out.write(encodeText(", two and some more"));
  out.fixed(-12_345, 2);
  expect(out.text()).toBe("one, two and some more-123.45");
  expect(out.text(3)).toBe(", two and some more-123.45");
  const other = new AsciiBuffer(1);
  other.copyFrom(out, 5);
  expect(other.text()).toBe("two and some more-123.45");
  expect(out.endsWith(other, 5)).toBe(true);
  expect(out.endsWith(other, 4)).toBe(false);
  other.at = 0;
  other.write(copyOf(out, 22));
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

const copyOf = (out: AsciiBuffer, from: number): ReusableText => {
  const copy = new ReusableText();
  copy.copyFrom(out, from);
  return copy;
};

describe("ReusableText", () => {
  test("stays in its memory where that has room, and says nothing of what was there", () => {
    const copy = copyOf(written("a longer text than the one behind it"), 0);
    const { words } = copy;
    copy.copyFrom(written("#short"), 1);
    expect(copy.words).toBe(words);
    const out = new AsciiBuffer(1);
    out.write(copy);
    out.writeBytes(copy);
    out.write(encodeText("!"));
    expect(out.text()).toBe("shortshort!");
  });

  test.each([1, 8, 63, 64, 65, 200])("takes more memory for what is %d bytes longer", (more) => {
    const copy = copyOf(written("12345678"), 0);
    const longer = "12345678".padEnd(8 + more, "9");
    copy.copyFrom(written(longer), 0);
    const out = new AsciiBuffer(1);
    out.write(copy);
    out.writeBytes(copy);
    out.write(copy);
    expect(out.text()).toBe(longer.repeat(3));
  });

  test("keeps its text where what was written behind it before would be no number", () => {
    const out = written("0123456789abcdef");
    out.bytes.fill(0xff);
    out.at = 0;
    out.ascii("12");
    const copy = copyOf(out, 0);
    const again = new AsciiBuffer(1);
    again.write(copy);
    expect(again.text()).toBe("12");
    expect(copy.words[0]).not.toBeNaN();
  });
});

test.each([
  "",
  "plain ASCII ~",
  'with "quotes"',
  "back\\slash",
  "Zürich",
  "tab\t",
  "\u007f",
  "\u2028",
  "\ud83d\ude00",
  "\ud83d",
])("AsciiBuffer.quoted writes %j as JSON that says the same", (text) => {
  const out = new AsciiBuffer(1);
  out.quoted(text);
  expect(JSON.parse(out.text())).toBe(text);
  expect(out.text()).toMatch(/^[\x20-\x7e]*$/);
});
