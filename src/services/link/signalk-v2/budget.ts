/**
 * The budgets of the APIs of version 2: work of a host, and places for what waits for the disk or for the engine. Places
 * are shared by address, and those who wait for the engine take none of those who wait for the disk.
 */
import type { MiddlewareHandler } from "hono";
import { Places } from "../../../core/util/places.ts";
import type { Allowances } from "../../../formats/signalk/allowance.ts";
import type { Env } from "../signalk-env.ts";

/** Requests at a time that wait. */
const MAX_WAITING = 50;

/** The address of a program of this machine, which has none. */
export const THIS_MACHINE = "127.0.0.1";

/** Responds at the cost of the host that asks, which gets 429 beyond its budget. */
export function budget(allowances: Allowances, monotonic: () => number): MiddlewareHandler<Env> {
  return async (c, next) => {
    const address = c.env?.address;
    const allowance = allowances.lend(address, monotonic());
    if (allowance === undefined) return c.text("too much work: ask less often\n", 429);
    c.set("spend", (work) => void allowance.spend(work, monotonic()));
    return next().finally(() => allowances.takeBack(address));
  };
}

/** Gives each request a place until it is answered; 503 to a request whose host has its share. */
export function waiting(): MiddlewareHandler<Env> {
  const places = new Places(MAX_WAITING, { hasProxies: false });
  return async (c, next) => {
    const address = c.env?.address ?? THIS_MACHINE;
    if (places.lacking(address) !== undefined) return c.text("too many requests\n", 503);
    return next().finally(places.take(address));
  };
}
