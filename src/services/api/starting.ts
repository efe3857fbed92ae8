/** The response to `GET /health` while the application is being loaded; all other requests wait. */

export interface StartingResponse {
  readonly status: 503;
  readonly json: { readonly status: "starting" };
}

/** Undefined for a request that waits. The target is the raw one: a path, or a URL. */
export function startingResponse(method: string, target: string): StartingResponse | undefined {
  const isHealth = /^(?:https?:\/\/[^/?]*)?\/health(?:\?|$)/i.test(target) && (method === "GET" || method === "HEAD");
  return isHealth ? { status: 503, json: { status: "starting" } } : undefined;
}
