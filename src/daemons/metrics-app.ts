/** The Hono application of `hub-cand --metrics`: `GET /metrics`. */
import { Hono } from "hono";
import { isRebound } from "../core/util/local-hosts.ts";
import { METRICS_TYPE } from "../services/bridge/health/metrics.ts";

interface MetricsOptions {
  /** The metrics as Prometheus reads them. */
  text(): string;
  hostname(): string;
}

export function metricsApp({ text, hostname }: MetricsOptions): Hono<{ Bindings: { port?: number } }> {
  const app = new Hono<{ Bindings: { port?: number } }>();
  app.use(async (c, next) => {
    if (isRebound(c.req.header("host"), c.env?.port, hostname()))
      return c.text("request for another host refused\n", 401);
    return next();
  });
  app.get("/metrics", (c) => c.body(text(), 200, { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" }));
  app.all("/metrics", (c) => c.text("method not allowed\n", 405, { Allow: "GET, HEAD" }));
  return app.notFound((c) => c.text("not found; the metrics are at /metrics\n", 404));
}
