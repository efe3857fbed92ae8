/** The resources API of Signal K version 2: waypoints, routes, notes and tracks, and all of them as GPX. */
import { type Context, Hono } from "hono";
import type { Position } from "../../../core/nav/great-circle.ts";
import { createExclusive } from "../../../core/util/exclusive.ts";
import type { Env } from "../signalk-env.ts";
import { type Area, areaOf, meets } from "./area.ts";
import { jsonBody, limitOf, refusing } from "./bodies.ts";
import { gpxOf, MAX_GPX_BYTES, resourcesIn } from "./gpx.ts";
import { Refused } from "./refused.ts";
import { failed } from "./replies.ts";
import { MAX_RESOURCES, type Resources } from "./resources.ts";
import {
  type Kind,
  kinds,
  type Note,
  type Resource,
  type Route,
  resourceId,
  type Track,
  type Waypoint,
} from "./shapes.ts";

export interface ResourcesAppOptions {
  readonly resources: Resources;
  /** Where the boat is; undefined while that is unknown. */
  position(): Position | undefined;
  /** A random UUID of version 4. */
  uuid(): string;
}

const PROVIDER = "hub";

const descriptions: Readonly<Record<Kind, string>> = {
  waypoints: "Waypoints of the boat",
  routes: "Routes of the boat",
  notes: "Notes of the boat",
  tracks: "Tracks of the boat",
};

/** Work as in `allowance.ts`: to look at a resource, and to write characters of one. */
const RESOURCE_WORK = 4;
const CHARACTERS_A_WORK = 16;

export function resourcesApp({ resources, position, uuid }: ResourcesAppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.get("/", (c) =>
    c.json(Object.fromEntries(kinds.map((kind) => [kind, { description: descriptions[kind], $source: PROVIDER }]))),
  );
  app.get("/gpx", (c) => {
    const text = gpxOf(resources);
    c.var.spend(text.length / CHARACTERS_A_WORK);
    const disposition = 'attachment; filename="boat.gpx"';
    return c.body(text, 200, { "Content-Type": "application/gpx+xml", "Content-Disposition": disposition });
  });
  /** Files are read one after the other, each in turns of the event loop. */
  const oneAtATime = createExclusive();
  const rest = () => new Promise<void>((resolve) => void setTimeout(resolve, 0));
  app.post("/gpx", limitOf(MAX_GPX_BYTES), (c) =>
    refusing(c, async () => {
      const bytes = new Uint8Array(await c.req.arrayBuffer());
      c.var.spend(bytes.length);
      const { found, ignored } = await oneAtATime(() => resourcesIn(bytes, rest));
      // A resource that exists is kept: it may have been edited since the file was first read.
      await resources.putAll(found.filter(({ kind, id }) => resources.get(kind, id) === undefined));
      const ids = kinds.map((kind) => [kind, found.filter((each) => each.kind === kind).map(({ id }) => id)]);
      return c.json({ state: "COMPLETED", statusCode: 201, ...Object.fromEntries(ids), ignored }, 201);
    }),
  );
  for (const kind of kinds) addKind(app, kind, { resources, position, uuid });
  return app;
}

function addKind(app: Hono<Env>, kind: Kind, { resources, position, uuid }: ResourcesAppOptions): void {
  const noneOf = (c: Context<Env>) => failed(c, 404, "Resource not found.");
  const idIn = (c: Context<Env>): string => {
    const { success, data } = resourceId.safeParse(c.req.param("id"));
    if (!success) throw new Refused(400, "Invalid resource id provided.");
    return data;
  };
  const done = (c: Context<Env>, statusCode: 200 | 201, id: string) =>
    c.json({ state: "COMPLETED", statusCode, id, ...(statusCode === 200 && { message: id }) }, statusCode);

  app.get(`/${kind}`, (c) =>
    refusing(c, async () => {
      const query = new URL(c.req.url).searchParams;
      const [area, limit] = [areaOf(query, position()), limitIn(query)];
      const href = query.get("href");
      const all = resources.of(kind);
      c.var.spend(all.length * RESOURCE_WORK);
      const found = all.filter(([, each]) => isWanted(kind, each, area, href)).slice(0, limit);
      const text = JSON.stringify(Object.fromEntries(found));
      c.var.spend(text.length / CHARACTERS_A_WORK);
      return c.body(text, 200, { "Content-Type": "application/json", "Cache-Control": "no-store" });
    }),
  );
  app.get(`/${kind}/_providers`, (c) => c.json([PROVIDER]));
  app.get(`/${kind}/_providers/_default`, (c) => c.json(PROVIDER));
  app.get(`/${kind}/:id`, (c) =>
    refusing(c, async () => {
      const found = resources.get(kind, idIn(c));
      return found === undefined ? noneOf(c) : c.json(found, 200, { "Cache-Control": "no-store" });
    }),
  );
  app.post(`/${kind}`, ...jsonBody, (c) =>
    refusing(c, async () => {
      const id = uuid();
      await resources.put(kind, id, JSON.parse(await c.req.text()));
      return done(c, 201, id);
    }),
  );
  app.put(`/${kind}/:id`, ...jsonBody, (c) =>
    refusing(c, async () => {
      const id = idIn(c);
      await resources.put(kind, id, JSON.parse(await c.req.text()));
      return done(c, 200, id);
    }),
  );
  app.delete(`/${kind}/:id`, (c) =>
    refusing(c, async () => {
      const id = idIn(c);
      return (await resources.remove(kind, id)) ? done(c, 200, id) : noneOf(c);
    }),
  );
}

function limitIn(query: URLSearchParams): number {
  const given = query.get("limit");
  if (given === null) return MAX_RESOURCES;
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new Refused(400, "limit is a whole number from 1.");
  return Number(given);
}

function isWanted(kind: Kind, resource: Resource, area: Area | undefined, href: string | null): boolean {
  if (href !== null && resource.href !== href) return false;
  return area === undefined || meets(area, coordinatesOf(kind, resource));
}

/** Longitudes and latitudes of a resource; none of a note without a position. */
function coordinatesOf(kind: Kind, resource: Resource): readonly (readonly number[])[] {
  if (kind === "notes") {
    const { position } = resource as Note;
    return position === undefined ? [] : [[position.longitude, position.latitude]];
  }
  const { geometry } = (resource as Waypoint | Route | Track).feature;
  if (geometry.type === "Point") return [geometry.coordinates];
  return geometry.type === "LineString" ? geometry.coordinates : geometry.coordinates.flat();
}
