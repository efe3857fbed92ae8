/** Sentences that are read, each with the messages that it becomes. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { Fields } from "../../../../src/formats/nmea0183/input/fields.ts";
import { sentencesIn } from "../../../../src/formats/nmea0183/input/sentences.ts";
import { connection, type Data, framed, messagesOf } from "./heard.ts";

const KNOT = 1852 / 3600;

const lettersOf = (sentence: string): string => new Fields(sentence.slice(1)).letters;

/** A route by the numbers of its waypoints. */
const routeOf = (...numbers: readonly number[]): Data => ({
  pgn: 129285,
  routeName: "HOME",
  numberOfItems: numbers.length,
  waypoints: numbers.map((waypointId) => ({ waypointId, name: `000${waypointId}` })),
});

/** Sentences that stand in for an instrument, and the messages of the last one; numbers are compared by a tolerance. */
const cases: readonly (readonly [sentences: readonly string[], messages: readonly Data[]])[] = [
  [
    ["$GPRMC,081426.12,A,5213.1234,N,00454.5678,E,5.4,084.4,211126,2.1,E,D"],
    [
      { pgn: 126992, source: 0, date: 20778, time: 29666.12 },
      { pgn: 129029, days: 20778, time: 29666.12, latitude: 52.21872333, longitude: 4.90946333, method: 2 },
      { pgn: 129025, latitude: 52.21872333, longitude: 4.90946333 },
      { pgn: 129026, cogReference: "True", cogDeg: 84.4, sogMs: 5.4 * KNOT },
      { pgn: 127258, variation: 2.1 },
    ],
  ],
  // Not valid, by its status and by its mode.
  [["$GPRMC,081426,V,,,,,,,211126,,"], [{ pgn: 126992 }, { pgn: 129029, method: 0 }]],
  [
    ["$GPRMC,081426,A,5213.1234,N,00454.5678,E,5.4,084.4,211126,,,N"],
    [{ pgn: 126992 }, { pgn: 129029, method: 0, latitude: undefined }],
  ],
  [
    ["$GNGGA,081426,3352.1234567,S,15112.7654321,W,4,12,0.8,12.3,M,22.1,M,1.0,0001"],
    [
      {
        pgn: 129029,
        time: 29666,
        latitude: -33.868724278333,
        longitude: -151.212757201667,
        altitude: 12.3,
        method: 4,
        numberOfSatellites: 12,
        hdop: 0.8,
        geoidalSeparation: 22.1,
        gnssType: undefined,
      },
    ],
  ],
  [["$GPGGA,081426,,,,,0,00,,,M,,M,,"], [{ pgn: 129029, method: 0, latitude: undefined, gnssType: 0 }]],
  [
    ["$GNGNS,081426,5213.1234,N,00454.5678,E,AND,14,0.9,3.5,45.1,,"],
    [{ pgn: 129029, method: 2, altitude: 3.5, geoidalSeparation: 45.1, numberOfSatellites: 14 }],
  ],
  [
    ["$PASHR,081426.00,084.41,T,-12.30,+2.15,+0.04,0.210,0.210,0.150,1,1"],
    [{ pgn: 127257, rollDeg: -12.3, pitchDeg: 2.15, yawDeg: undefined }],
  ],
  [["$PASHR,POS,0,6,81.00,13.12,N"], []],
  // Without knots; from metres a second, or else from kilometres an hour.
  [["$WIVWR,045.0,L,,N,5.0,M,18.0,K"], [{ pgn: 130306, windAngleDeg: 315, windSpeedMs: 5, reference: "Apparent" }]],
  [["$WIVWR,045.0,R,,N,,M,18.0,K"], [{ pgn: 130306, windAngleDeg: 45, windSpeedMs: 5, reference: "Apparent" }]],
  [["$WIVWT,045.0,R,,N,,M,18.0,K"], [{ pgn: 130306, windAngleDeg: 45, windSpeedMs: 5 }]],
  [["$GPGLL,5213.1234,N,00454.5678,E,081426,A,A"], [{ pgn: 129025, latitude: 52.21872333, longitude: 4.90946333 }]],
  [["$GPGLL,5213.1234,N,00454.5678,E,081426,V,N"], []],
  [["$GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1"], [{ pgn: 129539, mode: 2, hdop: 1.3, vdop: 2.1 }]],
  [["$GPGSV,3,1,11,03,03,111,00,04,15,270,00"], [{ pgn: 129540, numberOfSatellites: 11 }]],
  [["$GPGSV,3,2,11,03,03,111,00,04,15,270,00"], []],
  [["$GPVTG,084.4,T,082.3,M,5.4,N,10.0,K,A"], [{ pgn: 129026, cogReference: "True", cogDeg: 84.4, sogMs: 5.4 * KNOT }]],
  [["$GPVTG,054.7,034.4,005.5,010.2"], [{ pgn: 129026, cogReference: "True", cogDeg: 54.7, sogMs: 5.5 * KNOT }]],
  [["$GPVTG,,T,082.3,M,,N,10.8,K,A"], [{ pgn: 129026, cogReference: "Magnetic", cogDeg: 82.3, sogMs: 3 }]],
  [
    ["$GPZDA,081426.50,21,11,2026,-02,00"],
    [
      { pgn: 126992, date: 20778, time: 29666.5 },
      { pgn: 129033, days: 20778, time: 29666.5, localOffset: 120 },
    ],
  ],
  // Half hours, on both sides of Greenwich.
  [["$GPZDA,081426,21,11,2026,-03,30"], [{ pgn: 126992 }, { pgn: 129033, localOffset: 210 }]],
  [["$GPZDA,081426,21,11,2026,03,30"], [{ pgn: 126992 }, { pgn: 129033, localOffset: -210 }]],
  [
    ["$HCHDG,183.3,1.5,W,2.1,E"],
    [{ pgn: 127250, headingDeg: 183.3, deviationDeg: -1.5, variationDeg: 2.1, reference: "Magnetic" }],
  ],
  [["$HCHDM,183.3,M"], [{ pgn: 127250, headingDeg: 183.3, reference: "Magnetic" }]],
  [["$HEHDT,183.3,T"], [{ pgn: 127250, headingDeg: 183.3, reference: "True" }]],
  [["$GPTHS,183.3,A"], [{ pgn: 127250, headingDeg: 183.3, reference: "True" }]],
  [["$GPTHS,183.3,V"], []],
  [["$TIROT,-12.0,A"], [{ pgn: 127251, rateDegPerSec: -0.2 }]],
  [
    ["$VWVHW,185.0,T,183.3,M,5.40,N,10.00,K"],
    [
      { pgn: 128259, speedWaterMs: 5.4 * KNOT },
      { pgn: 127250, headingDeg: 183.3, reference: "Magnetic" },
    ],
  ],
  // The log repeats the heading of the compass.
  [
    ["$IIHDG,180.0,,,,", "$IIVHW,,T,179.0,M,5.40,N,,K"],
    [{ pgn: 127250, headingDeg: 180 }, { pgn: 128259 }],
  ],
  [["$VWVLW,1234.5,N,12.3,N"], [{ pgn: 128275, totalLogM: 2286294, tripLogM: 22780 }]],
  [["$IIVDR,120.0,T,118.0,M,1.5,N"], [{ pgn: 129291, setReference: "True", setDeg: 120, driftMs: 1.5 * KNOT }]],
  [["$WIVWR,045,L,12.0,N,,M,,K"], [{ pgn: 130306, windAngleDeg: 315, windSpeedMs: 12 * KNOT, reference: "Apparent" }]],
  [
    ["$WIVWT,045,R,12.0,N,,M,,K"],
    [{ pgn: 130306, windAngleDeg: 45, windSpeedMs: 12 * KNOT, reference: "True (water referenced)" }],
  ],
  [["$WIMWV,314.9,R,6.1,M,A"], [{ pgn: 130306, windAngleDeg: 314.9, windSpeedMs: 6.1, reference: "Apparent" }]],
  [
    ["$WIMWV,314.9,T,36.0,K,A"],
    [{ pgn: 130306, windAngleDeg: 314.9, windSpeedMs: 10, reference: "True (water referenced)" }],
  ],
  [["$WIMWV,314.9,R,6.1,M,V"], []],
  [["$WIMWV,314.9,R,6.1,X,A"], [{ pgn: 130306, windAngleDeg: 314.9, windSpeedMs: undefined }]],
  // The same wind in an old form.
  [["$IIMWV,314.9,R,6.1,M,A", "$IIVWR,045,L,12.0,N,,M,,K"], [{ pgn: 130306, windAngleDeg: 314.9 }]],
  [
    ["$WIMWD,270.0,T,268.0,M,12.0,N,6.2,M"],
    [{ pgn: 130306, windAngleDeg: 270, windSpeedMs: 6.2, reference: "True (ground referenced to North)" }],
  ],
  [
    ["$WIMDA,29.92,I,1.0132,B,18.5,C,16.2,C,71.0,,12.1,C,270.0,T,268.0,M,12.05,N,6.2,M"],
    [
      { pgn: 130314, source: "Atmospheric", pressurePa: 101_320 },
      { pgn: 130312, source: "Outside Temperature", actualTempC: 18.5 },
      { pgn: 130312, source: "Sea Temperature", actualTempC: 16.2 },
      { pgn: 130313, source: "Outside", actualHumidityPercent: 71 },
      { pgn: 130312, source: "Dew Point Temperature", actualTempC: 12.1 },
      { pgn: 130306, windAngleDeg: 270, windSpeedMs: 6.2 },
    ],
  ],
  [["$WIMMB,29.92,I,,B"], [{ pgn: 130314, pressurePa: 101_320.8 }]],
  [["$WIMTA,18.5,C"], [{ pgn: 130312, source: "Outside Temperature", actualTempC: 18.5 }]],
  [["$YXMTW,16.2,C"], [{ pgn: 130312, source: "Sea Temperature", actualTempC: 16.2 }]],
  [
    ["$IIXDR,H,45.0,P,INSIDE#1,P,8.00,B,CompressedAir#0"],
    [
      { pgn: 130313, instance: 1, source: "Inside", actualHumidityPercent: 45 },
      { pgn: 130314, instance: 0, source: "Compressed Air", pressurePa: 800_000 },
    ],
  ],
  [["$SDDPT,4.12,0.50,100"], [{ pgn: 128267, depthM: 4.12, offsetM: 0.5, rangeM: 100 }]],
  [["$IIXDR,A,-4.0,D,Leeway"], [{ pgn: 128000, leewayDeg: -4 }]],
  [["$SDDPT,4.12,-1.50"], [{ pgn: 128267, depthM: 4.12, offsetM: -1.5 }]],
  [["$SDDBT,13.5,f,4.12,M,2.2,F"], [{ pgn: 128267, depthM: 4.12, offsetM: undefined }]],
  [["$SDDBT,13.5,f,,M,,F"], [{ pgn: 128267, depthM: 4.11 }]],
  [["$SDDBK,13.5,f,4.12,M,2.2,F"], [{ pgn: 128267, depthM: 4.12, offsetM: undefined }]],
  [["$SDDBS,13.5,f,4.12,M,2.2,F"], [{ pgn: 128267, depthM: 4.12, offsetM: 0 }]],
  // The same depth by another zero.
  [["$SDDBT,13.5,f,4.12,M,2.2,F", "$SDDBS,,f,4.62,M,,F"], [{ pgn: 128267, depthM: 4.12 }]],
  [
    ["$IIXDR,C,85.0,C,ENGINE#1,P,350000,P,ENGINEOIL#1,U,12.64,V,BATTERY#0,I,-4.2,A,BATTERY#0"],
    [
      { pgn: 127489, engineInstance: 1, coolantTempC: 85, oilPressureKpa: 350 },
      { pgn: 127508, instance: 0, voltageV: 12.64, currentA: -4.2 },
    ],
  ],
  [
    ["$IIXDR,A,-2.5,D,PITCH,A,12.0,D,HEEL,C,18.5,C,TempAir,P,1.01320,B,Barometer,H,71,P,Humidity,E,50,P,FUEL#1"],
    [
      { pgn: 127257, pitchDeg: -2.5, rollDeg: 12 },
      { pgn: 130312, source: "Outside Temperature", actualTempC: 18.5 },
      { pgn: 130314, pressurePa: 101_320 },
      { pgn: 130313, actualHumidityPercent: 71 },
      { pgn: 127505, instance: 1, fluidType: "Fuel", levelPercent: 50 },
    ],
  ],
  [
    ["$IIXDR,C,41.0,C,ENGINEROOM#0,C,3,C,Nonsense"],
    [{ pgn: 130312, source: "Engine Room Temperature", actualTempC: 41 }],
  ],
  [
    ["$IIXDR,C,185,F,ENGINE#1,C,291.15,K,TempAir,A,1.5,D,PTCH,H,71,,Humidity"],
    [
      { pgn: 127489, engineInstance: 1, coolantTempC: 85 },
      { pgn: 130312, source: "Outside Temperature", actualTempC: 18 },
      { pgn: 127257, pitchDeg: 1.5 },
      { pgn: 130313, actualHumidityPercent: 71 },
    ],
  ],
  [
    ["$IIXDR,A,3.0,D,Yaw,P,40,P,EngineTilt#0,P,120000,P,EngineCool#1,P,3.5,B,Fuel#1"],
    [
      { pgn: 127257, yawDeg: 3 },
      { pgn: 127488, engineInstance: 0, tiltTrimPercent: 40 },
      { pgn: 127489, engineInstance: 1, coolantPressureKpa: 120, fuelPressureKpa: 350 },
    ],
  ],
  [
    ["$IIXDR,P,150000,P,EngineBoost#0,V,60,P,EngineTilt#0,P,1.2,B,TransmissionOil#0"],
    [
      { pgn: 127488, engineInstance: 0, boostPressureKpa: 150, tiltTrimPercent: 60 },
      { pgn: 127493, engineInstance: 0, oilPressureKpa: 120 },
    ],
  ],
  // Values that their sentence marks as not valid, in the other sentences with a status or a mode.
  [["$TIROT,35.6,V"], []],
  [["$GPVTG,084.4,T,,M,5.4,N,10.0,K,N"], []],
  [["$ERRPM,E,1,2418.2,10.5,V"], []],
  [["$IIRSA,-3.5,V,-3.0,V"], []],
  [["$GPBWC,081426,5213.0,N,00454.0,E,080.0,T,082.0,M,1.5,N,0007,N"], []],
  [["$GPAPB,V,A,0.10,L,N,V,V,080.0,M,0007,082.3,M,082.3,M,A"], []],
  [
    ["$GPBWC,081426,5213.0,N,00454.0,E,,T,082.0,M,1.5,N,0007,A"],
    [{ pgn: 129284, bearingReference: "Magnetic", bearingToWaypoint: 82 }],
  ],
  // No level is in litres or cubic metres, and no angle is in radians.
  [["$IIXDR,V,60,L,FUEL#1,V,0.06,M,FUEL#1,A,0.2,R,ROLL"], []],
  // More than the fields have room for.
  [["$IIXDR,C,-300,C,TempAir,U,13000,V,BATTERY#0"], []],
  [["$IIRSA,-3.5,A,,V"], [{ pgn: 127245, instance: 0, positionDeg: -3.5 }]],
  [
    ["$IIRSA,-3.5,A,-3.0,A"],
    [
      { pgn: 127245, instance: 0, positionDeg: -3.5 },
      { pgn: 127245, instance: 1, positionDeg: -3 },
    ],
  ],
  [["$IIRPM,E,1,1850,,A"], [{ pgn: 127488, engineInstance: 1, engineSpeedRpm: 1850 }]],
  [["$IIRPM,E,2,1850,,A"], [{ pgn: 127488, engineInstance: 0, engineSpeedRpm: 1850 }]],
  [["$IIRPM,S,0,925,,A"], []],
  [["$GPXTE,A,A,0.100,L,N,D"], [{ pgn: 129283, xteMode: 1, xte: 185.2 }]],
  [["$GPXTE,A,V,0.100,L,N,D"], []],
  [
    ["$GPRMB,A,0.10,R,START,0007,5213.1234,N,00454.5678,E,012.500,084.4,5.1,A,A"],
    [
      { pgn: 129283, xteMode: 0, xte: -185.2 },
      {
        pgn: 129284,
        distanceToWaypoint: 23_150,
        bearingToWaypoint: 84.4,
        bearingReference: "True",
        waypointClosing: true,
        arrivalStatus: "Arrival Circle Entered",
        destinationLatitude: 52.21872333,
        waypointId: 7,
      },
    ],
  ],
  [["$GPRMB,V,,,,,,,,,,,,,N"], []],
  [
    ["$GPAPB,A,A,0.10,L,N,V,A,080.0,M,0007,082.3,M,082.3,M,A"],
    [
      { pgn: 129283, xte: 185.2 },
      {
        pgn: 129284,
        bearingToWaypoint: 82.3,
        bearingReference: "Magnetic",
        arrivalStatus: "Perpendicular Crossed",
        waypointId: 7,
      },
    ],
  ],
  [
    ["$GPBWC,081426,5213.1234,N,00454.5678,E,084.4,T,082.3,M,012.500,N,0007,A"],
    [{ pgn: 129284, distanceToWaypoint: 23_150, bearingToWaypoint: 84.4, bearingReference: "True", waypointId: 7 }],
  ],
  [["$GPBWC,081426,5213.0,N,00454.0,E,,T,,M,12.5,K,0007,A"], [{ pgn: 129284, distanceToWaypoint: 12_500 }]],
  [["$GPBWC,081426,5213.0,N,00454.0,E,,T,,M,12.5,X,0007,A"], [{ pgn: 129284, distanceToWaypoint: undefined }]],
  [["$GPXTE,A,A,0.100,L,K,D"], [{ pgn: 129283, xte: 100 }]],
  [["$GPXTE,A,A,0.100,L,X,D"], []],
  // Instruments that are set to other units write these at the places of the usual ones.
  [["$VWVHW,,T,,M,10.0,K,5.40,N"], [{ pgn: 128259, speedWaterMs: 10 / 3.6 }]],
  [["$VWVLW,100.0,K,1.0,S"], [{ pgn: 128275, totalLogM: 100_000, tripLogM: 1609 }]],
  [["$VWVLW,1E9,N,900000000,N"], []],
  [["$IIVDR,120.0,T,,M,3.6,K"], [{ pgn: 129291, setDeg: 120, driftMs: 1 }]],
  [["$GPVTG,90.0,T,,M,36.0,K,,"], [{ pgn: 129026, cogDeg: 90, sogMs: 10 }]],
  [["$WIVWR,045,L,5.0,M,,N,,K"], [{ pgn: 130306, windAngleDeg: 315, windSpeedMs: 5 }]],
  [["$IIMWD,90.0,T,,M,5.0,M,,"], [{ pgn: 130306, windAngleDeg: 90, windSpeedMs: 5 }]],
  [["$IIMMB,1.013,B,,"], [{ pgn: 130314, pressurePa: 101_300 }]],
  [["$GPBOD,084.4,T,082.3,M,0007,START"], []],
  [
    ["$GPWPL,5213.1234,N,00454.5678,E,0007", "$GPRTE,2,1,c,HOME,0007", "$GPRTE,2,2,c,HOME,0008"],
    [
      {
        pgn: 129285,
        routeName: "HOME",
        numberOfItems: 2,
        waypoints: [
          { waypointId: 7, name: "0007", latitude: 52.2187233, longitude: 4.9094633 },
          { waypointId: 8, name: "0008" },
        ],
      },
    ],
  ],
  [["$GPWPL,5213.1234,N,00454.5678,E,0007"], []],
  // The route changes while it is sent: sentences of two routes make none.
  [["$GPRTE,2,1,c,HOME,0007", "$GPRTE,3,2,c,HOME,0008", "$GPRTE,3,3,c,HOME,0009"], []],
  [["$GPRTE,3,1,c,HOME,0007", "$GPRTE,2,1,c,HOME,0001", "$GPRTE,2,2,c,HOME,0002"], [routeOf(1, 2)]],
  [["$GPRTE,2,1,c,HOME,0007", "$GPRTE,1,1,c,HOME,0001", "$GPRTE,2,2,c,HOME,0008"], [routeOf(1)]],
  [["$GPRTE,2,1,c,HOME,0001", "$GPRTE,2,2,c,HOME,0002", "$GPRTE,2,2,c,HOME,0008"], [routeOf(1, 2)]],
  [["$GPRTE,3,1,c,HOME,0001", "$GPRTE,3,3,c,HOME,0003", "$GPRTE,3,2,c,HOME,0008"], []],
  [["$GPRTE,2,1,c,HOME,0001", "$GPRTE,2,1,c,HOME,0001", "$GPRTE,2,2,c,HOME,0002"], [routeOf(1, 2)]],
  // Published examples; the alert is said at once, and again with the rest of its position.
  [
    ["$CDDSC,12,3380400790,12,06,00,1423108312,2019,,,S,E", "$CDDSE,1,1,A,3380400790,00,45894494"],
    [
      {
        ...{ pgn: 129808, format: "Distress", category: "Distress", address: "3380400790", expansionEnabled: "Yes" },
        ...{ natureOfDistress: "Disabled and adrift", secondTelecommand: "No reason given", endOfSequence: 127 },
        ...{ latitude: 42.51666667, longitude: -83.2, timeOfPosition: 73_140, mmsiInDistress: undefined },
      },
      {
        pgn: 129808,
        format: "Distress",
        latitude: 42 + 31.4589 / 60,
        longitude: -83 - 12.4494 / 60,
        timeOfPosition: 73_140,
      },
    ],
  ],
  [
    ["$CDDSC,16,0031600010,12,112,00,1423108312,2019,3162009110,12,,"],
    [
      {
        ...{ pgn: 129808, format: "All ships", category: "Distress", address: "0031600010" },
        ...{ mmsiInDistress: "3162009110", natureOfDistress: "EPIRB emission", endOfSequence: undefined },
      },
    ],
  ],
  // An acknowledgement does not tell the nature of the distress.
  [
    ["$CDDSC,16,0031600010,12,10,26,9999999999,8888,3162009110,,S,"],
    [{ pgn: 129808, natureOfDistress: undefined, latitude: undefined, timeOfPosition: undefined }],
  ],
  [
    ["$CDDSC,20,3380400790,00,21,26,1423108312,2021,,,B, E", "$CDDSE,1,1,A,3380400790,00,46504437,02,0054,06,0004"],
    [
      {
        ...{ pgn: 129808, format: "Individual stations", category: "Routine", endOfSequence: 122 },
        ...{ firstTelecommand: "Ship position or location registration updating", expansionEnabled: "Yes" },
      },
      {
        ...{ pgn: 129808, latitude: 42.51666667 + 0.465 / 60, longitude: -83.2 - 0.4437 / 60 },
        expansions: [
          { field: "SOG", data: "0054" },
          { field: "Number of persons on board", data: "0004" },
        ],
      },
    ],
  ],
  // Channel 72, and a number to be called; a radio without the tenth digit.
  [
    ["$CDDSC,20,244670681,00,00,26,900072900072,,,,R,"],
    [
      {
        ...{ pgn: 129808, address: "2446706810", firstTelecommand: "F3E/G3E All modes TP", latitude: undefined },
        ...{ proposedRxFrequency: "900072", proposedTxFrequency: "900072", endOfSequence: 117 },
      },
    ],
  ],
  [["$CDDSC,23,0023700000,00,00,12,900023,0302101234567,,,R,"], [{ pgn: 129808, telephoneNumber: "0302101234567" }]],
  // A query, another vessel, a position that no call has, and one beyond the map.
  [
    [
      "$CDDSC,12,3380400790,12,06,00,9999999999,8888,,,S,E",
      "$CDDSE,1,1,Q,3380400790,00,45894494",
      "$CDDSE,1,1,A,3380400791,00,45894494",
      "$CDDSE,1,1,A,3380400790,00,45894494",
      "$CDDSC,12,3380400790,12,06,00,0910018000,2460,,,S,",
    ],
    [
      { pgn: 129808, latitude: undefined },
      { pgn: 129808, latitude: undefined, timeOfPosition: undefined },
    ],
  ],
  [["$CDDSC,,,,,,,,,,,"], []],
];

