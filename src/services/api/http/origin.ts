/** Requests by pages of other sites: cross-site writes, and DNS rebinding. */
import type { Context, MiddlewareHandler } from "hono";
import { Refusal } from "../../../core/project/refusal.ts";
import { isAsked, isRebound } from "../../../core/util/local-hosts.ts";
import type { ApiEnv } from "./env.ts";

/**
 * Refuses writes from pages of other sites. Browsers send Sec-Fetch-Site to trustworthy origins only, so over plain
 * HTTP the Origin decides. Of the writing methods they send only POST without a CORS preflight, and only with a form or
 * text content type. Preflights are never answered, so Origin has to be checked for such POSTs alone.
 */
export const refuseCrossSite: MiddlewareHandler = (c, next) => {
  if (isCrossSite(c)) throw new Refusal(401, "cross-site request refused");
  return next();
};

function isCrossSite({ req }: Context): boolean {
  if (req.method === "GET" || req.method === "HEAD") return false;
  if (req.header("sec-fetch-site") === "cross-site") return true;
  const origin = req.header("origin");
  const isPreflighted = req.method !== "POST" || /^application\/json\s*(;|$)/i.test(req.header("content-type") ?? "");
  if (origin === undefined || isPreflighted) return false;
  return !isAsked(origin, req.header("host"), req.header("x-forwarded-host"));
}

export const refuseRebinding: MiddlewareHandler<ApiEnv> = (c, next) => {
  if (isRebound(c.req.header("host"), c.env?.port, c.get("services").hostname())) {
    throw new Refusal(401, "request for another host refused");
  }
  return next();
};
