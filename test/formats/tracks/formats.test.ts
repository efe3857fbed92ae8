import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { expect, onTestFinished, test, vi } from "vitest";
import type { KeptLine } from "../../../src/core/voyages/lines.ts";
import { figuresOf, voyageOf } from "../../../src/core/voyages/voyage.ts";
import { trackFormats } from "../../../src/formats/tracks/formats.ts";
import { GpxError } from "../../../src/formats/tracks/gpx-reader.ts";
import { voyagesInGpx } from "../../../src/formats/tracks/gpx-voyages.ts";

const T = Date.UTC(2026, 5, 1, 6);
const lines: readonly KeptLine[] = [
  { line: "entry", entry: 0, kind: "begin", time: T, conditions: { latitude: 54.3, longitude: -10.2 } },
  {
    line: "entry",
    entry: 1,
    kind: "note",
    time: T + 1000,
    text: '=1+1, "<&>" \u0000ü',
    conditions: { latitude: 54.3, longitude: -10.2, sog: 5.5 },
  },
  { line: "edit", entry: 1, time: T + 2000, text: 'said "<&>", twice\nü', author: "Ada" },
  {
    line: "track",
    time: T + 60_000,
    points: [
      [T, 54.3, -10.2],
      [T + 30_000, 54.31, -10.2],
      [T + 4_000_000, 54.4, -10.3, 1],
      [T + 4_060_000, 54.41, -10.31],
    ],
  },
];
const voyage = voyageOf(lines)!;
/** The voyages in a text, in an encoding. */
const readText = (text: string, encoding: BufferEncoding = "utf8") =>
  voyagesInGpx(Buffer.from(text, encoding), async () => {});
const written = (ending: string): string => trackFormats[ending]!.write(voyage, "A & B");

test.each(["gpx", "kml"])("%s is XML with the corrected text and both segments", (ending) => {
  const names: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => void names.push(name));
  parser.write(written(ending)).close();
  expect(names.filter((name) => name === "trkseg" || name === "LineString")).toHaveLength(2);
  expect(written(ending)).toContain("said &quot;&lt;&amp;&gt;&quot;, twice\nü");
});

test("CSV has a row for each entry, and no text that a spreadsheet computes", () => {
  const rows = written("csv").split("\r\n");
  expect(rows[0]).toMatch(/^time UTC,entry,text,crew,author,latitude deg,/);
  expect(rows[2]).toBe('2026-06-01T06:00:01.000Z,Note,"said ""<&>"", twice\nü",,Ada,54.3,-10.2,,5.5,,,,,,,,,,,,');
  expect(trackFormats.csv!.write(voyageOf(lines.filter(({ line }) => line !== "edit"))!, "")).toContain(
    `"'=1+1, ""<&>""`,
  );
});

test.each([
  ["UTF-8", "utf8"],
  ["UTF-16", "utf16le"],
] as const)("a track that is written as GPX in %s is the same voyage when it is read", async (_, encoding) => {
  const { voyages, leftOut } = await readText(written("gpx"), encoding);
  expect([voyages.length, leftOut]).toEqual([1, 0]);
  const read = voyageOf(voyages[0]!)!;
  expect(read.points).toEqual(voyage.points);
  expect(read.entries[0]).toMatchObject({ kind: "begin", time: T, text: "A & B" });
  expect(figuresOf(read).groundMiles).toBe(figuresOf(voyage).groundMiles);
});

test("a track of many points is many lines, and its time is counted once", async () => {
  const points = Array.from(
    { length: 1000 },
    (_, at) => `<trkpt lat="${at / 1e4}" lon="1"><time>${new Date(T + 1000 * at).toISOString()}</time></trkpt>`,
  );
  const [read] = (await readText(`<gpx><trk><trkseg>${points.join("")}</trkseg></trk></gpx>`)).voyages;
  expect(figuresOf(voyageOf(read!)!).underwaySeconds).toBe(999);
  // Six lines, of a quarter of an hour and 200 points at most, between the begin and the end.
  expect(read!.length).toBe(8);
});

const point = (time: string | undefined, lat = 54): string =>
  `<trkpt lat="${lat}" lon="10">${time === undefined ? "" : `<time>${time}</time>`}</trkpt>`;
const segment = (...times: readonly (string | undefined)[]): string =>
  `<trkseg>${times.map((time, at) => point(time, 54 + at / 1000)).join("")}</trkseg>`;
const gpx = (inner: string): string => `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${inner}</gpx>`;
const [morning, later] = ["2024-05-01T08:00:00Z", "2024-05-01T08:01:00Z"];

