/** The topics of the findings and of the traffic, and the command that takes a baseline. */

import { isJ1939Network, networkOf } from "../../core/can/networks.ts";
import { type Baseline, baselineSchema, MAX_BASELINE_BYTES } from "../../core/findings/baseline.ts";
import { findingSeverities } from "../../core/findings/finding.ts";
import { type Circumstances, FindingsMonitor, type FindingsOptions, OBSERVE_MS } from "../../core/findings/monitor.ts";
import { type FindingsData, findingsMessage, MAX_FINDINGS } from "../../core/findings/report.ts";
import { trafficMessage } from "../../core/findings/traffic-report.ts";
import type { Packet } from "../../core/ports/packet-batch.ts";
import type { BusCounters } from "../../core/ports/packet-source.ts";
import type { Stream } from "../../core/ports/publisher.ts";
import { metadataAt } from "../../core/report/envelope.ts";
import { writerOf } from "../../core/report/write.ts";
import { textOf } from "../../core/text/ascii-buffer.ts";
import { topics } from "../../core/topics/topics.ts";
import { jsonIn } from "../../core/util/json-in.ts";
import type { Boat, KnownFindings } from "./boat.ts";
import type { BridgeCounters } from "./counters.ts";
import type { Change, Part } from "./part.ts";
import { RetainedCommand } from "./retained-command.ts";

const { repeatMs } = topics.findings;

/** Shortest time between commands: each has up to 64 KiB, which are parsed, and all findings are evaluated after it. */
const COMMAND_MS = 1000;

/** The baseline that a command asks for: the bus now, a given one, or none; undefined: the payload is not a command. */
type Wanted = { readonly as: "now" | Baseline | undefined };

function wantedBy(payload: string): Wanted | undefined {
  if (payload === "" || payload === "null") return { as: undefined };
  const value = jsonIn(payload);
  if (typeof value === "object" && value !== null && Object.keys(value).length === 0) return { as: "now" };
  const { data } = baselineSchema.safeParse(value);
  return data && { as: data };
}

export class FindingsTopic implements Part, KnownFindings {
  readonly knows = { findings: this };
  readonly commands: NonNullable<Part["commands"]> = { baseline: (_, payload) => this.#command(payload) };
  due = Number.NEGATIVE_INFINITY;
  readonly #boat: Boat;
  readonly #counters: (() => BusCounters) | undefined;
  readonly #monitor: FindingsMonitor;
  /** Those of the further networks, by number. */
  readonly #further = new Map<number, FindingsMonitor>();
  readonly #text = textOf(writerOf(findingsMessage));
  readonly #writeTraffic = writerOf(trafficMessage);
  readonly #traffic: Stream;
  /** The last command that has not been read, and the time at which one was read. */
  #asked: string | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #skipped = { tooLong: 0, notUnderstood: 0 };
  readonly #baseline: RetainedCommand;
  #now = Number.NEGATIVE_INFINITY;
  latest: FindingsData | undefined;
  /** Findings of the last message, and its time. */
  #published: string | undefined;
  #publishedAt = Number.NEGATIVE_INFINITY;

  /** `counters`: those of the source, if there are any. */
  constructor(boat: Boat, counters?: () => BusCounters) {
    this.#boat = boat;
    this.#counters = counters;
    this.#monitor = new FindingsMonitor(this.#names);
    this.#traffic = boat.publisher.stream(boat.topics.traffic());
    this.#baseline = new RetainedCommand(
      boat.publisher,
      boat.topics.baseline(),
      () => this.#monitor.baseline && JSON.stringify(this.#monitor.baseline),
      () => this.#now,
    );
  }

