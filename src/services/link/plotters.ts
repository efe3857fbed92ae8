/**
 * One plotter at a time: the cross-track error, the waypoint and the route of two plotters are of two courses, and a pilot
 * would steer by half of each. The one of the lowest address counts, as on the display, also after a restart. Times are
 * monotonic milliseconds.
 */
import type { Definition, Message } from "../../core/n2k/definition.ts";
import { crossTrackError, navigationData } from "../../core/n2k/pgns/route.ts";
import { routeWaypointInformation } from "../../core/n2k/pgns/routes.ts";
import { courseSender, hasWaypoint } from "../../core/nav/plotters.ts";
import type { PgnHeard } from "./outlet.ts";

interface Kind {
  /** Whether a message has a course; a plotter without one sends it empty. */
  readonly hasCourse: (data: unknown) => boolean;
  /** Silence after which a message of another device counts, unless its messages are rarer. */
  readonly silentMs: number;
}

const kind = <Of extends Definition>(
  { pgn }: Of,
  silentMs: number,
  hasCourse: (data: Message<Of>) => boolean,
): readonly [number, Kind] => [pgn, { silentMs, hasCourse: (data) => hasCourse(data as Message<Of>) }];

const kinds: ReadonlyMap<number, Kind> = new Map([
  kind(crossTrackError, 5000, ({ xte }) => xte !== undefined),
  kind(navigationData, 5000, hasWaypoint),
  // A route comes once in a while.
  kind(routeWaypointInformation, 600_000, ({ waypoints }) => waypoints !== undefined && waypoints.length > 0),
]);

/** The last message of a device that has a course, and the time between its last two. */
interface Sender {
  readonly receivedMs: number;
  readonly periodMs: number;
}

/** A limit of the rate may make messages rare; a longer silence is one. */
const MAX_PERIOD_MS = 60_000;

export class Plotters {
  /** By PGN, then by address. */
  readonly #senders = new Map([...kinds.keys()].map((pgn) => [pgn, new Map<number, Sender>()]));
  /** Whose message counted last, by PGN. */
  readonly #used = new Map<number, number>();

  /**
   * Whether a message counts, and whether it is of another device than the last one, whose course is over. Of empty
   * messages only those of the one that had the course count, and do not keep it.
   */
  hear({ addr, pgn, receivedMs, message: { data } }: PgnHeard): "counts" | "other" | undefined {
    const kind = kinds.get(pgn);
    if (kind === undefined) return "counts";
    const before = this.#used.get(pgn);
    if (!kind.hasCourse(data)) return before === addr ? "counts" : undefined;
    const senders = this.#senders.get(pgn)!;
    const last = senders.get(addr);
    const periodMs = last === undefined ? 0 : Math.min(receivedMs - last.receivedMs, MAX_PERIOD_MS);
    senders.set(addr, { receivedMs, periodMs });
    if (courseSender(this.#sending(navigationData.pgn, receivedMs), this.#sending(pgn, receivedMs)) !== addr)
      return undefined;
    this.#used.set(pgn, addr);
    return before === undefined || before === addr ? "counts" : "other";
  }

  forget(): void {
    for (const senders of this.#senders.values()) senders.clear();
    this.#used.clear();
  }

  /** Addresses of the devices that send a PGN, the lowest first. */
  #sending(pgn: number, now: number): readonly number[] {
    const { silentMs } = kinds.get(pgn)!;
    return [...this.#senders.get(pgn)!]
      .filter(([, { receivedMs, periodMs }]) => now - receivedMs <= Math.max(silentMs, 2 * periodMs))
      .map(([addr]) => addr)
      .sort((a, b) => a - b);
  }
}
