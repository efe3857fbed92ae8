/** Paths of the navigation report, whose values hub has chosen among the sources of the boat. */
import { positionIn } from "../../core/nav/great-circle.ts";
import type { FixType, NavigationData } from "../../core/nav/navigation-report.ts";
import { numberIn, quantity, type Row, row } from "./row.ts";

/** The groups of the report that have paths. */
export type NavigationGroup = keyof typeof navigationPaths;

type Group<Name extends keyof NavigationData> = NonNullable<NavigationData[Name]>;

const ofPosition = numberIn<Group<"position">>();
const ofCourse = numberIn<Group<"speed_course">>();
const ofApparentWind = numberIn<Group<"wind_apparent">>();
const ofTrueWind = numberIn<Group<"wind_true">>();
const ofWater = numberIn<Group<"depth_water">>();

/** A row of the true wind over water, or over ground. */
const over = (reference: Group<"wind_true">["reference"], one: Row<Group<"wind_true">>): Row<Group<"wind_true">> => ({
  ...one,
  member: `${one.member} over ${reference}`,
  value: (wind, known) => (wind.reference === reference ? one.value(wind, known) : undefined),
});

/** A row of the offset, which is positive from the transducer to the waterline, negative to the keel. */
const ofOffset = (
  path: string,
  member: string,
  description: string,
  side: 1 | -1,
  value: (offset: number, depth: number | undefined) => number | undefined,
): Row<Group<"depth_water">> =>
  row(`environment.depth.${path}`, member, [description, "m"], ({ depth, offset }) =>
    offset === undefined || Math.sign(offset) !== side ? undefined : quantity(value(offset, depth), "m"),
  );

/** Truncated, because 0.9999 s rounded up would be the next second. The report has four decimals. */
const milliseconds = (fraction: number): string => fraction.toFixed(4).slice(1, 5);

const sumOf = (offset: number, depth: number | undefined) => (depth === undefined ? undefined : depth + offset);

const fixQualities: Readonly<Record<FixType, string | undefined>> = {
  no_fix: "no GPS",
  gnss: "GNSS Fix",
  dgnss: "DGNSS fix",
  precise_gnss: "Precise GNSS",
  rtk_fixed: "RTK fixed integer",
  rtk_float: "RTK float",
  estimated: "Estimated (DR) mode",
  manual: "Manual input",
  simulator: "Simulator mode",
  unknown: undefined,
};

/** Texts by the integrity code of PGN 129029. */
const integrities = ["no Integrity checking", "Safe", "Caution", "Unsafe"];

