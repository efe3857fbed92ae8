/**
 * The configuration service as a function from a call to its answer.
 *
 * Every endpoint refuses in the same order: no such route (404), from another site (401), malformed segment (400), missing or
 * unparseable body (400), no such project (404), password (401), shape of the body (400), no such entry (404), conflict (409).
 */
import * as z from "zod";
import type { Answer, Call } from "../ports/exchange.ts";
import { SystemError } from "../ports/system-error.ts";
import { backup, readProject } from "../project/families/whole.ts";
import { parseBytes } from "../project/json.ts";
import type { Description } from "../project/operation.ts";
import { featuresOf, operations, sections } from "../project/operations.ts";
import { Refusal } from "../project/refusal.ts";
import { compileRoutes, type Match, type Router } from "../project/router.ts";
import { splitPath } from "../project/segments.ts";
import { jsonAnswer } from "./answers.ts";
import { apps } from "./apps.ts";
import { consoleAnswer } from "./console.ts";
import { deploy } from "./deploy.ts";
import { type Context, type Endpoint, endpoint, type Services } from "./endpoint.ts";
import { refusalAnswer } from "./errors.ts";
import type { Identity } from "./identity.ts";
import { understand } from "./open-project.ts";
import { duplicate, projects, rename, restore } from "./projects.ts";
import { remembering, rememberingTexts } from "./remembering.ts";
import { sectionEndpoint, transaction } from "./sections.ts";
import { newTurns } from "./turns.ts";

/** Paths whose endpoints are remembered; whoever asks for others at random makes it begin anew. */
const MOST_PATHS = 64;

export interface Api {
  /** Every endpoint, in the order of the contract. */
  readonly endpoints: readonly Description[];
  /** Compiles the routing table; calls before that wait for it, but for /health. Throws Error for a bad route. */
  start(): void;
  /** Never rejects. */
  answer(call: Call): Promise<Answer>;
  identity(): Identity;
}

export function createApi(services: Services): Api {
  const context: Context = { ...services, turns: newTurns(), understand: remembering(understand) };
  const { clock, log, name, version, hostname } = services;

  let find: Router<Endpoint> | undefined;
  let findOperation: Router<(typeof operations)[number]>;
  let isReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });

  const identity = (): Identity => ({ name, version, hostname: hostname(), features });

  const health = endpoint({
    method: "GET",
    path: "/health",
    summary: "Whether the service is ready",
    success: 200,
    answer: z.object({ status: z.enum(["starting", "ready"]) }),
    refusals: [503],
    handle: async () => jsonAnswer(200, { status: "ready" }),
  });

  const info = endpoint({
    method: "GET",
    path: "/info",
    summary: "Who the service is and what it can do",
    success: 200,
    answer: z.object({ name: z.string(), version: z.string(), hostname: z.string(), features: z.array(z.string()) }),
    handle: async () => jsonAnswer(200, identity()),
  });

  const endpoints: readonly Endpoint[] = [
    health,
    info,
    ...deploy(context),
    ...projects(context),
    sectionEndpoint(context, readProject),
    sectionEndpoint(context, backup),
    restore(context),
    transaction(context, () => findOperation),
    duplicate(context),
    rename(context),
    ...sections.map((operation) => sectionEndpoint(context, operation)),
    ...apps(context),
  ];
  const features = featuresOf(endpoints);

  /** Displays ask for the same few paths again and again. */
  const findRead = rememberingTexts(MOST_PATHS, (path) => find!("GET", splitPath(path)));

  /** Throws or rejects with what `refusalAnswer` makes an answer of. */
  const answerNow = (call: Call, path: string): Promise<Answer> => {
    if (find === undefined) return answerEarly(call, path);
    const match = call.method === "GET" ? findRead(path) : find(call.method, splitPath(path));
    return match === undefined ? answerWithFile(call, path) : answerMatch(match, call);
  };

  const answerEarly = async (call: Call, path: string): Promise<Answer> => {
    if (call.method === "GET" && path === "/health") return jsonAnswer(503, { status: "starting" });
    await ready;
    return answerNow(call, path);
  };

  const answerWithFile = async (call: Call, path: string): Promise<Answer> => {
    const file = call.method === "GET" ? await consoleAnswer(services.console, splitPath(path)) : undefined;
    if (file === undefined) throw new Refusal(404, "no such route");
    return file;
  };

  return {
    endpoints,
    start() {
      findOperation = compileRoutes(operations);
      find = compileRoutes(endpoints);
      isReady();
    },
    async answer(call) {
      const begin = clock.monotonic();
      const { method, target } = call;
      const query = target.indexOf("?");
      const path = query === -1 ? target : target.slice(0, query);
      let answer: Answer;
      try {
        answer = await answerNow(call, path);
      } catch (error) {
        answer = refusalAnswer(error, log);
      }
      log.debug(() => `${method} ${path} ${answer.status} ${Math.round(clock.monotonic() - begin)} ms`);
      return answer;
    },
    identity,
  };
}

function answerMatch({ endpoint, params }: Match<Endpoint>, call: Call): Promise<Answer> {
  if (isCrossSite(call)) throw new Refusal(401, "cross-site request refused");
  const values = params();
  if (endpoint.body === undefined) return endpoint.handle(values, undefined, call.header);
  return readBody(endpoint, call).then((body) => endpoint.handle(values, body, call.header));
}

/**
 * Whether a page of another site may have sent it in order to change something. Browsers say so themselves, but over plain
 * HTTP to this machine alone; to a boat's address they send no more than the page's origin. That is enough: of all that
 * changes something a browser sends a POST without asking first, and that only as a form or a text; and when it asks, nobody
 * here says yes.
 */
function isCrossSite({ method, header }: Call): boolean {
  if (method === "GET") return false;
  if (header("sec-fetch-site") === "cross-site") return true;
  const origin = header("origin");
  const isAskedFor = method !== "POST" || /^application\/json\s*(;|$)/i.test(header("content-type") ?? "");
  if (origin === undefined || isAskedFor) return false;
  const host = header("x-forwarded-host") ?? header("host") ?? "";
  return origin.replace(/^https?:\/\//i, "").toLowerCase() !== host.toLowerCase();
}

async function readBody({ body }: Endpoint, call: Call): Promise<unknown> {
  const bytes = await call.body().catch(refuseBroken);
  if (bytes === undefined) {
    if (body!.optional) return undefined;
    throw new Refusal(400, "missing body");
  }
  if (body!.raw) return { data: bytes, metadata: { contentType: call.header("content-type") } };
  try {
    return parseBytes(bytes);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(400, "body is not valid JSON");
    throw error;
  }
}

/** A body that ends before its announced length has not come, which nobody must take for one that was not sent. */
function refuseBroken(error: unknown): never {
  if (error instanceof SystemError) throw new Refusal(400, "missing body");
  throw error;
}
