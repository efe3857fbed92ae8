/**
 * A synthetic bus of 40 devices, all of which are well, and faults that are planted in it. Messages are whole packets,
 * as reassembly gives them; the same faults give the same packets.
 */
import type { FindingKind } from "../../../src/core/findings/definitions.ts";
import { type Circumstances, FindingsMonitor, OBSERVE_MS } from "../../../src/core/findings/monitor.ts";
import type { Finding } from "../../../src/core/findings/report.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { deviceName, deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { batteryStatus, chargerStatus, fluidLevel } from "../../../src/core/n2k/pgns/electrical.ts";
import { temperature, windData } from "../../../src/core/n2k/pgns/environment.ts";
import {
  cogSogRapidUpdate,
  gnssPositionData,
  positionRapidUpdate,
  systemTime,
} from "../../../src/core/n2k/pgns/gnss.ts";
import { engineParametersRapid } from "../../../src/core/n2k/pgns/propulsion.ts";
import { magneticVariation, rateOfTurn, rudder, vesselHeading } from "../../../src/core/n2k/pgns/steering.ts";
import { heartbeat, isoAddressClaim, isoRequest, productInformation } from "../../../src/core/n2k/pgns/system.ts";
import { speedWaterReferenced, waterDepth } from "../../../src/core/n2k/pgns/water.ts";
import { Packet } from "../../../src/core/ports/packet-batch.ts";
import { memoize } from "../../../src/core/util/memoize.ts";

export const START = Date.UTC(2026, 10, 21, 8, 14, 26);
const STEP_MS = 50;
const GLOBAL = 255;

/** A message on its way to the monitor. */
export interface Message {
  readonly at: number;
  readonly source: number;
  readonly destination: number;
  readonly pgn: number;
  readonly payload: Uint8Array;
}

/** A message that a device sends periodically. */
interface Periodic {
  readonly definition: Definition;
  readonly periodMs: number;
  /** Values at a time in milliseconds since the start; an object is encoded once. */
  readonly values: object | ((at: number) => object);
}

const periodic = (definition: Definition, periodMs: number, values: Periodic["values"]): Periodic => ({
  definition,
  periodMs,
  values,
});

const encoders = new Map<Definition, (message: object) => Uint8Array>();
export function encode(definition: Definition, values: object): Uint8Array {
  const known = encoders.get(definition) ?? (encoderOf(definition) as (message: object) => Uint8Array);
  encoders.set(definition, known);
  return known({ pgn: definition.pgn, ...values });
}

const wave = (at: number, seconds: number): number => Math.sin((2 * Math.PI * at) / 1000 / seconds);
const days = Math.floor(START / 86_400_000);
const secondsOf = (at: number): number => ((START + at) / 1000) % 86_400;

const headingAt = (at: number): number => 90 + 5 * wave(at, 60);
const position = (at: number, north = 0): object => ({ latitude: 53.3 + north / 60, longitude: 3.6 + at * 1e-8 });

export const gnss = (north = 0): readonly Periodic[] => [
  periodic(positionRapidUpdate, 100, (at) => position(at, north)),
  periodic(cogSogRapidUpdate, 250, { cogReference: "True", cogDeg: 90, sogMs: 3 }),
  periodic(gnssPositionData, 1000, (at) => ({ ...position(at), days, time: secondsOf(at), method: 1, hdop: 1 })),
  periodic(systemTime, 1000, (at) => ({ source: 0, date: days, time: secondsOf(at) })),
];
export const compass = (offset = 0): readonly Periodic[] => [
  periodic(vesselHeading, 100, (at) => ({ headingDeg: (headingAt(at) + offset + 360) % 360, reference: "True" })),
  periodic(rateOfTurn, 100, { rateDegPerSec: 0.5 }),
];
/** A magnetic compass on this bus, on which the variation is 4 degrees west, is 4 degrees above the true heading. */
export const magneticCompass = (offset = 4, deviationDeg = 0): readonly Periodic[] => [
  periodic(vesselHeading, 100, (at) => ({
    headingDeg: (headingAt(at) + offset - deviationDeg + 360) % 360,
    deviationDeg,
    reference: "Magnetic",
  })),
];
export const variation: readonly Periodic[] = [
  periodic(magneticVariation, 1000, { source: "WMM 2020", variation: -4 }),
];
/** A receiver of a boat that moves ahead at 6.6 knots. */
export const fastGnss = (cogReference: "True" | "Magnetic" = "True"): readonly Periodic[] =>
  gnss().map((each) =>
    each.definition === cogSogRapidUpdate
      ? periodic(cogSogRapidUpdate, 250, { cogReference, cogDeg: 90, sogMs: 3.4 })
      : each,
  );