/** Half of the last digit on the wire. */
const tolerances: Readonly<Record<string, number>> = {
  windSpeedMs: 0.0051,
  sogMs: 0.0051,
  speedWaterMs: 0.0051,
  driftMs: 0.0051,
  latitude: 5.1e-8,
  longitude: 5.1e-8,
  destinationLatitude: 5.1e-8,
  depthM: 0.0051,
  pressurePa: 0.11,
  distanceToWaypoint: 0.51,
  totalLogM: 0.51,
  tripLogM: 0.51,
  xte: 0.0051,
  rateDegPerSec: 1e-5,
};

test.each([
  ["-1.-1", -1.1],
  ["-0.-4", -0.4],
  ["0.-45", -0.45],
  ["-12.-05", -12.05],
  ["1.-4", undefined],
  ["-1.--4", undefined],
  ["-1-4", undefined],
])("an offset whose decimals have a sign too, as plotters of Navico write it: %s", (offset, offsetM) => {
  const [message] = messagesOf(`$SDDPT,24.6,${offset},`);
  expect(message).toMatchObject({ pgn: 128267, depthM: 24.6 });
  if (offsetM === undefined) expect(message).not.toHaveProperty("offsetM");
  else expect(message!.offsetM).toBeCloseTo(offsetM, 6);
});

