/** Engines and transmissions: what is measured, and the bits by which they report their own alarms. */
import { EngineStatus1, EngineStatus2, TransmissionStatus } from "../../n2k/lookups.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  transmissionParametersDynamic,
} from "../../n2k/pgns/propulsion.ts";
import { isImplausible } from "../../n2k/plausible.ts";
import type { Device } from "../../nav/devices.ts";
import { named, type Sentence, sentence } from "../../text/sentence.ts";
import type { Severity } from "../constants.ts";
import { above, below, type Reading, readingsOf } from "../reading.ts";
import { kept } from "../reads.ts";
import type { Situation } from "../situation.ts";
import { alarm, limit } from "./hazard.ts";

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

interface Bits {
  readonly discreteStatus1?: number | undefined;
  readonly discreteStatus2?: number | undefined;
}

/** The message without bits that are all ones, which some devices send for a field that they do not have. */
function withKnownBits<Content extends Bits>(message: Content): Content {
  const all = 0xffff;
  if (message.discreteStatus1 !== all && message.discreteStatus2 !== all) return message;
  const known = (bits: number | undefined): number | undefined => (bits === all ? undefined : bits);
  const { discreteStatus1, discreteStatus2 } = message;
  return { ...message, discreteStatus1: known(discreteStatus1), discreteStatus2: known(discreteStatus2) };
}

const engineSpeed = kept(engineParametersRapid, { key: "engineInstance" });
const engineState = kept(engineParametersDynamic, { key: "engineInstance", use: withKnownBits });
const transmissionState = kept(transmissionParametersDynamic, { key: "engineInstance" });

const isSet = (status: number | undefined, name: (typeof EngineStatus1)[number]): boolean =>
  ((status ?? 0) & (1 << EngineStatus1.indexOf(name))) !== 0;

/** Names of the bits that are set. */
const namesIn = <Name extends string>(status: number | undefined, names: readonly Name[]): Name[] =>
  names.filter((_, bit) => ((status ?? 0) & (1 << bit)) !== 0);

/**
 * The speed of an engine by the device that reports its state, or else the highest that another device reports;
 * undefined while none is known. As old as the reports, because it is lost with them when the ignition is switched off.
 */
function speedOf({ reported }: Situation, engine: number, device: Device): number | undefined {
  let highest: number | undefined;
  for (const { message, device: sender } of reported(engineSpeed).get(engine) ?? []) {
    const { engineSpeedRpm: rpm } = message;
    if (rpm === undefined) continue;
    if (sender === device) return rpm;
    highest = Math.max(highest ?? rpm, rpm);
  }
  return highest;
}

/** An engine without a speed may be running, so that its reports count. */
const isAtRest = (situation: Situation, engine: number, device: Device): boolean =>
  (speedOf(situation, engine, device) ?? RUNNING_RPM) < RUNNING_RPM;

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
  device: Device,
  meanings: Readonly<Record<Name, BitMeaning | undefined>>,
  set: readonly Name[],
  told: (name: Name) => readonly Sentence[],
): readonly Reading[] => {
  if (set.length === 0) return [];
  const rests = isAtRest(situation, engine, device);
  return set.flatMap((name) => {
    const meaning = meanings[name];
    const atRest = rests ? meaning?.atRest : undefined;
    if (meaning === undefined || atRest === "lamp") return [];
    const severity = atRest ?? meaning.severity;
    const key = `${engine}-${keyOf(name)}`;
    return [{ subject: engine, key, severity, sentences: told(name), zone: "beyond" } as const];
  });
};

