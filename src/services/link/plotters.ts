/**
 * One plotter at a time: the cross-track error, the waypoint and the route of two plotters are of two courses, and a pilot
 * would steer by half of each. Times are monotonic milliseconds.
 */
import { crossTrackError, navigationData } from "../../core/n2k/pgns/route.ts";
import { routeWaypointInformation } from "../../core/n2k/pgns/routes.ts";
import type { PgnHeard } from "./outlet.ts";

/** Silence after which another device may send a message of the course; a route comes once in a while. */
const SILENT_MS: ReadonlyMap<number, number> = new Map([
  [crossTrackError.pgn, 5000],
  [navigationData.pgn, 5000],
  [routeWaypointInformation.pgn, 600_000],
]);

export class Plotters {
  /** Who has sent each message that counted last, by PGN. */
  readonly #used = new Map<number, Pick<PgnHeard, "addr" | "receivedMs">>();

  /**
   * Whether a message counts, and whether it is of another device than the last one, whose course is over. The device of
   * the waypoint comes before others in all messages that it sends.
   */
  hear({ addr, pgn, receivedMs }: PgnHeard): "counts" | "other" | undefined {
    if (!SILENT_MS.has(pgn)) return "counts";
    const used = this.#usedFor(pgn, receivedMs);
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
    return used === undefined || now - used.receivedMs > SILENT_MS.get(pgn)! ? undefined : used;
  }
}
