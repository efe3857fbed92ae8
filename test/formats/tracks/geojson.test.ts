import { expect, test } from "vitest";
import { lineStrings } from "../../../src/formats/tracks/geojson.ts";

test.each([
  [
    "east",
    [179.9, -179.7],
    [
      [
        [179.9, 10],
        [180, 10.5],
      ],
      [
        [-180, 10.5],
        [-179.7, 12],
      ],
    ],
  ],
  [
    "west",
    [-179.7, 179.9],
    [
      [
        [-179.7, 10],
        [-180, 11.5],
      ],
      [
        [180, 11.5],
        [179.9, 12],
      ],
    ],
  ],
  [
    "to the meridian itself and on",
    [179, -180, -179],
    [
      [
        [179, 10],
        [180, 12],
      ],
      [
        [-180, 12],
        [-179, 14],
      ],
    ],
  ],
  [
    "along the meridian",
    [180, 180],
    [
      [
        [180, 10],
        [180, 12],
      ],
    ],
  ],
])("a line across the 180th meridian is cut there, as RFC 7946 asks: %s", (_, longitudes, expected) => {
  const points = longitudes.map((longitude, at) => [at * 1000, 10 + 2 * at, longitude] as const);
  const rounded = lineStrings(points, 0).map((line) => line.map((place) => place.map((one) => Number(one.toFixed(9)))));
  expect(rounded).toEqual(expected);
});
