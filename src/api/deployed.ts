/** The deployed configuration, byte for byte, with a validator. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { sha256Hex } from "../project/digest.ts";
import { Refusal } from "../project/refusal.ts";
import { memoize } from "../util/memoize.ts";
import { endpoint } from "./endpoint.ts";
import type { ApiEnv } from "./env.ts";
import { orRefuse } from "./errors.ts";
import { cacheable, json } from "./responses.ts";

/** A store returns the same array as long as the file is unchanged, so its digest is computed once. */
const digestOf = memoize(sha256Hex);

export const deployed = new OpenAPIHono<ApiEnv>();

endpoint(
  deployed,
  {
    family: "deploy",
    method: "get",
    path: "/deploy",
    summary: "The deployed configuration, byte for byte",
    success: 200,
    errors: [304, 404, 500],
  },
  async (c) => {
    const bytes = await orRefuse("cannot read deployed file", c.get("services").projects.deployed());
    if (bytes === undefined) throw new Refusal(404, "nothing deployed");
    const headers = { "Content-Type": "application/json", "Cache-Control": "max-age=0, no-cache" };
    return cacheable(c, bytes, `"${await digestOf(bytes)}"`, headers);
  },
);

endpoint(
  deployed,
  {
    family: "deploy",
    method: "get",
    path: "/deploy/backup",
    summary: "The copies of what was deployed, the newest first; names are local times",
    success: 200,
    response: z.array(z.object({ name: z.string(), bytes: z.int() })),
    errors: [500],
  },
  async (c) => {
    const backups = await orRefuse("cannot read backups", c.get("services").projects.backups());
    return json(
      backups.map(({ name, bytes }) => ({ name, bytes })),
      200,
    );
  },
);

endpoint(
  deployed,
  {
    family: "deploy",
    method: "get",
    path: "/deploy/backup/{backup}",
    summary: "A copy of what was deployed, byte for byte",
    success: 200,
    errors: [304, 404, 500],
  },
  async (c) => {
    const { backup } = c.req.valid("param");
    const bytes = await orRefuse("cannot read backups", c.get("services").projects.backup(backup));
    if (bytes === undefined) throw new Refusal(404, "no such backup");
    return cacheable(c, bytes, `"${await digestOf(bytes)}"`, { "Content-Type": "application/json" });
  },
);
