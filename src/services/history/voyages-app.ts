/** The Hono application of `hub-history --voyages`: voyages are listed, read, written for other programs and corrected. */
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as z from "zod";
import type { Log } from "../../core/ports/log.ts";
import { voyageName } from "../../core/ports/voyage-store.ts";
import { isRebound } from "../../core/util/local-hosts.ts";
import { kinds } from "../../core/voyages/kinds/index.ts";
import { figuresOf, type ListedVoyage, type Voyage, voyageOf } from "../../core/voyages/voyage.ts";
import { trackFormats } from "../../formats/tracks/formats.ts";
import { GpxError, voyagesInGpx } from "../../formats/tracks/gpx-reader.ts";
import { linesIn, NoSuchVoyage, type Voyages } from "./voyages.ts";

interface AppOptions {
  readonly voyages: Voyages;
  readonly log: Log;
  now(): number;
  hostname(): string;
}

/** A season of tracks of a chart plotter. */
const MAX_GPX_BYTES = 32 << 20;
const MAX_JSON_BYTES = 16 << 10;

const written = z.strictObject({
  kind: z.enum(kinds.filter(({ isByHand }) => isByHand).map(({ name }) => name) as [string, ...string[]]),
  text: z.string().min(1).max(2000),
  author: z.string().max(100).optional(),
});
const corrected = written.omit({ kind: true });

export function voyagesApp({ voyages, log, now, hostname }: AppOptions): Hono<{ Bindings: { port?: number } }> {
  const app = new Hono<{ Bindings: { port?: number } }>();
  /** Listed voyages by name, with the size for which they are right. */
  const listed = new Map<string, { readonly size: number; readonly voyage: ListedVoyage | undefined }>();

  async function listedOf(name: string): Promise<ListedVoyage | undefined> {
    const size = await voyages.size(name).catch(() => -1);
    const known = listed.get(name);
    if (known?.size === size) return known.voyage;
    const { lines, damaged } = linesIn((await voyages.read(name)) ?? "");
    const voyage = voyageOf(lines);
    const made = voyage && {
      name,
      title: voyage.entries[0]?.text ?? "",
      from: voyage.from,
      until: voyage.until,
      hasEnded: voyage.hasEnded,
      figures: figuresOf(voyage),
      damaged,
    };
    listed.set(name, { size, voyage: made });
    return made;
  }

  async function found(name: string): Promise<Voyage> {
    const text = voyageName.test(name) ? await voyages.read(name) : undefined;
    const voyage = text === undefined ? undefined : voyageOf(linesIn(text).lines);
    if (voyage === undefined) throw new NoSuchVoyage("There is no such voyage.");
    return voyage;
  }

  app.use(async (c, next) => {
    if (isRebound(c.req.header("host"), c.env?.port, hostname())) return c.json({ error: "another host" }, 401);
    // A page of another site cannot send these types without a preflight, which is not answered.
    const isSafe = /^application\/(?:json|gpx\+xml)\s*(?:;|$)/i.test(c.req.header("content-type") ?? "");
    if (c.req.method === "POST" && (!isSafe || c.req.header("sec-fetch-site") === "cross-site"))
      return c.json({ error: "the type has to be application/json or application/gpx+xml" }, 415);
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
    return c.json({ voyages: all, open: voyages.openName ?? null });
  });

  app.get("/voyages/:file", async (c) => {
    const [name = "", ending = "json"] = c.req.param("file").split(".");
    const format = Object.hasOwn(trackFormats, ending) ? trackFormats[ending] : undefined;
    if (format === undefined) return c.json({ error: `formats are ${Object.keys(trackFormats).join(", ")}` }, 404);
    const voyage = await found(name);
    return c.body(format.write(voyage, voyage.entries[0]?.text ?? name), 200, {
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
    const { text, author } = corrected.parse(await c.req.json());
    await found(c.req.param("name"));
    await voyages.correct(c.req.param("name"), Number(c.req.param("entry")), now(), text, author);
    return c.json({}, 201);
  });

  app.post("/voyages", bodyLimit({ maxSize: MAX_GPX_BYTES }), async (c) => {
    const { voyages: read, leftOut } = voyagesInGpx(await c.req.text());
    const names: string[] = [];
    for (const lines of read) names.push(await voyages.add(lines));
    return c.json({ names, leftOut }, 201);
  });

  app.notFound((c) => c.json({ error: "not found" }, 404));
  return app.onError((error, c) => refusal(error, c, log));
}

function refusal(error: Error, c: Context, log: Log) {
  if (error instanceof NoSuchVoyage) return c.json({ error: error.message }, 404);
  if (error instanceof GpxError || error instanceof z.ZodError || error instanceof SyntaxError)
    return c.json({ error: error instanceof z.ZodError ? z.prettifyError(error) : error.message }, 400);
  log.warn("a request for voyages has failed", { code: "VOYAGES_NOT_KEPT", reason: error.message });
  return c.json({ error: "the voyages cannot be written or read now" }, 500);
}
