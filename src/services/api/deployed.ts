/** The deployed configuration, byte for byte, with a validator. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { sha256Hex } from "../../core/project/digest.ts";
import { Refusal } from "../../core/project/refusal.ts";
import { memoize } from "../../core/util/memoize.ts";
import { endpoint } from "./http/endpoint.ts";
import type { ApiEnv } from "./http/env.ts";
import { orRefuse } from "./http/or-refuse.ts";
import { cacheable } from "./http/responses.ts";

/** A store returns the same array as long as the file is unchanged, so its digest is computed once. */
export const digestOf = memoize(sha256Hex);

export const deployed = new OpenAPIHono<ApiEnv>();

endpoint(
  deployed,
  {
    family: "deploy",
    method: "get",
    path: "/deploy",
    summary: "The deployed configuration, byte for byte",
    errors: [304, 404, 500],
  },
  async (c) => {
    const { projects } = c.get("services");
    c.get("work").admit(await orRefuse("cannot read deployed file", projects.size("deployed")));
    const bytes = await orRefuse("cannot read deployed file", projects.deployed());
    if (bytes === undefined) throw new Refusal(404, "nothing deployed");
    const headers = { "Content-Type": "application/json", "Cache-Control": "max-age=0, no-cache" };
    return cacheable(c, bytes, `"${await digestOf(bytes)}"`, headers);
  },
);
