/** The navigation report: one schema, from which type, text, JSON Schema and reference follow. */
import * as z from "zod";
import { envelopeOf, metadataOf } from "../report/envelope.ts";
import { inUnit, mark } from "../report/marks.ts";
import { decimal } from "../report/number.ts";
import { NAVIGATION_EXPIRES_AFTER_SECONDS } from "../report/timing.ts";
import { direction as bearing, knots, latitude, longitude, relativeAngle } from "./report-numbers.ts";

/** The group `wind` is deprecated; the release that removes it sets this to false. */
export const PUBLISH_DEPRECATED_WIND = true;

/** Kind of fix by the code of its method in 129029. */
export const fixTypes = [
  "no_fix",
  "gnss",
  "dgnss",
  "precise_gnss",
  "rtk_fixed",
  "rtk_float",
  "estimated",
  "manual",
  "simulator",
] as const;
export type FixType = (typeof fixTypes)[number] | "unknown";

const direction = bearing.max(360);
const pascals = inUnit("Pa", decimal(1));
const celsius = inUnit("°C", decimal(2), "°C");

const navSourceInfo = z
  .strictObject({
    name: z.string().regex(/^\d+$/).describe("NAME of the device in decimal digits, 0 while unknown"),
    friendlyName: z.string().describe("as configured, else the model of the device").optional(),
    pgn: z.int().describe("PGN of the message used"),
    rxTimestamp: inUnit("s", z.int(), (seconds) => `its receive time, Unix time in ${seconds}`),
    age: inUnit("s", decimal(3).min(0), (seconds) => `${seconds} since its reception`),
  })
  .describe("origin of the group");

const source = mark(navSourceInfo, { clock: true }).optional();

const position = z.strictObject({
  hasFix: z.boolean(),
  fixType: z.enum([...fixTypes, "unknown"]),
  method: z.int().describe("method code of PGN 129029; 15: unknown"),
  numSatellites: z.int().describe("0 when unknown"),
  latitude: latitude.optional(),
  longitude: longitude.optional(),
  altitude: inUnit("m", decimal(2)).optional(),
  hdop: decimal(2).optional(),
  pdop: decimal(2).optional(),
  geoidalSeparation: inUnit("m", decimal(2)).optional(),
  integrity: z.int().describe("integrity code of PGN 129029").optional(),
  datum: z.string().optional(),
  source,
});

const speedCourse = z.strictObject({
  cog: inUnit("deg", direction, (degrees) => `${degrees}, true`).nullable(),
  sog: knots.nullable(),
  computed: z
    .boolean()
    .describe("true when computed from successive positions, because no receiver reports a speed (beyond the document)")
    .optional(),
  headingReference: z.enum(["true", "magnetic"]).describe("reference of the sensor").optional(),
  headingTrue: inUnit("deg", direction).optional(),
  headingMagnetic: inUnit("deg", direction).optional(),
  speedThroughWater: knots.optional(),
  rateOfTurn: inUnit("deg/s", decimal(3), (degreesPerSecond) => `${degreesPerSecond}, starboard positive`).optional(),
  deviation: inUnit("deg", relativeAngle, (degrees) => `${degrees}, as used for the heading`).optional(),
  variation: inUnit("deg", relativeAngle, (degrees) => `${degrees}, east positive`).optional(),
  variationSource: z
    .string()
    .describe("the magnetic model, when the variation comes from one (beyond the document)")
    .optional(),
  leeway: inUnit("deg", relativeAngle, (degrees) => `${degrees}, positive to starboard`).optional(),
  source,
});

const windApparent = z.strictObject({
  speed: knots.nullable(),
  angle: inUnit("deg", relativeAngle, (degrees) => `${degrees} off the bow, starboard positive`).nullable(),
  source,
});

const windTrue = z.strictObject({
  speed: knots.nullable(),
  angle: inUnit("deg", relativeAngle, (degrees) => `${degrees} off the bow, starboard positive`).nullable(),
  direction: inUnit(
    "deg",
    direction,
    (degrees) => `${degrees} from true north, direction from which the wind blows`,
  ).nullable(),
  reference: z.enum(["water", "ground"]),
  computed: z.boolean().describe("true when computed from the apparent wind"),
  source,
});

const wind = z
  .strictObject({
    apparentSpeed: inUnit("m/s", decimal(2).min(0)).optional(),
    apparentAngle: inUnit("deg", relativeAngle).optional(),
    trueSpeed: inUnit("m/s", decimal(2).min(0)).optional(),
    trueAngle: inUnit("deg", relativeAngle).optional(),
    trueDirection: inUnit("deg", direction).optional(),
    atmosphericPressure: pascals.optional(),
    source,
  })
  .meta({ deprecated: true, description: "replaced by wind_apparent and wind_true" });

const depthWater = z.strictObject({
  depth: inUnit("m", decimal(2).min(0), (metres) => `${metres} below the transducer`).optional(),
  offset: inUnit(
    "m",
    decimal(2),
    (metres) => `${metres}, not added; positive: transducer to waterline, negative: to keel`,
  ).optional(),
  waterTemperature: celsius.optional(),
  outsideTemperature: celsius.optional(),
  atmosphericPressure: pascals.optional(),
  source,
});

const date = z.strictObject({
  date: z.iso.date().describe("UTC").optional(),
  time: mark(
    z
      .string()
      .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d|23:59:60)$/)
      .describe("UTC, cut to the second; 23:59:60 is a leap second"),
    { clock: true },
  ).optional(),
  fraction: mark(
    inUnit(
      "s",
      decimal(4).min(0).lt(1),
      (seconds) => `${seconds} of \`time\` that were cut, where there are any (beyond the document)`,
    ),
    { clock: true },
  ).optional(),
  timeSource: z.string().optional(),
  source: navSourceInfo
    .extend({
      correctedDays: z
        .int()
        .describe(
          "days added to the date of a receiver in which the weeks of GPS have rolled over (beyond the document)",
        )
        .optional(),
    })
    .optional(),
});

export const navigationData = z.strictObject({
  position: position.optional(),
  speed_course: speedCourse.optional(),
  wind_apparent: windApparent.optional(),
  wind_true: windTrue.optional(),
  wind: wind.optional(),
  depth_water: depthWater.optional(),
  date: date.optional(),
});

/** The whole message; members in the order in which they are published. */
export const navigationReport = envelopeOf(
  navigationData,
  metadataOf(NAVIGATION_EXPIRES_AFTER_SECONDS).extend({
    configLoaded: z.boolean().describe("the settings come from an entry of deploy.json"),
  }),
);

export type NavigationReport = z.infer<typeof navigationReport>;
export type NavigationData = z.infer<typeof navigationData>;
export type NavSourceInfo = z.infer<typeof navSourceInfo>;