/** Paths of the quantities that hub has chosen among the boat's sources. */
export const navigationPaths = {
  position: [
    row<Group<"position">>("navigation.position", "latitude, longitude", ["Position"], (position) =>
      position.hasFix ? positionIn(position) : undefined,
    ),
    ofPosition("navigation.gnss.antennaAltitude", "altitude", "m", "Altitude of the antenna"),
    // The report has 0 where the number is unknown.
    row<Group<"position">>(
      "navigation.gnss.satellites",
      "numSatellites",
      ["Number of satellites used"],
      ({ numSatellites }) => numSatellites || undefined,
    ),
    ofPosition("navigation.gnss.horizontalDilution", "hdop", "", "Horizontal dilution of precision"),
    ofPosition("navigation.gnss.positionDilution", "pdop", "", "Dilution of precision of the position"),
    ofPosition(
      "navigation.gnss.geoidalSeparation",
      "geoidalSeparation",
      "",
      "Mean sea level above the WGS 84 ellipsoid, metres",
    ),
    row<Group<"position">>(
      "navigation.gnss.methodQuality",
      "fixType",
      ["Quality of the fix"],
      ({ fixType }) => fixQualities[fixType],
    ),
    row<Group<"position">>("navigation.gnss.integrity", "integrity", ["Integrity of the fix"], ({ integrity }) =>
      integrity === undefined ? undefined : integrities[integrity],
    ),
  ],
  speed_course: [
    ofCourse("navigation.courseOverGroundTrue", "cog", "deg", "Course over ground, from true north"),
    row<Group<"speed_course">>(
      "navigation.courseOverGroundMagnetic",
      "cog, variation",
      ["Course over ground, from magnetic north", "rad"],
      ({ cog, variation }) =>
        cog === null || variation === undefined ? undefined : quantity((cog - variation + 360) % 360, "deg"),
    ),
    ofCourse("navigation.speedOverGround", "sog", "kn", "Speed over ground"),
    ofCourse("navigation.headingTrue", "headingTrue", "deg", "Heading, from true north"),
    ofCourse("navigation.headingMagnetic", "headingMagnetic", "deg", "Heading, from magnetic north"),
    ofCourse("navigation.speedThroughWater", "speedThroughWater", "kn", "Speed through the water"),
    ofCourse("navigation.rateOfTurn", "rateOfTurn", "deg/s", "Rate of turn, starboard positive"),
    ofCourse("navigation.magneticDeviation", "deviation", "deg", "Deviation of the compass in use, east positive"),
    ofCourse("navigation.magneticVariation", "variation", "deg", "Magnetic variation, east positive"),
    ofCourse("navigation.leewayAngle", "leeway", "deg", "Leeway, positive to starboard"),
  ],
  wind_apparent: [
    ofApparentWind("environment.wind.speedApparent", "speed", "kn", "Speed of the apparent wind"),
    ofApparentWind(
      "environment.wind.angleApparent",
      "angle",
      "deg",
      "Angle of the apparent wind off the bow, starboard positive",
    ),
  ],
  wind_true: [
    over("water", ofTrueWind("environment.wind.speedTrue", "speed", "kn", "Speed of the true wind over water")),
    over(
      "water",
      ofTrueWind(
        "environment.wind.angleTrueWater",
        "angle",
        "deg",
        "Angle of the true wind over water off the bow, starboard positive",
      ),
    ),
    over("ground", ofTrueWind("environment.wind.speedOverGround", "speed", "kn", "Speed of the true wind over ground")),
    over(
      "ground",
      ofTrueWind(
        "environment.wind.angleTrueGround",
        "angle",
        "deg",
        "Angle of the true wind over ground off the bow, starboard positive",
      ),
    ),
    ofTrueWind(
      "environment.wind.directionTrue",
      "direction",
      "deg",
      "Direction from which the true wind blows, from true north",
    ),
  ],
  depth_water: [
    ofWater("environment.depth.belowTransducer", "depth", "m", "Depth below the transducer"),
    ofOffset("surfaceToTransducer", "offset", "Depth of the transducer below the surface", 1, (offset) => offset),
    ofOffset("belowSurface", "depth, offset", "Depth below the surface", 1, sumOf),
    ofOffset(
      "transducerToKeel",
      "offset",
      "Height of the transducer above the bottom of the keel",
      -1,
      (offset) => -offset,
    ),
    ofOffset("belowKeel", "depth, offset", "Depth below the keel", -1, sumOf),
    ofWater("environment.water.temperature", "waterTemperature", "°C", "Temperature of the water"),
    ofWater("environment.outside.temperature", "outsideTemperature", "°C", "Temperature of the air outside"),
    ofWater("environment.outside.pressure", "atmosphericPressure", "Pa", "Atmospheric pressure"),
  ],
  date: [
    row<Group<"date">>(
      "navigation.datetime",
      "date, time, fraction",
      ["Date and time of the boat, UTC"],
      ({ date, time, fraction = 0 }) =>
        date === undefined || time === undefined ? undefined : `${date}T${time}${milliseconds(fraction)}Z`,
    ),
  ],
} as const satisfies { readonly [Name in keyof NavigationData]?: readonly Row<Group<Name>>[] };
