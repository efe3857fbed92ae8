/**
 * Alarms that others raise and end by messages: alerts of devices, safety messages of AIS, alarms of other programs.
 * Each has a key within its kind. Times are monotonic milliseconds.
 */

import type { Device } from "../nav/devices.ts";
import type { Sentence } from "../text/sentence.ts";
import { type Severity, severities } from "./constants.ts";
import type { Reading } from "./reading.ts";

export type NoticeKind = "alert" | "external" | "safetyMessage";

export interface Notice {
  readonly kind: NoticeKind;
  readonly key: string;
  readonly severity: Severity;
  readonly subject?: number | undefined;
  readonly name?: string | undefined;
  /** The words of the device or the program that name the danger; they lead, before the kind. */
  readonly title?: string | undefined;
  readonly sentences: readonly Sentence[];
  readonly answered?: Reading["answered"];
  readonly device?: Device | undefined;
  /** Time at which it ends by itself. */
  readonly until: number;
}

/** Maximum notices of each kind; a hostile bus could raise a million. */
const MAX_NOTICES = 200;

const rankOf = ({ severity }: Notice): number => severities.indexOf(severity);

export class Notices {
  /** The oldest first. */
  readonly #notices = new Map<string, Notice>();
  readonly #displaced = new Map<NoticeKind, number>();
  readonly #isAnswered: (notice: Notice) => boolean;

  constructor(isAnswered: (notice: Notice) => boolean = () => false) {
    this.#isAnswered = isAnswered;
  }

  /**
   * Raises a notice, or replaces it. If there is no room, the least severe one makes room, of equal ones first those that
   * were answered, then the oldest; false where the new one is less severe than all others.
   */
  raise(notice: Notice): boolean {
    const id = idOf(notice.kind, notice.key);
    const others = this.#notices.has(id) ? [] : this.of(notice.kind);
    if (others.length >= MAX_NOTICES) {
      const isLess = (one: Notice, other: Notice): boolean =>
        rankOf(one) > rankOf(other) ||
        (rankOf(one) === rankOf(other) && this.#isAnswered(one) && !this.#isAnswered(other));
      const least = others.reduce((a, b) => (isLess(b, a) ? b : a));
      const isRefused = rankOf(notice) > rankOf(least);
      if (isRefused || !this.#isAnswered(least)) this.#displaced.set(notice.kind, this.displaced(notice.kind) + 1);
      if (isRefused) return false;
      this.#notices.delete(idOf(least.kind, least.key));
    }
    this.#notices.set(id, notice);
    return true;
  }

  /** Notices without an answer for which there was no room, until there is room again. */
  displaced(kind: NoticeKind): number {
    return this.#displaced.get(kind) ?? 0;
  }

  /** Ends a notice; false if there is none. */
  end(kind: NoticeKind, key: string): boolean {
    return this.#notices.delete(idOf(kind, key));
  }

  of(kind: NoticeKind): readonly Notice[] {
    return [...this.#notices.values()].filter((notice) => notice.kind === kind);
  }

  /** Ends the notices that are over at `now`, or whose device has gone. */
  removeEnded(now: number, isHeard: (device: Device) => boolean): void {
    this.#notices.forEach((notice, id) => {
      const { until, device } = notice;
      if (now >= until || (device !== undefined && !isHeard(device))) this.#notices.delete(id);
    });
    for (const kind of this.#displaced.keys()) if (this.of(kind).length < MAX_NOTICES) this.#displaced.delete(kind);
  }
}

const idOf = (kind: NoticeKind, key: string): string => `${kind} ${key}`;