  get #names(): FindingsOptions {
    const boat = this.#boat;
    return { friendlyNameOf: (name) => boat.names.ofDevice(name), namesOf: (name) => boat.devices.namesOf(name) };
  }

  get newDevices(): KnownFindings["newDevices"] {
    return this.#monitor.newDevices;
  }

  get kept(): number {
    return [this.#monitor, ...this.#further.values()].reduce((sum, { traffic }) => sum + traffic.kept, 0);
  }

  /** Hears all networks, each of which has findings of its own. */
  admits(packet: Packet): boolean {
    const number = networkOf(packet.source);
    (number === 0 ? this.#monitor : this.#furtherOf(number))?.hear(packet);
    return true;
  }

  /** Networks of SAE J1939 have other periods, and no claims of NMEA 2000. */
  #furtherOf(number: number): FindingsMonitor | undefined {
    const known = this.#further.get(number);
    const name = this.#boat.networks[number - 1]?.name;
    if (known !== undefined || name === undefined || isJ1939Network(name)) return known;
    const monitor = new FindingsMonitor({ ...this.#names, network: { number, name } });
    this.#further.set(number, monitor);
    return monitor;
  }

  notice(change: Change): void {
    if (change.of === "network") for (const number of change.gone) this.#further.delete(number);
  }

  requested(destination: number, pgn: number, now: number): void {
    this.#monitor.traffic.noteRequest(destination, pgn, now);
  }

  counters(): Partial<BridgeCounters> {
    return { commandsSkipped: { ...this.#skipped, withoutEffect: 0 } };
  }

  /** Takes a command; undefined: it is too long. It is read in its turn, so that a flood of them costs no more. */
  #command(payload: string | undefined): void {
    if (payload !== undefined && this.#baseline.isEcho(payload)) return;
    this.#baseline.noteOther();
    if (payload === undefined) this.#refuse("tooLong");
    else this.#asked = payload;
    this.due = Math.min(this.due, this.#readAt + COMMAND_MS);
  }

  #refuse(reason: "tooLong" | "notUnderstood"): void {
    this.#skipped[reason] += 1;
    this.#boat.log.warn("a baseline of the findings is not understood", {
      code: "COMMAND_REFUSED",
      target: "findings/baseline",
      ...this.#skipped,
    });
  }

  advance(now: number, wall: number): void {
    this.#now = now;
    if (now < this.due) return;
    this.due = now + OBSERVE_MS;
    this.#readCommand(now, wall);
    this.#baseline.retain();
    const data = joined([
      this.#monitor.observe(now, wall, this.#circumstances()),
      ...[...this.#further].map(([number, monitor]) =>
        monitor.observe(now, wall, { counters: this.#boat.networks[number - 1]?.counters() }),
      ),
    ]);
    this.#logNew(data);
    this.latest = data;
    this.#publishTraffic(now, wall);
    // Measured values change with each message of the bus; only a change of the findings themselves is published at
    // once.
    const news = [data.baseline, ...data.findings.map(({ id, severity }) => `${id} ${severity}`)].join();
    if (news === this.#published && now - this.#publishedAt < repeatMs) return;
    this.#published = news;
    this.#publishedAt = now;
    const { publisher, topics } = this.#boat;
    publisher.retain(topics.findings(), this.#text({ data, metadata: metadataAt(wall) }));
  }

  /** State of a live bus beyond its packets. */
  #circumstances(): Circumstances {
    const { interface: known, clockAheadSec } = this.#boat;
    const { status } = known;
    const isLive = status?.gateway !== undefined || (status?.state !== undefined && status.state !== "UNKNOWN");
    return { interface: isLive ? status : undefined, counters: this.#counters?.(), clockAheadSec };
  }

  /** Logs findings that were not in the last report. */
  #logNew({ findings }: FindingsData): void {
    const known = new Set(this.latest?.findings.map(({ id }) => id));
    for (const { id, kind, severity, measured } of findings)
      if (!known.has(id) && severity !== "information") this.#boat.log.info("finding", { kind, severity, measured });
  }

  #publishTraffic(now: number, wall: number): void {
    const data = this.#monitor.takeTraffic(now);
    if (data === undefined) return;
    this.#writeTraffic(this.#traffic.open(), { data, metadata: metadataAt(wall) });
    this.#traffic.commit();
  }

  #readCommand(now: number, wall: number): void {
    const payload = this.#asked;
    if (payload === undefined) return;
    this.#asked = undefined;
    this.#readAt = now;
    const wanted = wantedBy(payload);
    if (wanted === undefined) this.#refuse("notUnderstood");
    else this.#monitor.baseline = wanted.as === "now" ? fitting(this.#monitor.takeBaseline(now, wall)) : wanted.as;
  }
}

/** The findings of all networks, the most severe first. */
function joined([first, ...others]: readonly [FindingsData, ...FindingsData[]]): FindingsData {
  if (others.length === 0) return first;
  const all = [first, ...others];
  const findings = all
    .flatMap((data) => data.findings)
    .sort((one, other) => findingSeverities.indexOf(one.severity) - findingSeverities.indexOf(other.severity));
  const leftOut = all.reduce((sum, data) => sum + (data.leftOut ?? 0), Math.max(0, findings.length - MAX_FINDINGS));
  return { ...first, findings: findings.slice(0, MAX_FINDINGS), ...(leftOut > 0 && { leftOut }) };
}

/** A baseline that fits the limit of subscribers; a hostile bus could have too many PGNs. */
const fitting = (baseline: Baseline): Baseline =>
  JSON.stringify(baseline).length <= MAX_BASELINE_BYTES
    ? baseline
    : { ...baseline, devices: baseline.devices.map((device) => ({ ...device, pgns: [] })) };
