/** The HTTP half of Signal K as a Hono application: discovery, and the tree. It is read-only. */
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { SPECIFICATION } from "../signalk/text.ts";
import { hostOfOrigin, isLocalHost, isRebound, nameOfHost } from "../util/local-hosts.ts";

interface SignalKAppOptions {
  /** Version of hub. */
  readonly version: string;
  hostname(): string;
  /** The APIs of version 2 by their names, each below `/signalk/v2/api`. */
  readonly apis: Readonly<Record<string, Hono<Env>>>;
  /** JSON of the tree at a path, undefined where there is nothing, or the HTTP status of a refusal. */
  tree(path: readonly string[], address: string | undefined): Promise<Tree>;
}

export type Tree = Uint8Array<ArrayBuffer> | 429 | 503 | undefined;

/** The port on which a request came, and the address of its client as in `StreamRequest`. */
export type Env = { Bindings: { port?: number; address?: string | undefined } };

export const API = "/signalk/v1/api";
/** The APIs of version 2, and their list. */
const API_2 = "/signalk/v2/api";
const FEATURES = "/signalk/v2/features";
export const STREAM = "/signalk/v1/stream";

/**
 * Whether a page may read. Pages of the boat may; pages of the Internet may not, because any page opened on board could
 * send the boat's position away. Programs other than browsers have no origin. A page of this machine has its Host as
 * origin.
 */
export function mayRead(origin: string | undefined, host: string | undefined, hostname: string): boolean {
  if (origin === undefined) return true;
  const own = hostOfOrigin(origin);
  if (own === undefined) return false;
  return own === host?.toLowerCase() || isLocalHost(nameOfHost(own), hostname);
}

export function signalKApp({ version, hostname, apis, tree }: SignalKAppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    if (isRebound(c.req.header("host"), c.env?.port, hostname()))
      return c.text("request for another host refused\n", 403);
    return next();
  });
  app.use(
    cors({
      origin: (origin, c) => (mayRead(origin || undefined, c.req.header("host"), hostname()) ? origin : null),
      allowMethods: ["GET", "HEAD"],
      credentials: true,
      maxAge: 600,
    }),
  );
  app.use(async (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return next();
    c.header("Allow", "GET, HEAD");
    return c.json({ state: "COMPLETED", statusCode: 405, message: "hub-link is read-only and knows no users" }, 405);
  });
  app.get("/signalk", (c) => c.json(discovery(c, version)));
  app.get("/signalk/", (c) => c.json(discovery(c, version)));
  app.get(API, (c) => part(c, tree));
  app.get(`${API}/*`, (c) => part(c, tree));
  for (const [name, api] of Object.entries(apis)) app.route(`${API_2}/${name}`, api);
  app.get(FEATURES, (c) => c.json({ apis: Object.keys(apis), plugins: [] }));
  app.get(STREAM, (c) => c.text("the stream is a WebSocket\n", 426, { Upgrade: "websocket", Connection: "Upgrade" }));
  return app.notFound((c) => c.text("not found\n", 404));
}

/** The URLs of the endpoints as the client sees them: a proxy passes on the requested scheme and host. */
function discovery({ req, env }: Context<Env>, version: string) {
  const isSecure = req.header("x-forwarded-proto") === "https";
  // HTTP/1.0 and an empty Host name no host.
  const host = req.header("host") || `localhost:${env?.port}`;
  return {
    endpoints: {
      v1: {
        version: SPECIFICATION,
        "signalk-http": `${isSecure ? "https" : "http"}://${host}${API}/`,
        "signalk-ws": `${isSecure ? "wss" : "ws"}://${host}${STREAM}`,
      },
    },
    server: { id: "hub", version },
  };
}

async function part(c: Context<Env>, tree: SignalKAppOptions["tree"]): Promise<Response> {
  const path = c.req.path.slice(API.length).split("/").filter(Boolean).map(decoded);
  const found = await tree(path, c.env?.address);
  if (typeof found === "number") return c.text("too much work: ask less often\n", found);
  if (found === undefined) return c.text("Not found", 404);
  return c.body(found, 200, { "Content-Type": "application/json", "Cache-Control": "no-store" });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
