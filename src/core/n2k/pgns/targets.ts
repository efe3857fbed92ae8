/** Targets that a radar tracks. */

import { pgn } from "../definition.ts";
import { TargetAcquisition, Tracking } from "../lookups.ts";
import { knots, minutes, nauticalMiles } from "../units.ts";
import { also, angle, choice, clock, counter, decimal, flag, integer, key, lauText, reserved, skip, timeOfDay } from "../verbs.ts";
import { s32, u1, u2, u8, u16, u32, withoutReservedCodes } from "../wire.ts";

export const trackedTargetData = pgn(128520, "Tracked Target Data", {
  sid:               counter(integer(u8)),
  targetId:          key(integer(u16)),
  trackStatus:       choice(withoutReservedCodes(u2), Tracking),
  reportedTarget:    flag(),
  acquisitionSource: choice(u1, TargetAcquisition),
  _bearingReference: skip(2),
  _reserved:         reserved(2),
  bearing:           angle(u16),
  distance:          decimal(s32, { per: 100, unit: "m" }),
  distanceNm:        also("distance", nauticalMiles),
  cog:               angle(u16),
  sog:               decimal(u16, { per: 100, unit: knots }),
  cpa:               decimal(s32, { per: 100, unit: "m" }),
  cpaNm:             also("cpa", nauticalMiles),
  tcpa:              decimal(s32, { per: 1000, unit: "s" }),
  tcpaMin:           also("tcpa", minutes),
  utcOfFix:          clock(timeOfDay(u32)),
  _name:             lauText(),
  _referenceTarget:  skip(2),
  _reserved2:        reserved(6),
}, { about: "target" });
