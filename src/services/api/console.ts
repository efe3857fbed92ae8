/** The console: static files at `/`, after all endpoints. */
import type { MiddlewareHandler } from "hono";
import { getMimeType } from "hono/utils/mime";
import { attempt } from "../../core/util/attempt.ts";
import type { ApiEnv } from "./http/env.ts";
import { bytes } from "./http/responses.ts";

/** A page of another site could cover the console's buttons with its own. A `meta` element cannot forbid frames. */
const unframed = { "Content-Security-Policy": "frame-ancestors 'self'" };

/**
 * Serves the file at a path, `index.html` for a path that ends with a slash; without a file the next handler answers.
 */
export const staticConsole: MiddlewareHandler<ApiEnv> = async (c, next) => {
  // Hono leaves the escapes of `/` and other delimiters in a path.
  const segments = c.req.path.slice(1).split("/");
  const path = segments.map((segment) => attempt(() => decodeURIComponent(segment)));
  const names = path.with(-1, path.at(-1) === "" ? "index.html" : path.at(-1));
  const content = names.every(isFileName) ? await c.get("services").console.read(names) : undefined;
  if (content === undefined) return next();
  const type = getMimeType(names.at(-1)!) ?? "application/octet-stream";
  return bytes(content, { "Content-Type": type, "Cache-Control": "max-age=300", ...unframed });
};

/** Hidden files are not served, and neither are `.` and `..`. */
const isFileName = (name: string | undefined): name is string =>
  name !== undefined && name !== "" && !name.startsWith(".") && !/[/\\\0]/.test(name);
