/** The service for runtimes that speak Web: a `fetch` handler over the same function. */
import { Hono } from "hono";
import type { Call } from "../ports/exchange.ts";
import type { Api } from "./app.ts";

/**
 * The handler as a Hono application: `webApp(api).fetch` serves it, `.request(…)` tests it, and another application may
 * mount it. What the runtime's URL parser has resolved (`..`, `\\`) comes resolved.
 */
export const webApp = (api: Api): Hono =>
  new Hono().all("*", async ({ req: { raw: request } }) => {
    const { status, headers, body } = await api.answer(callOf(request));
    // Hono asks for HEAD as for GET; the request still says what it is, and has no body in its answer.
    const content = request.method === "HEAD" ? null : (body ?? null);
    return new Response(content as string | Uint8Array<ArrayBuffer> | null, { status, headers });
  });

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
