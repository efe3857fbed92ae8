/**
 * The PGNs whose meaning in the document no public source knows: the public sources say something else, or nothing.
 *
 * These layouts are ASSUMED: the fields in the order of the document's row, with the types and resolutions NMEA 2000
 * uses for such quantities, padded with ones to 8 bytes where a single frame is enough. The strings are assumed as well.
 * Beside each stands the public message of the same number, with those of its fields that mean what the document's
 * field of that name means; `recognition.ts` tells the two apart.
 */
import { angle, celsius, choice, type Definition, decimal, type Fields, integer, knots, latitude, longitude, pgn, repeat, s8, s16, s24, s32, skip, u2, u3, u4, u8, u16, u32 } from "../field.ts";
import { OffOnError, OffOnReserved } from "../lookups.ts";

/** The public message of the number. */
export interface PublicMessage {
  /** What of it is published. */
  readonly definition: Definition;
  /** Length of its payload. */
  readonly bytes: number;
  /** Bits that are ones in a single frame that carries it, where the assumed layout has no reserved bits to tell by. */
  readonly shape?: readonly Bits[];
}

/** Bits of a payload: byte and mask. */
export type Bits = readonly [byte: number, mask: number];

export interface Assumed {
  readonly definition: Definition;
  readonly public?: PublicMessage;
}

const origin = "assumed";

/** A public message of which nothing has the meaning of a field of the document. */
const nothingOf = (number: number, title: string, transport: "single" | "fast", bytes: number): PublicMessage =>
  ({ definition: pgn(number, title, {}, { transport }), bytes });

const partOf = (number: number, title: string, fields: Fields): PublicMessage =>
  ({ definition: pgn(number, title, fields, { transport: "single" }), bytes: 8 });

const Breaker = ["Open", "Closed", "Tripped"] as const;
const Bypass = ["Normal", "Bypassed"] as const;
const BreakerCommand = ["Open", "Close"] as const;
const ResetCommand = ["No Action", "Reset"] as const;
const BreakerType = ["Thermal", "Magnetic", "Thermal-Magnetic", "Electronic"] as const;

export const engineParametersStatic = pgn(127490, "Engine Parameters, Static", {
  engineInstance: integer(u8),
  ratedSpeedRpm:  decimal(u16, { per: 4, unit: "rpm" }),
  engineType:     choice(u4, ["Diesel", "Gasoline", "Electric", "Hybrid", "Gas Turbine"]),
  propulsionType: choice(u4, ["Shaft", "Saildrive", "Sterndrive", "Outboard", "Pod", "Water Jet"]),
  _reserved:      skip(32),
}, { origin });

export const engineTachometer = pgn(127491, "Engine Tachometer", {
  engineInstance:   integer(u8),
  engineSpeedRpm:   decimal(u16, { per: 4, unit: "rpm" }),
  boostPressureKpa: decimal(u16, { per: 10, unit: "kPa" }),
  tiltTrimPercent:  decimal(s8, { unit: "%" }),
  _reserved:        skip(16),
}, { origin });

export const transmissionParametersStatic = pgn(127494, "Transmission Parameters, Static", {
  engineInstance:      integer(u8),
  transmissionType:    choice(u4, ["Mechanical", "Hydraulic", "Electric"]),
  _reserved:           skip(4),
  maxForwardGearRatio: decimal(u16, { per: 1000 }),
  maxReverseGearRatio: decimal(u16, { per: 1000 }),
  numForwardGears:     integer(u4),
  numReverseGears:     integer(u4),
  _reserved2:          skip(8),
}, { origin });

export const transmissionSlip = pgn(127495, "Transmission Slip", {
  engineInstance:     integer(u8),
  slipPercent:        decimal(s16, { per: 250, unit: "%" }),
  torqueConverterRpm: decimal(u16, { per: 4, unit: "rpm" }),
  turbineRpm:         decimal(u16, { per: 4, unit: "rpm" }),
  _reserved:          skip(8),
}, { origin });

export const switchBankControl = pgn(127512, "Switch Bank Control", {
  instance: integer(u8),
  switches: repeat({ control: choice(u2, OffOnReserved) }, { times: 28, numbered: "switch" }),
}, { origin, note: "the layout of the public 127502, which carries these fields; code 3, take no action, is left out" });

