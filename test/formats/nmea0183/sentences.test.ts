/** Each sentence from a message, field by field. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { publishedFields } from "../../../src/core/n2k/layout.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { navigationData } from "../../../src/core/nav/navigation-report.ts";
import { Nmea0183Encoder } from "../../../src/formats/nmea0183/encoder.ts";
import { navigationSentences } from "../../../src/formats/nmea0183/navigation-sentences.ts";
import { pgnSentences } from "../../../src/formats/nmea0183/pgn-sentences.ts";
import { fixed, framed, type Member, plain, scaled, sentenceText } from "../../../src/formats/nmea0183/sentence.ts";
import { transducerGroups, transducerText } from "../../../src/formats/nmea0183/transducers.ts";

/** The sentences without their checksums, by their three letters and the reference of MWV. */
function bodies(lines: string): string[] {
  return lines
    .split("\r\n")
    .slice(0, -1)
    .map((line) => line.slice(1, -3));
}

const report = {
  position: {
    hasFix: true,
    fixType: "dgnss",
    method: 2,
    numSatellites: 9,
    latitude: 53.3053281,
    longitude: -3.6191466,
    altitude: 3.14,
    hdop: 0.8,
    geoidalSeparation: -46.9,
  },
  speed_course: {
    cog: 304.6,
    sog: 5.68,
    headingTrue: 294.7,
    headingMagnetic: 292.8,
    speedThroughWater: 5.5,
    rateOfTurn: -0.566,
    deviation: -1.5,
    variation: 1.9,
  },
  wind_apparent: { speed: 18.02, angle: -38.4 },
  wind_true: { speed: 14.47, angle: -53.3, direction: 241.4, reference: "water", computed: true },
  depth_water: {
    depth: 15.21,
    offset: -0.6,
    waterTemperature: 12.44,
    outsideTemperature: 14.49,
    atmosphericPressure: 101700,
  },
  date: { date: "2026-11-22", time: "08:05:09" },
};

let encoder: Nmea0183Encoder;
beforeEach(() => {
  encoder = new Nmea0183Encoder();
});

const navigation = (data: object, nowMs = 0): string[] => bodies(encoder.navigation(data, nowMs));
const pgn = (number: number, data: object, nowMs = 0, address = 1): string[] =>
  bodies(encoder.pgn(number, address, { pgn: number, ...data }, nowMs));
/** The sentence of these letters alone. */
const only = (id: string, sentences: readonly string[]): string[] =>
  sentences.filter((body) => body.slice(2, 5) === id);

test("the navigation report gives each of its sentences", () => {
  expect(navigation(report)).toEqual([
    "GPRMC,080509.00,A,5318.3197,N,00337.1488,W,5.7,304.6,221126,1.9,E,D",
    "GPGGA,080509.00,5318.3197,N,00337.1488,W,2,09,0.8,3.1,M,-46.9,M,,",
    "GPGLL,5318.3197,N,00337.1488,W,080509.00,A,D",
    "GPVTG,304.6,T,302.7,M,5.7,N,10.5,K,D",
    "GPZDA,080509.00,22,11,2026,,",
    "HCHDG,294.3,1.5,W,1.9,E",
    "HCHDM,292.8,M",
    "IIHDT,294.7,T",
    "IIROT,-34.0,A",
    "IIVHW,294.7,T,292.8,M,5.50,N,10.19,K",
    "IIDBT,49.9,f,15.21,M,8.3,F",
    "IIDPT,15.21,-0.60,",
    "IIMTW,12.4,C",
    "IIMWV,321.6,R,18.0,N,A",
    "IIMWV,306.7,T,14.5,N,A",
    "IIXDR,C,14.5,C,TempAir,P,1.01700,B,Barometer",
  ]);
});

test("without anything there is a position without a fix, and nothing else", () => {
  expect(navigation({})).toEqual(["GPRMC,,V,,,,,,,,,,N", "GPGGA,,,,,,0,,,,M,,M,,", "GPGLL,,,,,,V,N"]);
});

test("wind over the ground is MWD, and no wind of the boat's own", () => {
  const wind_true = { speed: 10, angle: 20, direction: 359.95, reference: "ground", computed: true };
  const sentences = navigation({ wind_true, speed_course: { variation: -2 } });
  expect(only("MWD", sentences)).toEqual(["IIMWD,000.0,T,002.0,M,10.0,N,5.1,M"]);
  expect(only("MWV", sentences)).toEqual([]);
  expect(only("MWD", navigation({ wind_true: { ...wind_true, reference: "water" } }, 5000))).toEqual([]);
});

test("a wind without its angle is not valid", () => {
  expect(only("MWV", navigation({ wind_apparent: { speed: 3, angle: null } }))).toEqual(["IIMWV,,R,3.0,N,V"]);
});

