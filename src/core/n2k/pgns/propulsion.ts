/** Engines and transmissions. Engine instance 0 is the single or port engine, 1 the starboard one. */

import { pgn } from "../definition.ts";
import { EngineStatus1, EngineStatus2, GearStatus, TransmissionStatus } from "../lookups.ts";
import { celsius, hours, kilopascal, nauticalMiles } from "../units.ts";
import { choice, decimal, everyday, instance, integer, lauText, never, reserved } from "../verbs.ts";
import { s8, s16, u2, u8, u16, u32, withoutReservedCodes } from "../wire.ts";

const notOnTheWire = "not on the public wire layout, never published";

export const engineParametersRapid = pgn(127488, "Engine Parameters, Rapid Update", {
  engineInstance:   instance(u8),
  engineSpeedRpm:   everyday(decimal(u16, { per: 4, unit: "rpm" })),
  boostPressureKpa: decimal(u16, { times: 100, unit: kilopascal }),
  tiltTrimPercent:  decimal(s8, { unit: "%" }),
  _reserved:        reserved(16),
}, { label: "Engine Parameters" });

export const engineParametersDynamic = pgn(127489, "Engine Parameters, Dynamic", {
  engineInstance:     instance(u8),
  oilPressureKpa:     everyday(decimal(u16, { times: 100, unit: kilopascal })),
  oilTempC:           decimal(u16, { per: 10, unit: celsius }),
  coolantTempC:       everyday(decimal(u16, { per: 100, unit: celsius })),
  alternatorVoltage:  everyday(decimal(s16, { per: 100, unit: "V" })),
  fuelRateLh:         everyday(decimal(s16, { per: 10, unit: "L/h" })),
  engineHours:        everyday(decimal(u32, { unit: hours, quantity: "total", label: "Engine hours" })),
  coolantPressureKpa: decimal(u16, { times: 100, unit: kilopascal }),
  fuelPressureKpa:    decimal(u16, { times: 1000, unit: kilopascal }),
  _reserved:          reserved(8),
  discreteStatus1:    integer(withoutReservedCodes(u16), { bits: EngineStatus1 }),
  discreteStatus2:    integer(withoutReservedCodes(u16), { bits: EngineStatus2 }),
  loadPercent:        integer(s8, { unit: "%" }),
  torquePercent:      integer(s8, { unit: "%" }),
}, { order: ["engineInstance", "oilPressureKpa", "oilTempC", "coolantTempC", "alternatorVoltage", "fuelRateLh", "engineHours",
             "coolantPressureKpa", "fuelPressureKpa", "loadPercent", "torquePercent", "discreteStatus1", "discreteStatus2"] });

export const transmissionParametersDynamic = pgn(127493, "Transmission Parameters, Dynamic", {
  engineInstance:  instance(u8),
  gear:            everyday(choice(u2, GearStatus)),
  gearNumber:      never("integer", notOnTheWire),
  _reserved:       reserved(6),
  oilPressureKpa:  decimal(u16, { times: 100, unit: kilopascal }),
  oilTempC:        decimal(u16, { per: 10, unit: celsius }),
  discreteStatus1: integer(u8, { bits: TransmissionStatus }),
  _reserved2:      reserved(8),
});

export const tripParametersVessel = pgn(127496, "Trip Parameters, Vessel", {
  timeToEmptyHours:  decimal(u32, { per: 1000, unit: hours }),
  distanceToEmptyNm: decimal(u32, { per: 100, unit: nauticalMiles }),
  fuelRemainingL:    decimal(u16, { unit: "L" }),
  tripRunTimeHours:  decimal(u32, { per: 1000, unit: hours }),
});

export const tripParametersEngine = pgn(127497, "Trip Parameters, Engine", {
  engineInstance:    instance(u8),
  tripFuelUsedL:     decimal(u16, { unit: "L" }),
  fuelRateAvgLh:     decimal(s16, { per: 10, unit: "L/h" }),
  fuelRateEconomyLh: decimal(s16, { per: 10, unit: "L/h" }),
  instFuelEconomyLh: decimal(s16, { per: 10, unit: "L/h" }),
});

export const engineParametersStaticAlternate = pgn(127498, "Engine Parameters, Static (Alternate)", {
  engineInstance: instance(u8),
  ratedSpeedRpm:  decimal(u16, { per: 4, unit: "rpm" }),
  engineType:     never("string", notOnTheWire),
  engineMake:     never("string", notOnTheWire),
  engineModel:    never("string", notOnTheWire),
  _vin:           lauText(),
  _softwareId:    lauText(),
}, { transport: "fast", publicTitle: "Engine Parameters, Static" });
