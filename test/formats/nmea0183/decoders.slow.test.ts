/**
 * Our sentences as programs that others wrote read them: each value that hub-cand published is there again, within half
 * of the last digit of its field. The simulated voyage always, recordings of real buses where they are.
 */
import { createRequire } from "node:module";
import { parseNmeaSentence } from "nmea-simple";
import { expect, test } from "vitest";
import { AtonType, NavigationStatus } from "../../../src/core/n2k/lookups.ts";
import { aisPgns } from "../../../src/formats/nmea0183/ais-messages.ts";
import { Nmea0183Encoder } from "../../../src/formats/nmea0183/encoder.ts";
import { codeOf } from "../../../src/formats/nmea0183/six-bit.ts";
import { heardOf, recordings } from "./heard.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages and packets of many shapes.
type Json = any;
type Data = Readonly<Record<string, Json>>;

// Both are CommonJS, one without types.
const require = createRequire(import.meta.url);
const { AisDecode } = require("ggencoder") as { AisDecode: new (sentence: string, session: object) => Data };
const Parser = require("@signalk/nmea0183-signalk") as new () => { parse(sentence: string): Data | null };

/** A value as it was read, the published one, and the tolerance; text has none. */
type Pair = readonly [read: unknown, meant: unknown, tolerance?: number];

const KNOT = 1852 / 3600;
const radians = (degrees: number | undefined): number | undefined => degrees && (degrees * Math.PI) / 180;
const COORDINATE = 0.5001 / 600_000;
const TENTH = 0.0501;
const HUNDREDTH = 0.00501;
const RADIANS = radians(TENTH)!;

/** Angles that differ by whole turns are one. */
const turn = (degrees: number | undefined): number | undefined => degrees && ((degrees % 360) + 360) % 360;

/** The values that `nmea-simple` reads from a sentence, beside the report that it comes from. */
const simple: Readonly<Record<string, (packet: Data, data: Data) => readonly Pair[]>> = {
  RMC: (packet, { position, speed_course, date }) => [
    [
      packet.status,
      position?.hasFix && position.latitude !== undefined && date?.time !== undefined ? "valid" : "warning",
    ],
    ...coordinates(packet, position),
    [packet.speedKnots, speed_course?.sog, TENTH],
    [packet.trackTrue, turn(speed_course?.cog), TENTH],
    [packet.variation && (packet.variationPole === "W" ? -1 : 1) * packet.variation, speed_course?.variation, TENTH],
  ],
  GGA: (packet, { position }) => [
    ...coordinates(packet, position),
    [packet.satellitesInView, position?.numSatellites],
    [packet.horizontalDilution, position?.hdop, TENTH],
    [packet.altitudeMeters, position?.altitude, TENTH],
    [packet.geoidalSeperation, position?.geoidalSeparation, TENTH],
  ],
  GLL: (packet, { position }) => coordinates(packet, position),
  VTG: (packet, { speed_course }) => [
    [packet.trackTrue, turn(speed_course.cog ?? undefined), TENTH],
    [packet.speedKnots, speed_course.sog ?? undefined, TENTH],
    [packet.speedKmph, speed_course.sog && speed_course.sog * 1.852, TENTH],
  ],
  HDG: (packet, { speed_course: { headingMagnetic, deviation = 0, variation } }) => [
    [packet.heading, turn(headingMagnetic - deviation), TENTH],
    [packet.variation && (packet.variationDirection === "W" ? -1 : 1) * packet.variation, variation, TENTH],
  ],
  HDM: (packet, { speed_course }) => [[packet.heading, turn(speed_course.headingMagnetic), TENTH]],
  HDT: (packet, { speed_course }) => [[packet.heading, turn(speed_course.headingTrue), TENTH]],
  VHW: (packet, { speed_course }) => [
    [packet.degreesTrue, turn(speed_course.headingTrue), TENTH],
    [packet.degreesMagnetic, turn(speed_course.headingMagnetic), TENTH],
    [packet.speedKnots, speed_course.speedThroughWater, HUNDREDTH],
    [packet.speedKmph, speed_course.speedThroughWater * 1.852, HUNDREDTH],
  ],
  DBT: (packet, { depth_water }) => [
    [packet.depthMeters, depth_water.depth, HUNDREDTH],
    [packet.depthFeet, depth_water.depth / 0.3048, TENTH],
    [packet.depthFathoms, depth_water.depth / 1.8288, TENTH],
  ],
  MWV: (packet, { wind_apparent, wind_true }) => {
    const wind = packet.reference === "relative" ? wind_apparent : wind_true;
    return [
      [packet.windAngle, turn(wind.angle ?? undefined), TENTH],
      [packet.speed, wind.speed ?? undefined, TENTH],
    ];
  },
  BWC: (packet, data) => [
    [packet.bearingLatitude, data.destinationLatitude, COORDINATE],
    [packet.bearingLongitude, data.destinationLongitude, COORDINATE],
    [packet.distanceNm, data.distanceToWaypoint / 1852, 0.0005001],
  ],
  APB: (packet, data) => [
    [packet.bearing2Dest, turn(data.bearingToWaypoint), TENTH],
    [packet.bearingDestType, data.bearingReference?.slice(0, 1) ?? ""],
  ],
};

