/** Engines and transmissions: what is measured, and the bits by which they report their own alarms. */
import { EngineStatus1, EngineStatus2, TransmissionStatus } from "../../n2k/lookups.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  transmissionParametersDynamic,
} from "../../n2k/pgns/propulsion.ts";
import { isImplausible } from "../../n2k/plausible.ts";
import type { Severity } from "../severities.ts";
import type { Situation } from "../situation.ts";
import { above, alarm, below, limit, type Reading, readingsOf } from "./hazard.ts";

/** An engine below this speed is being started or stopped: lamps light, and there is no oil pressure. */
const RUNNING_RPM = 300;

type EngineBit = (typeof EngineStatus1)[number] | (typeof EngineStatus2)[number];
type TransmissionBit = (typeof TransmissionStatus)[number];

export interface BitMeaning {
  readonly severity: Severity;
  /**
   * The meaning while the engine stands, if it differs: a low level is only a warning, because there is time; a lamp of
   * the ignition is no fault.
   */
  readonly atRest?: "warning" | "lamp";
}

/**
 * A bit is an alarm if its fault destroys the engine or stops the propulsion within minutes; undefined: the bit is a
 * state, or has an alarm of its own.
 */
export const engineBits: Readonly<Record<EngineBit, BitMeaning | undefined>> = {
  "Check Engine": { severity: "warning" },
  "Over Temperature": undefined,
  "Low Oil Pressure": undefined,
  "Low Oil Level": { severity: "alarm", atRest: "warning" },
  "Low Fuel Pressure": { severity: "warning", atRest: "lamp" },
  "Low System Voltage": { severity: "warning" },
  "Low Coolant Level": { severity: "alarm", atRest: "warning" },
  "Water Flow": { severity: "alarm", atRest: "lamp" },
  "Water In Fuel": { severity: "warning" },
  "Charge Indicator": { severity: "warning", atRest: "lamp" },
  "Preheat Indicator": undefined,
  "High Boost Pressure": { severity: "warning" },
  "Rev Limit Exceeded": { severity: "warning" },
  "EGR System": { severity: "warning" },
  "Throttle Position Sensor": { severity: "warning" },
  "Emergency Stop": { severity: "alarm" },
  "Warning Level 1": { severity: "warning" },
  "Warning Level 2": { severity: "alarm" },
  "Power Reduction": { severity: "alarm" },
  "Maintenance Needed": { severity: "warning" },
  "Engine Comm Error": { severity: "warning" },
  "Sub or Secondary Throttle": { severity: "warning" },
  "Neutral Start Protect": undefined,
  "Engine Shutting Down": { severity: "alarm", atRest: "lamp" },
};

export const transmissionBits: Readonly<Record<TransmissionBit, BitMeaning>> = {
  "Check Transmission": { severity: "warning" },
  "Over Temperature": { severity: "alarm" },
  "Low Oil Pressure": { severity: "alarm", atRest: "lamp" },
  "Low Oil Level": { severity: "alarm", atRest: "warning" },
  // Water in the leg of the drive.
  "Sail Drive": { severity: "alarm" },
};

/** Some devices send all ones for a field that they do not have. */
const bitsIn = (status: number | undefined, width: number): number =>
  status === undefined || status === 2 ** width - 1 ? 0 : status;

const isSet = (status: number | undefined, name: (typeof EngineStatus1)[number]): boolean =>
  (bitsIn(status, 16) & (1 << EngineStatus1.indexOf(name))) !== 0;

/** Names of the bits that are set. */
const namesIn = <Name extends string>(status: number | undefined, width: number, names: readonly Name[]): Name[] => {
  const set = bitsIn(status, width);
  return names.filter((_, bit) => (set & (1 << bit)) !== 0);
};

/** An engine without a speed may be running, so that its reports count. */
const isAtRest = ({ latest }: Situation, engine: number): boolean =>
  (latest(engineParametersRapid).get(engine)?.engineSpeedRpm ?? RUNNING_RPM) < RUNNING_RPM;

/** A name of the table as part of an id: "Low Oil Level" is `lowOilLevel`. */
const keyOf = (name: string): string =>
  name
    .split(" ")
    .map((word, index) => (index === 0 ? word.toLowerCase() : word[0]!.toUpperCase() + word.slice(1).toLowerCase()))
    .join("");

/** A reading for each bit that is set and has a meaning; the alarms of the other bits are over. */
const bitReadings = <Name extends string>(
  situation: Situation,
  engine: number,
  meanings: Readonly<Record<Name, BitMeaning | undefined>>,
  set: readonly Name[],
  textOf: (name: Name) => string,
): readonly Reading[] =>
  set.flatMap((name) => {
    const meaning = meanings[name];
    const atRest = isAtRest(situation, engine) ? meaning?.atRest : undefined;
    if (meaning === undefined || atRest === "lamp") return [];
    const severity = atRest ?? meaning.severity;
    return [
      { subject: engine, key: `${engine}-${keyOf(name)}`, severity, text: textOf(name), zone: "beyond" } as const,
    ];
  });

