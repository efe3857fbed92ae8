import fc from "fast-check";
import { expect, test } from "vitest";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";

const fixed = textOf((out, scaled: number, decimals: number) => out.fixed(scaled, decimals));

test("fixed writes the integer with the point in its place and no zeros behind", () => {
  expect(fixed(-0, 0)).toBe("0");
  expect(fixed(-0, 1)).toBe("0");
  expect(fixed(-1, 2)).toBe("-0.01");
  expect(fixed(183346, 3)).toBe("183.346");
  expect(fixed(183000, 3)).toBe("183");
  expect(fixed(521234567, 7)).toBe("52.1234567");
  expect(fixed(-1, 10)).toBe("-0.0000000001");
});

test.each([1, 2, 3])("fixed writes everything there is behind the point of %i decimals", (decimals) => {
  const power = 10 ** decimals;
  for (let count = 0; count < power; count++) expect(fixed(count, decimals)).toBe(String(count / power));
});

test("fixed agrees with exact decimals for every number of them", () => {
  const counts = fc.integer({ min: -(2 ** 50), max: 2 ** 50 });
  fc.assert(
    fc.property(counts, fc.integer({ min: 0, max: 10 }), (count, decimals) => {
      const digits = String(Math.abs(count)).padStart(decimals + 1, "0");
      const [whole, rest] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)];
      const fraction = rest.replace(/0+$/, "");
      const expected = `${count < 0 ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
      expect(fixed(count, decimals)).toBe(expected);
    }),
  );
});
