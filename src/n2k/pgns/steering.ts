/** Steering, heading and attitude. */
import { also, angle, choice, code, days, decimal, degreesPerSecond, integer, pgn, s16, s32, skip, u2, u3, u4, u8, u16 } from "../field.ts";
import { DirectionRudder, SteeringMode, TrueMagnetic, TurnMode, VariationSource, YesNo } from "../lookups.ts";

export const headingTrackControl = pgn(127237, "Heading/Track Control", {
  rudderLimitExceeded: code(u2, YesNo),
  offHeadingExceeded:  code(u2, YesNo),
  offTrackExceeded:    code(u2, YesNo),
  override:            code(u2, YesNo),
  steeringMode:        choice(u3, SteeringMode),
  turnMode:            code(u3, TurnMode),
  headingReference:    choice(u2, TrueMagnetic),
  _reserved:           skip(5),
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
  instance:       integer(u8),
  directionOrder: choice(u3, DirectionRudder),
  _reserved:      skip(5),
  angleOrderDeg:  angle(s16),
  positionDeg:    angle(s16),
  _reserved2:     skip(16),
});

export const vesselHeading = pgn(127250, "Vessel Heading", {
  sequenceId:   integer(u8),
  headingDeg:   angle(u16),
  deviationDeg: angle(s16),
  variationDeg: angle(s16),
  reference:    choice(u2, TrueMagnetic, { otherwise: "Unknown" }),
  _reserved:    skip(6),
});

export const rateOfTurn = pgn(127251, "Rate of Turn", {
  sequenceId:    integer(u8),
  rateDegPerSec: decimal(s32, { per: 32e6, unit: degreesPerSecond }),
  _reserved:     skip(24),
});

export const attitude = pgn(127257, "Attitude", {
  sequenceId: integer(u8),
  yawDeg:     angle(s16),
  pitchDeg:   angle(s16),
  rollDeg:    angle(s16),
  _reserved:  skip(8),
});

export const magneticVariation = pgn(127258, "Magnetic Variation", {
  sequenceId: integer(u8),
  source:     choice(u4, VariationSource, { otherwise: "Unknown" }),
  _reserved:  skip(4),
  age:        days(u16),
  variation:  angle(s16),
  _reserved2: skip(16),
});
