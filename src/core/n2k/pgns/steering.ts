/** Steering, heading and attitude. */

import { pgn } from "../definition.ts";
import { DirectionRudder, SteeringMode, TrueMagnetic, TurnMode, VariationSource, YesNo } from "../lookups.ts";
import { degreesPerSecond } from "../units.ts";
import { also, angle, choice, code, counter, days, decimal, deflection, instance, integer, key, reserved, skip } from "../verbs.ts";
import { s16, s32, u2, u3, u4, u8, u16 } from "../wire.ts";

export const headingTrackControl = pgn(127237, "Heading/Track Control", {
  rudderLimitExceeded: code(u2, YesNo),
  offHeadingExceeded:  code(u2, YesNo),
  offTrackExceeded:    code(u2, YesNo),
  override:            code(u2, YesNo),
  steeringMode:        choice(u3, SteeringMode),
  turnMode:            code(u3, TurnMode),
  headingReference:    choice(u2, TrueMagnetic),
  _reserved:           reserved(5),
  rudderDirection:     code(u3, DirectionRudder),
  commandedRudderDeg:  angle(s16),
  headingToSteerDeg:   angle(u16),
  commandedHeadingDeg: also("headingToSteerDeg"),
  commandedTrackDeg:   angle(u16),
  _rudderLimit:        skip(16),
  _offHeadingLimit:    skip(16),
  _turnRadius:         skip(16),
  _turnRate:           skip(16),
  _offTrackLimit:      skip(16),
  _vesselHeading:      skip(16),
}, { order: ["steeringMode", "turnMode", "headingReference", "commandedRudderDeg", "commandedHeadingDeg", "commandedTrackDeg",
             "headingToSteerDeg", "rudderLimitExceeded", "offHeadingExceeded", "offTrackExceeded", "override", "rudderDirection"] });

export const rudder = pgn(127245, "Rudder", {
  instance:       instance(u8),
  directionOrder: choice(u3, DirectionRudder),
  _reserved:      reserved(5),
  angleOrderDeg:  deflection(s16),
  positionDeg:    deflection(s16),
  _reserved2:     reserved(16),
});

export const vesselHeading = pgn(127250, "Vessel Heading", {
  sequenceId:   counter(integer(u8)),
  headingDeg:   angle(u16),
  deviationDeg: deflection(s16),
  variationDeg: deflection(s16),
  reference:    key(choice(u2, TrueMagnetic, { otherwise: "Unknown" })),
  _reserved:    reserved(6),
});

export const rateOfTurn = pgn(127251, "Rate of Turn", {
  sequenceId:    counter(integer(u8)),
  rateDegPerSec: decimal(s32, { per: 32e6, unit: degreesPerSecond }),
  _reserved:     reserved(24),
});

export const attitude = pgn(127257, "Attitude", {
  sequenceId: counter(integer(u8)),
  yawDeg:     angle(s16),
  pitchDeg:   deflection(s16),
  rollDeg:    deflection(s16),
  _reserved:  reserved(8),
});

export const magneticVariation = pgn(127258, "Magnetic Variation", {
  sequenceId: counter(integer(u8)),
  source:     key(choice(u4, VariationSource, { otherwise: "Unknown" })),
  _reserved:  reserved(4),
  age:        days(u16),
  variation:  deflection(s16),
  _reserved2: reserved(16),
});
