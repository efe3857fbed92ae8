/**
 * The Hono application of `hub-history --voyages`: voyages are listed, read, written for other programs, corrected, given
 * pictures and removed.
 */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import * as z from "zod";
import type { Log } from "../../core/ports/log.ts";
import { pictureTypes, voyageName } from "../../core/ports/voyage-store.ts";
import { createExclusive } from "../../core/util/exclusive.ts";
import { isRebound } from "../../core/util/local-hosts.ts";
import { kinds } from "../../core/voyages/kinds/index.ts";
import { figuresOf, type ListedVoyage, titleOf, type Voyage, voyageOf } from "../../core/voyages/voyage.ts";
import { trackFormats } from "../../formats/tracks/formats.ts";
import { lineStrings } from "../../formats/tracks/geojson.ts";
import { GpxError } from "../../formats/tracks/gpx-reader.ts";
import { voyagesInGpx } from "../../formats/tracks/gpx-voyages.ts";
import { polarCsv } from "../../formats/tracks/polar-csv.ts";
import { pictureTypeOf } from "./picture-type.ts";
import { Corrected, linesIn, NoRoom, NoSuchVoyage, type Voyages } from "./voyages.ts";

interface AppOptions {
  readonly voyages: Voyages;
  readonly log: Log;
  now(): number;
  hostname(): string;
  /** Awaited between pieces of a file, so that the boat is heard meanwhile. */
  rest(): Promise<void>;
}

/** A season of tracks of a chart plotter. */
const MAX_GPX_BYTES = 32 << 20;
const MAX_JSON_BYTES = 16 << 10;
/** The display makes pictures smaller before it sends them. */
const MAX_PICTURE_BYTES = 2 << 20;
/** Points of a track between two times. */
const MAX_TRACK_POINTS = 10_000;

const written = z.strictObject({
  kind: z.enum(kinds.filter(({ isByHand }) => isByHand).map(({ name }) => name) as [string, ...string[]]),
  text: z.string().min(1).max(2000),
  author: z.string().max(100).optional(),
});
/** `seen`: corrections that the author has seen. */
const corrected = written.omit({ kind: true }).extend({ seen: z.int().nonnegative().optional() });
const pictured = z.strictObject({ author: z.string().max(100).optional() });
/** Milliseconds. */
const between = z.strictObject({
  from: z.coerce.number(),
  to: z.coerce.number(),
  resolution: z.coerce.number().nonnegative().default(0),
});

/** Reads voyages for the list; what was made of one is kept while its size is the same. */
function listOf(voyages: Voyages): (name: string) => Promise<ListedVoyage | undefined> {
  const listed = new Map<string, { readonly size: number; readonly voyage: ListedVoyage | undefined }>();
  return async (name) => {
    const size = await voyages.size(name).catch(() => -1);
    const known = listed.get(name);
    if (known?.size === size) return known.voyage;
    const { lines, damaged } = linesIn(await voyages.read(name));
    const voyage = voyageOf(lines);
    const made = voyage && {
      name,
      title: titleOf(voyage),
      from: voyage.from,
      until: voyage.until,
      hasEnded: voyage.hasEnded,
      figures: figuresOf(voyage),
      damaged,
    };
    listed.set(name, { size, voyage: made });
    return made;
  };
}

