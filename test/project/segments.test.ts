import { expect, test } from "vitest";
import { Refusal } from "../../src/project/refusal.ts";
import { readSegment, type SegmentName, splitPath } from "../../src/project/segments.ts";

test.each<[SegmentName, string, unknown]>([
  ["deviceId", "0", 0],
  ["deviceId", "4095", 4095],
  ["deviceId", "007", 7],
  ["zone", "16", { zone: 16 }],
  ["zone", "35.FR", { zone: 35, region: "FR" }],
  ["zone", "20.a-B-9", { zone: 20, region: "a-B-9" }],
  ["index", "0", 0],
  ["index", "12", 12],
  ["id", "a", "a"],
  ["id", `${"a".repeat(62)}-`, `${"a".repeat(62)}-`],
  ["name", "nav-lights", "nav-lights"],
  ["setting", "a.b", "a.b"],
  ["parameter", ".a", ".a"],
])("%s reads %j", (name, text, value) => {
  expect(readSegment(name, text)).toEqual(value);
});

test.each<[SegmentName, readonly (string | undefined)[], string]>([
  [
    "deviceId",
    ["", "4096", "-1", "57abc", "+57", " 57", "5.0", "0x10", "1e2", "١", "12345678901234567890"],
    "malformed device id",
  ],
  ["zone", ["15", "36", "16.", "16.F R", "16.FR.DE", ".FR", "-16", "16FR", "99999999999999999999"], "malformed zone"],
  ["index", ["", "-1", "1a", "+0", "99999999999999999999"], "malformed index"],
  ["id", ["", "a".repeat(64), "a.b", "a_b", "ä", "a/b", "a b", "a\n", undefined], "malformed project id"],
  ["name", ["", "a.b", "a_b", "é", "a\n", "..", undefined], "malformed name"],
  ["setting", ["", ".", "..", "...", "a/b", "a_b", "a\n"], "malformed name"],
])("%s refuses what is no such segment", (name, texts, complaint) => {
  for (const text of texts) {
    expect(() => readSegment(name, text), String(text)).toThrow(new Refusal(400, complaint));
  }
});

test("splitPath cuts before it decodes, and decodes once", () => {
  expect(splitPath("/")).toEqual([""]);
  expect(splitPath("/a//b/")).toEqual(["a", "", "b", ""]);
  expect(splitPath("/a%2Fb/c%252F")).toEqual(["a/b", "c%2F"]);
  expect(splitPath("/%zz/%ff/%")).toEqual([undefined, undefined, undefined]);
});