test.each([
  ["no_fix", "V", "N", "0"],
  ["gnss", "A", "A", "1"],
  ["dgnss", "A", "D", "2"],
  ["precise_gnss", "A", "P", "3"],
  ["rtk_fixed", "A", "R", "4"],
  ["rtk_float", "A", "F", "5"],
  ["estimated", "V", "E", "6"],
  ["manual", "V", "M", "7"],
  ["simulator", "V", "S", "8"],
  ["unknown", "A", "A", "1"],
])("a fix of type %s has status %s, mode %s and quality %s", (fixType, status, mode, quality) => {
  const position = { hasFix: fixType !== "no_fix", fixType, latitude: 1, longitude: 2 };
  const [rmc, gga, gll] = navigation({ position, date: { date: "2026-11-22", time: "00:00:00" } });
  expect(rmc).toBe(`GPRMC,000000.00,${status},0100.0000,N,00200.0000,E,,,221126,,,${mode}`);
  expect(gga).toBe(`GPGGA,000000.00,0100.0000,N,00200.0000,E,${quality},,,,M,,M,,`);
  expect(gll).toBe(`GPGLL,0100.0000,N,00200.0000,E,000000.00,${status},${mode}`);
});

test("where no time is known, RMC has no valid position; GGA and GLL, which plotters need then, have it", () => {
  expect(navigation({ position: { hasFix: true, fixType: "gnss", latitude: 1, longitude: 2 } })).toEqual([
    "GPRMC,,V,0100.0000,N,00200.0000,E,,,,,,N",
    "GPGGA,,0100.0000,N,00200.0000,E,1,,,,M,,M,,",
    "GPGLL,0100.0000,N,00200.0000,E,,A,A",
  ]);
});

describe("coordinates", () => {
  const placed = (latitude: number, longitude: number): string =>
    only("GLL", navigation({ position: { latitude, longitude } }))[0]!
      .split(",")
      .slice(1, 5)
      .join(",");

  test.each([
    [0, 0, "0000.0000,N,00000.0000,E"],
    [-0.0000001, -0.0000001, "0000.0000,S,00000.0000,W"],
    [1 - 1e-7, 9.9999999, "0100.0000,N,01000.0000,E"],
    [-59.9999995, 179.9999999, "6000.0000,S,18000.0000,E"],
    [53.9999983, -99.9999992, "5359.9999,N,10000.0000,W"],
    [-90, -180, "9000.0000,S,18000.0000,W"],
  ])("%d %d is %s", (latitude, longitude, text) => {
    expect(placed(latitude, longitude)).toBe(text);
  });

  test("read back they are the same within half of their last digit, with minutes below 60", () => {
    fc.assert(
      fc.property(fc.integer({ min: -900_000_000, max: 900_000_000 }), (count) => {
        encoder = new Nmea0183Encoder();
        const latitude = count / 1e7;
        const [text, letter] = placed(latitude, 0).split(",") as [string, string];
        const [degrees, minutes] = [Number(text.slice(0, 2)), Number(text.slice(2))];
        expect(minutes).toBeLessThan(60);
        const read = (degrees + minutes / 60) * (letter === "S" ? -1 : 1);
        expect(Math.abs(read - latitude) * 600_000).toBeLessThan(0.5001);
      }),
    );
  });
});

test.each([
  [359.94, "359.9"],
  [359.95, "000.0"],
  [360, "000.0"],
  [-0.04, "000.0"],
  [-38.4, "321.6"],
  [0.05, "000.1"],
])("the direction %d is %s", (angle, text) => {
  expect(only("MWV", navigation({ wind_apparent: { speed: 0, angle } }))).toEqual([`IIMWV,${text},R,0.0,N,A`]);
});

test.each([
  [1.005, 2, "1.01"],
  [-1.005, 2, "-1.01"],
  [0.04, 1, "0.0"],
  [-0.04, 1, "0.0"],
  [9.995, 2, "10.00"],
  [1e9, 0, "1000000000"],
])("%d with %d decimals is %s", (value, decimals, text) => {
  expect(fixed(scaled(value, decimals), decimals)).toBe(text);
});

test.each([
  ["2026-13-01", ""],
  ["2026-02-29", ""],
  ["2026-04-31", ""],
  ["2024-02-29", "290224"],
])("the date %s is %j", (date, text) => {
  const [rmc] = navigation({ date: { date, time: "00:00:00" } });
  expect(rmc!.split(",")[9]).toBe(text);
});

test.each(["99:99:99", "24:00:00", "12:60:00", "12:00:61"])(
  "the time %s is none, and without a time there is no ZDA",
  (time) => {
    const sentences = navigation({ date: { date: "2026-11-22", time } });
    expect(only("RMC", sentences)).toEqual(["GPRMC,,V,,,,,,,221126,,,N"]);
    expect(only("ZDA", sentences)).toEqual([]);
  },
);

