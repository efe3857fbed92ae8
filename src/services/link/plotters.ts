/**
 * One plotter at a time: the cross-track error, the waypoint and the route of two plotters are of two courses, and a pilot
 * would steer by half of each. Times are monotonic milliseconds.
 */
import type { Definition, Message } from "../../core/n2k/definition.ts";
import { crossTrackError, navigationData } from "../../core/n2k/pgns/route.ts";
import { routeWaypointInformation } from "../../core/n2k/pgns/routes.ts";
import type { PgnHeard } from "./outlet.ts";

interface Kind {
  /** Whether a message has a course; a plotter without one sends it empty. */
  readonly hasCourse: (data: unknown) => boolean;
  /** Silence after which a message of another device counts. */
  readonly silentMs: number;
}

const kind = <Of extends Definition>(
  { pgn }: Of,
  silentMs: number,
  hasCourse: (data: Message<Of>) => boolean,
): readonly [number, Kind] => [pgn, { silentMs, hasCourse: (data) => hasCourse(data as Message<Of>) }];

const kinds: ReadonlyMap<number, Kind> = new Map([
  kind(crossTrackError, 5000, ({ xte }) => xte !== undefined),
  kind(navigationData, 5000, ({ distanceToWaypoint, bearingToWaypoint, destinationLatitude }) =>
    [distanceToWaypoint, bearingToWaypoint, destinationLatitude].some((value) => value !== undefined),
  ),
  // A route comes once in a while.
  kind(routeWaypointInformation, 600_000, ({ waypoints }) => waypoints !== undefined && waypoints.length > 0),
]);

export class Plotters {
  /** Who has sent each message that counted last, by PGN. */
  readonly #used = new Map<number, Pick<PgnHeard, "addr" | "receivedMs">>();

  /**
   * Whether a message counts, and whether it is of another device than the last one, whose course is over. The device of
   * the waypoint comes before others in all messages that it sends. Of empty messages only those of the one that had the
   * course count, and do not keep it.
   */
  hear({ addr, pgn, receivedMs, message: { data } }: PgnHeard): "counts" | "other" | undefined {
    const kind = kinds.get(pgn);
    if (kind === undefined) return "counts";
    const used = this.#usedFor(pgn, receivedMs);
    if (!kind.hasCourse(data)) return used?.addr === addr ? "counts" : undefined;
    const isLeading = this.#usedFor(navigationData.pgn, receivedMs)?.addr === addr;
    if (used !== undefined && used.addr !== addr && !isLeading) return undefined;
    const before = this.#used.get(pgn);
    this.#used.set(pgn, { addr, receivedMs });
    return before === undefined || before.addr === addr ? "counts" : "other";
  }

  forget(): void {
    this.#used.clear();
  }

  #usedFor(pgn: number, now: number) {
    const used = this.#used.get(pgn);
    return used === undefined || now - used.receivedMs > kinds.get(pgn)!.silentMs ? undefined : used;
  }
}
