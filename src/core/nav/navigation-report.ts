/** The navigation report: one schema, from which type, text, JSON Schema and reference follow. */
import * as z from "zod";
import { envelopeOf, metadataOf } from "../report/envelope.ts";
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
const pascals = decimal(1).describe("Pa");
const celsius = decimal(2).describe("°C");

const navSourceInfo = z
  .strictObject({
    name: z.string().regex(/^\d+$/).describe("NAME of the device in decimal digits, 0 while unknown"),
    friendlyName: z.string().describe("as configured, else the model of the device").optional(),
    pgn: z.int().describe("PGN of the message used"),
    rxTimestamp: z.int().describe("its receive time, Unix time in seconds"),
    age: decimal(3).min(0).describe("seconds since its reception"),
  })
  .describe("origin of the group");

const source = navSourceInfo.optional();

const position = z.strictObject({
  hasFix: z.boolean(),
  fixType: z.enum([...fixTypes, "unknown"]),
  method: z.int().describe("method code of PGN 129029; 15: unknown"),
  numSatellites: z.int().describe("0 when unknown"),
  latitude: latitude.optional(),
  longitude: longitude.optional(),
  altitude: decimal(2).describe("metres").optional(),
  hdop: decimal(2).optional(),
  pdop: decimal(2).optional(),
  geoidalSeparation: decimal(2).describe("metres").optional(),
  integrity: z.int().describe("integrity code of PGN 129029").optional(),
  datum: z.string().optional(),
  source,
});

const speedCourse = z.strictObject({
  cog: direction.describe("degrees, true").nullable(),
  sog: knots.nullable(),
  headingReference: z.enum(["true", "magnetic"]).describe("reference of the sensor").optional(),
  headingTrue: direction.describe("degrees").optional(),
  headingMagnetic: direction.describe("degrees").optional(),
  speedThroughWater: knots.optional(),
  rateOfTurn: decimal(3).describe("degrees per second, starboard positive").optional(),
  deviation: relativeAngle.describe("degrees, as used for the heading").optional(),
  variation: relativeAngle.describe("degrees, east positive").optional(),
  variationSource: z
    .string()
    .describe("the magnetic model, when the variation comes from one (beyond the document)")
    .optional(),
  leeway: relativeAngle.describe("degrees, positive to starboard").optional(),
  source,
});

const windApparent = z.strictObject({
  speed: knots.nullable(),
  angle: relativeAngle.describe("degrees off the bow, starboard positive").nullable(),
  source,
});

const windTrue = z.strictObject({
  speed: knots.nullable(),
  angle: relativeAngle.describe("degrees off the bow, starboard positive").nullable(),
  direction: direction.describe("degrees from true north, direction from which the wind blows").nullable(),
  reference: z.enum(["water", "ground"]),
  computed: z.boolean().describe("true when computed from the apparent wind"),
  source,
});

const wind = z
  .strictObject({
    apparentSpeed: decimal(2).min(0).describe("m/s").optional(),
    apparentAngle: relativeAngle.describe("degrees").optional(),
    trueSpeed: decimal(2).min(0).describe("m/s").optional(),
    trueAngle: relativeAngle.describe("degrees").optional(),
    trueDirection: direction.describe("degrees").optional(),
    atmosphericPressure: pascals.optional(),
    source,
  })
  .meta({ deprecated: true, description: "replaced by wind_apparent and wind_true" });

const depthWater = z.strictObject({
  depth: decimal(2).min(0).describe("metres below the transducer").optional(),
  offset: decimal(2).describe("metres, not added; positive: transducer to waterline, negative: to keel").optional(),
  waterTemperature: celsius.optional(),
  outsideTemperature: celsius.optional(),
  atmosphericPressure: pascals.optional(),
  source,
});

const date = z.strictObject({
  date: z.iso.date().describe("UTC").optional(),
  time: z
    .string()
    .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d|23:59:60)$/)
    .describe("UTC, cut to the second; 23:59:60 is a leap second")
    .optional(),
  fraction: decimal(4)
    .min(0)
    .lt(1)
    .describe("seconds of `time` that were cut, where there are any (beyond the document)")
    .optional(),
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