test("the leap second is the next one, as computers count", () => {
  expect(only("ZDA", navigation({ date: { time: "23:59:60" } }))).toEqual(["GPZDA,000000.00,,,,,"]);
});

describe("the time", () => {
  /** A report whose time arrived `timeAge` seconds ago, and its position `positionAge` seconds ago. */
  const told = (date: object, timeAge: number, positionAge: number) => ({
    position: { hasFix: true, fixType: "gnss", latitude: 1, longitude: 2, source: { age: positionAge } },
    date: { ...date, source: { age: timeAge } },
  });
  const times = (sentences: readonly string[]) => [
    only("RMC", sentences)[0]!.split(",")[1],
    only("GGA", sentences)[0]!.split(",")[1],
    only("GLL", sentences)[0]!.split(",")[5],
    only("ZDA", sentences)[0]!.split(",")[1],
  ];
  const morning = { date: "2026-11-22", time: "08:05:09", fraction: 0.7234 };

  test("is that of the position, whose message came after or before that of the time", () => {
    expect(times(navigation(told(morning, 0.6, 0.1)))).toEqual(Array(4).fill("080510.22"));
    expect(times(navigation(told(morning, 0.1, 0.6), 5000))).toEqual(Array(4).fill("080509.22"));
  });

  test("of a message that has both is its own, to the hundredth", () => {
    expect(times(navigation(told(morning, 0.345, 0.345)))).toEqual(Array(4).fill("080509.72"));
    expect(times(navigation(told({ ...morning, fraction: undefined }, 2, 2), 5000))).toEqual(
      Array(4).fill("080509.00"),
    );
  });

  test("goes on to the next day", () => {
    const sentences = navigation(told({ date: "2026-12-31", time: "23:59:59", fraction: 0.5 }, 0.75, 0.125));
    expect(only("RMC", sentences)).toEqual(["GPRMC,000000.12,A,0100.0000,N,00200.0000,E,,,010127,,,A"]);
    expect(only("ZDA", sentences)).toEqual(["GPZDA,000000.12,01,01,2027,,"]);
  });

  test("of a position is sent with the first report of it, not by a clock of its own", () => {
    navigation(told(morning, 0, 0));
    expect(only("RMC", navigation(told(morning, 0.9, 0.9), 900))).toEqual([]);
    const next = { ...morning, time: "08:05:10" };
    expect(only("RMC", navigation(told(next, 0.02, 0.02), 990))[0]).toMatch(/^GPRMC,080510\.72,A/);
    expect(only("RMC", navigation(told(next, 0.12, 0.12), 1090))).toEqual([]);
  });

  test("of a sentence that is not about the position is that at which it is written", () => {
    navigation(told(morning, 0.5, 0.5), 0);
    const way = { distanceToWaypoint: 1, bearingToWaypoint: 2 };
    expect(only("BWC", pgn(129284, way, 250))[0]).toMatch(/^GPBWC,080510\.47,/);
  });
});

test.each([
  [91, 2],
  [1, 181],
  [1, undefined],
])("latitude %d with longitude %s is no position, and no fix", (latitude, longitude) => {
  const position = { hasFix: true, fixType: "gnss", latitude, longitude };
  expect(navigation({ position })).toEqual(["GPRMC,,V,,,,,,,,,,N", "GPGGA,,,,,,0,,,,M,,M,,", "GPGLL,,,,,,V,N"]);
});

test("nothing is colder than absolute zero", () => {
  const depth_water = { waterTemperature: -273.16, outsideTemperature: -300 };
  expect(navigation({ depth_water }).filter((body) => body.startsWith("II"))).toEqual([]);
  expect(only("MTW", navigation({ depth_water: { waterTemperature: -273.15 } }, 1000))).toEqual(["IIMTW,-273.2,C"]);
  expect(pgn(130312, { instance: 3, source: "Engine Room Temperature", actualTempC: -300 })).toEqual([]);
});

