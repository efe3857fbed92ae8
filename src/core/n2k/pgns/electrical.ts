/** Switches, mains, tanks, batteries, chargers. */

import { pgn } from "../definition.ts";
import { BatteryType, BatteryVoltage, ChargerMode, ChargerState, DcSource, InverterState, OffOn, OffOnError, TankType, YesNo } from "../lookups.ts";
import { celsius, minutes } from "../units.ts";
import { choice, code, counter, decimal, everyday, instance, integer, key, pick, repeat, reserved, skip } from "../verbs.ts";
import { s8, s16, u2, u4, u8, u16, u32 } from "../wire.ts";

export const binarySwitchBankStatus = pgn(127501, "Binary Switch Bank Status", {
  instance: instance(u8),
  switches: everyday(repeat({ status: choice(u2, OffOnError) }, { times: 28, numbered: "switch" })),
});

/** Measurements of a line of 127503 and 127504, after the byte with its number. */
const lineMeasurements = {
  line1VoltageV:    everyday(decimal(u16, { per: 100, unit: "V" })),
  line1CurrentA:    everyday(decimal(u16, { per: 10, unit: "A" })),
  line1FrequencyHz: decimal(u16, { per: 100, unit: "Hz" }),
  _breakerSize:     skip(16),
  line1RealPowerW:  decimal(u32, { unit: "W" }),
  _reactivePower:   skip(32),
  line1PowerFactor: decimal(s8, { per: 100, range: [-1, 1], quantity: "powerFactor" }),
} as const;

export const acInputStatus = pgn(127503, "AC Input Status", {
  instance: instance(u8),
  numLines: integer(u8),
  _lines:   pick({ _line: key(code(u2)), _acceptability: skip(2), _reserved: reserved(4), ...lineMeasurements }, "_line", 0),
}, { transport: "fast", note: "the document has the fields of one line: line 1, else the first line of the message" });

export const acOutputStatus = pgn(127504, "AC Output Status", {
  instance: instance(u8),
  numLines: integer(u8),
  _lines:   pick({ _line: key(code(u2)), _waveform: skip(3), _reserved: reserved(3), ...lineMeasurements }, "_line", 0),
}, { transport: "fast", note: "the document has the fields of one line: line 1, else the first line of the message" });

export const fluidLevel = pgn(127505, "Fluid Level", {
  instance:       instance(u4),
  fluidType:      key(choice(u4, TankType)),
  levelPercent:   everyday(decimal(s16, { per: 250, unit: "%" })),
  capacityLiters: decimal(u32, { per: 10, unit: "L" }),
  _reserved:      reserved(8),
});

export const dcDetailedStatus = pgn(127506, "DC Detailed Status", {
  sequenceId:           counter(integer(u8)),
  instance:             instance(u8),
  dcType:               key(choice(u8, DcSource)),
  stateOfChargePercent: everyday(decimal(u8, { unit: "%", quantity: "stateOfCharge" })),
  stateOfHealthPercent: decimal(u8, { unit: "%" }),
  timeRemainingMin:     everyday(decimal(u16, { times: 60, unit: minutes })),
  rippleVoltageV:       decimal(u16, { per: 1000, unit: "V" }),
  capacityRemainingAh:  decimal(u16, { unit: "Ah" }),
});

export const chargerStatus = pgn(127507, "Charger Status", {
  chargerInstance:              instance(u8),
  batteryInstance:              instance(u8),
  operatingState:               everyday(choice(u4, ChargerState)),
  chargerMode:                  choice(u4, ChargerMode),
  enabled:                      choice(u2, OffOn),
  equalizationPending:          code(u2, OffOn),
  _reserved:                    reserved(4),
  equalizationTimeRemainingMin: decimal(u16, { times: 60, unit: minutes }),
}, { transport: "fast" });

export const batteryStatus = pgn(127508, "Battery Status", {
  instance:     instance(u8),
  voltageV:     everyday(decimal(s16, { per: 100, unit: "V" })),
  currentA:     everyday(decimal(s16, { per: 10, unit: "A" })),
  temperatureC: everyday(decimal(u16, { per: 100, unit: celsius })),
  sequenceId:   counter(integer(u8)),
}, { order: ["instance", "sequenceId", "voltageV", "currentA", "temperatureC"] });

export const inverterStatus = pgn(127509, "Inverter Status", {
  inverterInstance: instance(u8),
  acInstance:       instance(u8),
  dcInstance:       instance(u8),
  operatingState:   everyday(choice(u4, InverterState)),
  inverterEnable:   choice(u2, OffOn),
  _reserved:        reserved(2),
}, { transport: "fast" });

export const batteryConfigurationStatus = pgn(127513, "Battery Configuration Status", {
  instance:                  instance(u8),
  batteryType:               choice(u4, BatteryType),
  supportsEqualization:      choice(u2, YesNo),
  _reserved:                 reserved(2),
  nominalVoltageV:           choice(u4, BatteryVoltage, { unit: "V" }),
  _chemistry:                skip(4),
  capacityAh:                decimal(u16, { unit: "Ah" }),
  temperatureCoefficientPct: decimal(s8, { unit: "%" }),
  _peukertExponent:          skip(8),
  _chargeEfficiency:         skip(8),
}, { transport: "fast" });
