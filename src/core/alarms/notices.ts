/**
 * Alarms that others raise and end by messages: alerts of devices, safety messages of AIS, alarms of other programs.
 * Each has a key within its kind. Times are monotonic milliseconds.
 */

import { type Severity, severities } from "./constants.ts";
import type { Reading } from "./hazards/hazard.ts";

export type NoticeKind = "alert" | "external" | "safetyMessage";

export interface Notice {
  readonly kind: NoticeKind;
  readonly key: string;
  readonly severity: Severity;
  readonly subject?: number | undefined;
  readonly name?: string | undefined;
  readonly text: string;
  readonly answered?: Reading["answered"];
  /** Address of the device that raised it. */
  readonly source?: number | undefined;
  /** Time at which it ends by itself. */
  readonly until: number;
}

/** Maximum notices of each kind; a hostile bus could raise a million. */
const MAX_NOTICES = 50;

const rankOf = ({ severity }: Notice): number => severities.indexOf(severity);

export class Notices {
  readonly #notices = new Map<string, Notice>();

  /** Raises a notice, or replaces it. If there is no room, a notice of less severity is dropped; without one, false. */
  raise(notice: Notice): boolean {
    const id = idOf(notice.kind, notice.key);
    if (!this.#notices.has(id)) {
      const others = this.of(notice.kind);
      if (others.length >= MAX_NOTICES) {
        const least = others.reduce((a, b) => (rankOf(b) > rankOf(a) ? b : a));
        if (rankOf(least) <= rankOf(notice)) return false;
        this.#notices.delete(idOf(least.kind, least.key));
      }
    }
    this.#notices.set(id, notice);
    return true;
  }

  /** Ends a notice; false if there is none. */
  end(kind: NoticeKind, key: string): boolean {
    return this.#notices.delete(idOf(kind, key));
  }

  of(kind: NoticeKind): readonly Notice[] {
    return [...this.#notices.values()].filter((notice) => notice.kind === kind);
  }

  /** Ends the notices that are over at `now`, or whose device has gone. */
  removeEnded(now: number, isHeard: (source: number) => boolean): void {
    this.#notices.forEach((notice, id) => {
      const { until, source } = notice;
      if (now >= until || (source !== undefined && !isHeard(source))) this.#notices.delete(id);
    });
  }
}

const idOf = (kind: NoticeKind, key: string): string => `${kind} ${key}`;
