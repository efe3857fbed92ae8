/**
 * AIS. The document names these messages without fields; the fields are those of the public layout. Bits that ITU-R
 * M.1371 calls spare are zeros. Dimensions, draught and rate of turn are as on the wire of NMEA 2000, not in the steps
 * of the radio message.
 */

import { pgn } from "../definition.ts";
import { AisAssignedMode, AisBand, AisCommunicationState, AisMode, AisSpecialManeuver, AisTimeStampStatus, AisTransceiver, AisUnitType, AisVersion, AtonType, Availability, NavigationStatus, PositionAccuracy, PositionFixDevice, ShipType } from "../lookups.ts";
import { degreesPerMinute, knots } from "../units.ts";
import { also, alsoChoice, angle, choice, clock, code, counter, days, decimal, flag, hex, integer, key, latitude, lauText, longitude, repeat, reserved, skip, spare, text, timeOfDay } from "../verbs.ts";
import { s16, s32, u1, u2, u4, u5, u6, u8, u16, u19, u32, withoutReservedCodes } from "../wire.ts";

const options = { about: "target", event: true, beyondDocument: "fields" } as const;

/** The number of a station: nine digits, of which the first three may be zeros. */
const mmsi = integer(u32, { range: [1, 999_999_999] });
const metres = decimal(u16, { per: 10, unit: "m" });
const shipType = integer(u8, { range: [1, 252], absent: 0, note: "0 stands for not available" });

const head = {
  messageId:       code(u6, {}, { note: "message number of ITU-R M.1371" }),
  repeatIndicator: integer(withoutReservedCodes(u2)),
  mmsi:            key(mmsi),
} as const;

const position = {
  longitude:        longitude(s32),
  latitude:         latitude(s32),
  positionAccuracy: choice(u1, PositionAccuracy),
  raim:             flag(),
} as const;

const positionWithTimeStamp = {
  ...position,
  timeStamp:       integer(withoutReservedCodes(u6), { unit: "s", range: [0, 59], absent: 60, note: "second of the minute" }),
  timeStampStatus: alsoChoice("timeStamp", AisTimeStampStatus),
} as const;

const speedOverGround = { sogMs: decimal(u16, { per: 100, unit: "m/s" }), sogKnots: also("sogMs", knots) } as const;

const radio = {
  communicationState: integer(withoutReservedCodes(u19), { note: "19 bits as a number" }),
  transceiver:        choice(u5, AisTransceiver),
} as const;

const dimensions = { lengthM: metres, beamM: metres, toStarboardM: metres, toBowM: metres } as const;

export const aisClassAPositionReport = pgn(129038, "AIS Class A Position Report", {
  ...head,
  ...positionWithTimeStamp,
  cogDeg:              angle(u16),
  ...speedOverGround,
  ...radio,
  headingDeg:          angle(u16),
  rateOfTurnDegPerMin: decimal(s16, { per: 32e3, unit: degreesPerMinute, note: "positive to starboard" }),
  navStatus:           choice(u4, NavigationStatus),
  specialManeuver:     choice(withoutReservedCodes(u2), AisSpecialManeuver),
  _reserved:           reserved(2),
  _spare:              spare(3),
  _reserved2:          reserved(5),
  sequenceId:          counter(integer(u8)),
}, options);

export const aisClassBPositionReport = pgn(129039, "AIS Class B Position Report", {
  ...head,
  ...positionWithTimeStamp,
  cogDeg:                 angle(u16),
  ...speedOverGround,
  ...radio,
  headingDeg:             angle(u16),
  _regionalApplication:   skip(10, 0),
  unitType:               choice(u1, AisUnitType),
  integratedDisplay:      flag(),
  dsc:                    flag(),
  band:                   choice(u1, AisBand),
  canHandleMessage22:     flag(),
  mode:                   choice(u1, AisMode),
  communicationStateType: choice(u1, AisCommunicationState),
  _reserved:              reserved(15),
}, options);

export const aisClassBExtendedPositionReport = pgn(129040, "AIS Class B Extended Position Report", {
  ...head,
  ...positionWithTimeStamp,
  cogDeg:               angle(u16),
  ...speedOverGround,
  _regionalApplication: skip(12, 0),
  _reserved:            reserved(4),
  shipType,
  shipTypeName:         alsoChoice("shipType", ShipType),
  headingDeg:           angle(u16),
  _reserved2:           reserved(4),
  positionFixingDevice: choice(u4, PositionFixDevice),
  ...dimensions,
  name:                 text(20),
  dte:                  choice(u1, Availability),
  mode:                 choice(u1, AisMode),
  _spare:               spare(4),
  transceiver:          choice(u5, AisTransceiver),
  _reserved3:           reserved(5),
}, options);

