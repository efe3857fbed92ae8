/**
 * What instruments say of the true voyage, and the alarm that a danger of it owes to the crew. A new hazard enters the
 * worlds as a row here.
 */
import type { Severity } from "../../src/core/alarms/constants.ts";
import type { AlarmKind } from "../../src/core/alarms/words.ts";
import type { Definition } from "../../src/core/n2k/definition.ts";
import { encoderOf } from "../../src/core/n2k/encode.ts";
import { generatorStartStatus } from "../../src/core/n2k/pgns/for-reports.ts";
import { definitions } from "../../src/core/n2k/pgns/index.ts";

/** The boat sails north. */
export interface Truth {
  readonly latitude: number;
  readonly longitude: number;
  /** Wall-clock time by the satellites, milliseconds. */
  readonly time: number;
  readonly metresPerSecond: number;
}

export interface Saying {
  readonly pgn: number;
  /** The layout, if several messages share the PGN. */
  readonly as?: Definition;
  readonly [member: string]: unknown;
}

export interface Role {
  readonly everyMs: number;
  /** Each instrument of the role has an instance of its own. */
  readonly isUnique?: true;
  /** What the instrument says, of an instance, in danger or not. */
  says(instance: number, truth: Truth, isInDanger: boolean): readonly Saying[];
  /** What Signal K has of it, within a fifteenth. */
  readonly signalK?: { path(instance: number): string; value(isInDanger: boolean): number };
  /** The transducer of XDR that has a measurement of it. */
  readonly transducer?: (instance: number) => string;
  /** The alarm of the danger; a role without one has no danger. */
  readonly alarm?: {
    readonly kind: AlarmKind;
    /** The beginning of its id, which ends with the instance. */
    id(instance: number): string;
    /** Time in which it rings, milliseconds. */
    readonly withinMs: number;
    /** Time after the danger until which it may go on. */
    readonly endsMs: number;
    /** The danger is that of the boat: all instruments of the role say it, and their instance has no meaning. */
    readonly isOfBoat?: true;
    /** The severity that this role gives to an alarm that others may raise too; absent: that of the kind. */
    readonly severity?: Severity;
  };
}

const perInstance =
  (kind: string, prefix = "") =>
  (instance: number): string =>
    `${kind}-${prefix}${instance}`;

/** The MMSI of the ferry of a harbour; those of the ships that lie there follow. */
export const FERRY = 246_000_000;

const DAY = 86_400_000;

/** Centimetres that tell one second from another, so that a depth has an age. */
const centimetres = ({ time }: Truth, each: number): number => (Math.floor(time / 1000) % each) / 100;

/** The bit of a low oil level, which is an alarm while the engine runs. */
const LOW_OIL_LEVEL = 1 << 3;
/** These engines have instances of their own: those of NMEA 2000 and of J1939 are 0 and 1. */
const FIRST_MOTOR = 2;
const motor = (engineSpeedRpm: number, severity: Severity): Role => ({
  everyMs: 1500,
  says: (instance, _, isLow) => [
    { pgn: 127488, engineInstance: FIRST_MOTOR + instance, engineSpeedRpm },
    { pgn: 127489, engineInstance: FIRST_MOTOR + instance, discreteStatus1: isLow ? LOW_OIL_LEVEL : 0 },
  ],
  alarm: {
    ...{ kind: "engine", id: (instance) => `engine-${FIRST_MOTOR + instance}-lowOilLevel`, severity },
    // A report lasts for a minute, and waits for another one without saying so.
    ...{ withinMs: 5000, endsMs: 120_000 },
  },
});

