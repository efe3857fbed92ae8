/** What the AIS report promises, for those who read it; members in the order in which they are published. */
import * as z from "zod";
import { aisClasses } from "./ais-messages.ts";
import { AIS_EXPIRES_AFTER_SECONDS } from "./ais-report.ts";
import { HIGHEST_MMSI, MOST_TARGETS } from "./ais-targets.ts";

const position = z.strictObject({
  latitude: z.number().min(-90).max(90).describe("degrees"),
  longitude: z.number().min(-180).max(180).describe("degrees"),
});
const direction = z.number().min(0).lt(360).describe("degrees true");
const knots = z.number().min(0).describe("knots");
const metres = z.number().min(0).describe("metres");
const nauticalMiles = z.number().min(0).describe("nautical miles");

export const aisTarget = z.strictObject({
  mmsi: z.int().min(1).max(HIGHEST_MMSI),
  class: z.enum(aisClasses),
  name: z.string().min(1).optional(),
  callsign: z.string().min(1).optional(),
  imo: z.int().min(1).optional(),
  position: position.optional(),
  cog: direction.optional(),
  sog: knots.optional(),
  heading: direction.optional(),
  rot: z.number().optional().describe("degrees per minute, starboard positive"),
  navStatus: z.string().optional(),
  type: z.int().min(1).max(255).optional().describe("code of the ship type; none for aids to navigation"),
  typeName: z.string().optional().describe("name of the ship type, of an aid to navigation the name of its type"),
  dimensions: z
    .strictObject({
      length: metres.optional(),
      beam: metres.optional(),
      toBow: metres.optional().describe("metres from the antenna; of an aid to navigation, to its north edge"),
      toStarboard: metres.optional().describe("metres from the antenna; of an aid to navigation, to its east edge"),
    })
    .optional(),
  draft: metres.optional(),
  destination: z.string().min(1).optional(),
  lastSeen: z.iso.datetime().describe("receive time of the last message"),
  range: nauticalMiles.optional(),
  bearing: direction.optional(),
  cpa: nauticalMiles.optional().describe("distance at the closest approach, nautical miles"),
  tcpa: z.number().min(0).optional().describe("minutes until the closest approach"),
});

export const aisReport = z.strictObject({
  data: z.strictObject({
    ownShip: z.strictObject({ position: position.optional() }),
    targets: z.array(aisTarget).max(MOST_TARGETS).describe("by MMSI"),
  }),
  metadata: z.strictObject({
    rxDate: z.iso.datetime(),
    rxTimestamp: z.int(),
    expireAfterSec: z.literal(AIS_EXPIRES_AFTER_SECONDS),
  }),
});

export type AisReport = z.infer<typeof aisReport>;
