/** The budget of the requests to the APIs of version 2: that of their host, and requests at a time for all hosts. */
import type { MiddlewareHandler } from "hono";
import type { Allowances } from "../../../formats/signalk/allowance.ts";
import type { Env } from "../signalk-app.ts";

/** Requests at a time; each waits for the engine, the broker or the disk. */
const MAX_REQUESTS = 50;

/** Responds at the cost of the host that asks, which gets 429 beyond its budget. */
export function budget(allowances: Allowances, monotonic: () => number): MiddlewareHandler<Env> {
  let requests = 0;
  return async (c, next) => {
    const address = c.env?.address;
    const allowance = allowances.lend(address, monotonic());
    if (allowance === undefined) return c.text("too much work: ask less often\n", 429);
    try {
      if (requests >= MAX_REQUESTS) return c.text("too many requests\n", 503);
      requests += 1;
      c.set("spend", (work) => void allowance.spend(work, monotonic()));
      await next().finally(() => {
        requests -= 1;
      });
      return undefined;
    } finally {
      allowances.takeBack(address);
    }
  };
}
