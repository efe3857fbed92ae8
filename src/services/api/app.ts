/**
 * The configuration service as one Hono application.
 *
 * Every endpoint checks a request in the same order: no such route (404), from another site (401), malformed path
 * (400), missing or unparseable body (400), no such project (404), password (401), shape of the body (400), no such
 * entry (404), conflict (409).
 */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { fetchReport } from "../../core/report/config-fetch.ts";
import { createExclusive, type Exclusive } from "../../core/util/exclusive.ts";
import { TooMuchWork } from "../../core/util/work.ts";
import { apps } from "./apps.ts";
import { charts } from "./charts.ts";
import { staticConsole } from "./console.ts";
import { deployBackups } from "./deploy-backups.ts";
import { deployed } from "./deployed.ts";
import { readFetchReport } from "./fetch-report.ts";
import { endpoint } from "./http/endpoint.ts";
import type { ApiEnv } from "./http/env.ts";
import { errorResponse, noSuchRoute } from "./http/errors.ts";
import { familiesOf } from "./http/families.ts";
import { httpExchange } from "./http/http-exchange.ts";
import { orElsewhere } from "./http/or-elsewhere.ts";
import { refuseRebinding } from "./http/origin.ts";
import { requestPath } from "./http/request-path.ts";
import { json } from "./http/responses.ts";
import type { Services } from "./http/services.ts";
import type { Identity } from "./identity.ts";
import { deploy, duplicate, projects, rename, restore } from "./projects.ts";
import { sections } from "./sections/index.ts";
import { wholeProject } from "./sections/whole-project.ts";
import { transaction } from "./transaction.ts";
import { update } from "./update.ts";

const service = new OpenAPIHono<ApiEnv>();

endpoint(
  service,
  {
    family: "service",
    method: "get",
    path: "/health",
    summary: "Whether the service is ready; where the fleet's configuration is fetched, what came of it last",
    response: z.object({ status: z.enum(["starting", "ready"]), fetch: fetchReport.optional() }),
    errors: [503],
  },
  async (c) => {
    const fetch = await readFetchReport(c.get("services"));
    return json({ status: "ready", ...(fetch !== undefined && { fetch }) });
  },
);

endpoint(
  service,
  {
    family: "service",
    method: "get",
    path: "/info",
    summary: "The identity of the service and its features",
    response: z.object({
      name: z.string(),
      version: z.string(),
      hostname: z.string(),
      features: z.array(z.string()),
    }),
  },
  (c) => json(identityOf(c.get("services"))),
);

/** All endpoints, in the order of the contract. */
export const endpoints = new OpenAPIHono<ApiEnv>()
  .route("/", service)
  .route("/", deployed)
  .route("/project", projects)
  .route("/project/:id", wholeProject)
  .route("/project", restore)
  .route("/project", deploy)
  .route("/project", transaction)
  .route("/project", duplicate)
  .route("/project", rename);
for (const app of sections) endpoints.route("/project/:id", app);
endpoints.route("/", apps).route("/", deployBackups).route("/", charts).route("/", update);

/** Families that are not resources of the REST API. */
const internal: readonly string[] = ["service", "project"];

/** One entry per family of endpoints, in the order of the contract. */
const features: readonly string[] = familiesOf(endpoints).filter((family) => !internal.includes(family));

/** The answer to GET /info, and part of the MQTT payload. */
export const identityOf = ({ name, version, hostname }: Services): Identity => ({
  name,
  version,
  hostname: hostname(),
  features,
});

/** One debug line per request, without query, headers and bodies. */
const logRequest: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { clock, log } = c.get("services");
  const begin = clock.monotonic();
  await next();
  // The process that serves the request logs it.
  if (c.error instanceof TooMuchWork) return;
  log.debug(() => `${c.req.method} ${c.req.path} ${c.res.status} ${Math.round(clock.monotonic() - begin)} ms`);
};

/** Hono answers HEAD as GET and leaves the body aside, with its open file. */
const cancelBodyOfHead: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  if (c.req.method === "HEAD") await c.res.body?.cancel();
};

/**
 * Makes the application. Applications that change the same projects share `exclusive`.
 *
 * @example
 * const app = configApi(services);
 * const response = await app.request("/project/hull-42/sensor/bilge", { method: "PUT", body: "{}" });
 */
export function configApi(services: Services, exclusive: Exclusive = createExclusive()): OpenAPIHono<ApiEnv> {
  const app = new OpenAPIHono<ApiEnv>({ getPath: requestPath });
  app.use(async (c, next) => {
    c.set("services", services);
    c.set("exclusive", exclusive);
    c.set("exchange", httpExchange(c));
    await next();
  });
  app.use(cancelBodyOfHead, orElsewhere, logRequest, refuseRebinding);
  app.route("/", endpoints);
  app.get("*", staticConsole);
  return app.onError(errorResponse).notFound(noSuchRoute);
}

/**
 * Compiles the routing table, which the first request would do otherwise. Throws Hono's error for an impossible route.
 */
export const compileRoutes = (app: OpenAPIHono<ApiEnv>): void => void app.router.match("GET", "/health");
