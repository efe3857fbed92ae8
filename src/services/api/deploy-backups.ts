/** Copies of deployed configurations. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { Refusal } from "../../core/project/refusal.ts";
import { digestOf } from "./deployed.ts";
import { endpoint } from "./http/endpoint.ts";
import type { ApiEnv } from "./http/env.ts";
import { orRefuse } from "./http/or-refuse.ts";
import { cacheable, json } from "./http/responses.ts";

const family = "deploy-backup";

export const deployBackups = new OpenAPIHono<ApiEnv>();

endpoint(
  deployBackups,
  {
    family,
    method: "get",
    path: "/deploy/backup",
    summary: "The copies of what was deployed, daily and of each deployment, the newest first; names are local times",
    response: z.array(z.object({ name: z.string(), bytes: z.int(), at: z.iso.datetime() })),
    errors: [500],
  },
  async (c) => {
    const backups = await orRefuse("cannot read backups", c.get("services").projects.backups());
    return json(backups.map(({ name, bytes, at }) => ({ name, bytes, at })));
  },
);

endpoint(
  deployBackups,
  {
    family,
    method: "get",
    path: "/deploy/backup/{backup}",
    summary: "A copy of what was deployed, byte for byte",
    errors: [304, 404, 500],
  },
  async (c) => {
    const { backup } = c.req.valid("param");
    const { projects } = c.get("services");
    c.get("work").admit(await orRefuse("cannot read backups", projects.size({ backup })));
    const bytes = await orRefuse("cannot read backups", projects.backup(backup));
    if (bytes === undefined) throw new Refusal(404, "no such backup");
    return cacheable(c, bytes, `"${await digestOf(bytes)}"`, { "Content-Type": "application/json" });
  },
);
