/** Access requests of Signal K: a client asks for a token, and for the answer to its request. */
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MAX_NAME_LENGTH, type Permissions } from "../../../core/report/link-access.ts";
import type { Env } from "../signalk-env.ts";
import type { Access } from "./access.ts";
import { failed } from "./replies.ts";

/** Where a client asks, and below which it asks for the answer. */
export const ACCESS = "/signalk/v1/access/requests";
const REQUESTS = "/signalk/v1/requests";

const MAX_BODY_BYTES = 4096;

/** `clientId` and `description` of a request; undefined for another body. */
async function askedIn(
  c: Context<Env>,
): Promise<{ clientId: string; description: string; permissions: Permissions } | undefined> {
  try {
    const { clientId, description, permissions = "readwrite" } = await c.req.json<Readonly<Record<string, unknown>>>();
    if (!isName(clientId) || !isName(description)) return undefined;
    return isPermission(permissions) ? { clientId, description, permissions } : undefined;
  } catch {
    return undefined;
  }
}

/** Names are shown to the crew and in logs: a control character would have no place there. */
const isName = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= MAX_NAME_LENGTH && !/\p{C}/u.test(value);

const isPermission = (value: unknown): value is Permissions =>
  value === "readonly" || value === "readwrite" || value === "admin";

export function accessApp(access: Access): Hono<Env> {
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: (c) => failed(c as Context<Env>, 400, "The request is too long."),
  });
  return new Hono<Env>()
    .post(ACCESS, limit, async (c) => {
      const asked = await askedIn(c);
      if (asked === undefined) return failed(c, 400, "A request has a clientId and a description.");
      const made = access.request({ ...asked, address: c.env?.address ?? "this computer" });
      if ("refusal" in made) return failed(c, 400, made.refusal);
      return c.json({ state: "PENDING", statusCode: 202, requestId: made.id, href: `${REQUESTS}/${made.id}` }, 202);
    })
    .get(`${REQUESTS}/:id`, (c) => {
      const requestId = c.req.param("id");
      const found = access.stateOf(requestId);
      if (found === undefined) return failed(c, 404, "Resource not found.");
      const { state, ...accessRequest } = found;
      const href = `${REQUESTS}/${requestId}`;
      const reply = { state, requestId, href, statusCode: state === "PENDING" ? 202 : 200 };
      return c.json({ ...reply, ...(state === "COMPLETED" && { accessRequest }) }, 200, {
        "Cache-Control": "no-store",
      });
    });
}
