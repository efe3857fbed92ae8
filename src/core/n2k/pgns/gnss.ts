/** Position, course, time, and the state of satellite navigation. */

import { pgn } from "../definition.ts";
import { Gns, GnsMethod, GnssMode, RangeResidualMode, ResidualMode, SystemTimeSource, TrueMagnetic } from "../lookups.ts";
import { knots } from "../units.ts";
import { also, angle, choice, clock, code, count, counter, days, decimal, integer, key, latitude, longitude, part, reserved, statesNothing, text, timeOfDay } from "../verbs.ts";
import { s16, s32, s64, u2, u3, u4, u8, u16, u32, withoutReservedCodes } from "../wire.ts";

export const systemTime = pgn(126992, "System Time", {
  sequenceId: counter(integer(u8)),
  source:     key(code(u4, SystemTimeSource)),
  _reserved:  reserved(4),
  date:       days(u16),
  time:       clock(timeOfDay(u32)),
});

export const positionRapidUpdate = pgn(129025, "Position, Rapid Update (10 Hz)", {
  latitude:  latitude(s32),
  longitude: longitude(s32),
}, { publicTitle: "Position, Rapid Update", label: "Position" });

export const cogSogRapidUpdate = pgn(129026, "COG & SOG, Rapid Update (10 Hz)", {
  sequenceId:   counter(integer(u8)),
  cogReference: key(choice(u2, TrueMagnetic)),
  _reserved:    reserved(6),
  cogDeg:       angle(u16),
  sogMs:        decimal(u16, { per: 100, unit: "m/s" }),
  sogKnots:     also("sogMs", knots),
  _reserved2:   reserved(16),
}, { publicTitle: "COG & SOG, Rapid Update", label: "COG & SOG" });

export const gnssPositionData = pgn(129029, "GNSS Position Data", {
  sequenceId:          counter(integer(u8)),
  days:                days(u16),
  time:                clock(timeOfDay(u32)),
  latitude:            latitude(s64),
  longitude:           longitude(s64),
  altitude:            decimal(s64, { per: 1e6, unit: "m" }),
  gnssType:            code(u4, Gns),
  method:              code(u4, GnsMethod),
  _integrity:          statesNothing(integer(withoutReservedCodes(u2))),
  _reserved:           reserved(6),
  numberOfSatellites:  count(u8),
  hdop:                decimal(s16, { per: 100 }),
  pdop:                decimal(s16, { per: 100 }),
  _geoidalSeparation:  decimal(s32, { per: 100, unit: "m" }),
  _referenceStations:  integer(u8),
});

export const localTimeOffset = pgn(129033, "Local Time Offset", {
  days:        days(u16),
  time:        clock(timeOfDay(u32)),
  hours:       part("time", 36e6),
  minutes:     part("time", 6e5, 60),
  seconds:     part("time", 1e4, 60, 4),
  localOffset: integer(s16, { unit: "min from UTC" }),
}, { publicTitle: "Time & Date", note: "date and time are UTC; localOffset is information" });

export const datum = pgn(129044, "Datum", {
  localDatum:     text(4),
  deltaLatitude:  latitude(s32),
  deltaLongitude: longitude(s32),
  deltaAltitude:  decimal(s32, { per: 100, unit: "m" }),
  referenceDatum: text(4),
});

export const gnssDops = pgn(129539, "GNSS DOPs", {
  sequenceId:   counter(integer(u8)),
  _desiredMode: code(u3, GnssMode),
  mode:         code(u3, GnssMode),
  _reserved:    reserved(2),
  hdop:         decimal(s16, { per: 100 }),
  vdop:         decimal(s16, { per: 100 }),
  tdop:         decimal(s16, { per: 100 }),
});

export const gnssSatellitesInView = pgn(129540, "GNSS Satellites in View", {
  sequenceId:         counter(integer(u8)),
  mode:               code(u2, RangeResidualMode),
  _reserved:          reserved(6),
  numberOfSatellites: count(u8),
}, { transport: "fast", publicTitle: "GNSS Sats in View", note: "the list of satellites, 12 bytes each, is not published" });

export const gnssPseudorangeNoiseStatistics = pgn(129542, "GNSS Pseudorange Noise Statistics", {
  sequenceId:              counter(integer(u8)),
  rmsPositionUncertaintyM: decimal(u16, { per: 100, unit: "m" }),
  majorAxisM:              decimal(u16, { per: 100, unit: "m", note: "standard deviation" }),
  minorAxisM:              decimal(u16, { per: 100, unit: "m", note: "standard deviation" }),
  majorAxisDeg:            angle(u16),
  latitudeErrorM:          decimal(u16, { per: 100, unit: "m", note: "standard deviation" }),
  longitudeErrorM:         decimal(u16, { per: 100, unit: "m", note: "standard deviation" }),
  altitudeErrorM:          decimal(u16, { per: 100, unit: "m", note: "standard deviation" }),
}, { beyondDocument: "fields" });

export const directionData = pgn(130577, "Direction Data", {
  _dataMode:         code(u4, ResidualMode),
  cogReference:      key(code(u2, TrueMagnetic)),
  _reserved:         reserved(2),
  sequenceId:        counter(integer(u8)),
  cog:               angle(u16),
  sog:               decimal(u16, { per: 100, unit: knots }),
  heading:           angle(u16),
  speedThroughWater: decimal(u16, { per: 100, unit: knots }),
  set:               angle(u16),
  drift:             decimal(u16, { per: 100, unit: knots }),
}, { order: ["sequenceId", "cogReference", "cog", "sog", "heading", "speedThroughWater", "set", "drift"] });
