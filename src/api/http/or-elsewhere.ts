/** Middleware by which a request that makes too much work is served elsewhere. */
import type { MiddlewareHandler } from "hono";
import { TooMuchWork } from "../../util/work.ts";
import type { ApiEnv } from "./env.ts";
import { RequestWork } from "./request-work.ts";

/** Sets the limit of a request, and has it served elsewhere once it is exceeded; by then it holds no lock any more. */
export const orElsewhere: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const work = new RequestWork(c.env?.elsewhere);
  c.set("work", work);
  await next();
  if (!(c.error instanceof TooMuchWork)) return;
  // Hono would add the headers of the response before.
  c.res = undefined;
  c.res = await work.pass();
};