describe("values of other messages", () => {
  test("a PGN gives its sentence", () => {
    expect(pgn(127245, { instance: 0, positionDeg: -12.34 })).toEqual(["IIRSA,-12.3,A,,V"]);
    expect(pgn(128275, { totalLogNm: 1234.567, tripLogNm: 0.004 })).toEqual(["IIVLW,1234.57,N,0.00,N"]);
    expect(pgn(127245, { instance: 1 }, 10_000)).toEqual([]);
  });

  test("engines, tanks, batteries and rooms are transducers", () => {
    expect(pgn(127488, { engineInstance: 1, engineSpeedRpm: 1812.5 })).toEqual(["IIXDR,T,1813,R,ENGINE#1"]);
    expect(
      pgn(127489, {
        engineInstance: 0,
        oilPressureKpa: 310.2,
        oilTempC: 90.1,
        coolantTempC: 78,
        alternatorVoltage: 14.2,
        engineHours: 1234.5,
      }),
    ).toEqual([
      "IIXDR,P,310200,P,ENGINEOIL#0,C,90.1,C,ENGINEOIL#0,C,78.0,C,ENGINE#0",
      "IIXDR,U,14.20,V,ALTERNATOR#0,G,1234.5,,ENGINE#0",
    ]);
    expect(pgn(127505, { instance: 0, fluidType: "Gray water", levelPercent: 45.6 })).toEqual([
      "IIXDR,E,45.6,P,WASTEWATER#0",
    ]);
    expect(pgn(127508, { instance: 2, voltageV: 12.61, currentA: -3.2 })).toEqual([
      "IIXDR,U,12.61,V,BATTERY#2,I,-3.2,A,BATTERY#2",
    ]);
    expect(pgn(130312, { instance: 3, source: "Engine Room Temperature", actualTempC: 41.04 })).toEqual([
      "IIXDR,C,41.0,C,ENGINEROOM#3",
    ]);
    expect(pgn(130316, { instance: 0, source: "Sea Temperature", actualTempC: 11 })).toEqual([]);
    expect(pgn(127257, { pitchDeg: -1.25, rollDeg: 14 })).toEqual(["IIXDR,A,-1.3,D,PITCH,A,14.0,D,ROLL"]);
  });

  test("a thing that the crew has named is sent under its standard name, and once more under its own", () => {
    encoder.names(1, [
      { pgn: 127505, key: { instance: 2, fluidType: "Fuel" }, name: "Réservoir, bâbord" },
      { pgn: 127488, key: { engineInstance: 0 }, name: "Main*port" },
      { pgn: 127508, key: { instance: 0 }, name: "The house bank of forty letters, no more" },
      { pgn: 127257, key: {}, name: "Mast" },
    ]);
    expect(pgn(127505, { instance: 2, fluidType: "Fuel", levelPercent: 45.6 })).toEqual([
      "IIXDR,E,45.6,P,FUEL#2",
      "IIXDR,E,45.6,P,Reservoir babord",
    ]);
    expect(pgn(127505, { instance: 3, fluidType: "Fuel", levelPercent: 45.6 })).toEqual(["IIXDR,E,45.6,P,FUEL#3"]);
    // A message of another device.
    expect(pgn(127505, { instance: 2, fluidType: "Fuel", levelPercent: 45.6 }, 20_000, 9)).toEqual([
      "IIXDR,E,45.6,P,FUEL#2",
    ]);
    const engine = { oilPressureKpa: 310.2, oilTempC: 90.1, coolantTempC: 78, alternatorVoltage: 14.2 };
    expect(pgn(127489, { engineInstance: 0, ...engine }).slice(2)).toEqual([
      "IIXDR,P,310200,P,Main-port oil,C,90.1,C,Main-port oil,C,78.0,C,Main-port",
      "IIXDR,U,14.20,V,Main-port alternator",
    ]);
    const named = pgn(127508, { instance: 0, voltageV: 12.61, currentA: -3.2 }).slice(1);
    expect(named).toEqual([
      "IIXDR,U,12.61,V,The house bank of forty letters no more",
      "IIXDR,I,-3.2,A,The house bank of forty letters no more",
    ]);
    for (const body of named) expect(framed("$", body).length).toBeLessThanOrEqual(82);
    // Apps know pitch and roll by these names alone.
    expect(pgn(127257, { pitchDeg: 1, rollDeg: 14 })).toEqual(["IIXDR,A,1.0,D,PITCH,A,14.0,D,ROLL"]);
    encoder.names(1, []);
    expect(pgn(127505, { instance: 2, fluidType: "Fuel", levelPercent: 45.6 }, 60_000)).toEqual([
      "IIXDR,E,45.6,P,FUEL#2",
    ]);
  });

  const leg = {
    distanceToWaypoint: 3704,
    bearingToWaypoint: 12.5,
    bearingReference: "True",
    arrivalStatus: "Arrival Circle Entered, Perpendicular Crossed",
    waypointId: 7,
    destinationLatitude: -1.5,
    destinationLongitude: 2.25,
  };

  test("the way to a waypoint, with its name and the error from the track", () => {
    navigation({ speed_course: { variation: 2 }, date: { time: "08:05:09" } });
    pgn(129285, {
      waypoints: [
        { waypointId: 6, name: "A" },
        { waypointId: 7, name: "Isle*of, Wight, NORTH" },
      ],
    });
    expect(pgn(129283, { xteMode: 3, xte: 185.2 })).toEqual(["GPXTE,V,V,0.100,L,N,S"]);
    expect(pgn(129284, leg)).toEqual([
      "GPRMB,V,0.100,L,,Isle-of- Wight,0130.0000,S,00215.0000,E,2.000,012.5,,A,S",
      "GPAPB,V,V,0.100,L,N,A,A,,,Isle-of- Wight,012.5,T,012.5,T,S",
      "GPBWC,080509.00,0130.0000,S,00215.0000,E,012.5,T,010.5,M,2.000,N,Isle-of-,S",
    ]);
  });

  test("a waypoint has its name in whichever message of the route it was", () => {
    const part = (startRps: number, ...names: readonly string[]) => ({
      ...{ startRps, databaseId: 1, routeId: 2 },
      waypoints: names.map((name, index) => ({ waypointId: 6 + startRps + index, name })),
    });
    const named = (nowMs: number) =>
      only("BWC", pgn(129284, leg, nowMs))[0]!
        .split(",")
        .at(-2);
    pgn(129285, part(0, "A", "B"));
    pgn(129285, part(2, "C"));
    expect(named(0)).toBe("B");
    pgn(129285, part(0, "A", "New"));
    expect(named(2000)).toBe("New");
    pgn(129285, { ...part(2, "C"), routeId: 3 });
    expect(named(4000)).toBe("7");
  });

  test("the parts of a route are those of the device that counts, and go with the course", () => {
    const part = (startRps: number) => ({ startRps, waypoints: [{ waypointId: 7 + startRps, name: `${startRps}.` }] });
    const named = (nowMs: number) =>
      only("BWC", pgn(129284, leg, nowMs))[0]!
        .split(",")
        .at(-2);
    pgn(129285, part(0), 0, 1);
    pgn(129285, part(1), 0, 2);
    expect(named(0)).toBe("0.");
    pgn(129285, part(1), 6000, 2);
    expect(named(6000)).toBe("7");
    pgn(129285, part(0), 6000, 2);
    encoder.forgetCourse();
    pgn(129285, part(1), 8000, 2);
    expect(named(8000)).toBe("7");
  });

  test("without a cross-track error, a name or a variation their fields are empty", () => {
    expect(pgn(129284, { ...leg, bearingReference: "Magnetic", arrivalStatus: "Not Arrived" })).toEqual([
      "GPRMB,V,,,,7,0130.0000,S,00215.0000,E,2.000,,,V,N",
      "GPAPB,V,V,,,N,V,V,,,7,012.5,M,012.5,M,N",
      "GPBWC,,0130.0000,S,00215.0000,E,,T,012.5,M,2.000,N,7,A",
    ]);
  });

  test.each([
    [undefined, "A", "A"],
    [0, "A", "A"],
    [1, "A", "D"],
    [2, "V", "E"],
    [3, "V", "S"],
    [4, "V", "M"],
    [5, "V", "N"],
    ["Estimated", "V", "N"],
  ])("a cross-track error of mode %s has status %s and mode %s", (xteMode, status, mode) => {
    expect(pgn(129283, { xteMode, xte: 0 })).toEqual([`GPXTE,${status},${status},0.000,L,N,${mode}`]);
    const [rmb, apb, bwc] = pgn(129284, leg);
    expect([rmb!.slice(0, 7), rmb!.at(-1)]).toEqual([`GPRMB,${status}`, mode]);
    expect([apb!.slice(0, 9), apb!.at(-1)]).toEqual([`GPAPB,${status},${status}`, mode]);
    expect(bwc!.at(-1)).toBe(mode);
  });

  test.each([-926, -1.852, -0.5, 0, 0.5, 1.852, 9000])(
    "a cross-track error of %d metres is the same in all sentences",
    (xte) => {
      const [said] = pgn(129283, { xte });
      const errors = [said!, ...pgn(129284, leg)].map((body) => /,(\d+\.\d+,[LR]),/.exec(body)?.[1]).slice(0, 3);
      expect(new Set(errors).size).toBe(1);
    },
  );

  test.each([
    [12.5, 6, "6.0"],
    [72.5, 6, "3.0"],
    [192.5, 6, "-6.0"],
    [undefined, 6, ""],
  ])("a course of %s towards 12.5 degrees closes with %s knots", (cog, sog, velocity) => {
    navigation({ speed_course: { cog, sog } });
    expect(only("RMB", pgn(129284, leg))[0]!.split(",")[12]).toBe(velocity);
  });

  test("to the left of the track the boat steers to the right, and RMB has room for 9.99 miles", () => {
    pgn(129283, { xte: -40_000 });
    expect(only("RMB", pgn(129284, leg))[0]).toMatch(/^GPRMB,A,9\.990,R,/);
    expect(only("XTE", pgn(129283, { xte: -40_000 }, 1000))).toEqual(["GPXTE,A,A,21.598,R,N,A"]);
  });

  test("a cross-track error of five seconds ago is stale", () => {
    pgn(129283, { xte: 100 }, 0);
    expect(only("APB", pgn(129284, leg, 5000))[0]).toMatch(/^GPAPB,A,A,0\.054,L/);
    expect(only("APB", pgn(129284, leg, 6000))[0]).toMatch(/^GPAPB,V,V,,,N/);
  });

  test("after the bridge has gone nothing of before is used", () => {
    pgn(129283, { xte: 100 }, 0);
    encoder.forget();
    expect(only("APB", pgn(129284, leg, 1))[0]).toMatch(/^GPAPB,V,V,,,N/);
  });
});

