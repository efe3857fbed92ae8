/**
 * Routes whose waypoints come in several messages (PGN 129285), each with the place of its first waypoint in the route.
 * Pure; times are monotonic milliseconds.
 */

type Data = Readonly<Record<string, unknown>>;

interface Part {
  readonly waypoints: readonly unknown[];
  readonly heardMs: number;
}

interface Route {
  readonly id: string;
  /** By the place of their first waypoint. */
  readonly parts: Map<number, Part>;
}

/** A part that is not repeated by then is of no route any more. */
const LIFE_MS = 600_000;
/** Maximum parts of a route, some ten waypoints each, and maximum senders; beyond them all begin anew. */
const [MAX_PARTS, MAX_SENDERS] = [32, 8];
/** Maximum waypoints of a part: more than any message of a bus has, but a client of the broker may publish any number. */
const MAX_WAYPOINTS = 500;

export class Routes {
  /** The latest route of each sender. */
  readonly #routes = new Map<string, Route>();

  /**
   * Returns a message with the waypoints of all parts of its route, in the order of the route, and without its own
   * place. A waypoint without members stands for those that have not been heard.
   */
  join(sender: string, data: Data, nowMs: number): Data {
    const { parts } = this.#routeOf(sender, `${data.databaseId}/${data.routeId}`);
    const start = typeof data.startRps === "number" ? data.startRps : 0;
    const waypoints: readonly unknown[] = Array.isArray(data.waypoints) ? data.waypoints.slice(0, MAX_WAYPOINTS) : [];
    for (const [other, { waypoints: others, heardMs }] of parts) {
      const isReplaced = other < start + waypoints.length && start < other + others.length;
      if (isReplaced || nowMs - heardMs > LIFE_MS) parts.delete(other);
    }
    if (parts.size >= MAX_PARTS) parts.clear();
    parts.set(start, { waypoints, heardMs: nowMs });
    return { ...data, startRps: undefined, waypoints: joined(parts) };
  }

  clear(): void {
    this.#routes.clear();
  }

  #routeOf(sender: string, id: string): Route {
    let route = this.#routes.get(sender);
    if (route?.id !== id) {
      if (route === undefined && this.#routes.size >= MAX_SENDERS) this.#routes.clear();
      route = { id, parts: new Map() };
      this.#routes.set(sender, route);
    }
    return route;
  }
}

function joined(parts: ReadonlyMap<number, Part>): readonly unknown[] {
  const list: unknown[] = [];
  let end: number | undefined;
  for (const [start, { waypoints }] of [...parts].sort(([a], [b]) => a - b)) {
    if (end !== undefined && end < start) list.push({});
    // biome-ignore lint/plugin: waypoints of a message
    list.push(...waypoints);
    end = start + waypoints.length;
  }
  return list;
}
