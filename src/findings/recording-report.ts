/** The report of a recording: its schema, and its words. */
import type { Finding } from "./report.ts";

/** Time below which most kinds have not seen enough. */
const SHORT_MS = 120_000;
/** Unreadable lines or records for each message, above which messages are missing. */
const MISSING = 0.01;

/** A finding; `until`: the time at which it ended, absent if it was still the case at the end of the recording. */
export type RecordedFinding = Finding & { readonly until?: string };

export interface RecordingReport {
  readonly hasTimes: boolean;
  /** The earliest and the latest time of the packets; absent without packets and for a recording without times. */
  readonly from?: string;
  readonly to?: string;
  readonly packets: number;
  /** Lines or records that cannot be read; absent: none. */
  readonly unreadable?: number;
  /** Why the recording ends before its end. */
  readonly brokenOff?: string;
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

/** Whether so much cannot be read that nothing can be said of what is missing. */
export const lacksMessages = (packets: number, unreadable: number): boolean => unreadable > packets * MISSING;

const counted = (count: number, noun: string, many = `${noun}s`): string => `${count} ${count === 1 ? noun : many}`;

/** The limits of a report, as sentences: parts that cannot be read, and a span that is too short. */
export function limitsOf({ from, to, packets, unreadable = 0, brokenOff }: RecordingReport): readonly string[] {
  const isShort = from !== undefined && Date.parse(to!) - Date.parse(from) < SHORT_MS;
  return [
    ...(brokenOff === undefined ? [] : [`The recording breaks off: ${brokenOff}.`]),
    ...(unreadable === 0 ? [] : [`${counted(unreadable, "line or record", "lines or records")} cannot be read.`]),
    ...(lacksMessages(packets, unreadable) ? ["Findings about missing messages are left out."] : []),
    ...(packets === 0 ? ["There are no messages in it."] : []),
    ...(isShort ? ["It is shorter than two minutes, which is too short for most kinds of findings."] : []),
  ];
}

/** A report in words. */
export function textOfReport(report: RecordingReport): string {
  const { hasTimes, from, to, packets, devices, findings } = report;
  const span = from === undefined ? "" : `, ${from} to ${to}`;
  const counts = `${counted(packets, "message")} of ${counted(devices.length, "device")}${span}`;
  const head = `${[counts, ...limitsOf(report)].join("\n")}\n`;
  if (!hasTimes) return `${head}\nThe recording has no time stamps, which findings need; candump -L writes them.\n`;
  if (findings.length === 0) return `${head}\nNo findings.\n`;
  const blocks = findings.map(({ severity, title, measured, advice, since, until }) => {
    const time = until === undefined ? `since ${since}` : `${since} to ${until}`;
    return `${severity.toUpperCase()}  ${title}, ${time}\n    ${measured}.\n    ${advice}\n`;
  });
  return `${head}\n${blocks.join("\n")}`;
}
