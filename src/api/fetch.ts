/** The service for runtimes that speak Web: a `fetch` handler over the same function. */

import type { Call } from "../ports/exchange.ts";
import type { Api } from "./app.ts";

/** The handler; what the runtime's URL parser has resolved (`..`, `\`) comes resolved. */
export const toFetch =
  (api: Api) =>
  async (request: Request): Promise<Response> => {
    const { status, headers, body } = await api.answer(callOf(request));
    const content = request.method === "HEAD" ? null : (body ?? null);
    return new Response(content as string | Uint8Array<ArrayBuffer> | null, { status, headers });
  };

const callOf = (request: Request): Call => ({
  method: request.method,
  target: request.url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/#.*$/s, "") || "/",
  header: (name) => request.headers.get(name) ?? undefined,
  async body() {
    const length = request.headers.get("content-length") ?? "";
    if (!/^\d+$/.test(length) || Number(length) === 0) return undefined;
    return new Uint8Array(await request.arrayBuffer());
  },
});
