/** Replies of the APIs of version 2, as signalk-server words them. */
import type { Context } from "hono";
import type { Env } from "../signalk-env.ts";

export const completed = (c: Context<Env>): Response =>
  c.json({ state: "COMPLETED", statusCode: 200, message: "OK" }, 200);

export const failed = (c: Context<Env>, statusCode: 400 | 401 | 403 | 404 | 503, message: string): Response =>
  c.json({ state: "FAILED", statusCode, message }, statusCode);
