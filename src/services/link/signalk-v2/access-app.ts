/** Access requests of Signal K: a client asks for a token, and for the answer to its request. */
import { Hono } from "hono";
import * as z from "zod";
import { clientName, permissions } from "../../../core/report/link-access.ts";
import type { Env } from "../signalk-env.ts";
import type { Access } from "./access.ts";
import { limitOf } from "./bodies.ts";
import { failed } from "./replies.ts";

/** Where a client asks, and below which it asks for the answer. */
export const ACCESS = "/signalk/v1/access/requests";
const REQUESTS = "/signalk/v1/requests";

const MAX_BODY_BYTES = 4096;

/** Names are shown to the crew and in logs: a control character would have no place there. */
const name = clientName.regex(/^\P{C}*$/u).refine((text) => text.trim() !== "");

const accessRequest = z.object({ clientId: name, description: name, permissions: permissions.default("readwrite") });

export function accessApp(access: Access): Hono<Env> {
  return new Hono<Env>()
    .post(ACCESS, limitOf(MAX_BODY_BYTES), async (c) => {
      const { data: asked } = accessRequest.safeParse(await c.req.json().catch(() => undefined));
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