/** A name of the table within a sentence: "low oil level", "EGR system". */
const inSentence = (name: string): string => name.replace(/\b[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase());

/** By whom it is reported, with the measured value. */
const reportedBy = (device: Sentence, measured: number | undefined, unit: "°C" | "kPa"): readonly Sentence[] => [
  device,
  ...(measured === undefined ? [] : [sentence`measured ${{ number: Math.round(measured * 10) / 10, unit }}`]),
];
const byEngine = sentence`reported by the engine`;
const byTransmission = sentence`reported by the transmission`;

/** A reading that the engine itself calls bad; value and limit are given only if the value exceeds the limit too. */
const flagged = (
  subject: number,
  value: number | undefined,
  {
    limit,
    unit,
    measured,
  }: { readonly limit: number; readonly unit: "°C" | "kPa"; readonly measured: Reading["zone"] },
): Reading =>
  measured === "beyond" && value !== undefined
    ? { subject, value, limit, zone: "beyond" }
    : { subject, sentences: reportedBy(byEngine, value, unit), zone: "beyond" };

export const engineHazards = {
  engineTemperature: alarm({
    title: "Engine overheating",
    severity: "alarm",
    unit: "°C",
    delay: 5,
    settings: { limit: limit(98, [50, 200], "°C", { above: "temperature of the coolant" }) },
    reads: [engineState],
    readings: ({ latest }, { limit }) =>
      readingsOf(latest(engineState), (message, subject) => {
        const { coolantTempC, discreteStatus1: status } = message;
        const value = isImplausible(engineParametersDynamic.pgn, "coolantTempC", message) ? undefined : coolantTempC;
        if (value === undefined && status === undefined) return undefined;
        const measured = value === undefined ? "within" : above(value, limit, 3);
        return isSet(status, "Over Temperature")
          ? flagged(subject, value, { limit, unit: "°C", measured })
          : { subject, value, limit, zone: measured };
      }),
  }),
  oilPressure: alarm({
    title: "Low oil pressure",
    severity: "alarm",
    unit: "kPa",
    delay: 5,
    // Oil leaves the pump for a moment in each wave.
    swings: true,
    settings: { limit: limit(100, [10, 1000], "kPa", { below: "oil pressure of a running engine" }) },
    reads: [engineSpeed, engineState],
    readings: (situation, { limit }) =>
      readingsOf(situation.latest(engineState), (message, subject, device) => {
        const { oilPressureKpa: value, discreteStatus1: status } = message;
        const rpm = speedOf(situation, subject, device);
        const isReported = isSet(status, "Low Oil Pressure");
        if (!isReported && (rpm === undefined || (value === undefined && status === undefined))) return undefined;
        if (isAtRest(situation, subject, device)) return { subject, value, limit, zone: "within" };
        // Without a speed the pressure has no meaning.
        const measured = value === undefined || rpm === undefined ? "within" : below(value, limit, 20);
        return isReported
          ? flagged(subject, value, { limit, unit: "kPa", measured })
          : { subject, value, limit, zone: measured };
      }),
  }),
  engine: alarm({
    title: "Engine",
    severity: "each",
    delay: 5,
    reads: [engineSpeed, engineState],
    isListed: ({ isReporting }, { of }) => isReporting(engineState, of?.device),
    readings: (situation) =>
      readingsOf(situation.reported(engineState), (message, engine, device) => {
        const { discreteStatus1, discreteStatus2 } = message;
        const set = [...namesIn(discreteStatus1, EngineStatus1), ...namesIn(discreteStatus2, EngineStatus2)];
        const told = (name: EngineBit) => [named(inSentence(name)), byEngine];
        return bitReadings(situation, engine, device, engineBits, set, told);
      }),
  }),
  transmission: alarm({
    title: "Transmission",
    severity: "each",
    delay: 5,
    reads: [engineSpeed, transmissionState],
    isListed: ({ isReporting }, { of }) => isReporting(transmissionState, of?.device),
    readings: (situation) =>
      readingsOf(situation.reported(transmissionState), (message, engine, device) => {
        const { discreteStatus1, oilPressureKpa, oilTempC } = message;
        const measured: Partial<Record<TransmissionBit, readonly [number | undefined, "°C" | "kPa"]>> = {
          "Over Temperature": [oilTempC, "°C"],
          "Low Oil Pressure": [oilPressureKpa, "kPa"],
        };
        const told = (name: TransmissionBit): readonly Sentence[] => {
          const [value, unit = "kPa"] = measured[name] ?? [];
          return [named(inSentence(name)), ...reportedBy(byTransmission, value, unit)];
        };
        const set = namesIn(discreteStatus1, TransmissionStatus);
        return bitReadings(situation, engine, device, transmissionBits, set, told);
      }),
  }),
};
