/** Batteries, chargers, inverters, and shore power. */
import * as z from "zod";
import type { Message } from "../../n2k/definition.ts";
import {
  acInputStatus,
  batteryConfigurationStatus,
  batteryStatus,
  chargerStatus,
  dcDetailedStatus,
  inverterStatus,
} from "../../n2k/pgns/electrical.ts";
import { generatorStartStatus } from "../../n2k/pgns/for-reports.ts";
import { isImplausible } from "../../n2k/plausible.ts";
import { named, sentence } from "../../text/sentence.ts";
import type { ByInstance } from "../latest-messages.ts";
import { above, below, type Reading, readingsOf } from "../reading.ts";
import { heardBy, kept } from "../reads.ts";
import type { Situation } from "../situation.ts";
import { alarm, limit, offByDefault } from "./hazard.ts";

/** Codes of 127514 for an automatic start of a generator that fails to start or to stop it. */
const startFailures = {
  operatingState: new Map([[7, "fault"]]),
  onReason: new Map([[10, "unable to stop"]]),
  offReason: new Map([
    [17, "fault"],
    [18, "unable to start"],
  ]),
} as const;

const failuresOf = (message: Message<typeof generatorStartStatus>): readonly string[] =>
  (["operatingState", "onReason", "offReason"] as const).flatMap((member) => {
    const code = message[member];
    return (code !== undefined && startFailures[member].get(code)) || [];
  });

/** A line without a battery reads some tenths of a volt. */
const NO_BATTERY_VOLTS = 3;

/** The nominal voltage for which the limit of a battery is given. */
const LIMIT_VOLTS = 12;

const batteries = kept(batteryStatus, { key: "instance" });
const measuredVolts = heardBy(batteryStatus, ({ nominalVolts }, message, { device, arrived }) => {
  const { instance, voltageV } = message;
  if (instance !== undefined && voltageV !== undefined && !isImplausible(batteryStatus.pgn, "voltageV", message))
    nominalVolts.measure(instance, device, voltageV, arrived);
});
const configuredVolts = heardBy(
  batteryConfigurationStatus,
  ({ nominalVolts }, { instance, nominalVoltageV }, { device }) => {
    if (instance !== undefined && typeof nominalVoltageV === "number")
      nominalVolts.tell(instance, device, nominalVoltageV);
  },
);
const charges = kept(dcDetailedStatus, {
  key: "instance",
  use: (message) => (message.dcType === "Battery" ? message : undefined),
});
const chargers = kept(chargerStatus, { key: "chargerInstance" });
const inverters = kept(inverterStatus, { key: "inverterInstance" });
const generators = kept(generatorStartStatus, { key: "generatorInstance" });
const acInputs = kept(acInputStatus, { key: "instance" });

/** The voltages that count, each against a limit that is given for 12 V. */
const voltagesOf = (
  { latest, nominalVolts }: Situation,
  limitFor12: number,
  zoneOf: typeof above,
  counts: (volts: number, message: Message<typeof batteryStatus>) => boolean,
): readonly Reading[] =>
  readingsOf(latest(batteries), (message, subject, device) => {
    const { voltageV: value } = message;
    if (value === undefined || !counts(value, message)) return undefined;
    const times = nominalVolts(subject, device) / LIMIT_VOLTS;
    const limit = limitFor12 * times;
    return { subject, value, limit, zone: zoneOf(value, limit, 0.3 * times) };
  });

export const powerHazards = {
  batteryVoltage: alarm({
    title: "Low battery voltage",
    severity: "warning",
    unit: "V",
    delay: 30,
    settings: {
      limit: limit(11.8, [8, 16], "V", {
        below: (rings) => `voltage of a battery of 12 V ${rings}; twice that for 24 V`,
      }),
      nominal: z
        .record(z.string().regex(/^\d{1,3}$/), z.number().min(6).max(96), "must be voltages by instance")
        .default({})
        .describe("nominal voltages by the instance of the battery, where they are not received or measured wrongly"),
    },
    // A pump or a compressor runs for half a minute.
    swings: true,
    reads: [batteries, measuredVolts, configuredVolts],
    readings: (situation, { limit }) => voltagesOf(situation, limit, below, (volts) => volts >= NO_BATTERY_VOLTS),
  }),
  batteryHigh: alarm({
    title: "High battery voltage",
    severity: "warning",
    unit: "V",
    delay: 30,
    settings: {
      limit: limit(15.5, [12, 20], "V", {
        above: (rings) => `voltage of a battery of 12 V ${rings}; twice that for 24 V`,
      }),
    },
    reads: [batteries, measuredVolts, configuredVolts],
    readings: (situation, { limit }) =>
      voltagesOf(situation, limit, above, (_, message) => !isImplausible(batteryStatus.pgn, "voltageV", message)),
  }),
  batteryCharge: alarm({
    title: "Low battery charge",
    severity: "warning",
    unit: "%",
    delay: 30,
    settings: { limit: limit(20, [1, 99], "%", { below: "state of charge" }) },
    reads: [charges],
    readings: ({ latest }, { limit }) =>
      readingsOf(latest(charges), ({ stateOfChargePercent: value }, subject) =>
        value === undefined ? undefined : { subject, value, limit, zone: below(value, limit, 5) },
      ),
  }),
  converter: alarm({
    title: "Charger, inverter or generator",
    severity: "warning",
    delay: 5,
    reads: [chargers, inverters, generators],
    isListed: true,
    readings: ({ reported }) => [
      ...faultsOf("charger", reported(chargers)),
      ...faultsOf("inverter", reported(inverters)),
      ...readingsOf(reported(generators), (message, subject) =>
        [...new Set(failuresOf(message))].map((failure) => ({
          subject,
          key: `generator-${subject}-${failure.replaceAll(" ", "-")}`,
          title: "Generator",
          sentences: [named(failure), sentence`reported by the automatic start of generator ${subject}`],
          zone: "beyond",
        })),
      ),
    ],
  }),
  shorePower: alarm({
    title: "Shore power lost",
    severity: "warning",
    unit: "V",
    delay: 60,
    settings: { ...offByDefault, limit: limit(90, [50, 300], "V", { below: "voltage of an AC input" }) },
    reads: [acInputs],
    // A boat under way has no shore power.
    isQuiet: ({ liesStill }) => !liesStill,
    readings: ({ latest }, { limit }) =>
      readingsOf(latest(acInputs), ({ line1VoltageV: value }, subject) =>
        value === undefined ? undefined : { subject, value, limit, zone: below(value, limit, 10) },
      ),
  }),
};

function faultsOf(
  device: "charger" | "inverter",
  messages: ByInstance<{ readonly operatingState?: string | number }>,
): readonly Reading[] {
  const title = device === "charger" ? "Charger" : "Inverter";
  return readingsOf(messages, ({ operatingState }, subject) =>
    operatingState === "Fault"
      ? [
          {
            subject,
            key: `${device}-${subject}`,
            title,
            sentences: [
              sentence`fault`,
              device === "charger"
                ? sentence`reported by charger ${subject}`
                : sentence`reported by inverter ${subject}`,
            ],
            zone: "beyond",
          },
        ]
      : [],
  );
}
