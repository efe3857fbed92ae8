/** Names of uploaded charts: one that is taken would replace the chart that has it. */
import { expect, test } from "vitest";
import { pathParameters } from "../../../../src/services/api/http/path-parameters.ts";
import { chartName } from "../../../../src/web/display/boat/chart-name.ts";

test.each([
  ["Kattegat 2026.pmtiles", "Kattegat-2026.pmtiles"],
  ["sound_v1.2.MBTILES", "sound_v1.2.pmtiles"],
  ["Côte d'Azur.mbtiles", "Cote-d-Azur.pmtiles"],
  ["Co\u0302te d'Azur.mbtiles", "Cote-d-Azur.pmtiles"],
  ["Åland.pmtiles", "Aland.pmtiles"],
])("the chart of %s is %s", (file, name) => expect(chartName(file)).toBe(name));

test("files of other names have other names on the boat, which takes all of them", () => {
  const long = "The inner waters of the archipelago between two lighthouses";
  const files = [
    "Αιγαίο",
    "Κρήτη",
    "карта",
    "порт",
    "海図",
    "Øland",
    "Öland",
    `${long} north`,
    `${long} south`,
    "…",
    ".",
  ];
  const names = files.map((file) => chartName(`${file}.pmtiles`));
  expect(new Set(names).size).toBe(files.length);
  for (const name of names) expect(pathParameters.chart.safeParse(name).success, name).toBe(true);
});