test.each(cases)("%j", (sentences, expected) => {
  const messages = messagesOf(...sentences);
  expect(messages.map(({ pgn }) => pgn)).toEqual(expected.map(({ pgn }) => pgn));
  for (const [at, members] of expected.entries())
    for (const [name, value] of Object.entries(members)) {
      const said = messages[at]![name];
      if (typeof value !== "number") expect(said, name).toEqual(value);
      else
        expect(Math.abs((said as number) - value), `${name} ${said}`).toBeLessThanOrEqual(tolerances[name] ?? 0.0051);
    }
});

test("what no sentence says is absent: faults of an engine, the integrity of a fix", () => {
  expect(messagesOf("$IIXDR,U,14.1,V,ALTERNATOR#1")).toEqual([
    { pgn: 127489, engineInstance: 1, alternatorVoltage: 14.1 },
  ]);
  const [, fix] = messagesOf("$GPRMC,081426.12,A,5213.1234,N,00454.5678,E,5.4,084.4,211126,2.1,E,D");
  expect(fix).not.toHaveProperty("integrity");
  // The satellites of a fix are behind its integrity, of which every code is a value.
  const [whole] = messagesOf("$GPGGA,081426,5213.1234,N,00454.5678,E,1,09,0.9,100,M,45,M,,");
  expect(whole).toMatchObject({ integrity: 0, numberOfSatellites: 9 });
});