function coordinates(packet: Data, position: Data | undefined): readonly Pair[] {
  if (position?.latitude === undefined || position.longitude === undefined) return [];
  return [
    [packet.latitude, position.latitude, COORDINATE],
    [packet.longitude, position.longitude, COORDINATE],
  ];
}

/** The values that the parser of Signal K reads from a sentence: by path, in SI units. */
const signalk: Readonly<Record<string, (values: ReadonlyMap<string, Json>, data: Data) => readonly Pair[]>> = {
  DPT: (values, { depth_water: { depth, offset } }) => [
    [values.get("environment.depth.belowTransducer"), depth, HUNDREDTH],
    ...((offset > 0.005
      ? [[values.get("environment.depth.surfaceToTransducer"), offset, HUNDREDTH]]
      : []) as readonly Pair[]),
  ],
  MTW: (values, { depth_water }) => [
    [values.get("environment.water.temperature"), depth_water.waterTemperature + 273.15, TENTH],
  ],
  ROT: (values, { speed_course }) => [
    [values.get("navigation.rateOfTurn"), radians(speed_course.rateOfTurn), radians(TENTH / 60)!],
  ],
  MWD: (values, { wind_true }) => [
    [values.get("environment.wind.directionTrue"), radians(turn(wind_true.direction)), RADIANS],
    [values.get("environment.wind.speedTrue"), wind_true.speed * KNOT, TENTH],
  ],
  RSA: (values, data) => [[values.get("steering.rudderAngle"), radians(data.positionDeg), RADIANS]],
  VLW: (values, data) => [
    [values.get("navigation.log"), data.totalLogM, HUNDREDTH * 1852],
    [values.get("navigation.trip.log"), data.tripLogM, HUNDREDTH * 1852],
  ],
  XTE: (values, data) => [[values.get("navigation.courseRhumbline.crossTrackError"), data.xte, 0.0005001 * 1852]],
  RMB: (values, data) => [
    [values.get("navigation.courseRhumbline.nextPoint.position")?.latitude, data.destinationLatitude, COORDINATE],
    [values.get("navigation.courseRhumbline.nextPoint.position")?.longitude, data.destinationLongitude, COORDINATE],
    [values.get("navigation.courseRhumbline.nextPoint.distance"), Math.min(999.9 * 1852, data.distanceToWaypoint), 1],
  ],
};