export const wind = (angle = (at: number) => 45 + 10 * wave(at, 20)): readonly Periodic[] => [
  periodic(windData, 100, (at) => ({ windSpeedMs: 8 + wave(at, 7), windAngleDeg: angle(at), reference: "Apparent" })),
];
export const sounder = (depthM = 12): readonly Periodic[] => [
  periodic(waterDepth, 1000, (at) => ({ depthM: depthM + wave(at, 30), offsetM: 0.6 })),
];
export const log = (speedWaterMs = 2.9): readonly Periodic[] => [
  periodic(speedWaterReferenced, 1000, { speedWaterMs, speedSensorType: "Paddle wheel" }),
];
export const battery = (instance: number, voltageV = 12.6 + instance / 10): readonly Periodic[] => [
  periodic(batteryStatus, 1500, (at) => ({
    instance,
    voltageV,
    currentA: -5 - instance + wave(at, 40),
    temperatureC: 18,
  })),
];
const engine = (engineInstance: number): readonly Periodic[] => [
  periodic(engineParametersRapid, 100, (at) => ({ engineInstance, engineSpeedRpm: 1800 + 20 * wave(at, 5) })),
];
const tank = (instance: number): readonly Periodic[] => [
  periodic(fluidLevel, 2500, { instance, fluidType: "Fuel", levelPercent: 40 + instance, capacityLiters: 200 }),
];
const room = (instance: number): readonly Periodic[] => [
  periodic(temperature, 2000, { instance, source: "Engine Room Temperature", actualTempC: 30 + instance }),
];
const charger = (instance: number): readonly Periodic[] => [
  periodic(chargerStatus, 1500, { chargerInstance: instance, batteryInstance: instance, operatingState: "Float" }),
];
export const helm = (positionDeg = 1): readonly Periodic[] => [
  periodic(rudder, 100, (at) => ({ instance: 0, positionDeg: positionDeg + wave(at, 11) })),
];

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Addresses of the devices. Device 0 is the plotter, which sends requests to all others. */
export const ADDRESSES = {
  plotter: 0,
  gnss: 1,
  secondGnss: 2,
  compass: 3,
  secondCompass: 4,
  wind: 5,
  sounder: 6,
  secondSounder: 7,
  log: 8,
  rudder: 9,
  pilot: 10,
  engine: 11,
  battery: 13,
  secondBattery: 14,
  tank: 19,
  room: 27,
  charger: 31,
  display: 33,
} as const;

const models: readonly (readonly Periodic[])[] = [
  [],
  gnss(),
  gnss(0.001),
  compass(),
  compass(2),
  wind(),
  sounder(),
  sounder(12.4),
  log(),
  helm(),
  helm(1.5),
  ...numbers(2).map(engine),
  ...numbers(6).map((instance) => battery(instance)),
  ...numbers(8).map(tank),
  ...numbers(4).map(room),
  ...numbers(2).map(charger),
  ...numbers(7).map(() => []),
];

export const NAVICO = 275;

export const nameOf = (address: number, manufacturer = NAVICO): bigint =>
  deviceName({
    identityNumber: 1000 + address,
    manufacturerCode: manufacturer,
    ecuInstance: 0,
    functionInstance: 0,
    functionCode: 130,
    classCode: 120,
    vehicleSystemInstance: 0,
    industryGroupCode: 4,
    arbitraryAddressCapable: true,
  });

export const product = (address: number, more: object = {}): Uint8Array =>
  encode(productInformation, {
    nmeaVersion: 2100,
    productCode: 100 + address,
    modelId: `Model ${address}`,
    softwareVersion: "1.0",
    modelVersion: "1",
    serialNumber: String(address),
    certLevel: 1,
    loadEquiv: 1,
    ...more,
  });

/** A fault of the bus. */
export interface Fault {
  /** Kind of the expected finding. */
  readonly kind: FindingKind;
  readonly seconds?: number;
  /** Messages of a device in place of its own. */
  readonly devices?: Readonly<Record<number, readonly Periodic[]>>;
  /** Changes a message: to others, or none. */
  readonly change?: (message: Message) => readonly Message[];
  /** Messages beside those of the devices, in the step that begins at that time. */
  readonly more?: (at: number) => readonly Message[];
  readonly manufacturer?: (address: number) => number;
  readonly product?: (address: number) => object;
  /** Packets that a device has begun and not finished so far. */
  readonly incomplete?: (address: number, at: number) => number;
  readonly circumstances?: (at: number) => Circumstances;
  readonly baseline?: (monitor: FindingsMonitor, at: number) => void;
}

export const message = (
  at: number,
  source: number,
  definition: Definition,
  values: object,
  destination = GLOBAL,
): Message => ({ at, source, destination, pgn: definition.pgn, payload: encode(definition, values) });