export const binarySwitchBankStatusAlternate = pgn(127514, "Binary Switch Bank Status (Alternate)", {
  switchBankInstance:    integer(u8),
  indicatorBankInstance: integer(u8),
  switches:              repeat({ status: choice(u2, OffOnError) }, { times: 24, numbered: "switch" }),
}, { origin });

export const acBreakerStatus = pgn(127744, "AC Breaker Status", {
  acInstance:      integer(u8),
  breakerInstance: integer(u8),
  breakerState:    choice(u3, Breaker),
  bypassState:     choice(u2, Bypass),
  _reserved:       skip(3),
  realPowerW:      decimal(s32, { unit: "W" }),
  _reserved2:      skip(8),
}, { origin });

export const acBreakerControl = pgn(127745, "AC Breaker Control", {
  acInstance:      integer(u8),
  breakerInstance: integer(u8),
  breakerCommand:  choice(u2, BreakerCommand),
  resetCommand:    choice(u2, ResetCommand),
  _reserved:       skip(44),
}, { origin });

export const acBreakerConfiguration = pgn(127746, "AC Breaker Configuration", {
  acInstance:      integer(u8),
  breakerInstance: integer(u8),
  maxCurrentA:     decimal(u16, { per: 10, unit: "A" }),
  tripTimeMs:      integer(u16, { unit: "ms" }),
  breakerType:     choice(u4, BreakerType),
  _reserved:       skip(12),
}, { origin });

export const acBreakerStatusExtended = pgn(127747, "AC Breaker Status, Extended", {
  acInstance:      integer(u8),
  breakerInstance: integer(u8),
  breakerState:    choice(u3, Breaker),
  _reserved:       skip(5),
  voltageV:        decimal(u16, { per: 100, unit: "V" }),
  currentA:        decimal(u16, { per: 10, unit: "A" }),
  frequencyHz:     decimal(u16, { per: 100, unit: "Hz" }),
  realPowerW:      decimal(s32, { unit: "W" }),
  powerFactor:     decimal(s8, { per: 100, range: [-1, 1] }),
  bypassState:     choice(u2, Bypass),
  _reserved2:      skip(6),
}, { origin });

export const dcBreakerStatus = pgn(127748, "DC Breaker Status", {
  dcInstance:      integer(u8),
  breakerInstance: integer(u8),
  breakerState:    choice(u3, Breaker),
  bypassState:     choice(u2, Bypass),
  _reserved:       skip(3),
  currentA:        decimal(s16, { per: 10, unit: "A" }),
  _reserved2:      skip(24),
}, { origin });

export const dcBreakerControl = pgn(127749, "DC Breaker Control", {
  dcInstance:      integer(u8),
  breakerInstance: integer(u8),
  breakerCommand:  choice(u2, BreakerCommand),
  resetCommand:    choice(u2, ResetCommand),
  _reserved:       skip(44),
}, { origin });

export const dcBreakerConfiguration = pgn(127750, "DC Breaker Configuration", {
  dcInstance:      integer(u8),
  breakerInstance: integer(u8),
  maxCurrentA:     decimal(u16, { per: 10, unit: "A" }),
  tripTimeMs:      integer(u16, { unit: "ms" }),
  breakerType:     choice(u4, BreakerType),
  _reserved:       skip(12),
}, { origin });

export const dcBreakerStatusExtended = pgn(127751, "DC Breaker Status, Extended", {
  dcInstance:      integer(u8),
  breakerInstance: integer(u8),
  breakerState:    choice(u3, Breaker),
  _reserved:       skip(5),
  voltageV:        decimal(s16, { per: 100, unit: "V" }),
  currentA:        decimal(s16, { per: 10, unit: "A" }),
  powerW:          decimal(s32, { unit: "W" }),
  temperatureC:    integer(u16, { per: 100, unit: celsius, note: "rounded to the degree" }),
  bypassState:     choice(u2, Bypass),
  _reserved2:      skip(6),
}, { origin, order: ["dcInstance", "breakerInstance", "breakerState", "voltageV", "currentA", "powerW", "temperatureC", "bypassState"] });

