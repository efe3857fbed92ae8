/** The navigation report as it is published: its schema, from which its type follows. */
import * as z from "zod";

/** The group `wind` is deprecated; the release that removes it sets this to false. */
export const PUBLISH_DEPRECATED_WIND = true;

/** Seconds after which a report is stale. */
export const NAVIGATION_EXPIRES_AFTER_SECONDS = 2;

/** What 129029 says about its fix, by the code of its method. */
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

const latitude = z.number().min(-90).max(90).describe("degrees");
const longitude = z.number().min(-180).max(180).describe("degrees");
const direction = z.number().min(0).max(360);
const offTheBow = z.number().min(-180).max(180);
const knots = z.number().min(0).describe("knots");

export const navSourceInfo = z
  .strictObject({
    name: z.string().regex(/^\d+$/).describe("NAME of the device in decimal digits, 0 while unknown"),
    friendlyName: z.string().optional().describe("as configured, else the model of the device"),
    pgn: z.int().describe("PGN of the message used"),
    rxTimestamp: z.int().describe("its receive time, Unix time in seconds"),
    age: z.number().min(0).describe("seconds since its reception"),
  })
  .describe("where the group comes from");

const source = navSourceInfo.optional();

const position = z.strictObject({
  hasFix: z.boolean(),
  fixType: z.enum([...fixTypes, "unknown"]),
  method: z.int(),
  numSatellites: z.int(),
  latitude: latitude.optional(),
  longitude: longitude.optional(),
  altitude: z.number().optional().describe("metres"),
  hdop: z.number().optional(),
  pdop: z.number().optional(),
  geoidalSeparation: z.number().optional().describe("metres"),
  integrity: z.int().optional(),
  datum: z.string().optional(),
  source,
});

const speedCourse = z.strictObject({
  cog: direction.nullable().describe("degrees, true"),
  sog: knots.nullable(),
  headingReference: z.enum(["true", "magnetic"]).optional().describe("reference of the sensor"),
  headingTrue: direction.optional().describe("degrees"),
  headingMagnetic: direction.optional().describe("degrees"),
  speedThroughWater: knots.optional(),
  rateOfTurn: z.number().optional().describe("degrees per second, starboard positive"),
  deviation: offTheBow.optional().describe("degrees, as used for the heading"),
  variation: offTheBow.optional().describe("degrees, east positive"),
  variationSource: z
    .string()
    .optional()
    .describe("the magnetic model, when the variation comes from one (beyond the document)"),
  leeway: offTheBow.optional().describe("degrees, positive to starboard"),
  source,
});

const windApparent = z.strictObject({
  speed: knots.nullable(),
  angle: offTheBow.nullable().describe("degrees off the bow, starboard positive"),
  source,
});

const windTrue = z.strictObject({
  speed: knots.nullable(),
  angle: offTheBow.nullable().describe("degrees off the bow, starboard positive"),
  direction: direction.nullable().describe("degrees from true north, where the wind comes from"),
  reference: z.enum(["water", "ground"]),
  computed: z.boolean().describe("true when computed from the apparent wind"),
  source,
});

const wind = z
  .strictObject({
    apparentSpeed: z.number().min(0).optional().describe("m/s"),
    apparentAngle: offTheBow.optional().describe("degrees"),
    trueSpeed: z.number().min(0).optional().describe("m/s"),
    trueAngle: offTheBow.optional().describe("degrees"),
    trueDirection: direction.optional().describe("degrees"),
    atmosphericPressure: z.number().optional().describe("Pa"),
    source,
  })
  .meta({ deprecated: true, description: "replaced by wind_apparent and wind_true" });

const depthWater = z.strictObject({
  depth: z.number().min(0).optional().describe("metres below the transducer"),
  offset: z.number().optional().describe("metres, not added; positive: transducer to waterline, negative: to keel"),
  waterTemperature: z.number().optional().describe("°C"),
  outsideTemperature: z.number().optional().describe("°C"),
  atmosphericPressure: z.number().optional().describe("Pa"),
  source,
});

const date = z.strictObject({
  date: z.iso.date().optional().describe("UTC"),
  time: z
    .string()
    .regex(/^\d\d:\d\d:\d\d$/)
    .optional()
    .describe("UTC; 23:59:60 is a leap second"),
  timeSource: z.string().optional(),
  source,
});

/** The whole message; members in the order in which they are published. */
export const navigationReport = z.strictObject({
  data: z.strictObject({
    position: position.optional(),
    speed_course: speedCourse.optional(),
    wind_apparent: windApparent.optional(),
    wind_true: windTrue.optional(),
    wind: wind.optional(),
    depth_water: depthWater.optional(),
    date: date.optional(),
  }),
  metadata: z.strictObject({
    rxDate: z.iso.datetime(),
    rxTimestamp: z.int(),
    expireAfterSec: z.literal(NAVIGATION_EXPIRES_AFTER_SECONDS),
    configLoaded: z.boolean(),
  }),
});

export type NavigationReport = z.infer<typeof navigationReport>;
export type NavigationData = NavigationReport["data"];
export type NavSourceInfo = z.infer<typeof navSourceInfo>;
