/** The findings of a whole recording: those at its end, and those that ended before. */
import type { Packet } from "../ports/packet-batch.ts";
import type { BusCounters } from "../ports/packet-source.ts";
import { isoTime } from "../text/date.ts";
import type { FindingKind } from "./definitions.ts";
import { findingSeverities } from "./finding.ts";
import { FindingsMonitor, OBSERVE_MS } from "./monitor.ts";
import { lacksMessages, type RecordedFinding, type RecordingReport } from "./recording-report.ts";
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
] satisfies readonly FindingKind[];

export class RecordingFindings {
  readonly #monitor = new FindingsMonitor();
  readonly #findings = new Map<string, RecordedFinding>();
  readonly #counters: () => BusCounters;
  #due = Number.NEGATIVE_INFINITY;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;
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
  report(hasTimes = true, brokenOff?: string): RecordingReport {
    const { arrived, received } = this.#last;
    this.#observe(arrived, received);
    const unreadable = this.#counters().malformed;
    const isPartial = lacksMessages(this.#packets, unreadable);
    const findings = [...this.#findings.values()].filter(({ kind }) => !isPartial || !byMissing.includes(kind));
    const severityOf = ({ severity }: Finding): number => findingSeverities.indexOf(severity);
    return {
      hasTimes,
      ...(hasTimes && this.#packets > 0 && { from: isoTime(this.#from), to: isoTime(this.#to) }),
      packets: this.#packets,
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
      findings: hasTimes ? findings.sort((one, other) => severityOf(one) - severityOf(other)) : [],
    };
  }

  #observe(now: number, wall: number): void {
    const { findings } = this.#monitor.observe(now, wall, { counters: this.#counters() });
    const current = new Set(findings.map(({ id }) => id));
    for (const [id, finding] of this.#findings)
      if (!current.has(id) && finding.until === undefined) this.#findings.set(id, { ...finding, until: isoTime(wall) });
    for (const finding of findings)
      if (this.#findings.size < MAX_FINDINGS || this.#findings.has(finding.id)) this.#findings.set(finding.id, finding);
  }
}
