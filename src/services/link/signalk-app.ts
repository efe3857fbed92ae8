/**
 * The HTTP half of Signal K as a Hono application: discovery, the tree, which is read-only, and the APIs of version 2,
 * to which a client with a token may write.
 */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { attempt } from "../../core/util/attempt.ts";
import {
  firstOf,
  hostOfOrigin,
  isAddress,
  isAsked,
  isLocalHost,
  isRebound,
  nameOfHost,
} from "../../core/util/local-hosts.ts";
import { COMPATIBLE_SERVER, SPECIFICATION } from "../../formats/signalk/text.ts";
import type { Env } from "./signalk-env.ts";
import type { Access } from "./signalk-v2/access.ts";
import { ACCESS, accessApp } from "./signalk-v2/access-app.ts";
import { waiting } from "./signalk-v2/budget.ts";
import { failed } from "./signalk-v2/replies.ts";

interface SignalKAppOptions {
  readonly version: string;
  hostname(): string;
  readonly apis: readonly Api[];
  /** Access requests and tokens; without them nothing can be written. */
  readonly access: Access | undefined;
  /** Track requests, below the API of version 1. */
  readonly tracks: Hono<Env> | undefined;
  /** Limits what a host may cause. */
  readonly budget: MiddlewareHandler<Env>;
  /** JSON of the tree at a path, undefined where there is nothing, or the HTTP status of a refusal. */
  tree(path: readonly string[], address: string | undefined): Promise<Tree>;
}

/** An API of version 2. */
export interface Api {
  /** As `/signalk/v2/features` names it. */
  readonly name: string;
  /** Below `/signalk/v2/api`. */
  readonly path: string;
  readonly app: Hono<Env>;
}

export type Tree = Uint8Array<ArrayBuffer> | 429 | 503 | undefined;

export const API = "/signalk/v1/api";
/** The APIs of version 2, and their list. */
const API_2 = "/signalk/v2/api";
const FEATURES = "/signalk/v2/features";
const READING: readonly string[] = ["GET", "HEAD"];
const WRITING: readonly string[] = ["POST", "PUT", "DELETE"];
export const STREAM = "/signalk/v1/stream";

/**
 * Whether a page may read. Pages of the boat may; pages of the Internet may not, because any page opened on board could
 * send the boat's position away. Programs other than browsers have no origin. A page of this machine has the host that
 * it asks as origin, or the same address with another port.
 */
export function mayRead(
  origin: string | undefined,
  host: string | undefined,
  hostname: string,
  forwardedHost?: string,
): boolean {
  if (origin === undefined) return true;
  const own = hostOfOrigin(origin);
  if (own === undefined) return false;
  const name = nameOfHost(own);
  const isSameAddress = isAddress(name) && name === nameOfHost(host ?? "").toLowerCase();
  return isSameAddress || isAsked(origin, host, forwardedHost) || isLocalHost(name, hostname);
}

export function signalKApp({ version, hostname, apis, tracks, access, budget, tree }: SignalKAppOptions): Hono<Env> {
  const app = new Hono<Env>();
  const isReader = ({ req }: Context, origin: string | undefined): boolean =>
    mayRead(origin, req.header("host"), hostname(), req.header("x-forwarded-host"));
  app.use(async (c, next) => {
    if (isRebound(c.req.header("host"), c.env?.port, hostname()))
      return c.text("request for another host refused\n", 403);
    return next();
  });
  app.use(
    cors({
      origin: (origin, c) => (isReader(c, origin || undefined) ? origin : null),
      allowMethods: access === undefined ? [...READING] : [...READING, ...WRITING],
      credentials: true,
      maxAge: 600,
    }),
  );
  app.use(async (c, next) => {
    const { method, path } = c.req;
    if (READING.includes(method)) return next();
    const isAccess = path === ACCESS;
    if (access === undefined || !WRITING.includes(method) || !(isAccess || path.startsWith(`${API_2}/`))) {
      c.header("Allow", READING.join(", "));
      return c.json({ state: "COMPLETED", statusCode: 405, message: "hub-link has no values to be written here" }, 405);
    }
    if (!isReader(c, c.req.header("origin"))) return failed(c, 403, "This page may not write.");
    return next();
  });
  // A client with a token that was taken back learns it by reading too.
  for (const path of [API, `${API}/*`, `${API_2}/*`])
    app.use(path, async (c, next) => {
      if (access?.knows(tokenIn(c.req.header("authorization"))) ?? true) return next();
      c.header("WWW-Authenticate", "Bearer");
      return failed(c, 401, "This token is not valid, or was taken back.");
    });
  app.use(`${API_2}/*`, budget);
  app.use(ACCESS, budget);
  // A change takes its place before its body is read, and after its token is.
  const changing = waiting();
  app.use(`${API_2}/*`, async (c, next) => {
    if (READING.includes(c.req.method)) return next();
    if (access?.mayWrite(tokenIn(c.req.header("authorization")))) return changing(c, next);
    c.header("WWW-Authenticate", "Bearer");
    return failed(c, 401, "Writing needs a token; ask for one by an access request.");
  });
  app.get("/signalk", (c) => c.json(discovery(c, version)));
  app.get("/signalk/", (c) => c.json(discovery(c, version)));
  if (tracks !== undefined) app.route(API, tracks);
  app.get(API, (c) => part(c, tree));
  app.get(`${API}/*`, (c) => part(c, tree));
  for (const api of apis) app.route(`${API_2}/${api.path}`, api.app);
  app.get(FEATURES, (c) => c.json({ apis: apis.map(({ name }) => name), plugins: [] }));
  if (access !== undefined) app.route("/", accessApp(access));
  app.get(STREAM, (c) => c.text("the stream is a WebSocket\n", 426, { Upgrade: "websocket", Connection: "Upgrade" }));
  return app.notFound((c) => c.text("not found\n", 404));
}

/** The token in a header Authorization; empty without one, as with the login of a proxy. */
export const tokenIn = (authorization: string | undefined): string =>
  /^(?:Bearer|JWT) +(.{1,1000})$/i.exec(authorization ?? "")?.[1] ?? "";

/** The URLs of the endpoints as the client sees them: a proxy passes on the requested scheme and host. */
function discovery({ req, env }: Context<Env>, version: string) {
  const isSecure = firstOf(req.header("x-forwarded-proto"))?.toLowerCase() === "https";
  // HTTP/1.0 and an empty Host name no host.
  const host = firstOf(req.header("x-forwarded-host")) ?? (req.header("host") || `localhost:${env?.port}`);
  return {
    endpoints: {
      v1: {
        version: SPECIFICATION,
        "signalk-http": `${isSecure ? "https" : "http"}://${host}${API}/`,
        "signalk-ws": `${isSecure ? "wss" : "ws"}://${host}${STREAM}`,
      },
    },
    server: { id: "hub", version: `${COMPATIBLE_SERVER}+hub.${version}` },
  };
}

async function part(c: Context<Env>, tree: SignalKAppOptions["tree"]): Promise<Response> {
  const segments = c.req.path.slice(API.length).split("/").filter(Boolean);
  const path = segments.map((segment) => attempt(() => decodeURIComponent(segment)) ?? segment);
  const found = await tree(path, c.env?.address);
  if (typeof found === "number") return c.text("too much work: ask less often\n", found);
  if (found === undefined) return c.text("Not found", 404);
  return c.body(found, 200, { "Content-Type": "application/json", "Cache-Control": "no-store" });
}
