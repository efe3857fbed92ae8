/** The history API of Signal K version 2, `/signalk/v2/api/history`: values, paths and contexts. It is read-only. */
import { type Context, Hono } from "hono";
import type { Clock } from "../../../core/ports/clock.ts";
import { HistoryFailure } from "../../../core/ports/history-engine.ts";
import { QueryError, spanOf, valuesQueryOf } from "../../../formats/signalk/history/query.ts";
import { contextsOf, type HistoryOptions, pathsOf, valuesOf } from "../../../formats/signalk/history/values.ts";
import type { Env } from "../signalk-env.ts";
import { waiting } from "./budget.ts";

export interface HistoryAppOptions {
  readonly history: HistoryOptions;
  /** Context of the boat. */
  readonly self: string;
  readonly clock: Pick<Clock, "wall" | "after">;
}

/** Time for an answer, of whatever number of queries. */
const ANSWER_MS = 10_000;

/** Work as in `allowance.ts`: to ask the engine, and to read and write a value. */
const QUERY_WORK = 20_000;
const VALUE_WORK = 16;

const PROVIDER = "hub-history";

export function historyApp({ history, self, clock }: HistoryAppOptions): Hono<Env> {
  /** `answer` returns the response, and the number of its values. */
  const respond = async (
    c: Context<Env>,
    answer: (parameters: URLSearchParams) => Promise<readonly [object, number]>,
  ): Promise<Response> => {
    try {
      c.var.spend(QUERY_WORK);
      const [body, values] = await inTime(clock, answer(new URL(c.req.url).searchParams));
      c.var.spend(values * VALUE_WORK);
      return c.json(body, 200, { "Cache-Control": "no-store" });
    } catch (error) {
      return refusalOf(c, error);
    }
  };
  const list = async (found: Promise<readonly string[]>) => [await found, (await found).length] as const;
  const engine = waiting();
  return new Hono<Env>()
    .get("/values", engine, (c) =>
      respond(c, async (parameters) => {
        const answer = await valuesOf(history, valuesQueryOf(parameters, clock.wall()), self);
        return [answer, answer.data.length * (1 + answer.values.length)];
      }),
    )
    .get("/paths", engine, (c) =>
      respond(c, async (parameters) => list(pathsOf(history, spanOf(parameters, clock.wall())))),
    )
    .get("/contexts", engine, (c) =>
      respond(c, async (parameters) => list(contextsOf(history, spanOf(parameters, clock.wall()), self))),
    )
    .get("/_providers", (c) => c.json({ [PROVIDER]: { isDefault: true } }))
    .get("/_providers/_default", (c) => c.json({ id: PROVIDER }));
}

/** Rejects with a HistoryFailure if an answer takes too long. */
function inTime<Answer>({ after }: Pick<Clock, "after">, answer: Promise<Answer>): Promise<Answer> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = after(ANSWER_MS, () => reject(new HistoryFailure("away", "the answer takes too long")));
  });
  return Promise.race([answer, late]).finally(() => cancel());
}

/** Errors have the form of signalk-server. */
function refusalOf(c: Context<Env>, error: unknown): Response {
  if (error instanceof QueryError) return c.json({ error: error.message }, 400);
  if (!(error instanceof HistoryFailure)) throw error;
  return error.reason === "large"
    ? c.json({ error: "too many values: ask for fewer paths or for a coarser resolution" }, 400)
    : c.json({ error: "the history is away" }, 503);
}