test("a fix after midnight, before the sentence with the new date, is of the new day", () => {
  const { hear } = connection();
  const daysOf = (...sentences: readonly string[]) =>
    hear(sentences.map(framed).join("")).flatMap(({ pgn, data }) => (pgn === 129029 ? [data.days] : []));
  const fix = (time: string) => `$GPGGA,${time},5213.1234,N,00454.5678,E,1,09,0.9,100,M,45,M,,`;
  expect(daysOf(fix("235958.00"))).toEqual([undefined]);
  expect(daysOf("$GPZDA,235958.00,21,11,2026,00,00", fix("235959.00"), fix(""))).toEqual([20778, 20778]);
  expect(daysOf(fix("000000.00"), fix("000030.00"))).toEqual([20779, 20779]);
  expect(daysOf("$GPZDA,000058.00,22,11,2026,00,00", fix("000058.00"), fix("140000.00"))).toEqual([20779, 20779]);
});

// The program below passes over these units.
test("an altitude may be in feet, a temperature in degrees Fahrenheit and in kelvins", () => {
  const [fix] = messagesOf("$GPGGA,081426,5213.1234,N,00454.5678,E,1,09,0.9,100,f,-10,F,,");
  expect(fix).toMatchObject({ pgn: 129029, altitude: 30.48, geoidalSeparation: -3.05 });
  for (const sentence of ["$YXMTW,64.4,F", "$YXMTW,291.15,K"])
    expect(messagesOf(sentence)).toEqual([expect.objectContaining({ source: "Sea Temperature", actualTempC: 18 })]);
  expect(messagesOf("$YXMTW,16.2,R")).toEqual([]);
});

