/**
 * Transactions: an array of steps, run in order on one draft and saved once, or not at all. A step is a request to the
 * routes of the sections, with the draft in its environment.
 */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { type Context, type ErrorHandler, Hono, type NotFoundHandler } from "hono";
import { Draft } from "../../core/project/document.ts";
import { isObject, type Json, type JsonObject, own } from "../../core/project/json.ts";
import { Refusal } from "../../core/project/refusal.ts";
import { endpoint } from "./http/endpoint.ts";
import { errorResponse, noSuchRoute } from "./http/errors.ts";
import { stepExchange } from "./http/exchange.ts";
import { requestPath } from "./http/request-path.ts";
import { json } from "./http/responses.ts";
import type { Services } from "./http/services.ts";
import type { ProjectEnv, SectionEnv } from "./project-env.ts";
import { exclusive, project } from "./project-middleware.ts";
import { sections } from "./sections/index.ts";
import { wholeProject } from "./sections/whole-project.ts";
import { saveProject } from "./stored-project.ts";

/** The response has three headers a step; the shipped proxy configuration passes this many. */
const MAX_STEPS = 10_000;

/** Steps between two turns of the event loop. */
const STEPS_A_TURN = 100;

/** Cost of a step in the unit of the budget: reading 256 tokens takes as long. */
const TOKENS_A_STEP = 256;

/** A step that is not skipped; `number` is its place in the array, from 1. */
interface Step {
  readonly number: number;
  readonly url: string;
  readonly method: string;
  readonly data: Json | undefined;
}

interface StepResult extends Omit<Step, "data"> {
  readonly code: number;
}

/** The steps with a url and a method; others are skipped. */
const stepsIn = (sent: readonly Json[]): readonly Step[] =>
  sent.flatMap((step, index) => {
    const [url, method] = isObject(step) ? [own(step, "url"), own(step, "method")] : [];
    if (typeof url !== "string" || typeof method !== "string") return [];
    return [{ number: index + 1, url, method, data: own(step as JsonObject, "data") }];
  });

const methods: readonly string[] = ["GET", "PUT", "POST", "DELETE"];

/** The services, draft and body of a step, in place of a project, a body and a client of its own. */
interface StepEnv extends SectionEnv {
  readonly Bindings: SectionEnv["Bindings"] & {
    readonly services: Services;
    readonly draft: Draft;
    readonly body: Json | undefined;
  };
}

const steps = new Hono<StepEnv>({ getPath: requestPath });
steps.use((c, next) => {
  c.set("services", c.env.services);
  c.set("draft", c.env.draft);
  c.set("exchange", stepExchange(c.env.body));
  return next();
});
steps.onError(errorResponse as ErrorHandler).notFound(noSuchRoute as NotFoundHandler);
for (const app of [wholeProject, ...sections]) steps.route("/:id", app);

const step = z.looseObject({ url: z.string().optional(), method: z.string().optional(), data: z.unknown().optional() });

/** The schema is for OpenAPI: any other step is skipped. */
const stepList = z.array(z.union([step, z.unknown()])) as unknown as z.ZodType<readonly Json[]>;

export const transaction = new OpenAPIHono<ProjectEnv>();

endpoint(
  transaction,
  {
    prefix: "/project",
    family: "transaction",
    method: "post",
    path: "/{id}/transaction",
    summary: "Run steps on the project and save once, or not at all",
    body: { schema: stepList },
    response: z.array(z.object({ url: z.string(), method: z.string(), code: z.int() })),
    errors: [404, 500],
    middleware: [exclusive, project({ toChange: true })],
  },
  async (c) => {
    const steps = stepsIn(c.req.valid("json"));
    if (steps.length > MAX_STEPS) throw new Refusal(400, `invalid body: more than ${MAX_STEPS} steps`);
    c.get("work").take(steps.length * TOKENS_A_STEP);
    const draft = new Draft(c.get("project"));
    const results: StepResult[] = [];
    for (const [index, { number, url, method, data }] of steps.entries()) {
      // Other requests are answered meanwhile.
      if (index % STEPS_A_TURN === STEPS_A_TURN - 1) await new Promise((resolve) => setTimeout(resolve));
      const response = await runStep(c.get("services"), draft, url, method, data);
      results.push({ number, url, method: method.toUpperCase(), code: response.status });
      if (response.ok) continue;
      const { error } = (await response.json()) as { error: string };
      return withStepHeaders(json({ error: `step ${number} failed: ${response.status} ${error}` }, 500), results);
    }
    return withStepHeaders(await saved(c, draft, results), results);
  },
);

/** Runs one step. Its path is that of an endpoint below `/project/{id}`, whose id is ignored. */
export async function runStep(
  services: Services,
  draft: Draft,
  url: string,
  method: string,
  body: Json | undefined,
): Promise<Response> {
  const [, below] = /^(?:\/api\/config)?\/project\/[^/?]+(\/[^?]*)?(?:\?.*)?$/s.exec(url) ?? [];
  const isRoute = /^(?:\/api\/config)?\/project\/[^/?]+(?:[/?]|$)/.test(url) && methods.includes(method.toUpperCase());
  return steps.request(
    "/",
    { method: isRoute ? method.toUpperCase() : "POST" },
    { target: isRoute ? `/own${below ?? ""}` : "", services, draft, body },
  );
}

async function saved(c: Context<ProjectEnv>, draft: Draft, results: readonly StepResult[]): Promise<Response> {
  const services = c.get("services");
  try {
    if (draft.project !== c.get("project")) {
      await saveProject(services, c.req.param("id")!, draft.project, c.get("bytes"));
    }
  } catch (error) {
    return errorResponse(error as Error, c as never);
  }
  for (const note of draft.notes) services.log.debug(note);
  return json(results.map(({ url, method, code }) => ({ url, method, code })));
}

function withStepHeaders(response: Response, results: readonly StepResult[]): Response {
  for (const { number, url, method, code } of results) {
    response.headers.set(`X-Step-URL-${number}`, headerText(url));
    response.headers.set(`X-Step-Method-${number}`, headerText(method));
    response.headers.set(`X-Step-Code-${number}`, String(code));
  }
  return response;
}

const encoder = new TextEncoder();

const percentEncoded = (text: string): string =>
  [...encoder.encode(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

/** A text for a header, at most 256 characters; the body has the whole text. */
const headerText = (text: string): string =>
  text
    .slice(0, 256)
    .replace(/[^\x20-\x7e]+/g, percentEncoded)
    .slice(0, 256);
