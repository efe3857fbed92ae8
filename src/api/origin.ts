/** Requests that a page of another site has made: cross-site writes, and DNS rebinding. */
import type { Context, MiddlewareHandler } from "hono";
import { Refusal } from "../project/refusal.ts";
import type { ApiEnv } from "./env.ts";

/**
 * Refuses writes from pages of other sites. Browsers send Sec-Fetch-Site to trustworthy origins only, so over plain HTTP the
 * Origin decides. Of the writing methods they send only POST without a CORS preflight, and only with a form or text content type.
 * Preflights are never answered, so Origin has to be checked for such POSTs alone.
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
  const host = req.header("x-forwarded-host") ?? req.header("host") ?? "";
  return origin.replace(/^https?:\/\//i, "").toLowerCase() !== host.toLowerCase();
}

/** Domains that no public name can be in, and the names of Debian's /etc/hosts. */
const localName = /(?:^|\.)(?:local|lan|home\.arpa|internal|localhost|localhost\.localdomain)\.?$/i;

/**
 * True for DNS rebinding: a page of `evil.example`, whose name was pointed at this machine, would be its own origin here. Its
 * requests have a public name and our own port in Host. Addresses, local names and the machine's own name are ours; through a
 * proxy any name comes, with the proxy's port or none.
 */
export function isRebound(host: string | undefined, port: number | undefined, hostname: string): boolean {
  if (port === undefined || !host?.endsWith(`:${port}`)) return false;
  const name = host.slice(0, -`:${port}`.length).toLowerCase();
  const isAddress = name.includes(":") || /^[\d.]+$/.test(name);
  return name.includes(".") && !isAddress && !localName.test(name) && name !== hostname.toLowerCase();
}

export const refuseRebinding: MiddlewareHandler<ApiEnv> = (c, next) => {
  if (isRebound(c.req.header("host"), c.env?.port, c.get("services").hostname())) {
    throw new Refusal(401, "request for another host refused");
  }
  return next();
};
