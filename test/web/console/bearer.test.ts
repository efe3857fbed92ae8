import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/core/text/sha256.ts";
import { bearerOf } from "../../../src/web/console/bearer.js";

test("the console's SHA-256 is Node's, for texts of every length about a block", () => {
  const node = (text: string): string => createHash("sha256").update(text).digest("hex");
  for (let length = 0; length < 200; length++) expect(sha256Hex("x".repeat(length))).toBe(node("x".repeat(length)));
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => sha256Hex(text) === node(text)));
});

test("what is typed into Authorize leaves as the hash the service wants; a hash stays as it is", () => {
  const hash = createHash("sha256").update("secret").digest("hex");
  expect(bearerOf("Bearer secret")).toBe(`Bearer ${hash}`);
  expect(bearerOf(bearerOf("Bearer secret"))).toBe(`Bearer ${hash}`);
  expect(bearerOf("Bearer Bearer x")).toBe(`Bearer ${createHash("sha256").update("Bearer x").digest("hex")}`);
});
