/** The messages of slow lanes: their expiry, their schemas, the level of the topic that names an instance. */
import * as z from "zod";
import type { Definition } from "../n2k/definition.ts";
import { publishedFields } from "../n2k/layout.ts";
import { aisReport } from "../nav/ais-report.ts";
import { navigationData, navigationReport } from "../nav/navigation-report.ts";
import { metadataOf } from "../report/envelope.ts";
import { inUnit } from "../report/marks.ts";
import { decimal } from "../report/number.ts";
import { EXPIRE_AFTER_SECONDS } from "../report/timing.ts";
import { writerOf } from "../report/write.ts";
import { memoize } from "../util/memoize.ts";
import type { TopicsBelow, TopicValues } from "./topics.ts";

/** Seconds after which a message of a lane expires: three intervals, a minute at least. */
export const laneExpirySeconds = (seconds: number): number => Math.max(EXPIRE_AFTER_SECONDS, 3 * seconds);

const laneMetadata = metadataOf(EXPIRE_AFTER_SECONDS).extend({
  expireAfterSec: inUnit("s", z.int().min(EXPIRE_AFTER_SECONDS), "three intervals of the lane, a minute at least"),
});

/** A lane repeats a sample, which is no gust. */
const speedMax = inUnit(
  "kn",
  decimal(2).min(0),
  (knots) => `${knots}, the greatest since the last message of the lane`,
).optional();
const { wind_apparent, wind_true } = navigationData.shape;

export const laneNavigation = navigationReport.extend({
  data: navigationData.extend({
    wind_apparent: wind_apparent.unwrap().extend({ speedMax }).optional(),
    wind_true: wind_true.unwrap().extend({ speedMax }).optional(),
  }),
  metadata: laneMetadata.extend({ configLoaded: navigationReport.shape.metadata.shape.configLoaded }),
});
export const laneAis = aisReport.extend({ metadata: laneMetadata });
export const lanePgn = z.strictObject({
  data: z.looseObject({ pgn: z.int() }).describe("as in the topic of the PGN"),
  metadata: laneMetadata,
});

export const writeLaneNavigation = writerOf(laneNavigation);

/** The text with letters, digits, `_` and `-` only, which topics and identifiers of every program permit. */
export const safeLevel = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_-]+/g, "_");

/** Names of the published key fields. */
export const keysOf = memoize((definition: Definition) =>
  publishedFields(definition).flatMap(({ name, field }) => (field.key ? [name] : [])),
);

/** The level of a topic that distinguishes the instances of a PGN; empty for a PGN without instances. */
export const instanceLevel = (names: readonly string[], values: Readonly<Record<string, unknown>>): string =>
  names.map((name) => safeLevel(String(values[name] ?? "none"))).join("-");

/** The topic in a lane of the messages of a PGN with one key; `instance` is empty for a PGN without key fields. */
export const lanePgnTopic = (
  topics: TopicsBelow,
  { instance, ...place }: Pick<TopicValues, "seconds" | "addr" | "pgn" | "instance">,
): string => (instance === "" ? topics.everyPgn(place) : topics.everyPgnInstance({ ...place, instance }));