describe("rates and sources", () => {
  test("a sentence comes at most as often as its definition says", () => {
    const counts = new Map<string, number>();
    for (let now = 0; now < 10_000; now += 100) {
      for (const body of navigation(report, now)) {
        const id = body.slice(2, 5);
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    expect(Object.fromEntries(counts)).toMatchObject({ RMC: 10, GGA: 10, HDG: 100, HDT: 20, MWV: 40, DPT: 10, XDR: 2 });
  });

  test("of two rudders that are heard one is sent, and the other once the first is silent", () => {
    const rudder = (address: number, positionDeg: number, nowMs: number) =>
      pgn(127245, { instance: 0, positionDeg }, nowMs, address);
    expect(rudder(1, 10, 0)).toEqual(["IIRSA,10.0,A,,V"]);
    expect(rudder(2, 20, 1000)).toEqual([]);
    expect(rudder(1, 11, 2000)).toEqual(["IIRSA,11.0,A,,V"]);
    expect(rudder(2, 21, 7000)).toEqual([]);
    expect(rudder(2, 22, 7001)).toEqual(["IIRSA,22.0,A,,V"]);
    expect(rudder(1, 12, 7500)).toEqual([]);
  });

  test("rudder 1 is the one to port, beside the other while that is fresh", () => {
    const rudder = (instance: number, positionDeg: number, nowMs: number) =>
      pgn(127245, { instance, positionDeg }, nowMs);
    expect(rudder(1, -5, 0)).toEqual(["IIRSA,,V,-5.0,A"]);
    expect(rudder(0, 10, 100)).toEqual([]);
    expect(rudder(1, -6, 200)).toEqual(["IIRSA,10.0,A,-6.0,A"]);
    expect(rudder(0, 11, 400)).toEqual(["IIRSA,11.0,A,-6.0,A"]);
    expect(rudder(0, 12, 5201)).toEqual(["IIRSA,12.0,A,,V"]);
  });

  test("DPT has the range of the echo sounder, unless two of them send one", () => {
    const range = (nowMs: number, address: number) => pgn(128267, { depthM: 4, rangeM: 30 + address }, nowMs, address);
    const depth = (nowMs: number) => only("DPT", navigation({ depth_water: { depth: 4 } }, nowMs));
    expect(range(0, 1)).toEqual([]);
    expect(depth(0)).toEqual(["IIDPT,4.00,,31"]);
    range(1000, 2);
    range(1000, 1);
    expect(depth(1000)).toEqual(["IIDPT,4.00,,"]);
    range(6001, 1);
    expect(depth(6001)).toEqual(["IIDPT,4.00,,31"]);
    expect(depth(11_002)).toEqual(["IIDPT,4.00,,"]);
  });

  test("of two engines of one number all values are of one, in whichever order their messages come", () => {
    const rpm = (address: number, engineSpeedRpm: number, nowMs: number) =>
      pgn(127488, { engineInstance: 0, engineSpeedRpm }, nowMs, address);
    const oil = (address: number, oilTempC: number, nowMs: number) =>
      pgn(127489, { engineInstance: 0, oilTempC }, nowMs, address);
    expect(rpm(1, 1000, 0)).toEqual(["IIXDR,T,1000,R,ENGINE#0"]);
    // It is that of the same engine as long as the device of the speed does not tell it.
    expect(oil(2, 20, 1)).toEqual(["IIXDR,C,20.0,C,ENGINEOIL#0"]);
    expect(rpm(2, 2000, 2)).toEqual([]);
    oil(1, 10, 3);
    expect(oil(2, 21, 1004)).toEqual([]);
    expect(oil(1, 11, 1005)).toEqual(["IIXDR,C,11.0,C,ENGINEOIL#0"]);
  });

  test("of two thermometers of one place one is sent, whichever message they send", () => {
    const inside = (number: number, actualTempC: number, nowMs: number) =>
      pgn(number, { instance: 0, source: "Inside Temperature", actualTempC }, nowMs, number);
    expect(inside(130312, 10, 0)).toEqual(["IIXDR,C,10.0,C,INSIDE#0"]);
    expect(inside(130316, 20, 1000)).toEqual([]);
    expect(inside(130312, 11, 2000)).toEqual(["IIXDR,C,11.0,C,INSIDE#0"]);
  });

  test.each([
    [127257, { yawDeg: 10 }, { rollDeg: 10 }],
    [127245, { instance: 0, angleOrderDeg: 4 }, { instance: 0, positionDeg: 5 }],
    [128275, {}, { totalLogNm: 10 }],
    [127489, { engineInstance: 0, loadPercent: 10 }, { engineInstance: 0, oilTempC: 20 }],
  ])("a device that tells nothing of a sentence is not its source: %i", (number, nothing, something) => {
    expect(pgn(number, nothing, 0, 1)).toEqual([]);
    expect(pgn(number, something, 1, 2)).toHaveLength(1);
    expect(pgn(number, nothing, 1000, 1)).toEqual([]);
    expect(pgn(number, something, 1001, 2)).toHaveLength(1);
  });

  test("each engine has its own rate", () => {
    const rpm = (engineInstance: number, nowMs: number) =>
      pgn(127488, { engineInstance, engineSpeedRpm: 900 }, nowMs).length;
    expect([rpm(0, 0), rpm(1, 0), rpm(0, 100), rpm(1, 1000), rpm(0, 1000)]).toEqual([1, 1, 0, 1, 1]);
  });
});

const anything = fc.oneof(
  fc.double(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.constant([{}]),
  fc.constant({}),
);
/** Members with values of every kind. */
const hostile = fc.record(
  {
    position: fc.oneof(
      anything,
      fc.dictionary(
        fc.constantFrom("hasFix", "fixType", "latitude", "longitude", "altitude", "hdop", "numSatellites"),
        anything,
      ),
    ),
    speed_course: fc.oneof(
      anything,
      fc.dictionary(fc.constantFrom("cog", "sog", "variation", "deviation", "headingMagnetic", "rateOfTurn"), anything),
    ),
    date: fc.oneof(anything, fc.dictionary(fc.constantFrom("date", "time", "fraction", "source"), anything)),
    waypoints: anything,
    waypointId: anything,
    distanceToWaypoint: anything,
    bearingToWaypoint: anything,
    arrivalStatus: anything,
    positionDeg: anything,
    source: anything,
    instance: anything,
    format: fc.oneof(anything, fc.constant("Distress")),
    address: anything,
    mmsiInDistress: anything,
    latitude: anything,
    longitude: anything,
    timeOfPosition: anything,
    endOfSequence: anything,
    actualTempC: anything,
    fluidType: anything,
    levelPercent: anything,
  },
  { requiredKeys: [] },
);

test("whatever the values are, sentences are printable, 82 characters at most, and have their checksum", () => {
  fc.assert(
    fc.property(hostile, (data) => {
      encoder = new Nmea0183Encoder();
      let lines = encoder.navigation(data, 0);
      for (const number of [129285, 129284, 129808, 127245, 127505, 130312]) lines += encoder.pgn(number, 1, data, 0);
      for (const line of lines.split(/(?<=\n)/).filter((each) => each !== "")) {
        expect(line).toMatch(/^\$[A-Z]{5}(,[ -)+-}]*)?\*[0-9A-F]{2}\r\n$/);
        expect(line.length).toBeLessThanOrEqual(82);
      }
    }),
  );
});

describe("a distress call by radio", () => {
  const call = {
    ...{ format: "Distress", category: "Distress", natureOfDistress: "Sinking", secondTelecommand: "No information" },
    ...{ address: "2446600000", latitude: 52.0021584, longitude: -4.9999999, timeOfPosition: 29_666.5 },
  };

  test("is a call and the rest of its position", () => {
    expect(pgn(129808, call)).toEqual([
      "CDDSC,12,2446600000,12,05,26,1520000500,0814,,,S,E",
      "CDDSE,1,1,A,2446600000,00,12950000",
    ]);
    const south = { ...call, latitude: -0.5083317, longitude: 179.9999, endOfSequence: 117 };
    expect(pgn(129808, south, 2000)).toEqual([
      "CDDSC,12,2446600000,12,05,26,2003017959,0814,,,R,E",
      "CDDSE,1,1,A,2446600000,00,49999940",
    ]);
  });

  test("without a place and a time has the symbols of neither", () => {
    const { latitude: _, timeOfPosition: __, ...rest } = call;
    expect(pgn(129808, rest)).toEqual(["CDDSC,12,2446600000,12,05,26,9999999999,8888,,,S,"]);
  });

  test("that a station relays names the vessel, and each vessel has its own", () => {
    const relay = { ...call, format: "All ships", address: "0024420000", natureOfDistress: "EPIRB emission" };
    const [sent, more] = pgn(129808, { ...relay, mmsiInDistress: "2446600000" });
    expect(sent).toBe("CDDSC,16,0024420000,12,12,26,1520000500,0814,2446600000,,S,E");
    expect(more).toBe("CDDSE,1,1,A,2446600000,00,12950000");
    expect(pgn(129808, { ...relay, mmsiInDistress: "2446600010" })).toHaveLength(2);
  });

  test("is sent again at once with a better position, and repeated once a second with the same", () => {
    expect(pgn(129808, call)).toHaveLength(2);
    expect(pgn(129808, call, 500)).toEqual([]);
    expect(pgn(129808, { ...call, latitude: 52.0025 }, 600)).toHaveLength(2);
    expect(pgn(129808, call, 1000)).toHaveLength(2);
  });

  test("is none where the call is a routine one", () => {
    expect(pgn(129808, { ...call, format: "Individual stations", category: "Routine" })).toEqual([]);
  });
});

/** The values that a message or the navigation report may have, in the words of sentences. */
function isMember(member: Member): boolean {
  const [topic, name] = member.split(" ") as [string, string];
  if (topic === "fix" || topic === "clock") return ["time", "date"].includes(name);
  if (topic !== "navigation") {
    const definition = definitions.find(({ pgn }) => pgn === Number(topic.split("/")[0]));
    return definition !== undefined && publishedFields(definition).some((field) => field.name === name);
  }
  const [group, value] = name.split(".") as [keyof typeof navigationData.shape, string];
  const shape = navigationData.shape[group];
  return shape !== undefined && value in shape.unwrap().shape;
}

const sentences = [...navigationSentences, ...pgnSentences].map((each) => [each.talker + each.id, each] as const);

describe.each(sentences)("the sentence %s", (name, each) => {
  const { id, fields, needs } = each;

  test("reads members that are published", () => {
    const members = [...fields, ...needs].flatMap((each) => (typeof each === "string" ? [each] : each.members));
    expect(members.filter((each) => !isMember(each))).toEqual([]);
  });

  test("has 82 characters at most, whatever its members are, and keeps all but the end of names", () => {
    const value = fc.oneof(
      fc.constantFrom(-999_999.9999, 999_999.9999, -179.99999, 12_345.6789, 20_000_000, 0, true),
      fc.double({ min: -1e7, max: 1e7, noNaN: true }),
      fc.string({ minLength: 10, maxLength: 40 }),
      fc.constantFrom("Distress", "Magnetic", "244660000", "Arrival Circle Entered, Perpendicular Crossed", "ground"),
    );
    const members = [
      ...new Set([...fields, ...needs].flatMap((each) => (typeof each === "string" ? [each] : each.members))),
    ];
    fc.assert(
      fc.property(fc.array(value, { minLength: members.length, maxLength: members.length }), (values) => {
        const find = (member: Member): unknown => {
          if (/^(fix|clock) /.test(member)) return member.endsWith("date") ? "2026-11-28" : "12:34:56.78";
          return values[members.indexOf(member)];
        };
        const line = sentenceText(each, find);
        if (line === undefined) return;
        expect(line.length).toBeLessThanOrEqual(82);
        expect(line).toMatch(/^\$[A-Z]{5},[ -~]*\*[0-9A-F]{2}\r\n$/);
        const texts = fields.map((field) => field.write(find)).filter((_, at) => fields[at]!.isCut !== true);
        for (const text of texts) expect(line).toContain(text);
      }),
      { numRuns: 300 },
    );
  });

  test("has a case in this file: its text with every field", () => {
    const here = readFileSync(import.meta.filename, "utf8");
    expect(here.includes(`"${name},`), `no text in this file begins with "${name},`).toBe(true);
  });

  test("is named in docs/chart-plotters.md, in the table of sentences", () => {
    const rows = readFileSync("docs/chart-plotters.md", "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| "));
    expect(
      rows.some((row) =>
        row
          .split(" | ")[0]!
          .split(/[ ,|]+/)
          .includes(id),
      ),
      `the first column of no row has ${id}`,
    ).toBe(true);
  });
});

test("measurements under any names have 82 characters at most", () => {
  const crewNames = fc.string({ unit: fc.constantFrom(..."AbÅç, 09-"), maxLength: 100 });
  const amounts = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...transducerGroups), amounts, crewNames, (group, amount, crewName) => {
      for (const line of transducerText(group, () => amount, crewName)
        .split("\r\n")
        .slice(0, -1))
        expect(line.length).toBeLessThanOrEqual(80);
    }),
    { numRuns: 1000 },
  );
});

test("names lose their accents, and characters that have a meaning in sentences", () =>
  expect(["Köln", "Île d'Yeu", "A,B*C$D!E\\F^G~H", "Москва", "e\u0301"].map(plain)).toEqual([
    ...["Koln", "Ile d'Yeu", "A-B-C-D-E-F-G-H", "------", "e"],
  ]));
