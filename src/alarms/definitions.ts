/** The alarms as one table: settings, schema, form, reference, Home Assistant and the watch are readings of it. */
import * as z from "zod";
import type { Approach } from "../nav/ais-targets.ts";
import { isInHarbour, isMooredShip, type Situation } from "./situation.ts";

export const severities = ["alarm", "warning"] as const;
export type Severity = (typeof severities)[number];

/**
 * A value and its limit: `beyond` may raise the alarm, `within` may end it, and the zone between keeps what is. The subject
 * tells alarms of one kind apart: an instance, an MMSI.
 */
export interface Reading {
  readonly subject?: number;
  /** Of a ship. */
  readonly name?: string | undefined;
  readonly value?: number | undefined;
  readonly limit?: number;
  /** Until the closest approach. */
  readonly minutes?: number | undefined;
  readonly zone: "beyond" | "between" | "within";
}

type IsTracked = (subject: number) => boolean;

interface Definition<Settings> {
  readonly title: string;
  readonly severity: Severity;
  /** Unit of value and limit. */
  readonly unit?: string;
  readonly settings: z.ZodType<Settings>;
  /** None while there is no data. A reading within its limit is needed only for a subject that is tracked. */
  readonly readings: (situation: Situation, settings: Settings, isTracked: IsTracked) => readonly Reading[];
  /** Whether the alarm is not raised now although its limit is exceeded. */
  readonly isQuiet?: (situation: Situation) => boolean;
}

const alarm = <Shape extends z.core.$ZodLooseShape>(
  seconds: number,
  shape: Shape,
  definition: Omit<Definition<z.output<z.ZodObject<typeof common & Shape>>>, "settings">,
) => ({
  ...definition,
  settings: z
    .strictObject(
      { enabled: common.enabled, ...shape, delay: common.delay.default(seconds) },
      {
        error: (issue) =>
          issue.code === "unrecognized_keys" ? `has no member ${issue.keys.join(", ")}` : "must be an object",
      },
    )
    .meta({ title: definition.title }),
});

const common = {
  enabled: z.boolean("must be true or false").default(true).describe("the alarm is on"),
  delay: z
    .number("must be a number of seconds")
    .min(0, "must be 0 or more")
    .max(600, "must be 600 or less")
    .describe("seconds for which the limit has to be exceeded"),
};

/** A number of the settings; `unit` is also that of the value. */
const limit = (standard: number, [min, max]: readonly [number, number], unit: string, text: string) =>
  z
    .number(`must be a number of ${unit}`)
    .min(min, `must be ${min} or more`)
    .max(max, `must be ${max} or less`)
    .default(standard)
    .describe(`${text}, ${unit}`);

const below = (value: number, limit: number, margin: number): Reading["zone"] =>
  value < limit ? "beyond" : value >= limit + margin ? "within" : "between";

const above = (value: number, limit: number, margin: number): Reading["zone"] =>
  value > limit ? "beyond" : value <= limit - margin ? "within" : "between";

/** One reading, or none for a value that is not known. */
const one = <Value extends number>(
  value: Value | null | undefined,
  reading: (value: Value) => Omit<Reading, "value">,
) => (value == null ? [] : [{ value, ...reading(value) }]);

/** The readings of all instances that have one. */
function readingsOf<Instance>(
  instances: ReadonlyMap<number, Instance>,
  reading: (subject: number, instance: Instance) => Reading | undefined,
): readonly Reading[] {
  const readings: Reading[] = [];
  instances.forEach((instance, subject) => {
    const one = reading(subject, instance);
    if (one !== undefined) readings.push(one);
  });
  return readings;
}

/** A reading that the engine itself calls bad; with the value and its limit only where they say so too. */
function flagged(subject: number, value: number | undefined, limit: number, measured: Reading["zone"]): Reading {
  return measured === "beyond" && value !== undefined
    ? { subject, value, limit, zone: "beyond" }
    : { subject, zone: "beyond" };
}

const ALL_CLEAR: Reading = { zone: "within" };

function approachZone(ship: Approach, limit: number, minutes: number): Reading["zone"] {
  const { cpa, tcpa } = ship;
  const isCourseKnown = cpa !== undefined && tcpa !== undefined && !isMooredShip(ship);
  if (!isCourseKnown || cpa >= limit * 1.25 || tcpa >= minutes * 1.25) return "within";
  return cpa < limit && tcpa < minutes ? "beyond" : "between";
}

const isMoored = ({ isMoored }: Situation): boolean => isMoored;

/** Bits of `discreteStatus1` in PGN 127489, as the canboat database has them (ENGINE_STATUS_1). */
const OVER_TEMPERATURE = 1 << 1;
const LOW_OIL_PRESSURE = 1 << 2;

/** An engine that turns slower is being started or stopped, and has no oil pressure. */
const RUNNING_RPM = 300;

/** A line without a battery reads some tenths of a volt. */
const NO_BATTERY_VOLTS = 3;

/** The voltage that the limit of a battery is for. */
const LIMIT_VOLTS = 12;