test("each sentence has a case", () => {
  const shown = new Set(cases.flatMap(([sentences]) => sentences.map(lettersOf)));
  expect(
    Object.keys(sentencesIn).filter((id) => !shown.has(id)),
    "add a row to `cases` for each",
  ).toEqual([]);
});

test.each(Object.keys(sentencesIn))(
  "%s with nothing, with nonsense and with too much says nothing that is not there",
  (id) => {
    for (const fields of [
      "",
      ",".repeat(30),
      ",x".repeat(30),
      ",1e9".repeat(30),
      ",-".repeat(30),
      ",999999999".repeat(20),
    ]) {
      for (const message of messagesOf(`$II${id}${fields === "" ? "," : fields}`)) {
        const said = Object.entries(message).filter(([, value]) => typeof value === "number");
        for (const [name, value] of said) expect(Number.isFinite(value as number), `${id} ${name}`).toBe(true);
        expect(Math.abs(Number(message.latitude ?? 0))).toBeLessThanOrEqual(90);
      }
    }
  },
);

const require = createRequire(import.meta.url);
const Parser = require("@signalk/nmea0183-signalk") as new () => { parse(sentence: string): SignalK | null };
interface SignalK {
  readonly updates: readonly { readonly values: readonly { readonly path: string; readonly value: unknown }[] }[];
}

