/** Batteries, chargers, inverters, and shore power. */
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
import type { ByInstance } from "../latest-messages.ts";
import { alarm, below, limit, offByDefault, type Reading, readingsOf, readingsOfDevices } from "./hazard.ts";

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

export const powerHazards = {
  batteryVoltage: alarm(
    30,
    { limit: limit(11.8, [8, 16], "volts", "voltage of a battery of 12 V below which it rings; twice that for 24 V") },
    {
      title: "Low battery voltage",
      severity: "warning",
      unit: "V",
      reads: [batteryStatus, batteryConfigurationStatus],
      readings: ({ latest, nominalVolts }, settings) =>
        readingsOf(latest(batteryStatus), ({ voltageV: value }, subject, source) => {
          if (value === undefined || value < NO_BATTERY_VOLTS) return undefined;
          const times = nominalVolts(subject, source) / LIMIT_VOLTS;
          const limit = settings.limit * times;
          return { subject, value, limit, zone: below(value, limit, 0.3 * times) };
        }),
    },
  ),
  batteryCharge: alarm(
    30,
    { limit: limit(20, [1, 99], "percent", "state of charge below which it rings") },
    {
      title: "Low battery charge",
      severity: "warning",
      unit: "%",
      reads: [dcDetailedStatus],
      readings: ({ latest }, { limit }) =>
        readingsOf(latest(dcDetailedStatus), ({ stateOfChargePercent: value }, subject) =>
          value === undefined ? undefined : { subject, value, limit, zone: below(value, limit, 5) },
        ),
    },
  ),
  converter: alarm(
    5,
    {},
    {
      title: "Charger, inverter or generator",
      severity: "warning",
      reads: [chargerStatus, inverterStatus, generatorStartStatus],
      isListed: true,
      readings: ({ reported }) => [
        ...faultsOf("charger", reported(chargerStatus)),
        ...faultsOf("inverter", reported(inverterStatus)),
        ...readingsOfDevices(reported(generatorStartStatus), (message, subject) =>
          [...new Set(failuresOf(message))].map((failure) => ({
            subject,
            key: `generator-${subject}-${failure.replaceAll(" ", "-")}`,
            title: "Generator",
            text: `${failure}, reported by the automatic start of generator ${subject}`,
            zone: "beyond",
          })),
        ),
      ],
    },
  ),
  shorePower: alarm(
    60,
    { ...offByDefault, limit: limit(90, [50, 300], "volts", "voltage of an AC input below which it rings") },
    {
      title: "Shore power lost",
      severity: "warning",
      unit: "V",
      reads: [acInputStatus],
      // A boat under way has no shore power.
      isQuiet: ({ isMoored }) => !isMoored,
      readings: ({ latest }, { limit }) =>
        readingsOf(latest(acInputStatus), ({ line1VoltageV: value }, subject) =>
          value === undefined ? undefined : { subject, value, limit, zone: below(value, limit, 10) },
        ),
    },
  ),
};

function faultsOf(
  device: "charger" | "inverter",
  messages: ByInstance<{ readonly operatingState?: string | number }>,
): readonly Reading[] {
  const title = device === "charger" ? "Charger" : "Inverter";
  return readingsOfDevices(messages, ({ operatingState }, subject) =>
    operatingState === "Fault"
      ? [
          {
            subject,
            key: `${device}-${subject}`,
            title,
            text: `fault, reported by ${device} ${subject}`,
            zone: "beyond",
          },
        ]
      : [],
  );
}
