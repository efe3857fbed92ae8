import { expect, test } from "vitest";
import { type ParameterName, pathParameters } from "../../../src/services/api/http/path-parameters.ts";

test.each<[ParameterName, string, unknown]>([
  ["deviceId", "0", 0],
  ["deviceId", "4095", 4095],
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
  expect(pathParameters[name].parse(text)).toEqual(value);
});

test.each<[ParameterName, readonly string[], string]>([
  [
    "deviceId",
    [
      ...["", "4096", "-1", "57abc", "+57", " 57", "5.0", "0x10", "1e2", "١", "12345678901234567890", "05"],
      "00000000000000000005",
    ],
    "malformed device id",
  ],
  [
    "zone",
    ["15", "016", "36", "16.", "16.F R", "16.FR.DE", ".FR", "-16", "16FR", "99999999999999999999"],
    "malformed zone",
  ],
  ["index", ["", "00", "01", "-1", "1a", "+0", "99999999999999999999"], "malformed index"],
  ["id", ["", "a".repeat(64), "a.b", "a_b", "ä", "a/b", "a b", "a\n"], "malformed project id"],
  ["name", ["", "a.b", "a_b", "é", "a\n", ".."], "malformed name"],
  ["setting", ["", ".", "..", "...", "a/b", "a_b", "a\n"], "malformed name"],
])("%s refuses what is no such segment", (name, texts, complaint) => {
  for (const text of texts) {
    expect(pathParameters[name].safeParse(text).error?.issues[0]?.message, text).toBe(complaint);
  }
});