export const roles = {
  receiver: {
    everyMs: 1000,
    says: (_, { latitude, longitude, time, metresPerSecond }) => [
      { pgn: 129025, latitude, longitude },
      { pgn: 129026, cogReference: "True", cogDeg: 0, sogMs: metresPerSecond },
      { pgn: 126992, source: 0, date: Math.floor(time / DAY), time: (time % DAY) / 1000 },
    ],
  },
  sounder: {
    everyMs: 1000,
    says: (_, truth, isShallow) => [
      { pgn: 128267, depthM: isShallow ? 1.2 + centimetres(truth, 10) : 20 + centimetres(truth, 200) },
    ],
    signalK: { path: () => "environment.depth.belowTransducer", value: (isShallow) => (isShallow ? 1.25 : 21) },
    alarm: { kind: "depth", id: () => "depth", withinMs: 2000, endsMs: 60_000, isOfBoat: true },
  },
  anemometer: {
    everyMs: 1000,
    says: (_, __, isStrong) => [
      { pgn: 130306, windSpeedMs: isStrong ? 22 : 6, windAngleDeg: 40, reference: "True (ground referenced to North)" },
    ],
    alarm: { kind: "wind", id: () => "wind", withinMs: 10_000, endsMs: 60_000, isOfBoat: true },
  },
  engine: {
    everyMs: 1000,
    says: (engineInstance, _, isHot) => [
      { pgn: 127488, engineInstance, engineSpeedRpm: 1800 },
      { pgn: 127489, engineInstance, coolantTempC: isHot ? 118 : 80, oilPressureKpa: 400 },
    ],
    signalK: {
      path: (instance) => `propulsion.${instance === 0 ? "port" : "starboard"}.coolantTemperature`,
      value: (isHot) => (isHot ? 118 : 80) + 273.15,
    },
    transducer: (instance) => `ENGINE#${instance}`,
    alarm: {
      ...{ kind: "engineTemperature", id: perInstance("engineTemperature") },
      ...{ withinMs: 5000, endsMs: 60_000 },
    },
  },
  battery: {
    everyMs: 1500,
    says: (instance, _, isLow) => [{ pgn: 127508, instance, voltageV: isLow ? 10.9 : 12.7, currentA: -3 }],
    signalK: {
      path: (instance) => `electrical.batteries.${instance}.voltage`,
      value: (isLow) => (isLow ? 10.9 : 12.7),
    },
    transducer: (instance) => `BATTERY#${instance}`,
    alarm: { kind: "batteryVoltage", id: perInstance("batteryVoltage"), withinMs: 30_000, endsMs: 60_000 },
  },
  charger: {
    everyMs: 1500,
    says: (chargerInstance, _, hasFault) => [
      { pgn: 127507, chargerInstance, batteryInstance: 0, operatingState: hasFault ? "Fault" : "Bulk" },
    ],
    alarm: { kind: "converter", id: perInstance("converter", "charger-"), withinMs: 5000, endsMs: 60_000 },
  },
  inverter: {
    everyMs: 1500,
    says: (inverterInstance, _, hasFault) => [
      { pgn: 127509, inverterInstance, acInstance: 0, dcInstance: 0, operatingState: hasFault ? "Fault" : "Invert" },
    ],
    alarm: { kind: "converter", id: perInstance("converter", "inverter-"), withinMs: 5000, endsMs: 60_000 },
  },
  generator: {
    everyMs: 1500,
    says: (generatorInstance, _, hasFault) => [
      {
        ...{ pgn: 127514, as: generatorStartStatus, instance: 0, generatorInstance },
        ...{ operatingState: hasFault ? 7 : 0, generatorState: 1, onReason: 0, offReason: 0 },
      },
    ],
    alarm: {
      ...{ kind: "converter", id: (instance: number) => `converter-generator-${instance}-fault` },
      ...{ withinMs: 5000, endsMs: 60_000 },
    },
  },
  /** Two devices may report one engine, which is a graver matter for the one that knows that it runs. */
  runningMotor: motor(1800, "alarm"),
  standingMotor: motor(0, "warning"),
  /**
   * A ship without way, ahead of the boat or far away; ships that lie together would be a harbour. One that is not
   * heard any more is forgotten after ten minutes.
   */
  ship: {
    everyMs: 3000,
    isUnique: true,
    says: (instance, { latitude, longitude }, isAhead) => [
      {
        ...{ pgn: 129039, messageId: 18, mmsi: 244_000_000 + instance, longitude },
        ...{ latitude: latitude + (isAhead ? 0.3 + 0.3 * (instance % 3) : 20 + instance) / 60, sogMs: 0, cogDeg: 0 },
      },
    ],
    alarm: {
      ...{ kind: "cpa", id: (instance: number) => `cpa-${244_000_000 + instance}` },
      ...{ withinMs: 5000, endsMs: 600_000 },
    },
  },
} as const satisfies Readonly<Record<string, Role>>;

export type RoleName = keyof typeof roles;
export const roleNames = Object.keys(roles) as readonly RoleName[];
export const roleOf = (name: RoleName): Role => roles[name];

const definitionOf = new Map<number, Definition>(definitions.map((definition) => [definition.pgn, definition]));
const encoders = new Map<Definition, (message: object) => Uint8Array>();

/** The payload of a message. */
export function payloadOf({ as, ...message }: Saying): Uint8Array {
  const definition = as ?? definitionOf.get(message.pgn)!;
  let encode = encoders.get(definition);
  if (encode === undefined) {
    encode = encoderOf(definition) as (message: object) => Uint8Array;
    encoders.set(definition, encode);
  }
  return encode(message);
}

/** The PGNs of instruments: no device says anything else by them. */
export const rolePgns: ReadonlySet<number> = new Set(
  roleNames.flatMap((name) =>
    roleOf(name)
      .says(0, { latitude: 0, longitude: 0, time: 0, metresPerSecond: 0 }, false)
      .map(({ pgn }) => pgn),
  ),
);
