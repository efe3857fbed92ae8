/**
 * The findings as a function of packets, readings of the controller, and time, evaluated once a second. Times are
 * milliseconds, monotonic; the wall clock is for timestamps only. The same calls give the same reports.
 */

import { NETWORK_ADDRESSES } from "../can/networks.ts";
import { exactDecodersOf } from "../n2k/decode.ts";
import type { Definition } from "../n2k/definition.ts";
import type { Packet } from "../ports/packet-batch.ts";
import type { BusCounters } from "../ports/packet-source.ts";
import type { InterfaceStatus } from "../report/interface-status.ts";
import { isoTime } from "../text/date.ts";
import { english } from "../text/sentence.ts";
import { sum } from "../util/sum.ts";
import { type Baseline, baselineOf, type Differences, differencesOf, noDifferences } from "./baseline.ts";
import type { Bus, GrowingCounter, Growth, Load, Sampled } from "./bus.ts";
import { type FindingKind, findingDefinitionOf, findingKinds } from "./definitions.ts";
import type { Device } from "./device.ts";
import { ENDS_AFTER_SECONDS, findingSeverities, type Named, type Reading } from "./finding.ts";
import { goneGroups } from "./gone.ts";
import { sensorDefinitions } from "./kinds/sensors.ts";
import { type Finding, type FindingsData, MAX_FINDINGS, type ReportedDevice } from "./report.ts";
import { growthOf, type Span } from "./span.ts";
import type { Stream } from "./stream.ts";
import { Traffic } from "./traffic.ts";
import { type TrafficData, trafficOf } from "./traffic-report.ts";
import { Watches } from "./watches.ts";

/** Interval at which `observe` is to be called; findings last for longer. */
export const OBSERVE_MS = 5000;
/** Length of a measurement of the load. */
const LOAD_MS = 10_000;
const BITRATE = 250_000;
/** A bus cannot carry more; beyond it the clock of the recording is wrong. */
const IMPOSSIBLE_PERCENT = 120;
/** Length and step of the history of counters. */
const GROWTH_MS = 60_000;
const GROWTH_STEP_MS = 5000;
/** Maximum age of a sample that counts. */
const FRESH_MS = 6000;

/** State of a reading from one observation to the next. */
interface Track {
  /** Monotonic times of the first observation and the last. */
  readonly since: number;
  seen: number;
  /** Wall clock at which the case began and was last there. */
  from: number;
  to: number;
  reading: Reading;
  worst: Reading;
  isRaised: boolean;
}

const isWorse = (one: Reading, other: Reading): boolean => (one.weight ?? 0) >= (other.weight ?? 0);

/** Whether the devices of a reading are others than those of one before, at the same addresses. */
function isOfOthers({ devices = [] }: Reading, before: Reading): boolean {
  const names = new Set(before.devices?.map(({ name }) => name));
  return devices.length > 0 && names.size > 0 && !names.has(undefined) && devices.every(({ name }) => !names.has(name));
}

/** State of the bus beyond its packets. */
export interface Circumstances {
  /** Status of the interface of a live bus. */
  readonly interface?: InterfaceStatus | undefined;
  readonly counters?: BusCounters | undefined;
  /** See `Health`. */
  readonly clockAheadSec?: number | undefined;
}

interface Counted {
  readonly at: number;
  readonly counts: Readonly<Record<string, number>>;
}

interface Raised {
  readonly kind: FindingKind;
  readonly id: string;
  readonly track: Track;
}

/** The growth of a counter, which may go on from 0 beyond 2^32, or begin there when its driver is loaded anew. */
function stepOf(after: number, before: number): number {
  if (after >= before) return after - before;
  const isRound = before < 2 ** 32 && before >= 2 ** 31 && after < 2 ** 31;
  return isRound ? after + 2 ** 32 - before : after;
}

const idOf = (kind: FindingKind, key: string): string => (key === "" ? kind : `${kind}-${key}`);