/** Six-bit text up to its first `@`, which ends it. */
const trimmed = (text: string | undefined): string => (text ?? "").split("@")[0]!.trim();
const position = (read: Data, data: Data): readonly Pair[] =>
  data.latitude === undefined || data.longitude === undefined
    ? []
    : [
        [read.lat, data.latitude, COORDINATE],
        [read.lon, data.longitude, COORDINATE],
      ];
const motion = (read: Data, data: Data, speedStep = TENTH): readonly Pair[] => [
  ...position(read, data),
  [read.sog, data.sogMs === undefined ? (speedStep === TENTH ? 102.3 : 1023) : data.sogMs / KNOT, speedStep],
  [turn(read.cog === 360 ? undefined : read.cog), turn(data.cogDeg), TENTH],
];
const heading = (read: Data, data: Data): Pair => [
  read.hdg === 511 ? undefined : turn(read.hdg),
  turn(data.headingDeg),
  0.501,
];
const size = (read: Data, data: Data): readonly Pair[] => [
  [read.length, data.lengthM ?? 0, 0.501],
  [read.width, data.beamM ?? 0, 0.501],
  [read.dimD, data.toStarboardM ?? data.beamM ?? 0, 0.51],
];

/** The values that the AIS decoder reads from a message, by PGN. */
const ais: Readonly<Record<number, (read: Data, data: Data) => readonly Pair[]>> = {
  129038: (read, data) => [
    ...motion(read, data),
    heading(read, data),
    [read.navstatus, codeOf(NavigationStatus, data.navStatus) ?? 15],
    [read.utc, data.timeStamp ?? read.utc],
    [read.class, "A"],
  ],
  129039: (read, data) => [...motion(read, data), heading(read, data), [read.class, "B"]],
  129040: (read, data) => [
    ...motion(read, data),
    heading(read, data),
    ...size(read, data),
    [trimmed(read.shipname), trimmed(data.name)],
    [read.cargo, data.shipType ?? 0],
  ],
  129041: (read, data) => [
    ...position(read, data),
    [read.aidtype, codeOf(AtonType, data.atonType) ?? 0],
    [trimmed(read.shipname) + trimmed(read.txt), trimmed(data.name)],
    [read.length, data.lengthM ?? 0, 1.01],
    [read.virtual, data.virtual ? 1 : 0],
    [read.offpos, data.offPosition ? 1 : 0],
  ],
  129793: (read, data) => position(read, data),
  129794: (read, data) => [
    [read.imo, data.imoNumber ?? 0],
    [trimmed(read.callsign), trimmed(data.callsign)],
    [trimmed(read.shipname), trimmed(data.name)],
    [trimmed(read.destination), trimmed(data.destination)],
    [read.cargo, data.shipType ?? 0],
    ...size(read, data),
    [read.draught, data.draftM ?? 0, TENTH],
    [read.etaHr, data.etaTime === undefined ? 24 : Math.floor(data.etaTime / 3600) % 24],
    [read.etaMin, data.etaTime === undefined ? 60 : Math.floor(data.etaTime / 60) % 60],
    [read.etaDay, data.etaDate === undefined ? 0 : new Date(data.etaDate * 864e5).getUTCDate()],
    [read.etaMo, data.etaDate === undefined ? 0 : new Date(data.etaDate * 864e5).getUTCMonth() + 1],
  ],
  129798: (read, data) => [...motion(read, data, 0.501), [read.alt, data.altitudeM ?? 4095, 0.501]],
  129802: (read, data) => [[trimmed(read.txt), trimmed(data.text?.toUpperCase())]],
  129809: (read, data) => [[trimmed(read.shipname), trimmed(data.name)]],
  129810: (read, data) => [
    [trimmed(read.callsign), trimmed(data.callsign)],
    [read.cargo, data.shipType ?? 0],
    ...size(read, data),
  ],
};

