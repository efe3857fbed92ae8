/**
 * One plotter at a time: the cross-track error, the waypoint and the route of two plotters are of two courses, and a pilot
 * would steer by half of each. Times are monotonic milliseconds.
 */
import { crossTrackError, navigationData } from "../../core/n2k/pgns/route.ts";
import { routeWaypointInformation } from "../../core/n2k/pgns/routes.ts";
import type { PgnHeard } from "./outlet.ts";

/** Members without which a message has no course, and the silence after which one of another device counts. */
const ofCourse: ReadonlyMap<number, { readonly members: readonly string[]; readonly silentMs: number }> = new Map([
  [crossTrackError.pgn, { members: ["xte"], silentMs: 5000 }],
  [navigationData.pgn, { members: ["distanceToWaypoint", "bearingToWaypoint", "destinationLatitude"], silentMs: 5000 }],
  // A route comes once in a while.
  [routeWaypointInformation.pgn, { members: ["waypoints"], silentMs: 600_000 }],
]);

const isSaid = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

export class Plotters {
  /** Who has sent each message that counted last, by PGN. */
  readonly #used = new Map<number, Pick<PgnHeard, "addr" | "receivedMs">>();

  /**
   * Whether a message counts, and whether it is of another device than the last one, whose course is over. The device of
   * the waypoint comes before others in all messages that it sends. A plotter without a course sends them empty: only
   * those of the one that had it count, and do not keep it.
   */
  hear({ addr, pgn, receivedMs, message: { data } }: PgnHeard): "counts" | "other" | undefined {
    const { members } = ofCourse.get(pgn) ?? {};
    if (members === undefined) return "counts";
    const used = this.#usedFor(pgn, receivedMs);
    if (!members.some((member) => isSaid((data as Readonly<Record<string, unknown>>)[member])))
      return used?.addr === addr ? "counts" : undefined;
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
    return used === undefined || now - used.receivedMs > ofCourse.get(pgn)!.silentMs ? undefined : used;
  }
}