/** The first value of a member in messages of which others are as given. */
function firstOf(messages: readonly Data[], name: string, others: Data = {}): number | undefined {
  const found = messages.find(
    (each) => each[name] !== undefined && Object.entries(others).every(([other, value]) => each[other] === value),
  );
  return found?.[name] as number | undefined;
}
type Reading = (messages: readonly Data[]) => number | undefined;
const member =
  (name: string, factor = 1, addend = 0, others: Data = {}): Reading =>
  (messages) => {
    const value = firstOf(messages, name, others);
    return value === undefined ? undefined : value * factor + addend;
  };
const DEGREE = Math.PI / 180;
const angle = (name: string, others: Data = {}): Reading => member(name, DEGREE, 0, others);
const kelvins = (source: string): Reading => member("actualTempC", 1, 273.15, { source });
const APPARENT = { reference: "Apparent" };
const WATER = { reference: "True (water referenced)" };
const NORTH = { reference: "True (ground referenced to North)" };
const TRUE = { reference: "True" };
const MAGNETIC = { reference: "Magnetic" };
const depthAndOffset: Reading = (messages) => firstOf(messages, "depthM")! + (firstOf(messages, "offsetM") ?? 0);

/** Paths of Signal K, and the value of ours; radians, kelvins, metres, ratios. */
const samePaths: Readonly<Record<string, Reading>> = {
  "navigation.position.latitude": member("latitude"),
  "navigation.position.longitude": member("longitude"),
  "navigation.speedOverGround": member("sogMs"),
  "navigation.courseOverGroundTrue": angle("cogDeg", { cogReference: "True" }),
  "navigation.courseOverGroundMagnetic": angle("cogDeg", { cogReference: "Magnetic" }),
  "navigation.magneticVariation": (messages) =>
    DEGREE * (firstOf(messages, "variation") ?? firstOf(messages, "variationDeg") ?? Number.NaN),
  "navigation.magneticDeviation": angle("deviationDeg"),
  "navigation.gnss.satellites": member("numberOfSatellites"),
  "navigation.gnss.antennaAltitude": member("altitude"),
  "navigation.gnss.horizontalDilution": member("hdop"),
  "navigation.gnss.geoidalSeparation": member("geoidalSeparation"),
  // Theirs includes the deviation, which ours has beside it.
  "navigation.headingMagnetic": (messages) =>
    DEGREE * (firstOf(messages, "headingDeg", MAGNETIC)! + (firstOf(messages, "deviationDeg") ?? 0)),
  "navigation.headingCompass": angle("headingDeg", MAGNETIC),
  "navigation.headingTrue": angle("headingDeg", TRUE),
  "navigation.rateOfTurn": angle("rateDegPerSec"),
  "navigation.speedThroughWater": member("speedWaterMs"),
  "navigation.log": member("totalLogM"),
  "navigation.trip.log": member("tripLogM"),
  "environment.current.setTrue": angle("setDeg"),
  "environment.current.drift": member("driftMs"),
  "environment.depth.belowTransducer": member("depthM"),
  "environment.depth.surfaceToTransducer": member("offsetM"),
  "environment.depth.transducerToKeel": member("offsetM", -1),
  "environment.depth.belowSurface": depthAndOffset,
  "environment.depth.belowKeel": depthAndOffset,
  "environment.wind.angleApparent": angle("windAngleDeg", APPARENT),
  "environment.wind.speedApparent": member("windSpeedMs", 1, 0, APPARENT),
  "environment.wind.angleTrueWater": angle("windAngleDeg", WATER),
  "environment.wind.speedTrue": member("windSpeedMs"),
  "environment.wind.speedOverGround": member("windSpeedMs"),
  "environment.wind.directionTrue": angle("windAngleDeg", NORTH),
  "environment.outside.pressure": member("pressurePa"),
  "environment.outside.temperature": kelvins("Outside Temperature"),
  "environment.outside.dewPointTemperature": kelvins("Dew Point Temperature"),
  "environment.outside.humidity": member("actualHumidityPercent", 0.01),
  "environment.water.temperature": kelvins("Sea Temperature"),
  "steering.rudderAngle": angle("positionDeg", { instance: 0 }),
  "propulsion.engine_1.revolutions": member("engineSpeedRpm", 1 / 60, 0, { engineInstance: 1 }),
  "propulsion.engine_2.revolutions": member("engineSpeedRpm", 1 / 60, 0, { engineInstance: 0 }),
  "navigation.courseRhumbline.crossTrackError": member("xte"),
  "navigation.courseRhumbline.nextPoint.position.latitude": member("destinationLatitude"),
  "navigation.courseRhumbline.nextPoint.position.longitude": member("destinationLongitude"),
  "navigation.courseRhumbline.nextPoint.bearingTrue": angle("bearingToWaypoint"),
  "navigation.courseRhumbline.nextPoint.bearingMagnetic": angle("bearingToWaypoint"),
  "navigation.courseRhumbline.bearingToDestinationMagnetic": angle("bearingToWaypoint"),
  "navigation.courseRhumbline.nextPoint.distance": member("distanceToWaypoint"),
  "navigation.courseGreatCircle.nextPoint.position.latitude": member("destinationLatitude"),
  "navigation.courseGreatCircle.nextPoint.position.longitude": member("destinationLongitude"),
  "navigation.courseGreatCircle.nextPoint.distance": member("distanceToWaypoint"),
  "navigation.courseGreatCircle.bearingTrackTrue": angle("bearingToWaypoint"),
};