const tenth = (value: number): string => String(Math.round(value * 10) / 10);

/** The words for a report of a device, with the measured value. */
const reportedBy = (device: string, measured: number | undefined, unit: string): string =>
  measured === undefined
    ? `reported by the ${device}`
    : `reported by the ${device}; measured ${tenth(measured)} ${unit}`;

/** A reading that the engine itself calls bad; value and limit are given only if the value exceeds the limit too. */
const flagged = (
  subject: number,
  value: number | undefined,
  { limit, unit, measured }: { readonly limit: number; readonly unit: string; readonly measured: Reading["zone"] },
): Reading =>
  measured === "beyond" && value !== undefined
    ? { subject, value, limit, zone: "beyond" }
    : { subject, text: reportedBy("engine", value, unit), zone: "beyond" };

export const engineHazards = {
  engineTemperature: alarm(
    5,
    { limit: limit(98, [50, 200], "degrees Celsius", "temperature of the coolant above which it rings") },
    {
      title: "Engine overheating",
      severity: "alarm",
      unit: "°C",
      reads: [engineParametersDynamic],
      readings: ({ latest }, { limit }) =>
        readingsOf(latest(engineParametersDynamic), (message, subject) => {
          const { coolantTempC, discreteStatus1: status } = message;
          const value = isImplausible(engineParametersDynamic.pgn, "coolantTempC", message) ? undefined : coolantTempC;
          if (value === undefined && status === undefined) return undefined;
          const measured = value === undefined ? "within" : above(value, limit, 3);
          return isSet(status, "Over Temperature")
            ? flagged(subject, value, { limit, unit: "°C", measured })
            : { subject, value, limit, zone: measured };
        }),
    },
  ),
  oilPressure: alarm(
    5,
    { limit: limit(100, [10, 1000], "kilopascals", "oil pressure of a running engine below which it rings") },
    {
      title: "Low oil pressure",
      severity: "alarm",
      unit: "kPa",
      reads: [engineParametersRapid, engineParametersDynamic],
      readings: (situation, { limit }) =>
        readingsOf(situation.latest(engineParametersDynamic), (message, subject) => {
          const { oilPressureKpa: value, discreteStatus1: status } = message;
          const rpm = situation.latest(engineParametersRapid).get(subject)?.engineSpeedRpm;
          const isReported = isSet(status, "Low Oil Pressure");
          if (!isReported && (rpm === undefined || (value === undefined && status === undefined))) return undefined;
          if (isAtRest(situation, subject)) return { subject, value, limit, zone: "within" };
          // Without a speed the pressure has no meaning.
          const measured = value === undefined || rpm === undefined ? "within" : below(value, limit, 20);
          return isReported
            ? flagged(subject, value, { limit, unit: "kPa", measured })
            : { subject, value, limit, zone: measured };
        }),
    },
  ),
  engine: alarm(
    5,
    {},
    {
      title: "Engine",
      severity: "each",
      reads: [engineParametersDynamic],
      isListed: true,
      readings: (situation) =>
        [...situation.latest(engineParametersDynamic)].flatMap(([engine, { discreteStatus1, discreteStatus2 }]) => {
          const set = [...namesIn(discreteStatus1, 16, EngineStatus1), ...namesIn(discreteStatus2, 16, EngineStatus2)];
          return bitReadings(
            situation,
            engine,
            engineBits,
            set,
            (name) => `${name.toLowerCase()}, reported by the engine`,
          );
        }),
    },
  ),
  transmission: alarm(
    5,
    {},
    {
      title: "Transmission",
      severity: "each",
      reads: [transmissionParametersDynamic],
      isListed: true,
      readings: (situation) =>
        [...situation.latest(transmissionParametersDynamic)].flatMap(([engine, message]) => {
          const { discreteStatus1, oilPressureKpa, oilTempC } = message;
          const measured: Partial<Record<TransmissionBit, readonly [number | undefined, string]>> = {
            "Over Temperature": [oilTempC, "°C"],
            "Low Oil Pressure": [oilPressureKpa, "kPa"],
          };
          const textOf = (name: TransmissionBit): string => {
            const [value, unit = ""] = measured[name] ?? [];
            return `${name.toLowerCase()}, ${reportedBy("transmission", value, unit)}`;
          };
          return bitReadings(
            situation,
            engine,
            transmissionBits,
            namesIn(discreteStatus1, 8, TransmissionStatus),
            textOf,
          );
        }),
    },
  ),
};