export interface FindingsOptions {
  /** The name that the crew gave to a device. */
  readonly friendlyNameOf?: (name: bigint) => string | undefined;
  /** The NAMEs by which a baseline may name a device, its own first; its own alone if absent. */
  readonly namesOf?: (name: bigint) => readonly bigint[];
  /** The network, if it is not the first of the boat. */
  readonly network?: { readonly number: number; readonly name: string };
  /** Called for each finding that is over, with its worst measurement and the wall clock at which it was last there. */
  readonly ended?: (finding: Finding, until: number) => void;
}

export class FindingsMonitor {
  readonly #options: FindingsOptions;
  readonly traffic = new Traffic(new Set(sensorDefinitions.map(({ pgn }) => pgn)));
  readonly #watches = new Watches();
  readonly #readers = exactDecodersOf<unknown>(sensorDefinitions);
  readonly #tracks = new Map(findingKinds.map((kind) => [kind, new Map<string, Track>()]));
  readonly #counted: Counted[] = [];
  #load: Load | undefined;
  /** The load of the last report of the traffic. */
  #reported: Load | undefined;
  #loadSince:
    | { readonly at: number; readonly bits: number; readonly byDevice: ReadonlyMap<Device, number> }
    | undefined;
  #startedAt: number | undefined;
  /** Undefined: there is none. */
  baseline: Baseline | undefined;
  #circumstances: Circumstances = {};
  /** Samples decoded in this observation, by PGN. */
  readonly #decoded = new Map<number, readonly Sampled<Definition>[]>();

  constructor(options: FindingsOptions = {}) {
    this.#options = options;
  }

  /** Takes any packet; nothing of it is kept. */
  hear(packet: Packet): void {
    this.traffic.hear(packet);
  }

