/** The findings of a whole recording: those at its end, and those that ended before. */
import type { Packet } from "../ports/packet-batch.ts";
import type { BusCounters, RecordedTimes } from "../ports/packet-source.ts";
import { isoTime } from "../text/date.ts";
import type { FindingKind } from "./definitions.ts";
import { findingSeverities } from "./finding.ts";
import { FindingsMonitor, OBSERVE_MS } from "./monitor.ts";
import { type ClockJumps, lacksMessages, type RecordedFinding, type RecordingReport } from "./recording-report.ts";
import type { Finding } from "./report.ts";

/** Maximum findings of a recording. */
const MAX_FINDINGS = 1000;
/** Findings about what is missing, of which a recording that lacks messages says nothing. */
const byMissing: readonly string[] = [
  "incomplete",
  "heartbeatLost",
  "gaps",
  "streamStopped",
  "slowStream",
  "vanished",
  "vanishedTogether",
] satisfies readonly FindingKind[];

/** Shortest jump of the time stamps that is told, milliseconds. */
const JUMP_MS = 2000;

export class RecordingFindings {
  readonly #monitor = new FindingsMonitor({ ended: (finding, until) => this.#end(finding, until) });
  /** Findings that are over, by their id; the current ones are in the monitor. */
  readonly #ended = new Map<string, RecordedFinding>();
  #jumps: ClockJumps | undefined;
  /** The greatest difference of stamp and monotonic clock between two observations: late stamps have a smaller one. */
  #ahead = Number.NEGATIVE_INFINITY;
  #aheadBefore: number | undefined;
  /** The last stamp that had that difference. */
  #steadyAt = 0;
  readonly #counters: () => BusCounters;
  #due = Number.NEGATIVE_INFINITY;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;
  /** The latest observation, for the end of the recording. */
  #current: readonly Finding[] = [];
  #last = { arrived: 0, received: 0 };
  #packets = 0;

  /** `counters` of the source, which reads ahead of the packets. */
  constructor(counters: () => BusCounters) {
    this.#counters = counters;
  }

  hear(packet: Packet): void {
    const { arrived, received } = packet;
    if (arrived >= this.#due) {
      this.#due = arrived + OBSERVE_MS;
      this.#observe(arrived, received);
    }
    this.#ahead = Math.max(this.#ahead, received - arrived);
    const before = this.#aheadBefore;
    if (before === undefined || Math.abs(received - arrived - before) < JUMP_MS) this.#steadyAt = received;
    this.#packets++;
    if (received < this.#from) this.#from = received;
    if (received > this.#to) this.#to = received;
    this.#last.arrived = arrived;
    this.#last.received = received;
    this.#monitor.hear(packet);
  }

  /**
   * All findings, at the end of the recording or where it breaks off; none without times, because most kinds are rates
   * or silences.
   */
  report(times: RecordedTimes = "dated", brokenOff?: string): RecordingReport {
    const hasTimes = times !== "none";
    const { arrived, received } = this.#last;
    this.#observe(arrived, received);
    const unreadable = this.#counters().malformed;
    const isPartial = lacksMessages(this.#packets, unreadable);
    const findings = this.#all().filter(({ kind }) => !isPartial || !byMissing.includes(kind));
    // Those that are over come after all others.
    const order = ({ severity, until }: RecordedFinding): number =>
      findingSeverities.indexOf(severity) + (until === undefined ? 0 : findingSeverities.length);
    return {
      hasTimes,
      ...(times === "undated" && { datedByFile: true as const }),
      ...(hasTimes && this.#packets > 0 && { from: isoTime(this.#from), to: isoTime(this.#to) }),
      packets: this.#packets,
      ...(hasTimes && this.#jumps && { clockJumps: this.#jumps }),
      ...(unreadable > 0 && { unreadable }),
      ...(brokenOff !== undefined && { brokenOff }),
      devices: [...this.#monitor.traffic.devices.values()]
        .sort((one, other) => one.address - other.address)
        .map(({ address, name, label, product, packets, incomplete, firstIncomplete }) => ({
          addr: address,
          ...(name !== undefined && { name: String(name) }),
          ...(label !== undefined && { label }),
          ...(product?.softwareVersion && { softwareVersion: product.softwareVersion.trim() }),
          packets,
          incomplete: (incomplete - firstIncomplete) >>> 0,
        })),
      findings: hasTimes ? findings.sort((one, other) => order(one) - order(other)) : [],
    };
  }

  /** The current findings, each with its earlier occurrences, and those that are over. */
  #all(): RecordedFinding[] {
    const current = this.#current.map((finding) => {
      const before = this.#ended.get(finding.id);
      return before === undefined ? finding : { ...finding, since: before.since, times: (before.times ?? 1) + 1 };
    });
    const ids = new Set(current.map(({ id }) => id));
    return [...current, ...[...this.#ended.values()].filter(({ id }) => !ids.has(id))];
  }

  #end(finding: Finding, until: number): void {
    const before = this.#ended.get(finding.id);
    if (before === undefined && this.#ended.size >= MAX_FINDINGS) return;
    this.#ended.set(finding.id, {
      ...finding,
      until: isoTime(until),
      ...(before !== undefined && { since: before.since, times: (before.times ?? 1) + 1 }),
    });
  }

  #observe(now: number, wall: number): void {
    this.#findJump();
    this.#current = this.#monitor.observe(now, wall, { counters: this.#counters() }).findings;
  }

  #findJump(): void {
    const [before, ahead] = [this.#aheadBefore, this.#ahead];
    if (!Number.isFinite(ahead)) return;
    this.#aheadBefore = ahead;
    this.#ahead = Number.NEGATIVE_INFINITY;
    if (before === undefined || Math.abs(ahead - before) < JUMP_MS) return;
    const first = { at: isoTime(this.#steadyAt), seconds: Math.round((ahead - before) / 1000) };
    this.#jumps = { ...(this.#jumps ?? first), count: (this.#jumps?.count ?? 0) + 1 };
  }
}