/** Without a value the field is empty: decoders read nothing, zero, or no number. */
function hold(where: string, pairs: readonly Pair[]): void {
  for (const [index, [read, meant, tolerance]] of pairs.entries()) {
    const at = `${where}, value ${index}`;
    if (meant === undefined || meant === null) {
      expect(Number.isNaN(read) ? 0 : (read ?? 0), at).toBe(read === "" ? "" : 0);
    } else if (typeof meant === "number" && tolerance !== undefined) {
      // The nearer way round, so that 359.97 degrees and 0.0 are one.
      const difference = Math.abs(Number(read) - meant);
      expect(
        Math.min(difference, Math.abs(difference - 360), Math.abs(difference - 2 * Math.PI)),
        `${at}: ${read}, ${meant}`,
      ).toBeLessThanOrEqual(tolerance);
    } else expect(read, at).toEqual(meant);
  }
}

/** Counts of the sentences and messages that were read. */
async function readBack(name: string): Promise<Map<string, number>> {
  const encoder = new Nmea0183Encoder();
  const parser = new Parser();
  const counts = new Map<string, number>();
  const session = {};
  for await (const { on, address, data, atMs } of heardOf(name)) {
    const lines = on === "navigation" ? encoder.navigation(data, atMs) : encoder.pgn(on, address, data, atMs);
    const sentences = lines.split("\r\n").slice(0, -1);
    const isAis = on !== "navigation" && aisPgns.includes(on);
    for (const sentence of sentences) {
      const id = sentence.slice(3, 6);
      const count = isAis ? String(on) : id;
      if (isAis) {
        const read: Data = new AisDecode(sentence, session);
        if (sentence !== sentences.at(-1)) continue;
        hold(`${sentence} of ${JSON.stringify(data)}`, [[Number(read.mmsi), data.mmsi], ...ais[on]!(read, data)]);
      } else if (id in simple) {
        hold(`${sentence} of ${JSON.stringify(data)}`, simple[id]!(parseNmeaSentence(sentence) as Data, data));
      } else if (id in signalk) {
        const values = parser.parse(sentence)?.updates?.[0]?.values ?? [];
        const byPath = new Map<string, Json>(values.map(({ path, value }: Data) => [path, value]));
        hold(`${sentence} of ${JSON.stringify(data)}`, signalk[id]!(byPath, data));
      }
      counts.set(count, (counts.get(count) ?? 0) + 1);
    }
  }
  return counts;
}

test("the simulated voyage", async () => {
  const counts = await readBack("voyage");
  const expected = [
    "RMC",
    "GGA",
    "GLL",
    "VTG",
    "ZDA",
    "HDG",
    "HDM",
    "HDT",
    "ROT",
    "VHW",
    "DBT",
    "DPT",
    "MTW",
    "MWV",
    "RSA",
    "VLW",
    "XTE",
    "RMB",
    "APB",
    "BWC",
    "XDR",
  ];
  for (const id of expected) expect(counts.get(id), id).toBeGreaterThan(10);
  for (const pgn of [129038, 129039, 129040, 129041, 129794, 129798, 129809, 129810])
    expect(counts.get(String(pgn)), String(pgn)).toBeGreaterThan(0);
});

test.each(recordings)("%s", async (name) => {
  expect((await readBack(name)).get("RMC")).toBeGreaterThan(0);
});

test("the parser of Signal K reads who is in distress, where to the minute, and why", () => {
  const call = { format: "Distress", category: "Distress", natureOfDistress: "Sinking", address: "2446600000" };
  const [sent] = new Nmea0183Encoder()
    .pgn(129808, 1, { ...call, latitude: 52.6521584, longitude: -4.51 }, 0)
    .split("\r\n");
  const { context, updates } = new Parser().parse(sent!)!;
  expect(context).toBe("vessels.urn:mrn:imo:mmsi:244660000");
  const values = new Map(updates[0].values.map(({ path, value }: Json) => [path, value]));
  expect(values.get("navigation.position")).toEqual({ latitude: 52 + 39 / 60, longitude: -4.5 });
  expect([...values.keys()]).toContain("notifications.sinking");
});