export const trackedTargetInformation = pgn(128521, "Tracked Target Information", {
  sid:        integer(u8),
  targetId:   integer(u16),
  targetType: choice(u4, ["Radar", "AIS", "Combined"]),
  _reserved:  skip(4),
  mmsi:       integer(u32, { range: [1, 999_999_999] }),
  latitude:   latitude(s32),
  longitude:  longitude(s32),
  cog:        angle(u16),
  sog:        decimal(u16, { per: 100, unit: knots }),
  heading:    angle(u16),
}, { origin });

export const radarGuardZone = pgn(128522, "Radar Guard Zone", {
  sid:          integer(u8),
  radarId:      integer(u8),
  zoneId:       integer(u8),
  zoneShape:    choice(u4, ["Circle", "Sector", "Polygon"]),
  zoneStatus:   choice(u4, ["Disabled", "Enabled", "Alarm"]),
  innerRange:   decimal(u32, { per: 100, unit: "m" }),
  outerRange:   decimal(u32, { per: 100, unit: "m" }),
  startBearing: angle(u16),
  endBearing:   angle(u16),
}, { origin });

const powerOfPhase = (number: number, phase: string): PublicMessage => partOf(number, `AC Power / Current - Phase ${phase}`, {
  _sid:       skip(8),
  acInstance: integer(u8, { note: "connection number" }),
  _current:   skip(16),
  realPowerW: decimal(s32, { unit: "W" }),
});

export const assumed: readonly Assumed[] = [
  { definition: engineParametersStatic, public: nothingOf(127490, "Electric Drive Status, Dynamic", "fast", 12) },
  { definition: engineTachometer, public: nothingOf(127491, "Electric Energy Storage Status, Dynamic", "fast", 15) },
  { definition: transmissionParametersStatic, public: nothingOf(127494, "Electric Drive Information", "fast", 28) },
  { definition: transmissionSlip, public: nothingOf(127495, "Electric Energy Storage Information", "fast", 21) },
  // Three bytes: byte 4 of the frame holds the mode in its low half, reserved ones above it, filling behind.
  { definition: switchBankControl, public: { ...nothingOf(127512, "AGS Configuration Status", "fast", 3), shape: [[4, 0xf0], [5, 0xff], [6, 0xff], [7, 0xff]] } },
  // Five bytes, filling behind.
  { definition: binarySwitchBankStatusAlternate, public: { ...nothingOf(127514, "AGS Status", "fast", 5), shape: [[7, 0xff]] } },
  { definition: acBreakerStatus, public: powerOfPhase(127744, "A") },
  { definition: acBreakerControl, public: powerOfPhase(127745, "B") },
  { definition: acBreakerConfiguration, public: powerOfPhase(127746, "C") },
  { definition: acBreakerStatusExtended, public: partOf(127747, "AC Voltage / Frequency - Phase A", {
    _sid:        skip(8),
    acInstance:  integer(u8, { note: "connection number" }),
    voltageV:    decimal(u16, { per: 10, unit: "V", note: "line to neutral" }),
    _lineToLine: skip(16),
    frequencyHz: decimal(u16, { per: 10, unit: "Hz" }),
  }) },
  { definition: dcBreakerStatus, public: nothingOf(127748, "AC Voltage / Frequency - Phase B", "single", 8) },
  { definition: dcBreakerControl, public: nothingOf(127749, "AC Voltage / Frequency - Phase C", "single", 8) },
  // The last four bytes of the public message are reserved; it would pass for a breaker without trip time and type.
  { definition: dcBreakerConfiguration, public: { ...nothingOf(127750, "Converter Status", "single", 8), shape: [[4, 0xff], [5, 0xff], [6, 0xff], [7, 0xff]] } },
  { definition: dcBreakerStatusExtended, public: partOf(127751, "DC Voltage/Current", {
    _sid:       skip(8),
    dcInstance: integer(u8, { note: "connection number" }),
    voltageV:   decimal(u16, { per: 10, unit: "V" }),
    currentA:   decimal(s24, { per: 100, unit: "A" }),
    _reserved:  skip(8),
  }) },
  { definition: trackedTargetInformation },
  { definition: radarGuardZone },
];
