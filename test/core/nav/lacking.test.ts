/** What one message of a device lacks does not unsay what another has said: each PGN of the report, in both orders. */
import { expect, test } from "vitest";
import { type NavigatorMessage, navigatorDefinitions } from "../../../src/core/nav/messages.ts";
import type { NavigationData } from "../../../src/core/nav/navigation-report.ts";
import { coordinates, course, createBoat, fix, magnetic, variation, wind } from "./boat.ts";

const days = 20_778;
const complete: readonly NavigatorMessage[] = [
  { pgn: 126992, source: 0, date: days, time: 3600 },
  magnetic(100, { deviationDeg: 2, variationDeg: 3 }),
  { pgn: 127250, reference: "True", headingDeg: 105, variationDeg: 3 },
  { pgn: 127251, rateDegPerSec: 2 },
  variation(3),
  { pgn: 128000, leewayDeg: 2 },
  { pgn: 128259, speedWaterKnots: 5 },
  { pgn: 128267, depthM: 4, offsetM: 0.5 },
  coordinates(52, 4),
  course(10, 5),
  course(10, 5, "Magnetic"),
  fix(52, 4, { days, time: 3600, altitude: 3, hdop: 1, pdop: 2, geoidalSeparation: 40, integrity: 1 }),
  { pgn: 129033, days, time: 3600 },
  { pgn: 129044, localDatum: "WGS84" },
  ...[0, 1, 2, 3, 4].map((reference) => wind(reference, 10, 40)),
  { pgn: 130310, waterTempC: 10, outsideTempC: 20, pressurePa: 101_300 },
  { pgn: 130311, tempSource: "Sea Temperature", temperatureC: 10, pressurePa: 101_300 },
  { pgn: 130312, instance: 0, source: "Outside Temperature", actualTempC: 20 },
  { pgn: 130314, instance: 0, source: "Atmospheric", pressurePa: 101_300 },
  { pgn: 130316, instance: 0, source: "Sea Temperature", actualTempC: 10 },
];

test("there is a row for each PGN of the report", () => {
  expect(new Set(complete.map(({ pgn }) => pgn))).toEqual(new Set(navigatorDefinitions.map(({ pgn }) => pgn)));
});

/** What the position needs to be one, so that a datum is in the report. */
const reportOf = (...said: readonly NavigatorMessage[]): NavigationData => {
  const boat = createBoat();
  boat.say(3, coordinates(52, 4));
  for (const message of said) {
    boat.wait(700);
    boat.say(3, message);
  }
  return JSON.parse(JSON.stringify(boat.data(), (key, value) => (key === "source" ? undefined : value)));
};

const cases = complete.flatMap((message) => {
  const values = Object.keys(message).filter((name) => name !== "pgn");
  return values.map((lacking) => [message.pgn, lacking, message] as const);
});

test.each(cases)("%i with and without %s", (_, lacking, message) => {
  const { [lacking]: _value, ...poorer } = message as unknown as Readonly<Record<string, unknown>>;
  const all = reportOf(message);
  expect(reportOf(message, poorer as unknown as NavigatorMessage)).toEqual(all);
  expect(reportOf(poorer as unknown as NavigatorMessage, message)).toEqual(all);
});
