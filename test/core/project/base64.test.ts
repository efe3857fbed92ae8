import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBase64, encodeBase64 } from "../../../src/core/project/base64.ts";

test("base64 is what Node makes of the same bytes, and comes back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = encodeBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString("base64"));
      expect(decodeBase64(text)).toEqual(bytes);
    }),
  );
});

test.each(["a", "ab", "abc", "ab=c", "====", "a===", "ab c", "abc\n", "ab-_", "é234", "日本語字"])(
  "decodeBase64 refuses %j",
  (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  },
);
