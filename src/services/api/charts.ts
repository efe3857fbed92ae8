/**
 * The boat's own charts. They arrive in pieces, so that no request is long, a lost one is sent again, and any server in
 * front passes them on. Not part of a project, and not protected by a password.
 */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { ChartStore } from "../../core/ports/chart-store.ts";
import { Refusal } from "../../core/project/refusal.ts";
import { type ChartProblem, chartProblem } from "../../core/util/chart-header.ts";
import { createExclusive } from "../../core/util/exclusive.ts";
import { endpoint } from "./http/endpoint.ts";
import type { ApiEnv } from "./http/env.ts";
import { orRefuse } from "./http/or-refuse.ts";
import { json } from "./http/responses.ts";
import type { Services } from "./http/services.ts";

const family = "charts";
const MAX_PIECE_BYTES = 4 << 20;
const MAX_CHARTS = 64;

export const charts = new OpenAPIHono<ApiEnv>();

/** Apart from that of projects, which would wait for the last part: with it a whole chart goes to the medium. */
const oneAtATime = createExclusive();

function storeOf({ charts: store }: Services): ChartStore {
  if (store === undefined) throw new Refusal(404, "no folder for charts");
  return store;
}

const reasons: Readonly<Record<ChartProblem, string>> = {
  "no chart": "it is no PMTiles file of version 3",
  "no pictures": "its tiles are no pictures",
  damaged: "it is damaged",
};

/** Throws a refusal unless the first piece is that of a chart for which there is room. */
async function admit(store: ChartStore, name: string, start: Uint8Array, size: number): Promise<void> {
  const problem = chartProblem(start, size);
  if (problem !== undefined) throw new Refusal(400, `not a chart: ${reasons[problem]}`);
  const [known, room] = [await store.list(), await store.room()];
  if (known === undefined || room === undefined) throw new Refusal(404, "no folder for charts");
  if (known.length >= MAX_CHARTS && !known.some((chart) => chart.name === name))
    throw new Refusal(409, `there are ${MAX_CHARTS} charts`);
  if (size > room) throw new Refusal(409, `no room for ${size} bytes: ${room} are left`);
}

endpoint(
  charts,
  {
    family,
    method: "get",
    path: "/charts",
    summary: "The boat's own charts, and the bytes that another one may have",
    response: z.object({
      charts: z.array(z.object({ name: z.string(), bytes: z.int(), at: z.iso.datetime() })),
      room: z.int(),
    }),
    errors: [404, 500],
  },
  async (c) => {
    const store = storeOf(c.get("services"));
    const [known, room] = await orRefuse("cannot read charts", Promise.all([store.list(), store.room()]));
    if (known === undefined || room === undefined) throw new Refusal(404, "no folder for charts");
    return json({
      charts: known.map(({ name, bytes, at }) => ({ name, bytes, at: new Date(at).toISOString() })),
      room,
    });
  },
);

endpoint(
  charts,
  {
    family,
    method: "put",
    path: "/charts/{chart}/{size}/{from}",
    summary:
      "Store the body, at most 4 MiB, as the part of a chart (PMTiles) that begins there; a part from 0 begins anew",
    body: { schema: z.unknown() as z.ZodType<Uint8Array>, raw: "bytes" },
    response: z.object({ name: z.string(), bytes: z.int() }),
    errors: [404, 409, 500],
  },
  async (c) => {
    const { chart: name, size, from } = c.req.valid("param");
    const bytes = c.req.valid("json");
    if (!(bytes instanceof Uint8Array) || bytes.length > MAX_PIECE_BYTES || from + bytes.length > size)
      throw new Refusal(400, "malformed part of a chart");
    const store = storeOf(c.get("services"));
    const end = await oneAtATime(async () => {
      if (from === 0) await orRefuse("cannot save chart", admit(store, name, bytes, size));
      return orRefuse("cannot save chart", store.add(name, { size, from, bytes }));
    });
    // The answer to the piece before may have been lost.
    if (end !== from + bytes.length) throw new Refusal(409, `the chart has ${end} bytes`);
    return json({ name, bytes: end }, 201);
  },
);

endpoint(
  charts,
  {
    family,
    method: "delete",
    path: "/charts/{chart}",
    summary: "Delete a chart, and what has arrived of one",
    response: z.object({}),
    errors: [404, 500],
  },
  async (c) => {
    const { chart } = c.req.valid("param");
    const wasThere = await orRefuse("cannot delete chart", storeOf(c.get("services")).remove(chart));
    if (!wasThere) throw new Refusal(404, "no such chart");
    return json({});
  },
);
