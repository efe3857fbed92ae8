/**
 * PGNs to which the document gives a meaning that no public source has: those define another message, or none.
 *
 * These layouts are ASSUMED: the fields in the order of the document's row, with the types and resolutions that NMEA
 * 2000 uses for such quantities, padded with ones to 8 bytes if they fit into a single frame. The texts are assumed
 * too. Each has the public message of its number beside it, with the fields that have the document's meaning;
 * `layout-detection.ts` tells the two messages apart.
 */

import { type Definition, pgn } from "../definition.ts";
import type { Fields } from "../field.ts";
import type { Bits } from "../layout.ts";
import { OffOnError, OffOnReserved } from "../lookups.ts";
import { celsius, knots } from "../units.ts";
import { angle, choice, counter, decimal, everyday, instance, integer, key, latitude, longitude, repeat, reserved, skip } from "../verbs.ts";
import { s8, s16, s24, s32, u2, u3, u4, u8, u16, u32 } from "../wire.ts";

/** The public message of a PGN of assumed layout. */
export interface PublicMessage {
  /** Its definition, with the fields that are published. */
  readonly definition: Definition;
  /** Length of its payload. */
  readonly bytes: number;
  /** Bits that are ones in its single frame; given if the assumed layout has no reserved bits. */
  readonly shape?: readonly Bits[];
}

export interface Assumed {
  readonly definition: Definition;
  readonly public?: PublicMessage;
}

const origin = "assumed";
const command = { origin, about: "command", event: true } as const;

/** A public message without a field that has the document's meaning. */
const nothingOf = (number: number, title: string, transport: "single" | "fast", bytes: number): PublicMessage =>
  ({ definition: pgn(number, title, {}, { transport }), bytes });

const partOf = (number: number, title: string, fields: Fields): PublicMessage =>
  ({ definition: pgn(number, title, fields, { transport: "single" }), bytes: 8 });

const Breaker = ["Open", "Closed", "Tripped"] as const;
const Bypass = ["Normal", "Bypassed"] as const;
const BreakerCommand = ["Open", "Close"] as const;
const ResetCommand = ["No Action", "Reset"] as const;
const BreakerType = ["Thermal", "Magnetic", "Thermal-Magnetic", "Electronic"] as const;

const engineParametersStatic = pgn(127490, "Engine Parameters, Static", {
  engineInstance: instance(u8),
  ratedSpeedRpm:  decimal(u16, { per: 4, unit: "rpm" }),
  engineType:     choice(u4, ["Diesel", "Gasoline", "Electric", "Hybrid", "Gas Turbine"]),
  propulsionType: choice(u4, ["Shaft", "Saildrive", "Sterndrive", "Outboard", "Pod", "Water Jet"]),
  _reserved:      reserved(32),
}, { origin });

export const engineTachometer = pgn(127491, "Engine Tachometer", {
  engineInstance:   instance(u8),
  engineSpeedRpm:   decimal(u16, { per: 4, unit: "rpm" }),
  boostPressureKpa: decimal(u16, { per: 10, unit: "kPa" }),
  tiltTrimPercent:  decimal(s8, { unit: "%" }),
  _reserved:        reserved(16),
}, { origin });

const transmissionParametersStatic = pgn(127494, "Transmission Parameters, Static", {
  engineInstance:      instance(u8),
  transmissionType:    choice(u4, ["Mechanical", "Hydraulic", "Electric"]),
  _reserved:           reserved(4),
  maxForwardGearRatio: decimal(u16, { per: 1000 }),
  maxReverseGearRatio: decimal(u16, { per: 1000 }),
  numForwardGears:     integer(u4),
  numReverseGears:     integer(u4),
  _reserved2:          reserved(8),
}, { origin });

const transmissionSlip = pgn(127495, "Transmission Slip", {
  engineInstance:     instance(u8),
  slipPercent:        decimal(s16, { per: 250, unit: "%" }),
  torqueConverterRpm: decimal(u16, { per: 4, unit: "rpm" }),
  turbineRpm:         decimal(u16, { per: 4, unit: "rpm" }),
  _reserved:          reserved(8),
}, { origin });

