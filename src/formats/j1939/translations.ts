/**
 * Which parameter of which message of SAE J1939 is which member of which message of NMEA 2000: a row for each pair of
 * messages. Both have the same units, so that a row has names only, or a function where the values differ.
 */
import type { Definition, Message } from "../../core/n2k/definition.ts";
import { activeTroubleCodes } from "../../core/n2k/j1939/diagnostics.ts";
import {
  electronicEngineController1,
  electronicEngineController2,
  electronicTransmissionController2,
  engineFluidLevelPressure1,
  engineHoursRevolutions,
  engineTemperature1,
  intakeExhaustConditions1,
  liquidFuelEconomy,
  transmissionFluids1,
  vehicleElectricalPower1,
} from "../../core/n2k/j1939/engine.ts";
import { batteryStatus } from "../../core/n2k/pgns/electrical.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  transmissionParametersDynamic,
} from "../../core/n2k/pgns/propulsion.ts";
import { engineStatus1, engineStatus2, transmissionStatus } from "./faults.ts";
import type { Role } from "./roles.ts";

/** A message of NMEA 2000 that is made. */
export interface Target {
  readonly definition: Definition;
  /** The member with the number of the engine. */
  readonly instance: string;
  /** Interval at which it is made at most, milliseconds: a little less than that of NMEA 2000. */
  readonly everyMs: number;
  /** Whether a device of this role sends it; the controller of an engine may speak for the transmission too. */
  readonly isOf: (role: Role) => boolean;
}

const isEngine = ({ kind }: Role): boolean => kind === "engine";

const rapid: Target = { definition: engineParametersRapid, instance: "engineInstance", everyMs: 95, isOf: isEngine };
const dynamic: Target = {
  definition: engineParametersDynamic,
  instance: "engineInstance",
  everyMs: 480,
  isOf: isEngine,
};
const transmission: Target = {
  definition: transmissionParametersDynamic,
  instance: "engineInstance",
  everyMs: 480,
  isOf: () => true,
};
const battery: Target = { definition: batteryStatus, instance: "instance", everyMs: 1450, isOf: isEngine };

type Member<From extends Definition> = keyof Message<From> | ((message: Message<From>, role: Role) => unknown);

export interface Translation {
  readonly from: Definition;
  readonly to: Target;
  /** The value of each member; undefined: it is not available. */
  readonly read: (message: object, role: Role) => readonly (readonly [member: string, value: unknown])[];
  /** Time for which a value holds, milliseconds. */
  readonly holdsMs: number;
}

/** Five of the slowest messages that an engine sends by itself, one a second. */
const HOLDS_MS = 5000;
/** Engine hours may come on request only, and stay right. */
const HOURS_HOLD_MS = 3_600_000;

function row<From extends Definition>(
  from: From,
  to: Target,
  members: Readonly<Record<string, Member<From>>>,
  holdsMs = HOLDS_MS,
): Translation {
  const list = Object.entries(members);
  const read: Translation["read"] = (message, role) =>
    list.map(([name, member]) => [
      name,
      typeof member === "function"
        ? member(message as Message<From>, role)
        : (message as Message<From>)[member as keyof Message<From>],
    ]);
  return { from, to, read, holdsMs };
}

const gearOf = (number: number | undefined): string | undefined =>
  number === undefined ? undefined : number > 0 ? "Forward" : number < 0 ? "Reverse" : "Neutral";

export const translations: readonly Translation[] = [
  row(electronicEngineController1, rapid, { engineSpeedRpm: "engineSpeedRpm" }),
  row(intakeExhaustConditions1, rapid, { boostPressureKpa: "boostPressureKpa" }),
  row(electronicEngineController1, dynamic, { torquePercent: "torquePercent" }),
  row(electronicEngineController2, dynamic, { loadPercent: "loadPercent" }),
  row(engineTemperature1, dynamic, { coolantTempC: "coolantTempC", oilTempC: "oilTempC" }),
  row(engineFluidLevelPressure1, dynamic, {
    oilPressureKpa: "oilPressureKpa",
    coolantPressureKpa: "coolantPressureKpa",
    fuelPressureKpa: "fuelPressureKpa",
  }),
  row(liquidFuelEconomy, dynamic, { fuelRateLh: "fuelRateLh" }),
  row(engineHoursRevolutions, dynamic, { engineHours: "engineHours" }, HOURS_HOLD_MS),
  row(vehicleElectricalPower1, dynamic, { alternatorVoltage: "alternatorVoltage" }),
  row(activeTroubleCodes, dynamic, {
    discreteStatus1: (faults) => engineStatus1(faults),
    discreteStatus2: (faults) => engineStatus2(faults),
  }),
  row(electronicTransmissionController2, transmission, { gear: ({ currentGear }) => gearOf(currentGear) }),
  row(transmissionFluids1, transmission, { oilPressureKpa: "oilPressureKpa", oilTempC: "oilTempC" }),
  row(activeTroubleCodes, transmission, {
    discreteStatus1: (faults, { kind }) => transmissionStatus(faults, kind === "transmission"),
  }),
  row(vehicleElectricalPower1, battery, {
    voltageV: ({ batteryVoltageV, keyswitchVoltageV }) => batteryVoltageV ?? keyswitchVoltageV,
    currentA: "netBatteryCurrentA",
  }),
];
