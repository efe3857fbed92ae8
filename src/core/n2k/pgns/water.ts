/** Speed through water, depth and the log. */

import { pgn } from "../definition.ts";
import { WaterReference } from "../lookups.ts";
import { knots, nauticalMiles } from "../units.ts";
import { also, angle, choice, counter, days, decimal, everyday, integer, reserved, skip } from "../verbs.ts";
import { s16, u8, u16, u32 } from "../wire.ts";

export const nauticalLeeway = pgn(128000, "Nautical Leeway Angle", {
  sequenceId:  counter(integer(u8)),
  leewayDeg:   angle(s16),
  _reserved:   reserved(40),
}, { note: "positive to starboard; feeds the navigation report" });

export const speedWaterReferenced = pgn(128259, "Speed, Water Referenced", {
  sequenceId:       counter(integer(u8)),
  speedWaterMs:     decimal(u16, { per: 100, unit: "m/s" }),
  speedWaterKnots:  also("speedWaterMs", knots),
  speedGroundMs:    decimal(u16, { per: 100, unit: "m/s" }),
  speedGroundKnots: also("speedGroundMs", knots),
  speedSensorType:  choice(u8, WaterReference),
  _speedDirection:  skip(4),
  _reserved:        reserved(12),
}, { publicTitle: "Speed" });

export const waterDepth = pgn(128267, "Water Depth", {
  sequenceId: counter(integer(u8)),
  depthM:     decimal(u32, { per: 100, unit: "m" }),
  offsetM:    decimal(s16, { per: 1000, unit: "m", note: "positive: transducer to waterline, negative: to keel" }),
  rangeM:     decimal(u8, { times: 10, unit: "m" }),
});

export const distanceLog = pgn(128275, "Distance Log", {
  _date:      days(u16),
  _time:      skip(32),
  totalLogM:  everyday(decimal(u32, { unit: "m", quantity: "total" })),
  totalLogNm: also("totalLogM", nauticalMiles),
  tripLogM:   everyday(decimal(u32, { unit: "m", quantity: "total" })),
  tripLogNm:  also("tripLogM", nauticalMiles),
}, { order: ["tripLogM", "tripLogNm", "totalLogM", "totalLogNm"] });