/** Files as other programs write them, with the begins and points of the voyages in them. */
test.each([
  [
    "several tracks",
    gpx(`<trk>${segment(morning, later)}</trk><trk>${segment("2023-01-01T00:00:00Z", "2023-01-01T00:00:01Z")}</trk>`),
    [
      [morning, 2],
      ["2023-01-01T00:00:00Z", 2],
    ],
    0,
  ],
  [
    "times without a zone, which are UTC",
    gpx(`<trk>${segment("2024-05-01T08:00:00", "2024-05-01 08:01:00")}</trk>`),
    [[morning, 2]],
    0,
  ],
  [
    "times of a zone, with fractions",
    gpx(`<trk>${segment("2024-05-01T10:00:00.0+02:00", "2024-05-01T10:01:00.50+02:00")}</trk>`),
    [[morning, 2]],
    0,
  ],
  ["no times", gpx(`<trk>${segment(undefined, undefined)}</trk>`), [], 2],
  [
    "times of a clock that was not set",
    gpx(`<trk>${segment("0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "+12024-01-01T00:00:00Z")}</trk>`),
    [],
    3,
  ],
  ["days that no calendar has", gpx(`<trk>${segment("2024-02-30T08:00:00Z", "2024-04-31T08:00:00")}</trk>`), [], 2],
  ["waypoints and routes alone", gpx('<wpt lat="1" lon="2"/><rte><rtept lat="1" lon="2"/></rte>'), [], 0],
  [
    "points in the reverse order, one of them twice",
    gpx(`<trk>${segment(later, morning, morning)}</trk>`),
    [[morning, 2]],
    1,
  ],
  [
    "segments of days in any order",
    gpx(`<trk>${segment("2024-05-03T08:00:00Z", "2024-05-03T08:01:00Z")}${segment(morning, later)}</trk>`),
    [
      [morning, 2],
      ["2024-05-03T08:00:00Z", 2],
    ],
    0,
  ],
  [
    "a prefix",
    `<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1">${`<trk>${segment(morning, later)}</trk>`.replaceAll(/<(\/?)/g, "<$1g:")}</g:gpx>`,
    [[morning, 2]],
    0,
  ],
  [
    "a byte order mark, and GPX 1.0",
    `\ufeff<?xml version="1.0"?><gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0"><trk>${segment(morning, later).replaceAll("</trkpt>", "<course>3</course></trkpt>")}</trk></gpx>`,
    [[morning, 2]],
    0,
  ],
] as const)("a file of another program: %s", async (_, text, expected, leftOut) => {
  // The boat's computer may have another zone.
  vi.stubEnv("TZ", "Asia/Tokyo");
  onTestFinished(() => void vi.unstubAllEnvs());
  const read = await readText(text);
  const found = read.voyages.map((kept) => voyageOf(kept)!);
  expect(found.map(({ from, points }) => [from, points.length])).toEqual(
    expected.map(([begin, count]) => [Date.parse(begin), count]),
  );
  expect(read.leftOut).toBe(leftOut);
});

test("each day of a track over midnight has its own time, in a zone of a quarter of an hour too", async () => {
  const times = Array.from({ length: 600 }, (_, at) => new Date(T + 60_000 * at).toISOString());
  const [read] = (await readText(gpx(`<trk>${segment(...times)}</trk>`))).voyages;
  for (const midnight of [T + 2 * 3_600_000, T + 2.75 * 3_600_000])
    expect(figuresOf(voyageOf(read!)!, T, midnight).underwaySeconds).toBe((midnight - T) / 1000 - 60);
});

test.each([
  ["<!DOCTYPE gpx><gpx/>", /document type/],
  ["<kml/>", /not GPX/],
  ["<gpx>", /not XML/],
  ["", /not XML|not GPX/],
] as const)("%j is refused", async (text, reason) => {
  await expect(readText(text)).rejects.toThrow(reason);
});

test("any text is read or refused", async () => {
  const pieces = [
    "<gpx>",
    "</gpx>",
    "<trk>",
    "</trk>",
    "<trkseg>",
    "</trkseg>",
    '<trkpt lat="1" lon="2">',
    "</trkpt>",
    "<time>",
    "2026-01-01T00:00:00Z",
    "</time>",
    "<name>",
    "</name>",
    "x",
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), async (parts) => {
      try {
        await readText(parts.join(""));
      } catch (error) {
        expect(error).toBeInstanceOf(GpxError);
      }
    }),
    { numRuns: 500 },
  );
});

const isInstalled = spawnSync("gpsbabel", ["-V"]).error === undefined;
const without = isInstalled || process.env.CI === "true" ? undefined : "gpsbabel is not installed";

test.skipIf(without !== undefined)(`gpsbabel reads GPX and KML ${without ?? ""}`, () => {
  for (const ending of ["gpx", "kml"]) {
    const { stdout, stderr, status } = spawnSync(
      "gpsbabel",
      ["-t", "-i", ending, "-f", "-", "-o", "unicsv,utc=0", "-F", "-"],
      { input: written(ending), encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("54.410000");
  }
});