export const claim = (at: number, source: number, name = nameOf(source)): Message => ({
  at,
  source,
  destination: GLOBAL,
  pgn: isoAddressClaim.pgn,
  payload: deviceNameBytes(name),
});

export const request = (at: number, source: number, destination: number, pgn: number): Message =>
  message(at, source, isoRequest, { requestedPgn: pgn }, destination);

const beat = (at: number, source: number, more: object = {}): Message =>
  message(at, source, heartbeat, {
    intervalS: 60,
    sequenceCounter: Math.floor(at / 60_000) % 253,
    controller1State: "Error Active",
    equipmentStatus: "Operational",
    ...more,
  });

export { beat as heartbeatOf };

interface Schedule {
  readonly address: number;
  readonly periodic: Periodic;
  readonly fixed: Uint8Array | undefined;
  due: number;
}

/** Payloads by time: the buses of all faults have most of them in common. */
const payloadsOf = memoize((_: Periodic) => new Map<number, Uint8Array>());

function payloadAt(periodic: Periodic, at: number): Uint8Array {
  const known = payloadsOf(periodic);
  const payload = known.get(at) ?? encode(periodic.definition, (periodic.values as (at: number) => object)(at));
  known.set(at, payload);
  return payload;
}

/** All messages of the bus between two times, in order. */
function* traffic(fault: Partial<Fault>, milliseconds: number): Generator<Message> {
  const schedules: Schedule[] = models.flatMap((own, address) =>
    (fault.devices?.[address] ?? own).map((each, index) => ({
      address,
      periodic: each,
      fixed: typeof each.values === "function" ? undefined : encode(each.definition, each.values),
      due: 1000 + 7 * address + 3 * index,
    })),
  );
  const manufacturerOf = fault.manufacturer ?? (() => NAVICO);
  for (let at = 0; at < milliseconds; at += STEP_MS) {
    const step: Message[] = [];
    for (const schedule of schedules) {
      for (; schedule.due < at + STEP_MS; schedule.due += schedule.periodic.periodMs) {
        const {
          address: source,
          periodic: { definition },
          fixed,
          due,
        } = schedule;
        const payload = fixed ?? payloadAt(schedule.periodic, due);
        step.push({ at: due, source, destination: GLOBAL, pgn: definition.pgn, payload });
      }
    }
    // The plotter asks all devices, which answer one after the other.
    const round = at % 100_000;
    if (round === 0) {
      step.push(request(at, ADDRESSES.plotter, GLOBAL, isoAddressClaim.pgn));
      for (const address of models.keys())
        step.push(claim(at + 1 + address, address, nameOf(address, manufacturerOf(address))));
    }
    const asked = (round - 3000) / 100;
    if (asked >= 0 && asked < models.length && Number.isInteger(asked)) {
      step.push(request(at, ADDRESSES.plotter, asked, productInformation.pgn));
      const payload = product(asked, fault.product?.(asked));
      step.push({ at: at + 20, source: asked, destination: GLOBAL, pgn: productInformation.pgn, payload });
    }
    const beating = (at % 60_000) / 200;
    if (beating < models.length && Number.isInteger(beating)) step.push(beat(at + 1, beating));
    step.push(...(fault.more?.(at) ?? []));
    const changed = fault.change === undefined ? step : step.flatMap(fault.change);
    yield* changed.sort((one, other) => one.at - other.at);
  }
}

/** Runs the bus with a fault, and gives all findings that were raised, by id. */
export const findingsOf = (fault: Partial<Fault>): ReadonlyMap<string, Finding> => run(fault).found;

/** The kinds of findings at the end. */
export const endOf = (fault: Partial<Fault>): readonly string[] => run(fault).last.map(({ kind }) => kind);

function run(fault: Partial<Fault>) {
  let last: readonly Finding[] = [];
  const milliseconds = (fault.seconds ?? 150) * 1000;
  const monitor = new FindingsMonitor();
  const found = new Map<string, Finding>();
  const packet = new Packet();
  let due = 0;
  for (const { at, source, destination, pgn, payload } of traffic(fault, milliseconds)) {
    for (; due <= at; due += OBSERVE_MS) {
      fault.baseline?.(monitor, due);
      last = monitor.observe(due, START + due, fault.circumstances?.(due)).findings;
      for (const finding of last) found.set(finding.id, finding);
    }
    packet.arrived = at;
    packet.received = START + at;
    packet.pgn = pgn;
    packet.source = source;
    packet.destination = destination;
    packet.transport = payload.length > 8 ? 1 : 0;
    packet.incomplete = fault.incomplete?.(source, at) ?? 0;
    packet.bytes = payload;
    packet.at = 0;
    packet.end = payload.length;
    monitor.hear(packet);
  }
  return { found, last };
}
