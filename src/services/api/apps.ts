/**
 * Applications: bytes by id that are not part of a project, not deployed, not backed up and not protected by a
 * password.
 */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { Refusal } from "../../core/project/refusal.ts";
import { endpoint } from "./http/endpoint.ts";
import type { ApiEnv } from "./http/env.ts";
import { orRefuse } from "./http/or-refuse.ts";
import { bytes, json } from "./http/responses.ts";

const family = "apps";
const one = "/apps/{application}";

export const apps = new OpenAPIHono<ApiEnv>();

endpoint(
  apps,
  {
    family,
    method: "get",
    path: "/apps",
    summary: "List the files of applications",
    response: z.array(z.string()),
    errors: [500],
  },
  async (c) => json(await orRefuse("cannot read application", c.get("services").blobs.list())),
);

endpoint(
  apps,
  { family, method: "get", path: one, summary: "Read the file of an application", errors: [404, 500] },
  async (c) => {
    const { application } = c.req.valid("param");
    const content = await orRefuse("cannot read application", c.get("services").blobs.read(application));
    if (content === undefined) throw new Refusal(404, "no such application");
    return bytes(content, { "Content-Type": "application/octet-stream" });
  },
);

endpoint(
  apps,
  {
    family,
    method: "put",
    path: one,
    summary: "Store the body as the file of an application",
    body: { schema: z.unknown() as z.ZodType<AsyncIterable<Uint8Array>>, raw: "stream" },
    response: z.object({ id: z.string(), size: z.int() }),
    errors: [500],
  },
  async (c) => {
    const { application: id } = c.req.valid("param");
    const { blobs } = c.get("services");
    return json({ id, size: await orRefuse("cannot save application", blobs.write(id, c.req.valid("json"))) }, 201);
  },
);

endpoint(
  apps,
  {
    family,
    method: "delete",
    path: one,
    summary: "Delete the file of an application",
    response: z.object({}),
    errors: [404, 500],
  },
  async (c) => {
    const { application } = c.req.valid("param");
    const wasThere = await orRefuse("cannot delete application", c.get("services").blobs.remove(application));
    if (!wasThere) throw new Refusal(404, "no such application");
    return json({});
  },
);
