/** Navigation along a route: cross-track error, the active waypoint, set and drift. */

import { pgn } from "../definition.ts";
import { ArrivalStatus, ResidualMode, TrueMagnetic } from "../lookups.ts";
import { knots } from "../units.ts";
import { aboveZero, also, angle, choice, code, counter, decimal, integer, key, latitude, longitude, reserved, skip } from "../verbs.ts";
import { s16, s32, u2, u4, u8, u16, u32 } from "../wire.ts";

export const crossTrackError = pgn(129283, "Cross Track Error", {
  sequenceId:            counter(integer(u8)),
  xteMode:               code(u4, ResidualMode),
  _reserved:             reserved(2),
  _navigationTerminated: skip(2),
  xte:                   decimal(s32, { per: 100, unit: "m" }),
  _reserved2:            reserved(16),
});

export const navigationData = pgn(129284, "Navigation Data", {
  sequenceId:           counter(integer(u8)),
  distanceToWaypoint:   decimal(u32, { per: 100, unit: "m" }),
  bearingReference:     choice(u2, TrueMagnetic),
  arrivalStatus:        choice(u4, ArrivalStatus, { note: "from the flags perpendicular crossed (low two bits) and arrival circle entered" }),
  _calculationType:     skip(2),
  _etaTime:             skip(32),
  _etaDate:             skip(16),
  _bearingFromOrigin:   skip(16),
  bearingToWaypoint:    angle(u16, { note: "from the position to the destination" }),
  _originWaypoint:      skip(32),
  waypointId:           integer(u32, { note: "destination waypoint" }),
  destinationLatitude:  latitude(s32),
  destinationLongitude: longitude(s32),
  waypointClosing:      aboveZero(s16, { note: "true if the closing velocity is above zero" }),
}, { order: ["sequenceId", "distanceToWaypoint", "bearingToWaypoint", "bearingReference", "waypointClosing", "arrivalStatus",
             "destinationLatitude", "destinationLongitude", "waypointId"] });

export const setDriftRapidUpdate = pgn(129291, "Set & Drift, Rapid Update", {
  sequenceId:   counter(integer(u8)),
  setReference: key(choice(u2, TrueMagnetic)),
  _reserved:    reserved(6),
  setDeg:       angle(u16),
  driftMs:      decimal(u16, { per: 100, unit: "m/s" }),
  driftKnots:   also("driftMs", knots),
  _reserved2:   reserved(16),
}, { label: "Set & Drift" });