export function voyagesApp({ voyages, log, now, hostname, rest }: AppOptions): Hono<{ Bindings: { port?: number } }> {
  const app = new Hono<{ Bindings: { port?: number } }>();
  const listedOf = listOf(voyages);

  async function found(name: string): Promise<Voyage> {
    const text = voyageName.test(name) ? await voyages.read(name) : undefined;
    const voyage = text === undefined ? undefined : voyageOf(linesIn(text).lines);
    if (voyage === undefined) throw new NoSuchVoyage("There is no such voyage.");
    return voyage;
  }

  app.use(async (c, next) => {
    if (isRebound(c.req.header("host"), c.env?.port, hostname())) return c.json({ error: "another host" }, 401);
    // A page of another site cannot send these types without a preflight, which is not answered.
    const isSafe = /^(?:application\/(?:json|gpx\+xml)|image\/\w+)\s*(?:;|$)/i.test(c.req.header("content-type") ?? "");
    if (c.req.method === "POST" && (!isSafe || c.req.header("sec-fetch-site") === "cross-site"))
      return c.json({ error: "the type has to be application/json, application/gpx+xml or that of a picture" }, 415);
    await next();
    c.header("Cache-Control", "no-store");
    c.header("X-Content-Type-Options", "nosniff");
    return undefined;
  });

  app.get("/voyages", async (c) => {
    const all: ListedVoyage[] = [];
    for (const name of voyages.names.toReversed()) {
      const each = await listedOf(name);
      if (each !== undefined) all.push(each);
    }
    return c.json({ voyages: all, open: voyages.openName ?? null, picturesLeft: await voyages.picturesLeft() });
  });

  app.get("/voyages/polar.json", async (c) => c.json(await voyages.polar()));
  app.get("/voyages/polar.csv", async (c) =>
    c.body(polarCsv(await voyages.polar()), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="polar.csv"',
    }),
  );

  app.get("/voyages/track.json", async (c) => {
    const { from, to, resolution } = between.parse(c.req.query());
    const step = Math.max(resolution, (to - from) / MAX_TRACK_POINTS);
    const coordinates: (readonly number[])[][] = [];
    for (const name of voyages.names) {
      const known = await listedOf(name);
      if (known === undefined || known.from > to || known.until < from) continue;
      const { points } = await found(name);
      const part = points.filter(([time]) => time >= from && time <= to);
      for (const line of lineStrings(part, step)) coordinates.push(line);
    }
    return c.json({ type: "MultiLineString", coordinates });
  });

  app.get("/voyages/:file", async (c) => {
    const [name = "", ending = "json"] = c.req.param("file").split(".");
    const format = Object.hasOwn(trackFormats, ending) ? trackFormats[ending] : undefined;
    if (format === undefined) return c.json({ error: `formats are ${Object.keys(trackFormats).join(", ")}` }, 404);
    const voyage = await found(name);
    return c.body(format.write(voyage, titleOf(voyage) || name), 200, {
      "Content-Type": format.type,
      ...(ending !== "json" && { "Content-Disposition": `attachment; filename="${name}.${ending}"` }),
    });
  });

  const json = bodyLimit({ maxSize: MAX_JSON_BYTES });

  app.post("/voyages/:name/entries", json, async (c) => {
    const { kind, text, author } = written.parse(await c.req.json());
    await voyages.write(c.req.param("name"), kind, text, author);
    return c.json({}, 201);
  });

  app.post("/voyages/:name/entries/:entry/edits", json, async (c) => {
    const { text, author, seen } = corrected.parse(await c.req.json());
    await found(c.req.param("name"));
    await voyages.correct(c.req.param("name"), Number(c.req.param("entry")), now(), text, author, seen);
    return c.json({}, 201);
  });

  app.get("/voyages/:name/pictures/:picture", async (c) => {
    const picture = await voyages.picture(c.req.param("name"), Number(c.req.param("picture")));
    if (picture === undefined) return c.json({ error: "not found" }, 404);
    return c.body(picture.bytes, 200, { "Content-Type": pictureTypes[picture.type] });
  });

  app.post("/voyages/:name/entries/:entry/pictures", bodyLimit({ maxSize: MAX_PICTURE_BYTES }), async (c) => {
    const { author } = pictured.parse(c.req.query());
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const type = pictureTypeOf(bytes);
    if (type === undefined) return c.json({ error: "pictures are JPEG, PNG or WebP" }, 415);
    await voyages.addPicture(c.req.param("name"), Number(c.req.param("entry")), { type, bytes }, now(), author);
    return c.json({ picturesLeft: await voyages.picturesLeft() }, 201);
  });

  app.delete("/voyages/:name", async (c) => {
    await voyages.remove(c.req.param("name"));
    return c.json({});
  });

  app.post("/voyages", oneAtATime(), bodyLimit({ maxSize: MAX_GPX_BYTES }), async (c) => {
    const { voyages: read, leftOut } = await voyagesInGpx(new Uint8Array(await c.req.arrayBuffer()), rest);
    const names = await voyages.add(read);
    return c.json({ names, known: read.length - names.length, leftOut }, 201);
  });

  app.notFound((c) => c.json({ error: "not found" }, 404));
  return app.onError((error, c) => refusal(error, c, log));
}

/** Lets a request read its body when those before it have been answered: a file with its points takes 150 MB. */
function oneAtATime(): MiddlewareHandler {
  const exclusive = createExclusive();
  return (_c, next) => exclusive(next);
}

function refusal(error: Error, c: Context, log: Log) {
  if (error instanceof NoSuchVoyage) return c.json({ error: error.message }, 404);
  if (error instanceof HTTPException) return c.json({ error: "the request is too large" }, 413);
  if (error instanceof Corrected) return c.json({ error: error.message }, 409);
  if (error instanceof NoRoom) return c.json({ error: error.message }, 507);
  if (error instanceof GpxError || error instanceof z.ZodError || error instanceof SyntaxError)
    return c.json({ error: error instanceof z.ZodError ? z.prettifyError(error) : error.message }, 400);
  log.warn("a request for voyages has failed", { code: "VOYAGES_NOT_KEPT", reason: error.message });
  return c.json({ error: "the voyages cannot be written or read now" }, 500);
}
