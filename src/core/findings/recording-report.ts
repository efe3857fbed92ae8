/** The report of a recording: its schema, and its words. */

import { duration, english, type Sentence, sentence } from "../text/sentence.ts";
import type { Finding } from "./report.ts";

/** Time below which most kinds have not seen enough. */
const SHORT_MS = 120_000;
/** Unreadable lines or records for each message, above which messages are missing. */
const MISSING = 0.01;

/**
 * A finding. `until`: when it was last the case, absent if it still was at the end of the recording; its measurement is
 * then the worst one. `times`: how often it has begun, if more than once, from `since` on.
 */
export type RecordedFinding = Finding & { readonly until?: string; readonly times?: number };

/** Jumps of the time stamps, which count as no time: gaps in the recording, or its clock was set. */
export interface ClockJumps {
  readonly count: number;
  /** The time stamp before the first one, and its length: above 0 forward. */
  readonly at: string;
  readonly seconds: number;
}

export interface RecordingReport {
  readonly hasTimes: boolean;
  /** The time stamps have no dates: they begin on that of the file. */
  readonly datedByFile?: true;
  /** The earliest and the latest time of the packets; absent without packets and for a recording without times. */
  readonly from?: string;
  readonly to?: string;
  readonly packets: number;
  readonly clockJumps?: ClockJumps;
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

const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;

function jumpsIn({ count, at: date, seconds }: ClockJumps): Sentence {
  const [by, at] = [duration(Math.abs(seconds) * 1000), { date }];
  if (count === 1)
    return seconds > 0
      ? sentence`The time stamps jump ${by} forward at ${at}; the jump counts as no time`
      : sentence`The time stamps jump ${by} back at ${at}; the jump counts as no time`;
  return seconds > 0
    ? sentence`The time stamps jump ${count} times, first ${by} forward at ${at}; jumps count as no time`
    : sentence`The time stamps jump ${count} times, first ${by} back at ${at}; jumps count as no time`;
}

/** The limits of a report: parts that cannot be read, and a span that is too short. */
export function limitsOf(report: RecordingReport): readonly Sentence[] {
  const { from, to, datedByFile, packets, unreadable = 0, brokenOff, clockJumps } = report;
  const isShort = from !== undefined && Date.parse(to!) - Date.parse(from) < SHORT_MS;
  return [
    ...(brokenOff === undefined ? [] : [sentence`The recording breaks off: ${brokenOff}`]),
    ...(datedByFile ? [sentence`Its time stamps have no dates; the dates are made from that of the file`] : []),
    ...(unreadable > 0 ? [sentence`${unreadable} {1:line or record|lines or records} cannot be read`] : []),
    ...(clockJumps === undefined ? [] : [jumpsIn(clockJumps)]),
    ...(lacksMessages(packets, unreadable) ? [sentence`Findings about missing messages are left out`] : []),
    ...(packets === 0 ? [sentence`There are no messages in it`] : []),
    ...(isShort ? [sentence`It is shorter than two minutes, which is too short for most kinds of findings`] : []),
  ];
}

export function textOfReport(report: RecordingReport): string {
  const { hasTimes, from, to, packets, devices, findings } = report;
  const span = from === undefined ? "" : `, ${from} to ${to}`;
  const counts = `${counted(packets, "message")} of ${counted(devices.length, "device")}${span}`;
  const limits = limitsOf(report).map((limit) => `${english(limit)}.`);
  const head = `${[counts, ...limits].join("\n")}\n`;
  if (!hasTimes) return `${head}\nThe recording has no time stamps, which findings need; candump -L writes them.\n`;
  if (findings.length === 0) return `${head}\nNo findings.\n`;
  const blocks = findings.map(({ severity, title, measured, advice, since, until, times = 1 }) => {
    const span = until === undefined ? `since ${since}` : `over, ${since} to ${until}`;
    const time = times === 1 ? span : `${span}, ${times} times`;
    return `${severity.toUpperCase()}  ${title}, ${time}\n    ${measured}.\n    ${advice}\n`;
  });
  return `${head}\n${blocks.join("\n")}`;
}