  /** Devices of the findings `newDevice`; undefined: there is no baseline. */
  get newDevices(): readonly ReportedDevice[] | undefined {
    if (this.baseline === undefined) return undefined;
    const raised = [...this.#tracks.get("newDevice")!.values()].filter(({ isRaised }) => isRaised);
    return raised.flatMap(({ reading: { devices = [] } }) => devices.map((device) => this.#device(device)));
  }

  /** The bus as it is now, as a baseline. */
  takeBaseline(now: number, wall: number): Baseline {
    return baselineOf(this.traffic.settled(), this.traffic.streams(), now, wall);
  }

  /** Evaluates all kinds at `now` and returns the report. */
  observe(now: number, wall: number, circumstances: Circumstances = {}): FindingsData {
    this.#startedAt ??= now;
    this.#circumstances = circumstances;
    this.traffic.advance(now);
    this.#measureLoad(now);
    this.#count(now, circumstances);
    const bus = this.#busAt(now);
    for (const kind of findingKinds) this.#watch(kind, bus, now, wall);
    const raised = this.#raised();
    return {
      findings: raised.slice(0, MAX_FINDINGS).map((each) => this.#finding(each)),
      ...(raised.length > MAX_FINDINGS && { leftOut: raised.length - MAX_FINDINGS }),
      ...(this.baseline && { baseline: this.baseline.takenAt }),
    };
  }

  /** The traffic of the last measurement of the load; undefined before the first, and without a new one. */
  takeTraffic(now: number): TrafficData | undefined {
    const load = this.#load;
    if (load === undefined || load === this.#reported) return undefined;
    this.#reported = load;
    return trafficOf(load, this.traffic.streams(), now, (device) => this.#device(device));
  }

  #busAt(now: number): Bus {
    const traffic = this.traffic;
    const streams = traffic.streams();
    const devices = traffic.settled();
    const { interface: status, clockAheadSec } = this.#circumstances;
    this.#decoded.clear();
    this.#watches.observe(streams, now);
    return {
      now,
      heardAt: traffic.last,
      startedAt: this.#startedAt!,
      devices,
      claims: traffic.claims,
      gone: goneGroups(devices, traffic.silenceOf),
      streams: () => streams,
      streamsOf: (pgn) => traffic.streamsOf(pgn),
      sampled: (definition) => this.#sampled(definition, now - FRESH_MS),
      rivalries: this.#watches.rivalries,
      load: this.#load,
      growth: this.#growth(now),
      interface: status,
      clockAheadSec,
      stillSince: this.#watches.stillSince,
      atLimit: this.#watches.atLimit,
      publicLayouts: this.#watches.publicLayouts,
      differences: this.#differences(devices, streams, now),
      nameOf: (device) => this.#nameOf(device),
    };
  }

  #sampled<Kind extends Definition>({ pgn }: Kind, from: number): readonly Sampled<Kind>[] {
    const known = this.#decoded.get(pgn);
    if (known !== undefined) return known as readonly unknown[] as readonly Sampled<Kind>[];
    const read = this.#readers.get(pgn)!;
    const sampled: Sampled<Kind>[] = [];
    for (const stream of this.traffic.streamsOf(pgn)) {
      const { sample, device } = stream;
      if (sample === undefined || sample.arrived < from) continue;
      const message = read(sample.bytes, 0, sample.length, device.address) as Sampled<Kind>["message"];
      sampled.push({ stream, device, message, arrived: sample.arrived, received: sample.received });
    }
    this.#decoded.set(pgn, sampled as readonly unknown[] as readonly Sampled<Definition>[]);
    return sampled;
  }

  #differences(devices: readonly Device[], streams: readonly Stream[], now: number): Differences {
    return this.baseline === undefined
      ? noDifferences
      : differencesOf(this.baseline, {
          ...{ devices, streams, now, startedAt: this.#startedAt!, silenceOf: this.traffic.silenceOf },
          namesOf: this.#options.namesOf,
        });
  }

  #nameOf(device: Device): string {
    const label = this.#labelOf(device);
    const address = this.#addressOf(device);
    return label === undefined ? `device ${address}` : `${label} (${address})`;
  }

  /** The address among those of all networks. */
  #addressOf({ address }: Named): number {
    return (this.#options.network?.number ?? 0) * NETWORK_ADDRESSES + address;
  }

  #labelOf({ name, label }: Named): string | undefined {
    return (name === undefined ? undefined : this.#options.friendlyNameOf?.(name)) ?? label;
  }

  #measureLoad(now: number): void {
    const { bits, devices } = this.traffic;
    const before = this.#loadSince;
    if (before !== undefined && now - before.at < LOAD_MS) return;
    const byDevice = new Map([...devices.values()].map((device) => [device, device.bits]));
    this.#loadSince = { at: now, bits, byDevice };
    if (before === undefined) return;
    const percentOf = (grown: number): number => (100 * grown) / ((BITRATE * (now - before.at)) / 1000);
    const percent = percentOf(bits - before.bits);
    const shares = [...byDevice]
      .map(([device, all]) => ({ device, percent: percentOf(all - (before.byDevice.get(device) ?? 0)) }))
      .sort((one, other) => other.percent - one.percent);
    this.#load = percent > IMPOSSIBLE_PERCENT ? undefined : { percent, shares };
  }

  #count(now: number, { counters, interface: status }: Circumstances): void {
    const latest = this.#counted.at(-1);
    if (counters === undefined || (latest !== undefined && now - latest.at < GROWTH_STEP_MS)) return;
    const { busErrors, lost, ignored } = counters;
    const { rx_errors = 0, bus_errors = 0, restarts = 0 } = status?.stats ?? {};
    const counts = {
      ...busErrors,
      lost: lost.kernel + lost.ring,
      foreign: ignored.standard,
      controllerErrors: Math.max(rx_errors, bus_errors),
      restarts,
    };
    this.#counted.push({ at: now, counts });
    while (now - this.#counted[0]!.at > GROWTH_MS) this.#counted.shift();
  }

  #growth(now: number): Growth | undefined {
    const [first, last] = [this.#counted[0], this.#counted.at(-1)];
    if (first === undefined || last === undefined || first === last) return undefined;
    const step = (name: GrowingCounter, after: Counted, before: Counted): number =>
      stepOf(after.counts[name] ?? 0, before.counts[name] ?? 0);
    const grown = (name: GrowingCounter): number =>
      sum(this.#counted.slice(1).map((after, index) => step(name, after, this.#counted[index]!)));
    const span = (counter: GrowingCounter): Span =>
      growthOf(this.#counted, (after, before) => step(counter, after, before) > 0, now);
    return { seconds: (now - first.at) / 1000, of: grown, span };
  }

  #watch(kind: FindingKind, bus: Bus, now: number, wall: number): void {
    const { readings, after, endsAfter = ENDS_AFTER_SECONDS } = findingDefinitionOf(kind);
    const tracks = this.#tracks.get(kind)!;
    for (const reading of readings(bus)) {
      const key = String(reading.key ?? "");
      const [from, to] = [wall + (reading.from ?? now) - now, wall + (reading.to ?? now) - now];
      let track = tracks.get(key);
      if (track === undefined || isOfOthers(reading, track.reading)) {
        if (track !== undefined) this.#end(kind, key, track);
        track = { since: now, seen: now, from, to, reading, worst: reading, isRaised: false };
        tracks.set(key, track);
      }
      track.seen = now;
      track.from = Math.min(track.from, from);
      track.to = to;
      track.reading = reading;
      if (isWorse(reading, track.worst)) track.worst = reading;
      track.isRaised ||= now - track.since >= after * 1000;
    }
    for (const [key, track] of tracks) {
      if (track.seen === now || (track.isRaised && now - track.seen < endsAfter * 1000)) continue;
      tracks.delete(key);
      this.#end(kind, key, track);
    }
  }

  #end(kind: FindingKind, key: string, track: Track): void {
    if (track.isRaised)
      this.#options.ended?.(this.#finding({ kind, id: idOf(kind, key), track }, track.worst), track.to);
  }

  #raised(): readonly Raised[] {
    const raised: Raised[] = [];
    this.#tracks.forEach((tracks, kind) => {
      tracks.forEach((track, key) => {
        const isShown = findingDefinitionOf(kind).ofStandIns === true || !this.#isOfStandIns(track);
        if (track.isRaised && isShown) raised.push({ kind, id: idOf(kind, key), track });
      });
    });
    const severityOf = ({ kind }: Raised): number => findingSeverities.indexOf(findingDefinitionOf(kind).severity);
    return raised.sort((one, other) => severityOf(one) - severityOf(other));
  }

  /** Talkers and sensors of a further network have no bus. */
  #isOfStandIns({ reading: { devices = [] } }: Track): boolean {
    const { network } = this.#options;
    if (network === undefined || devices.length === 0) return false;
    return devices.every(({ address }) => this.traffic.devices.get(address)?.isStandIn === true);
  }

  #finding({ kind, id, track }: Raised, { devices, pgn, measured }: Reading = track.reading): Finding {
    const { title, severity, advice } = findingDefinitionOf(kind);
    const { network } = this.#options;
    return {
      id: network === undefined ? id : `${id}@${network.number}`,
      kind,
      title,
      severity,
      ...(devices !== undefined && { devices: devices.map((device) => this.#device(device)) }),
      ...(pgn !== undefined && { pgn }),
      measured: network === undefined ? english(measured) : `${english(measured)} (network ${network.name})`,
      sentence: measured,
      ...(network !== undefined && { network: network.name }),
      advice,
      since: isoTime(track.from),
    };
  }

  #device(device: Named): ReportedDevice {
    const label = this.#labelOf(device);
    return {
      addr: this.#addressOf(device),
      ...(device.name !== undefined && { name: String(device.name) }),
      ...(label !== undefined && { label }),
    };
  }
}
