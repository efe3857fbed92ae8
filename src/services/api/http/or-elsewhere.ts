/** Middleware that has requests with too much work served elsewhere. */
import type { MiddlewareHandler } from "hono";
import { TooMuchWork } from "../../../core/util/work.ts";
import type { ApiEnv } from "./env.ts";
import { RequestWork } from "./request-work.ts";

/**
 * Sets the limit of a request, and has it served elsewhere when it exceeds the limit; it no longer holds a lock then.
 */
export const orElsewhere: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const work = new RequestWork(c.env?.elsewhere);
  c.set("work", work);
  await next();
  if (!(c.error instanceof TooMuchWork)) return;
  // Otherwise Hono would add the headers of the earlier response.
  c.res = undefined;
  c.res = await work.pass();
};
