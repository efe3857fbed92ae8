/** The outlets of hub-link: each names the topics that it reads, and is given their messages. */

import type { Metadata } from "../../core/topics/read-message.ts";
import type { TopicName } from "../../core/topics/topics.ts";

/** Topics that outlets may read. */
export const heardTopics = [
  "pgn",
  "navigation",
  "ais",
  "devices",
  "infos",
  "alarms",
  "alarmHistory",
  "findings",
  "interface",
  "health",
] as const satisfies readonly TopicName[];

export type HeardTopic = (typeof heardTopics)[number];

/** Reports below the prefix, and `infos` of the devices. */
export type ReportTopic = Exclude<HeardTopic, "pgn">;

/** A message of hub-cand. */
export type Heard = ReportHeard | InfosHeard | PgnHeard;

interface HeardAt {
  /** The parts of the message that fit its topic; all outlets share it, so none may change it. */
  readonly message: { readonly data: object; readonly metadata: Metadata };
  /** Time of arrival here, monotonic milliseconds. The message expires `metadata.expireAfterSec` later. */
  readonly receivedMs: number;
  /**
   * The broker had the message before hub-link subscribed to it. It can have any age; `metadata.rxTimestamp` is its
   * time by the clock of hub-cand's machine.
   */
  readonly isRetained: boolean;
  /** The broker retains the message, and hub-cand is offline: its last one, of a state that may be over. */
  readonly isLast?: true;
}

export interface ReportHeard extends HeardAt {
  readonly topic: Exclude<ReportTopic, "infos">;
}

export interface InfosHeard extends HeardAt {
  readonly topic: "infos";
  /** Address of the device on the bus. */
  readonly addr: number;
}

export interface PgnHeard extends HeardAt {
  readonly topic: "pgn";
  readonly addr: number;
  readonly pgn: number;
}

export interface Outlet {
  readonly topics: readonly ReportTopic[];
  /** The PGNs it reads, of any device; `all` subscribes to every PGN. The broker does not send the others. */
  readonly pgns: readonly number[] | "all";
  /**
   * A message of one of its topics, or of one that another outlet reads. Called in the order in which the broker sent
   * them, never after `close`; must not throw.
   */
  hear(heard: Heard): void;
  /**
   * The course is another one's from now on, that of hub-link in place of a plotter's or the reverse, or that of another
   * plotter: what was heard of the former one has expired.
   */
  courseChanged?(): void;
  /** hub-cand has gone offline, by its last message or its last will: everything heard so far has expired. */
  forget(): void;
  /** Ends its connections and stops listening. */
  close(): void | Promise<void>;
}