export const switchBankControl = pgn(127512, "Switch Bank Control", {
  instance: instance(u8),
  switches: repeat({ control: choice(u2, OffOnReserved) }, { times: 28, numbered: "switch" }),
}, { ...command, note: "the layout of the public 127502, which has these fields; code 3 (take no action) is not published" });

export const binarySwitchBankStatusAlternate = pgn(127514, "Binary Switch Bank Status (Alternate)", {
  switchBankInstance:    instance(u8),
  indicatorBankInstance: instance(u8),
  switches:              everyday(repeat({ status: choice(u2, OffOnError) }, { times: 24, numbered: "switch" })),
}, { origin });

export const acBreakerStatus = pgn(127744, "AC Breaker Status", {
  acInstance:      instance(u8),
  breakerInstance: instance(u8),
  breakerState:    everyday(choice(u3, Breaker)),
  bypassState:     choice(u2, Bypass),
  _reserved:       reserved(3),
  realPowerW:      decimal(s32, { unit: "W" }),
  _reserved2:      reserved(8),
}, { origin });

const breakerControl = {
  breakerInstance: instance(u8),
  breakerCommand:  choice(u2, BreakerCommand),
  resetCommand:    choice(u2, ResetCommand),
  _reserved:       reserved(44),
} as const;

const breakerConfiguration = {
  breakerInstance: instance(u8),
  maxCurrentA:     decimal(u16, { per: 10, unit: "A" }),
  tripTimeMs:      integer(u16, { unit: "ms" }),
  breakerType:     choice(u4, BreakerType),
  _reserved:       reserved(12),
} as const;

const acBreakerControl = pgn(127745, "AC Breaker Control", { acInstance: instance(u8), ...breakerControl }, command);

const acBreakerConfiguration = pgn(127746, "AC Breaker Configuration", {
  acInstance: instance(u8),
  ...breakerConfiguration,
}, { origin });

const acBreakerStatusExtended = pgn(127747, "AC Breaker Status, Extended", {
  acInstance:      instance(u8),
  breakerInstance: instance(u8),
  breakerState:    everyday(choice(u3, Breaker)),
  _reserved:       reserved(5),
  voltageV:        decimal(u16, { per: 100, unit: "V" }),
  currentA:        decimal(u16, { per: 10, unit: "A" }),
  frequencyHz:     decimal(u16, { per: 100, unit: "Hz" }),
  realPowerW:      decimal(s32, { unit: "W" }),
  powerFactor:     decimal(s8, { per: 100, range: [-1, 1], quantity: "powerFactor" }),
  bypassState:     choice(u2, Bypass),
  _reserved2:      reserved(6),
}, { origin });

export const dcBreakerStatus = pgn(127748, "DC Breaker Status", {
  dcInstance:      instance(u8),
  breakerInstance: instance(u8),
  breakerState:    everyday(choice(u3, Breaker)),
  bypassState:     choice(u2, Bypass),
  _reserved:       reserved(3),
  currentA:        decimal(s16, { per: 10, unit: "A" }),
  _reserved2:      reserved(24),
}, { origin });

const dcBreakerControl = pgn(127749, "DC Breaker Control", { dcInstance: instance(u8), ...breakerControl }, command);

export const dcBreakerConfiguration = pgn(127750, "DC Breaker Configuration", {
  dcInstance: instance(u8),
  ...breakerConfiguration,
}, { origin });

const dcBreakerStatusExtended = pgn(127751, "DC Breaker Status, Extended", {
  dcInstance:      instance(u8),
  breakerInstance: instance(u8),
  breakerState:    everyday(choice(u3, Breaker)),
  _reserved:       reserved(5),
  voltageV:        decimal(s16, { per: 100, unit: "V" }),
  currentA:        decimal(s16, { per: 10, unit: "A" }),
  powerW:          decimal(s32, { unit: "W" }),
  temperatureC:    integer(u16, { per: 100, unit: celsius, note: "rounded to the degree" }),
  bypassState:     choice(u2, Bypass),
  _reserved2:      reserved(6),
}, { origin, order: ["dcInstance", "breakerInstance", "breakerState", "voltageV", "currentA", "powerW", "temperatureC", "bypassState"] });