export const aisAidsToNavigationReport = pgn(129041, "AIS Aids to Navigation Report", {
  ...head,
  ...positionWithTimeStamp,
  lengthM:              metres,
  beamM:                metres,
  toStarboardM:         metres,
  toNorthM:             metres,
  atonType:             choice(u5, AtonType),
  offPosition:          flag(),
  virtual:              flag(),
  assignedMode:         choice(u1, AisAssignedMode),
  _spare:               spare(1),
  positionFixingDevice: choice(u4, PositionFixDevice),
  _reserved:            reserved(3),
  atonStatus:           integer(withoutReservedCodes(u8), { note: "8 bits as a number" }),
  transceiver:          choice(u5, AisTransceiver),
  _reserved2:           reserved(3),
  name:                 lauText(),
}, { ...options, publicTitle: "AIS Aids to Navigation (AtoN) Report" });

export const aisUtcAndDateReport = pgn(129793, "AIS UTC and Date Report", {
  ...head,
  ...position,
  _reserved:            reserved(6),
  time:                 clock(timeOfDay(u32)),
  ...radio,
  date:                 days(u16),
  _reserved2:           reserved(4),
  positionFixingDevice: choice(u4, PositionFixDevice),
}, options);

export const aisClassAStaticAndVoyageData = pgn(129794, "AIS Class A Static and Voyage Data", {
  ...head,
  imoNumber:            integer(u32, { range: [1, 2 ** 30 - 1], absent: 0, note: "0 stands for not available" }),
  callsign:             text(7),
  name:                 text(20),
  shipType,
  shipTypeName:         alsoChoice("shipType", ShipType),
  ...dimensions,
  etaDate:              days(u16),
  etaTime:              timeOfDay(u32),
  draftM:               decimal(u16, { per: 100, unit: "m" }),
  destination:          text(20),
  aisVersion:           choice(withoutReservedCodes(u2), AisVersion),
  positionFixingDevice: choice(u4, PositionFixDevice),
  dte:                  choice(u1, Availability),
  _reserved:            reserved(1),
  transceiver:          choice(u5, AisTransceiver),
  _reserved2:           reserved(3),
}, { ...options, publicTitle: "AIS Class A Static and Voyage Related Data" });

/** The head of messages between stations; the next two bits are a sequence number in addressed ones. */
const between = { ...head, _reserved: reserved(1), transceiver: choice(u5, AisTransceiver) } as const;
const addressee = {
  sequenceNumber:  integer(withoutReservedCodes(u2)),
  destinationMmsi: key(mmsi),
  _reserved2:      reserved(6),
  retransmit:      flag(),
} as const;

export const aisAddressedBinaryMessage = pgn(129795, "AIS Addressed Binary Message", {
  ...between,
  ...addressee,
  _reserved3:   reserved(1),
  numberOfBits: integer(u16),
  binaryData:   hex(),
}, { ...options, transport: "fast" });

export const aisAcknowledge = pgn(129796, "AIS Acknowledge", {
  ...between,
  _spare:          spare(2),
  acknowledgments: repeat({ destinationMmsi: mmsi, sequenceNumber: integer(withoutReservedCodes(u2)), _reserved: reserved(6) }),
}, { ...options, transport: "fast" });

export const aisBinaryBroadcastMessage = pgn(129797, "AIS Binary Broadcast Message", {
  ...between,
  _spare:       spare(2),
  numberOfBits: integer(u16),
  binaryData:   hex(),
}, { ...options, transport: "fast" });

export const aisSarAircraftPositionReport = pgn(129798, "AIS SAR Aircraft Position Report", {
  ...head,
  ...positionWithTimeStamp,
  cogDeg:               angle(u16),
  sogMs:                decimal(u16, { per: 10, unit: "m/s" }),
  sogKnots:             also("sogMs", knots),
  ...radio,
  altitudeM:            decimal(s32, { per: 100, unit: "m" }),
  _regionalApplication: skip(8, 0),
  dte:                  choice(u1, Availability),
  _spare:               spare(5),
  _reserved:            reserved(2),
}, options);

export const aisAddressedSafetyRelatedMessage = pgn(129801, "AIS Addressed Safety Related Message", {
  ...between,
  ...addressee,
  _spare: spare(1),
  text:   lauText(),
}, { ...options, transport: "fast" });

export const aisSafetyRelatedBroadcastMessage = pgn(129802, "AIS Safety Related Broadcast Message", {
  ...between,
  _spare: spare(2),
  text:   lauText(),
}, { ...options, transport: "fast" });

export const aisClassBStaticDataPartA = pgn(129809, "AIS Class B CS Static Data Part A", {
  ...head,
  name:        text(20),
  transceiver: choice(u5, AisTransceiver),
  _reserved:   reserved(3),
  sequenceId:  counter(integer(u8)),
}, { ...options, publicTitle: "AIS Class B static data (msg 24 Part A)" });

export const aisClassBStaticDataPartB = pgn(129810, "AIS Class B CS Static Data Part B", {
  ...head,
  shipType,
  shipTypeName:         alsoChoice("shipType", ShipType),
  vendorId:             text(7),
  callsign:             text(7),
  ...dimensions,
  mothershipMmsi:       mmsi,
  _reserved:            reserved(2),
  _spare:               spare(2),
  positionFixingDevice: choice(u4, PositionFixDevice),
  transceiver:          choice(u5, AisTransceiver),
  _reserved2:           reserved(3),
  sequenceId:           counter(integer(u8)),
}, { ...options, publicTitle: "AIS Class B static data (msg 24 Part B)" });
