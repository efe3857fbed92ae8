import { describe, expect, test } from "vitest";
import { lauTextEnd, readDigitPairs, readHex, readLauText, readText } from "../../../src/core/n2k/text.ts";

const bytes = (...parts: (string | number | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part)] : part)));

const fixed = (...parts: (string | number)[]): string => {
  const all = bytes(...parts);
  return readText(all, 0, all.length);
};

describe("readText", () => {
  test.each([
    ["spaces", fixed("NOORDZEE   "), "NOORDZEE"],
    ["0xFF", fixed("NOORDZEE", 0xff, 0xff), "NOORDZEE"],
    ["@", fixed("NOORDZEE@@@"), "NOORDZEE"],
    ["zeros", fixed("NOORDZEE", 0, 0), "NOORDZEE"],
    ["all of them", fixed("NOORDZEE @", 0xff, 0x20, 0), "NOORDZEE"],
    ["what is behind a zero", fixed("AB", 0, "CD"), "AB"],
    ["control characters at the end", fixed("AB@", 1), "AB"],
  ])("takes away %s", (_, text, expected) => expect(text).toBe(expected));

  test("keeps spaces and @ within", () => expect(fixed(" A @ B")).toBe(" A @ B"));
  test("is empty when there is only filling", () => {
    for (const byte of [0xff, 0x20, 0x40, 0x00]) expect(fixed(byte, byte, byte)).toBe("");
  });
  test("reads UTF-8, else ISO 8859-1", () => {
    expect(fixed("Zürich")).toBe("Zürich");
    expect(fixed("Z", 0xfc, "rich")).toBe("Zürich");
  });
  test("takes out control characters", () => expect(fixed("A", 7, "B", 0x7f, "C")).toBe("ABC"));
  test("takes out a byte order mark", () => expect(fixed(0xef, 0xbb, 0xbf, "A")).toBe("A"));
});

const lau = (...parts: (string | number | readonly number[])[]): string => {
  const all = bytes(...parts);
  return readLauText(all, 0, all.length);
};

describe("readLauText", () => {
  test("reads ASCII and UTF-8 with encoding 1", () => {
    expect(lau(6, 1, "Home")).toBe("Home");
    expect(lau(8, 1, "Zürich".slice(0, 5))).toBe("Züric");
  });
  test("reads UTF-16, little-endian, with encoding 0", () => {
    expect(lau(8, 0, [...Buffer.from("Zür", "utf16le")])).toBe("Zür");
    expect(lau(6, 0, [...Buffer.from("⛵", "utf16le"), 0x00, 0x00])).toBe("⛵");
  });
  test("makes half a pair of UTF-16 whole, so that it is valid text", () => {
    expect(lau(4, 0, [0x3d, 0xd8])).toBe("\ufffd");
  });
  test("leaves out the odd byte of UTF-16", () => expect(lau(5, 0, [0x41, 0x00, 0x42])).toBe("A"));
  test("ends at a zero, before 0xFF and before spaces", () => {
    expect(lau(7, 1, "AB", 0, "CD")).toBe("AB");
    expect(lau(6, 1, "AB", 0xff, 0xff)).toBe("AB");
    expect(lau(6, 1, "AB  ")).toBe("AB");
  });
  test("is empty when it says so", () => {
    expect(lau(2, 1)).toBe("");
    expect(lau(2, 0)).toBe("");
  });
  test.each([
    ["no length", []],
    ["length 0", [0, 1, 65]],
    ["length 1", [1, 1, 65]],
    ["length beyond the message", [9, 1, 65, 66]],
  ])("is empty and has no end with %s", (_, broken) => {
    const all = Uint8Array.from(broken);
    expect(readLauText(all, 0, all.length)).toBe("");
    expect(lauTextEnd(all, 0, all.length)).toBeGreaterThan(all.length + 1000);
  });
});

test("readDigitPairs reads two digits a byte and nothing else", () => {
  expect(readDigitPairs(Uint8Array.of(23, 50, 76, 39, 0), 0, 5)).toBe("2350763900");
  expect(readDigitPairs(Uint8Array.of(23, 100, 76, 39, 30), 0, 5)).toBe("");
});

test("readHex writes lower-case pairs", () => expect(readHex(Uint8Array.of(0, 0x3b, 0x9f, 0xff), 1, 4)).toBe("3b9fff"));