/** What Signal K reads and no message of ours has: the same by magnetic north, the leg, ages, and what is derived. */
const notOurs =
  /directionMagnetic|setMagnetic|AgeOfService|differential|velocityMadeGood|bearingTrackMagnetic|bearingOriginTo/;
/** Of the autopilot; our message has the bearing of the destination. */
const ofPilot = /^steering\.autopilot/;

/** Sentences from which ours takes nothing, or not what Signal K's parser takes, with the reason. */
const otherwise: readonly (readonly [sentence: RegExp, reason: string])[] = [
  [/^\$GPRMC.*,N$/, "the mode says that the fix is not valid"],
  [/^\$(GPVTG.*,N$|GPBWC.*,N$|GPAPB,V|IIRSA.*,V,-3.0|TIROT.*,V$|ERRPM.*,V$)/, "its mode or status is not read there"],
  [/^\$GPRMB,V/, "nothing is valid, which is read as zeros there"],
  [/^\$IIMWV.*,X,|^\$WIMWV.*,X,/, "a unit that there is not"],
  [
    /^\$(GPBWC.*,[KX],0007|GPXTE.*,[KX],D|VWVHW.*,5\.40,N$|VWVLW,1(00\.0,K|E9)|IIVDR.*,K$|GPVTG.*,36\.0|WIVWR,045,L,5\.0|IIM(WD|MB))/,
    "the letter of the unit, which is not read there",
  ],
  [/^\$IIRPM,S/, "a shaft is no engine"],
  [/^\$GPVTG,[\d.,]+$/, "an old form, whose speeds are read as none there"],
  [/^\$GPBOD/, "no message has the leg"],
  [/^\$CDDSC.*,(9999999999|0910018000),/, "no position, which is read as one there"],
];

/** What Signal K's parser reads; it throws for sentences that are not valid. */
function parsedBySignalK(sentence: string): SignalK | null {
  try {
    return new Parser().parse(sentence);
  } catch {
    return null;
  }
}

/** Numbers of a value by their paths. */
const numbersIn = (path: string, value: unknown): readonly (readonly [path: string, value: number])[] =>
  typeof value === "number"
    ? [[path, value]]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, each]) => numbersIn(`${path}.${name}`, each))
      : [];

const isAngle = /eading|ourse.*True|ourse.*Magnetic|ngle|irection|ariation|eviation|setTrue|bearing/;

const isSame = (path: string, ours: number, theirs: number): boolean => {
  const difference = Math.abs(ours - theirs);
  const turned = isAngle.test(path) ? Math.abs(Math.sin((ours - theirs) / 2)) * 2 : difference;
  // Distances have whole metres on the wire.
  return turned <= (/log|distance/.test(path) ? 0.51 : Math.max(0.006, Math.abs(theirs) * 1e-5));
};

/** Each sentence of the cases alone. */
const alone = [...new Set(cases.flatMap(([sentences]) => sentences))];

test("Signal K's parser reads the same values from the same sentences", () => {
  const compared = new Set<string>();
  for (const sentence of alone) {
    if (otherwise.some(([exception]) => exception.test(sentence))) continue;
    const messages = messagesOf(sentence);
    for (const { path, value } of parsedBySignalK(framed(sentence).trim())?.updates.flatMap(({ values }) => values) ??
      [])
      for (const [each, theirs] of numbersIn(path, value)) {
        if (notOurs.test(each) || ofPilot.test(each)) continue;
        // True and magnetic headings and courses of one sentence are one message.
        const isOther = each.endsWith("True") || each.endsWith("Magnetic");
        const ours = samePaths[each]?.(messages);
        if ((ours === undefined || Number.isNaN(ours)) && isOther && /VHW|HDG|VTG/.test(sentence)) continue;
        expect(ours, `${sentence} ${each}`).toBeDefined();
        expect(isSame(each, ours!, theirs), `${sentence} ${each}: ${ours}, there ${theirs}`).toBe(true);
        compared.add(each);
      }
  }
  expect(Object.keys(samePaths).filter((path) => !compared.has(path))).toEqual([]);
  expect(otherwise.filter(([exception]) => !alone.some((sentence) => exception.test(sentence)))).toEqual([]);
});

