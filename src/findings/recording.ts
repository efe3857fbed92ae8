/** The findings of a whole recording: those at its end, and those that ended before. */
import type { Packet } from "../ports/packet-batch.ts";
import type { BusCounters } from "../ports/packet-source.ts";
import { isoTime } from "../text/date.ts";
import { findingSeverities } from "./finding.ts";
import { FindingsMonitor, OBSERVE_MS } from "./monitor.ts";
import type { Finding } from "./report.ts";

/** Maximum findings of a recording. */
const MAX_FINDINGS = 1000;

/** A finding; `until`: the time at which it ended, absent if it was still the case at the end of the recording. */
export type RecordedFinding = Finding & { readonly until?: string };

export interface RecordingReport {
  readonly hasTimes: boolean;
  /** The earliest and the latest time of the packets; absent without packets and for a recording without times. */
  readonly from?: string;
  readonly to?: string;
  readonly packets: number;
  readonly devices: readonly {
    readonly addr: number;
    readonly name?: string;
    readonly label?: string;
    readonly softwareVersion?: string;
    readonly packets: number;
    /** Incomplete packets of several frames since the device was first heard. */
    readonly incomplete: number;
  }[];
  readonly findings: readonly RecordedFinding[];
}

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

  /** All findings, at the end of the recording; none without times, because most kinds are rates or silences. */
  report(hasTimes = true): RecordingReport {
    const { arrived, received } = this.#last;
    this.#observe(arrived, received);
    const severityOf = ({ severity }: Finding): number => findingSeverities.indexOf(severity);
    return {
      hasTimes,
      ...(hasTimes && this.#packets > 0 && { from: isoTime(this.#from), to: isoTime(this.#to) }),
      packets: this.#packets,
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
      findings: hasTimes ? [...this.#findings.values()].sort((one, other) => severityOf(one) - severityOf(other)) : [],
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

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A report in words. */
export function textOfReport({ hasTimes, from, to, packets, devices, findings }: RecordingReport): string {
  const span = from === undefined ? "" : `, ${from} to ${to}`;
  const head = `${counted(packets, "message")} of ${counted(devices.length, "device")}${span}\n`;
  if (!hasTimes) return `${head}\nThe recording has no time stamps, which findings need; candump -L writes them.\n`;
  if (findings.length === 0) return `${head}\nNo findings.\n`;
  const blocks = findings.map(({ severity, title, measured, advice, since, until }) => {
    const time = until === undefined ? `since ${since}` : `${since} to ${until}`;
    return `${severity.toUpperCase()}  ${title}, ${time}\n    ${measured}.\n    ${advice}\n`;
  });
  return `${head}\n${blocks.join("\n")}`;
}
