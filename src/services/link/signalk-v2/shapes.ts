/**
 * The resources and the course of Signal K version 2 as they are stored and received. Members beyond those named here
 * are kept; the length of a whole is limited by its reader.
 */
import * as z from "zod";
import { beginsWithDay } from "../../../core/text/date.ts";

export const kinds = ["waypoints", "routes", "notes", "tracks"] as const;
export type Kind = (typeof kinds)[number];

export const MAX_NAME = 100;
const MAX_TEXT = 10_000;
const MAX_POINTS = 20_000;

/** A UUID as signalk-server takes it: of version 4, in lower case. */
export const RESOURCE_ID = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

/** The same in either case; it becomes lower case. */
export const resourceId = z
  .string()
  .regex(new RegExp(`^${RESOURCE_ID}$`, "i"))
  .transform((id) => id.toLowerCase());

/** Names are shown to the crew: a control character would have no place there. */
const name = z
  .string()
  .max(MAX_NAME)
  .regex(/^\P{Cc}*$/u);
const text = z.string().max(MAX_TEXT);
/** A time in the form of signalk-server's own schema. */
const time = z
  .string()
  .max(40)
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d*)?(?:Z|-\d\d:\d\d)$/)
  .refine((text) => !Number.isNaN(Date.parse(text)) && beginsWithDay(text), "is no date");

export const position = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  altitude: z.number().optional(),
});

/** Longitude, latitude, and the altitude in metres if it is known (RFC 7946). */
const coordinate = z
  .tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
  .rest(z.number())
  .refine(({ length }) => length <= 3);
const line = z.array(coordinate).min(2).max(MAX_POINTS);

/** GeoJSON has properties or null; a client may leave them out. */
const propertiesOf = <Properties extends z.ZodObject>(properties: Properties) =>
  properties.nullish().transform((given) => given ?? ({} as z.infer<Properties>));

const feature = <Geometry extends z.ZodType>(geometry: Geometry) =>
  z.looseObject({
    type: z.literal("Feature").default("Feature"),
    geometry,
    properties: propertiesOf(z.looseObject({})),
  });

const named = { name: name.optional(), description: text.optional() };

const waypoint = z.looseObject({
  ...named,
  type: name.optional(),
  feature: feature(z.looseObject({ type: z.literal("Point"), coordinates: coordinate })),
});

const route = z.looseObject({
  ...named,
  distance: z.number().min(0).optional(),
  feature: feature(z.looseObject({ type: z.literal("LineString"), coordinates: line })).extend({
    properties: propertiesOf(
      z.looseObject({
        coordinatesMeta: z
          .array(z.looseObject({ name: name.optional() }).nullable())
          .max(MAX_POINTS)
          .optional(),
      }),
    ),
  }),
});

const note = z.looseObject({
  title: name.optional(),
  description: text.optional(),
  mimeType: name.optional(),
  // Apps make links of it.
  url: z
    .string()
    .max(1000)
    .regex(/^https?:\/\//i)
    .optional(),
  properties: z.looseObject({}).optional(),
  href: z
    .string()
    .max(200)
    .regex(/^\/resources\/\w+\/[\w-]+$/)
    .optional(),
  position: position.optional(),
});

const track = z.looseObject({
  ...named,
  feature: feature(
    z.discriminatedUnion("type", [
      z.looseObject({ type: z.literal("LineString"), coordinates: line }),
      z.looseObject({ type: z.literal("MultiLineString"), coordinates: z.array(line).min(1).max(MAX_POINTS) }),
    ]),
  ),
});

export const shapes = { waypoints: waypoint, routes: route, notes: note, tracks: track } as const;

export type Coordinate = z.infer<typeof coordinate>;
export type Waypoint = z.infer<typeof waypoint>;
export type Route = z.infer<typeof route>;
export type Track = z.infer<typeof track>;
export type Note = z.infer<typeof note>;

/** A resource of any kind, valid by its shape. */
export type Resource = Readonly<Record<string, unknown>>;

/** Where the shape of a value is not kept, in words. */
export const faultIn = ({ issues: [first] }: z.ZodError): string =>
  `Invalid Data supplied: ${first!.path.join(".") || "the body"}: ${first!.message}`;

const index = z.int().min(0).max(MAX_POINTS);
const routeHref = z
  .string()
  .max(200)
  .regex(/^\/resources\/routes\/[\w-]+$/);
export const arrivalCircle = z.number().min(0).max(1_000_000);

const coursePoint = z.object({
  href: z.string().max(200).optional(),
  type: name,
  position,
  name: name.optional(),
  press: name.optional(),
});
export type CoursePoint = z.infer<typeof coursePoint>;

/** The course as hub-link stores it and as the API shows it. */
export const courseInfo = z.object({
  startTime: time.nullable(),
  targetArrivalTime: time.nullable(),
  arrivalCircle,
  activeRoute: z
    .object({ href: routeHref, name, pointIndex: index, pointTotal: index, reverse: z.boolean() })
    .nullable(),
  nextPoint: coursePoint.nullable(),
  previousPoint: coursePoint.nullable(),
});
export type CourseInfo = z.infer<typeof courseInfo>;

const circle = { arrivalCircle: arrivalCircle.optional() };

/** Bodies of the requests of the course API. */
export const courseBodies = {
  destination: z.union([
    z.object({
      href: z
        .string()
        .max(200)
        .regex(/^\/resources\/waypoints\/[\w-]+$/),
      ...circle,
    }),
    z.object({ position, ...circle }),
  ]),
  activeRoute: z.object({
    href: routeHref,
    pointIndex: index.default(0),
    reverse: z.boolean().default(false),
    ...circle,
  }),
  arrivalCircle: z.object({ value: arrivalCircle }),
  targetArrivalTime: z.object({ value: time.nullable() }),
  nextPoint: z.object({ value: z.int().min(-MAX_POINTS).max(MAX_POINTS).default(1) }),
  pointIndex: z.object({ value: index }),
  reverse: z.object({ pointIndex: index.optional() }),
} as const;
export type CourseBodies = { [Name in keyof typeof courseBodies]: z.infer<(typeof courseBodies)[Name]> };