const trackedTargetInformation = pgn(128521, "Tracked Target Information", {
  sid:        counter(integer(u8)),
  targetId:   key(integer(u16)),
  targetType: choice(u4, ["Radar", "AIS", "Combined"]),
  _reserved:  reserved(4),
  mmsi:       integer(u32, { range: [1, 999_999_999] }),
  latitude:   latitude(s32),
  longitude:  longitude(s32),
  cog:        angle(u16),
  sog:        decimal(u16, { per: 100, unit: knots }),
  heading:    angle(u16),
}, { origin, about: "target" });

const radarGuardZone = pgn(128522, "Radar Guard Zone", {
  sid:          counter(integer(u8)),
  radarId:      key(integer(u8)),
  zoneId:       key(integer(u8)),
  zoneShape:    choice(u4, ["Circle", "Sector", "Polygon"]),
  zoneStatus:   choice(u4, ["Disabled", "Enabled", "Alarm"]),
  innerRange:   decimal(u32, { per: 100, unit: "m" }),
  outerRange:   decimal(u32, { per: 100, unit: "m" }),
  startBearing: angle(u16),
  endBearing:   angle(u16),
}, { origin, about: "radarZone" });

/** The public message of 127751. */
export const dcVoltageCurrent = pgn(127751, "DC Voltage/Current", {
  _sid:       counter(skip(8)),
  dcInstance: instance(u8, { note: "connection number" }),
  voltageV:   decimal(u16, { per: 10, unit: "V" }),
  currentA:   decimal(s24, { per: 100, unit: "A" }),
  _reserved:  reserved(8),
}, { transport: "single" });

const powerOfPhase = (number: number, phase: string): PublicMessage => partOf(number, `AC Power / Current - Phase ${phase}`, {
  _sid:       counter(skip(8)),
  acInstance: instance(u8, { note: "connection number" }),
  _current:   skip(16),
  realPowerW: decimal(s32, { unit: "W" }),
});

export const assumed: readonly Assumed[] = [
  { definition: engineParametersStatic, public: nothingOf(127490, "Electric Drive Status, Dynamic", "fast", 12) },
  { definition: engineTachometer, public: nothingOf(127491, "Electric Energy Storage Status, Dynamic", "fast", 15) },
  { definition: transmissionParametersStatic, public: nothingOf(127494, "Electric Drive Information", "fast", 28) },
  { definition: transmissionSlip, public: nothingOf(127495, "Electric Energy Storage Information", "fast", 21) },
  // Three bytes: byte 4 of the frame holds the mode in its low half and reserved ones above it; padding follows.
  { definition: switchBankControl, public: { ...nothingOf(127512, "AGS Configuration Status", "fast", 3), shape: [[4, 0xf0], [5, 0xff], [6, 0xff], [7, 0xff]] } },
  // Five bytes, then padding.
  { definition: binarySwitchBankStatusAlternate, public: { ...nothingOf(127514, "AGS Status", "fast", 5), shape: [[7, 0xff]] } },
  { definition: acBreakerStatus, public: powerOfPhase(127744, "A") },
  { definition: acBreakerControl, public: powerOfPhase(127745, "B") },
  { definition: acBreakerConfiguration, public: powerOfPhase(127746, "C") },
  { definition: acBreakerStatusExtended, public: partOf(127747, "AC Voltage / Frequency - Phase A", {
    _sid:        counter(skip(8)),
    acInstance:  instance(u8, { note: "connection number" }),
    voltageV:    decimal(u16, { per: 10, unit: "V", note: "line to neutral" }),
    _lineToLine: skip(16),
    frequencyHz: decimal(u16, { per: 10, unit: "Hz" }),
  }) },
  { definition: dcBreakerStatus, public: nothingOf(127748, "AC Voltage / Frequency - Phase B", "single", 8) },
  { definition: dcBreakerControl, public: nothingOf(127749, "AC Voltage / Frequency - Phase C", "single", 8) },
  // The last four bytes of the public message are reserved, so that it looks like a breaker without trip time and type.
  { definition: dcBreakerConfiguration, public: { ...nothingOf(127750, "Converter Status", "single", 8), shape: [[4, 0xff], [5, 0xff], [6, 0xff], [7, 0xff]] } },
  { definition: dcBreakerStatusExtended, public: { definition: dcVoltageCurrent, bytes: 8 } },
  { definition: trackedTargetInformation },
  { definition: radarGuardZone },
];