test("a talker that goes on without its better sentence is taken by the other one", () => {
  const { hear } = connection();
  const depths = (text: string) => hear(framed(text)).filter(({ pgn }) => pgn === 128267).length;
  const worse = "$SDDBT,32.8,f,10.0,M,5.5,F";
  expect([depths("$SDDPT,10.0,0.5,"), depths(worse)]).toEqual([1, 0]);
  for (let count = 0; count < 100; count++) depths(worse);
  expect(depths(worse)).toBe(1);
});

test("measurements of XDR of which nothing is made are counted by their names, those of many names together", () => {
  const { hear, unusedTransducers } = connection();
  const hearAll = (...sentences: readonly string[]) => hear(sentences.map(framed).join(""));
  const used = "$IIXDR,A,-2.5,D,PITCH,C,18.5,C,TempAir,E,50,P,FUEL#1,C,,C,EMPTY,C,nan,C,NONE";
  hearAll(used);
  expect(unusedTransducers.counts).toBeUndefined();
  const all = "$IIXDR,A,3,D,Mast,C,20,C,Sauna#2,V,60,L,FUEL#1,U,1.2,V,Sauna#3,X,1,,Cabin#1234,G,5,,__proto__,C,3,C,";
  hearAll(all, "$WIXDR,C,20,C,Sauna", used);
  const counts = { MAST: 1, SAUNA: 3, FUEL: 1, "CABIN#1234": 1, unnamed: 1 };
  expect(unusedTransducers.counts).toEqual({ ...counts, __PROTO__: 1 });
  const names = Array.from({ length: 100 }, (_, index) => `T${"x".repeat(60)}${index}`);
  hearAll(...names.map((name) => `$IIXDR,C,20,C,${name}`));
  expect(unusedTransducers.counts).toMatchObject({ ...counts, [`T${"X".repeat(31)}`]: 100 });
  hearAll(...names.map((_, index) => `$IIXDR,C,20,C,S${index}`), all);
  expect(unusedTransducers.counts).toMatchObject({ MAST: 2, SAUNA: 5, others: 75 });
  expect(Object.keys(unusedTransducers.counts!)).toHaveLength(33);
});

test("docs/connect.md has each sentence once, in a row with the PGNs that the sentences of the row become", () => {
  const page = readFileSync("docs/connect.md", "utf8");
  const [, table] = /^\| Sentences \| PGNs \|\n\| --- .*\n((?:\|.*\n)+)/m.exec(page)!;
  const rows = table!
    .trim()
    .split("\n")
    .filter((row) => !row.startsWith("| VDM"))
    .map((row) => {
      const [, sentences, pgns] = row.split("|");
      const numbers = (pgns!.match(/\d{5,6}/g) ?? []).map(Number);
      return {
        letters: sentences!.match(/\b(?:P[A-Z\d]{4}|[A-Z]{3})\b/g)!,
        pgns: numbers.toSorted((one, other) => one - other),
      };
    });
  expect(
    rows.flatMap(({ letters }) => letters).toSorted(),
    "the table of docs/connect.md has each sentence but BOD, which says nothing that hub publishes",
  ).toEqual(
    Object.keys(sentencesIn)
      .filter((each) => each !== "BOD")
      .toSorted(),
  );
  for (const { letters, pgns } of rows) {
    const ofRow = cases.filter(([sentences]) => sentences.every((text) => letters.includes(lettersOf(text))));
    const made = new Set(ofRow.flatMap(([, messages]) => messages.map(({ pgn }) => pgn as number)));
    expect(
      [...made].toSorted((one, other) => one - other),
      letters.join(),
    ).toEqual(pgns);
  }
});

describe("docs/connect.md has the names of XDR", () => {
  const page = readFileSync("docs/connect.md", "utf8");
  const [, table] = /^\| Names \| Types \| PGN \|\n\| --- .*\n((?:\|.*\n)+)/m.exec(page)!;
  const units: Readonly<Record<string, string>> = {
    T: "R",
    P: "P",
    E: "P",
    V: "P",
    C: "C",
    G: "H",
    U: "V",
    I: "A",
    A: "D",
    H: "P",
  };
  const rows = table!
    .trim()
    .split("\n")
    .flatMap((row) => {
      const [, names, types, pgn] = row.split("|").map((cell) => cell.trim());
      return types!
        .split(", ")
        .flatMap((type) => [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => [type, name!, Number(pgn)] as const));
    });
  const read = (type: string, name: string): readonly Data[] => messagesOf(`$IIXDR,${type},20,${units[type]},${name}`);

  test.each(rows)("%s %s becomes %i, with the number of the thing and without", (type, name, pgn) => {
    for (const text of [name, name.toLowerCase(), name.replace("#0", ""), name.replace("#0", "#2")])
      expect(
        read(type, text).map((each) => each.pgn),
        text,
      ).toEqual([pgn]);
  });

  test("and no other of its names has another type", () => {
    const known = new Set(rows.map(([type, name]) => `${type} ${name}`));
    const names = new Set(rows.map(([, name]) => name));
    const others = Object.keys(units).flatMap((type) =>
      [...names]
        .filter((name) => !known.has(`${type} ${name}`) && read(type, name).length > 0)
        .map((name) => `${type} ${name}`),
    );
    expect(others).toEqual([]);
  });

  test("that hub-link writes", () => {
    const told = new Set(rows.map(([, name]) => name.replace("#0", "").toUpperCase()));
    const written = readFileSync("src/formats/nmea0183/transducers.ts", "utf8");
    const names = [...written.matchAll(/(?:constant|numbered)\("([A-Za-z]+)"/g)].map(([, name]) => name!.toUpperCase());
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !told.has(name))).toEqual([]);
  });
});
