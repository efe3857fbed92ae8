/** The AIS report: one schema, from which type, text, JSON Schema and reference follow. */
import * as z from "zod";
import { envelopeOf } from "../report/envelope.ts";
import { inUnit } from "../report/marks.ts";
import { decimal } from "../report/number.ts";
import { aisClasses, HIGHEST_MMSI, MAX_TARGETS } from "./ais-messages.ts";
import { direction as bearing, knots, latitude, longitude } from "./report-numbers.ts";

const position = z.strictObject({ latitude, longitude });
const direction = inUnit("deg", bearing.lt(360), (degrees) => `${degrees} true`);
const metres = inUnit("m", decimal(1).min(0));
const nauticalMiles = inUnit("NM", decimal(2).min(0));
const text = z.string().min(1);

/**
 * Members of a target that do not depend on own ship. Coordinates, dimensions and draught have the decimals of the
 * wire, angles and knots those of the navigation report; `rot` is slightly finer than the wire (0.1 degrees per
 * minute).
 */
export const targetMembers = {
  mmsi: z.int().min(1).max(HIGHEST_MMSI),
  class: z.enum(aisClasses),
  name: text.optional(),
  callsign: text.optional(),
  imo: z.int().min(1).optional(),
  position: position.optional(),
  cog: direction.optional(),
  sog: knots.optional(),
  heading: direction.optional(),
  rot: inUnit("deg/min", decimal(1), (degreesPerMinute) => `${degreesPerMinute}, starboard positive`).optional(),
  navStatus: z.string().optional(),
  type: z.int().min(1).max(255).describe("code of the ship type; none for aids to navigation").optional(),
  typeName: z.string().describe("name of the ship type; for aids to navigation, name of their type").optional(),
  dimensions: z
    .strictObject({
      length: metres.optional(),
      beam: metres.optional(),
      toBow: inUnit(
        "m",
        metres,
        (metres) => `${metres} from the antenna; for aids to navigation, to the north edge`,
      ).optional(),
      toStarboard: inUnit(
        "m",
        metres,
        (metres) => `${metres} from the antenna; for aids to navigation, to the east edge`,
      ).optional(),
    })
    .optional(),
  draft: inUnit("m", decimal(2).min(0)).optional(),
  destination: text.optional(),
  eta: z.iso.datetime().describe("time of arrival at the destination, UTC (beyond the document)").optional(),
  blueSign: z
    .boolean()
    .describe("inland: it shows the blue sign, for ships to pass starboard to starboard (beyond the document)")
    .optional(),
  virtual: z.boolean().describe("of an aid to navigation: only its messages exist (beyond the document)").optional(),
  offPosition: z.boolean().describe("of an aid to navigation: it has left its place (beyond the document)").optional(),
  lastSeen: z.iso.datetime().describe("receive time of the last message"),
  positionSeen: z.iso
    .datetime()
    .describe("receive time of the position, if later messages had none (beyond the document)")
    .optional(),
};

/** Members of a target as seen from own ship; `cpa` is slightly finer than the fix of a good receiver (20 m). */
export const approachMembers = {
  range: nauticalMiles.optional(),
  bearing: direction.optional(),
  cpa: inUnit("NM", nauticalMiles, (nauticalMiles) => `distance at the closest approach, ${nauticalMiles}`).optional(),
  tcpa: inUnit("min", decimal(1).min(0), (minutes) => `${minutes} until the closest approach`).optional(),
};

const aisTarget = z.strictObject({ ...targetMembers, ...approachMembers });

export const ownShip = z.strictObject({ position: position.optional() });

export const aisReport = envelopeOf(
  z.strictObject({ ownShip, targets: z.array(aisTarget).max(MAX_TARGETS).describe("by MMSI") }),
);

export type AisReport = z.infer<typeof aisReport>;