/** The most dangerous kind first. */
export const alarmDefinitions = {
  cpa: alarm(
    5,
    {
      limit: limit(0.25, [0.01, 10], "nautical miles", "distance at the closest approach below which it rings"),
      minutes: limit(10, [1, 60], "minutes", "time to the closest approach below which it rings"),
    },
    {
      title: "Close approach",
      severity: "alarm",
      unit: "nm",
      isQuiet: (situation) => situation.isAtAnchor || isInHarbour(situation),
      readings: ({ navigation, targets }, { limit, minutes }, isTracked) => {
        const { cog, sog } = navigation.speed_course ?? {};
        if (cog == null || sog == null) return [];
        let hasShips = false;
        const readings: Reading[] = [];
        for (const ship of targets) {
          const { mmsi: subject, name, cpa: value, tcpa, range } = ship;
          if (range === undefined) continue;
          hasShips = true;
          const zone = approachZone(ship, limit, minutes);
          // Most ships are far away.
          if (zone !== "within" || isTracked(subject))
            readings.push({ subject, name, limit, value, minutes: tcpa, zone });
        }
        return readings.length === 0 && hasShips ? [ALL_CLEAR] : readings;
      },
    },
  ),
  depth: alarm(
    2,
    { limit: limit(2, [0.1, 100], "metres", "depth below the transducer below which it rings") },
    {
      title: "Shallow water",
      severity: "alarm",
      unit: "m",
      isQuiet: isMoored,
      readings: ({ navigation }, { limit }) =>
        one(navigation.depth_water?.depth, (depth) => ({ limit, zone: below(depth, limit, 0.3) })),
    },
  ),
  anchor: alarm(
    10,
    { radius: limit(40, [5, 1000], "metres", "radius of an anchor watch that is set without one") },
    {
      title: "Anchor dragging",
      severity: "alarm",
      unit: "m",
      readings: ({ anchorWatch, anchorDistance }) =>
        one(anchorDistance, (distance) => {
          const limit = anchorWatch!.radius;
          return { limit, zone: above(distance, limit, limit / 10) };
        }),
    },
  ),
  position: alarm(
    10,
    {},
    {
      title: "Position lost",
      severity: "alarm",
      isQuiet: isMoored,
      readings: ({ navigation, hadPosition }) =>
        hadPosition ? [{ zone: navigation.position?.hasFix === true ? "within" : "beyond" }] : [],
    },
  ),
  engineTemperature: alarm(
    5,
    { limit: limit(98, [50, 200], "degrees Celsius", "temperature of the coolant above which it rings") },
    {
      title: "Engine overheating",
      severity: "alarm",
      unit: "°C",
      readings: ({ engines }, { limit }) =>
        readingsOf(engines, (subject, { dynamic }) => {
          const { coolantTempC: value, discreteStatus1: status } = dynamic?.message ?? {};
          if (value === undefined && status === undefined) return undefined;
          const isFlagged = ((status ?? 0) & OVER_TEMPERATURE) !== 0;
          const zone = value === undefined ? "within" : above(value, limit, 3);
          return isFlagged ? flagged(subject, value, limit, zone) : { subject, value, limit, zone };
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
      readings: ({ engines }, { limit }) =>
        readingsOf(engines, (subject, { rapid, dynamic }) => {
          const rpm = rapid?.message.engineSpeedRpm;
          const { oilPressureKpa: value, discreteStatus1: status } = dynamic?.message ?? {};
          if (rpm === undefined || (value === undefined && status === undefined)) return undefined;
          const isFlagged = ((status ?? 0) & LOW_OIL_PRESSURE) !== 0;
          if (rpm < RUNNING_RPM) return { subject, value, limit, zone: "within" };
          const zone = value === undefined ? "within" : below(value, limit, 20);
          return isFlagged ? flagged(subject, value, limit, zone) : { subject, value, limit, zone };
        }),
    },
  ),
  wind: alarm(
    10,
    { limit: limit(30, [5, 100], "knots", "true wind, else apparent wind, above which it rings") },
    {
      title: "Strong wind",
      severity: "warning",
      unit: "kn",
      readings: ({ navigation }, { limit }) =>
        one(navigation.wind_true?.speed ?? navigation.wind_apparent?.speed, (speed) => ({
          limit,
          zone: above(speed, limit, 3),
        })),
    },
  ),
  batteryVoltage: alarm(
    30,
    { limit: limit(11.8, [8, 16], "volts", "voltage of a battery of 12 V below which it rings; twice that for 24 V") },
    {
      title: "Low battery voltage",
      severity: "warning",
      unit: "V",
      readings: ({ batteries, nominalVolts }, settings) =>
        readingsOf(batteries, (subject, { status }) => {
          const value = status?.message.voltageV;
          if (value === undefined || value < NO_BATTERY_VOLTS) return undefined;
          const times = nominalVolts(subject) / LIMIT_VOLTS;
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
      readings: ({ batteries }, { limit }) =>
        readingsOf(batteries, (subject, { detailed }) => {
          const value = detailed?.message.stateOfChargePercent;
          return value === undefined ? undefined : { subject, value, limit, zone: below(value, limit, 5) };
        }),
    },
  ),
};

export type AlarmKind = keyof typeof alarmDefinitions;
export const alarmKinds = Object.keys(alarmDefinitions) as readonly AlarmKind[];

/** A definition for callers that treat all kinds alike; each is given the settings of its own schema. */
export type AlarmDefinition = Definition<{ readonly enabled: boolean; readonly delay: number }>;
export const definitionOf = (kind: AlarmKind): AlarmDefinition => alarmDefinitions[kind] as unknown as AlarmDefinition;
