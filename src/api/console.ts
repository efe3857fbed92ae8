/** The console: static files at `/`, behind every endpoint. */

import type { Answer } from "../ports/exchange.ts";
import type { StaticFiles } from "../ports/static-files.ts";
import { bytesAnswer } from "./answers.ts";

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  json: "application/json",
  map: "application/json",
  txt: "text/plain; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  ico: "image/vnd.microsoft.icon",
  woff: "font/woff",
  woff2: "font/woff2",
  wasm: "application/wasm",
};

/** The file at a path, `index.html` for one that ends in a slash; undefined if there is none. */
export async function consoleAnswer(
  files: StaticFiles,
  path: readonly (string | undefined)[],
): Promise<Answer | undefined> {
  const names = path.with(-1, path.at(-1) === "" ? "index.html" : path.at(-1));
  if (!names.every(isFileName)) return undefined;
  const bytes = await files.read(names);
  if (bytes === undefined) return undefined;
  const extension = /\.([a-z0-9]+)$/i.exec(names.at(-1)!)?.[1]?.toLowerCase() ?? "";
  const type = Object.hasOwn(types, extension) ? types[extension] : undefined;
  return bytesAnswer(bytes, { "Content-Type": type ?? "application/octet-stream", "Cache-Control": "max-age=300" });
}

/** A decoded segment may hold anything; what is hidden, or would be a step in the folder tree, is nobody's file. */
const isFileName = (name: string | undefined): name is string =>
  name !== undefined && name !== "" && !name.startsWith(".") && !/[/\\\0]/.test(name);
