/** Bodies of requests that write, and the responses to those that are refused. */
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as z from "zod";
import { isNestedTooDeeply } from "../../../core/util/json-nesting.ts";
import type { Env } from "../signalk-env.ts";
import { NotStored, Refused } from "./refused.ts";
import { failed } from "./replies.ts";
import { faultIn } from "./shapes.ts";

/** Maximum bytes of a body: a track of some ten thousand points. */
const MAX_JSON_BYTES = 1 << 20;

/** Work as in `allowance.ts`, to read bytes. */
const BYTES_A_WORK = 16;

export const limitOf = (maxSize: number): MiddlewareHandler<Env> =>
  bodyLimit({ maxSize, onError: (c) => failed(c as Context<Env>, 400, "The request is too long.") });

/** Refuses a body that is too long or nested too deeply, before it is parsed. */
export const jsonBody: readonly [MiddlewareHandler<Env>, MiddlewareHandler<Env>] = [
  limitOf(MAX_JSON_BYTES),
  async (c, next) => {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    c.var.spend(bytes.length / BYTES_A_WORK);
    return isNestedTooDeeply(bytes) ? failed(c, 400, "The request is nested too deeply.") : next();
  },
];

/** Runs a change; its refusal, a body that is not what it should be, and a full disk become responses. */
export async function refusing(c: Context<Env>, change: () => Promise<Response>): Promise<Response> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof Refused) return failed(c, error.status, error.message);
    if (error instanceof z.ZodError) return failed(c, 400, faultIn(error));
    if (error instanceof SyntaxError) return failed(c, 400, "The request is not JSON.");
    if (error instanceof NotStored) return failed(c, 503, "The change cannot be stored.");
    throw error;
  }
}
