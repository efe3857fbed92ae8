/**
 * Signal K's track requests, as the plugin signalk-tracks publishes them: the track of the boat by the voyages that
 * hub-history keeps. Tracks of other ships are not kept.
 */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { Clock } from "../../core/ports/clock.ts";
import type { VoyageTrack } from "../../core/ports/voyage-track.ts";
import { QueryError } from "../../formats/signalk/history/query.ts";
import { trackQueryOf } from "../../formats/signalk/history/track-query.ts";
import type { Env } from "./signalk-env.ts";
import { waiting } from "./signalk-v2/budget.ts";

export interface TrackAppOptions {
  readonly track: VoyageTrack;
  /** URN of the boat. */
  readonly self: string;
  readonly clock: Pick<Clock, "wall">;
  readonly budget: MiddlewareHandler<Env>;
}

/** Work as in `allowance.ts`: to ask for a track, and to send a byte of it. */
const QUERY_WORK = 20_000;
const BYTES_A_WORK = 16;

/** Routes below `/signalk/v1/api`. */
export function trackApp({ track, self, clock, budget }: TrackAppOptions): Hono<Env> {
  const app = new Hono<Env>();
  const places = waiting();
  const isSelf = (c: Context<Env>): boolean => ["self", self].includes(c.req.param("id") ?? "self");
  const answer = async (c: Context<Env>, before = "", after = ""): Promise<Response> => {
    if (!isSelf(c)) return c.text("Not found", 404);
    try {
      c.var.spend(QUERY_WORK);
      const bytes = await track(trackQueryOf(new URL(c.req.url).searchParams, clock.wall()));
      if (bytes === undefined) return c.json({ message: "No track available: hub-history --voyages keeps it." }, 404);
      c.var.spend(bytes.length / BYTES_A_WORK);
      const text = `${before}${new TextDecoder().decode(bytes)}${after}`;
      return c.body(text, 200, { "Content-Type": "application/json", "Cache-Control": "no-store" });
    } catch (error) {
      if (error instanceof QueryError) return c.json({ message: error.message }, 400);
      throw error;
    }
  };
  for (const path of ["/self/track", "/vessels/:id/track", "/tracks/:id"])
    app.get(path, budget, places, (c) => answer(c));
  // The tracks of all vessels by their contexts, and as features.
  app.get("/tracks", budget, places, (c) => answer(c, `{${JSON.stringify(`vessels.${self}`)}:`, "}"));
  const feature = '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Track"},"geometry":';
  app.get("/vessels/:id/tracks", budget, places, (c) => answer(c, feature, "}]}"));
  return app;
}
