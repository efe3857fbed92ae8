/** `getPath` of the applications: the path as it was sent. */
import { getPath } from "hono/utils/url";
import type { Bindings } from "./env.ts";

/**
 * The path for the router, percent-decoded as Hono does. A runtime's Request has a parsed URL, in which
 * `/project/../sensor` has become `/sensor`; a server that has the raw target passes it in the bindings.
 */
export function requestPath(request: Request, options?: { readonly env?: Bindings }): string {
  const { target } = options?.env ?? {};
  if (target === undefined) return getPath(request);
  return getPath({ url: /^https?:/i.test(target) ? target : `http://hub${target}` } as Request);
}
