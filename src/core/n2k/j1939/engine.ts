/**
 * Engines and transmissions as SAE J1939-71 has them. Places, offsets and resolutions of the parameters (SPN) are facts
 * in which open tables agree: `SPN.php` of buslab-socket (GitHub, leandrogithubf), Open SAE J1939 (Daniel Mårtensson).
 * A value that NMEA 2000 has too has the name that it has there. The document has none of these messages.
 */
import { pgn } from "../definition.ts";
import { decimal, integer, skip } from "../verbs.ts";
import { j8, j16, j32, type WireType } from "../wire.ts";

const ofEngine = { origin: "j1939", beyondDocument: "message" } as const;

const spn = (number: number) => ({ note: `SPN ${number}` });

/** 0.4 % per bit. */
const level = (number: number) => decimal(j8, { times: 4, per: 10, unit: "%", ...spn(number) });
/** 1 % per bit from -125 %. */
const torque = (number: number) => integer(j8, { offset: -125, unit: "%", ...spn(number) });
/** 1 °C per bit from -40 °C. */
const warmth = (number: number) => integer(j8, { offset: -40, unit: "°C", ...spn(number) });
/** 1/32 °C per bit from -273 °C. */
const heat = (number: number) => decimal(j16, { per: 32, offset: -273, unit: "°C", ...spn(number) });
const pressure = (number: number, kilopascals: number) =>
  integer(j8, { times: kilopascals, unit: "kPa", ...spn(number) });
/** Fractions of a kilopascal per bit. */
const finePressure = (number: number, per: number, wire: WireType = j8, offset = 0) =>
  decimal(wire, { per, offset, unit: "kPa", ...spn(number) });
/** 0.05 V per bit. */
const voltage = (number: number) => decimal(j16, { per: 20, unit: "V", ...spn(number) });
/** 1/8 rpm per bit. */
const speed = (number: number) => decimal(j16, { per: 8, unit: "rpm", ...spn(number) });
const gear = (number: number) => integer(j8, { offset: -125, note: `SPN ${number}: below 0 reverse, 0 neutral` });

export const electronicEngineController2 = pgn(61443, "Electronic Engine Controller 2", {
  _switches:                     skip(8),
  acceleratorPedalPercent:       level(91),
  loadPercent:                   integer(j8, { unit: "%", note: "SPN 92, at the present speed" }),
  remoteAcceleratorPedalPercent: level(974),
  acceleratorPedal2Percent:      level(29),
}, ofEngine);

export const electronicEngineController1 = pgn(61444, "Electronic Engine Controller 1", {
  _torqueModes:        skip(8),
  demandTorquePercent: torque(512),
  torquePercent:       torque(513),
  engineSpeedRpm:      speed(190),
}, ofEngine);

export const electronicTransmissionController2 = pgn(61445, "Electronic Transmission Controller 2", {
  selectedGear: gear(524),
  gearRatio:    decimal(j16, { per: 1000, ...spn(526) }),
  currentGear:  gear(523),
}, ofEngine);

export const engineHoursRevolutions = pgn(65253, "Engine Hours, Revolutions", {
  engineHours: decimal(j32, { per: 20, unit: "h", quantity: "total", ...spn(247) }),
}, ofEngine);

export const engineTemperature1 = pgn(65262, "Engine Temperature 1", {
  coolantTempC:                 warmth(110),
  fuelTempC:                    warmth(174),
  oilTempC:                     heat(175),
  turboOilTempC:                heat(176),
  intercoolerTempC:             warmth(52),
  intercoolerThermostatPercent: level(1134),
}, ofEngine);

export const engineFluidLevelPressure1 = pgn(65263, "Engine Fluid Level/Pressure 1", {
  fuelPressureKpa:      pressure(94, 4),
  blowByPressureKpa:    finePressure(22, 20),
  oilLevelPercent:      level(98),
  oilPressureKpa:       pressure(100, 4),
  crankcasePressureKpa: finePressure(101, 128, j16, -250),
  coolantPressureKpa:   pressure(109, 2),
  coolantLevelPercent:  level(111),
}, ofEngine);

export const liquidFuelEconomy = pgn(65266, "Fuel Economy (Liquid)", {
  fuelRateLh:          decimal(j16, { per: 20, unit: "L/h", ...spn(183) }),
  _presentFuelEconomy: skip(16),
  _averageFuelEconomy: skip(16),
  throttlePercent:     level(51),
  throttle2Percent:    level(3673),
}, ofEngine);

export const ambientConditions = pgn(65269, "Ambient Conditions", {
  barometricPressureKpa: finePressure(108, 2),
  cabinTempC:            heat(170),
  ambientAirTempC:       heat(171),
  airInletTempC:         warmth(172),
}, ofEngine);

export const intakeExhaustConditions1 = pgn(65270, "Intake/Exhaust Conditions 1", {
  particulateTrapInletPressureKpa:      finePressure(81, 2),
  boostPressureKpa:                     pressure(102, 2),
  intakeManifoldTempC:                  warmth(105),
  airInletPressureKpa:                  pressure(106, 2),
  airFilterDifferentialPressureKpa:     finePressure(107, 20),
  exhaustGasTempC:                      heat(173),
  coolantFilterDifferentialPressureKpa: finePressure(112, 2),
}, ofEngine);

export const vehicleElectricalPower1 = pgn(65271, "Vehicle Electrical Power 1", {
  netBatteryCurrentA: integer(j8, { offset: -125, unit: "A", ...spn(114) }),
  alternatorCurrentA: integer(j8, { unit: "A", ...spn(115) }),
  alternatorVoltage:  voltage(167),
  batteryVoltageV:    voltage(168),
  keyswitchVoltageV:  voltage(158),
}, ofEngine);

export const transmissionFluids1 = pgn(65272, "Transmission Fluids 1", {
  clutchPressureKpa:             pressure(123, 16),
  oilLevelPercent:               level(124),
  filterDifferentialPressureKpa: pressure(126, 2),
  oilPressureKpa:                pressure(127, 16),
  oilTempC:                      heat(177),
}, ofEngine);

export const dashDisplay = pgn(65276, "Dash Display", {
  washerFluidLevelPercent:           level(80),
  fuelLevelPercent:                  level(96),
  fuelFilterDifferentialPressureKpa: pressure(95, 2),
  oilFilterDifferentialPressureKpa:  finePressure(99, 2),
  cargoTempC:                        heat(169),
  fuelLevel2Percent:                 level(38),
}, ofEngine);
