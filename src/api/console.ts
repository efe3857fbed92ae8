/** The console: static files at `/`, behind every endpoint. */
import type { MiddlewareHandler } from "hono";
import { getMimeType } from "hono/utils/mime";
import type { ApiEnv } from "./http/env.ts";
import { bytes } from "./http/responses.ts";

/** A page of another site could lay its own over the console's buttons. A `meta` element cannot say so. */
const unframed = { "Content-Security-Policy": "frame-ancestors 'self'" };

/** Serves the file at a path, `index.html` for one that ends in a slash; without a file it leaves the request alone. */
export const staticConsole: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const path = c.req.path.slice(1).split("/").map(decoded);
  const names = path.with(-1, path.at(-1) === "" ? "index.html" : path.at(-1));
  const content = names.every(isFileName) ? await c.get("services").console.read(names) : undefined;
  if (content === undefined) return next();
  const type = getMimeType(names.at(-1)!) ?? "application/octet-stream";
  return bytes(content, { "Content-Type": type, "Cache-Control": "max-age=300", ...unframed });
};

/** Hono leaves the escapes of `/` and other delimiters in a path. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Hidden files, and names that are a step in the folder tree, are not served. */
const isFileName = (name: string | undefined): name is string =>
  name !== undefined && name !== "" && !name.startsWith(".") && !/[/\\\0]/.test(name);
