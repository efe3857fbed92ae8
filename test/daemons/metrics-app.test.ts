import { expect, test } from "vitest";
import { metricsApp } from "../../src/daemons/metrics-app.ts";
import { METRICS_TYPE } from "../../src/services/bridge/health/metrics.ts";

const app = metricsApp({ text: () => "text", hostname: () => "boat.example" });

test("metricsApp answers GET /metrics and nothing else", async () => {
  const got = await app.request("/metrics");
  expect([got.status, got.headers.get("Content-Type"), await got.text()]).toEqual([200, METRICS_TYPE, "text"]);
  expect((await app.request("/metrics?collect[]=x")).status).toBe(200);
  expect((await app.request("/")).status).toBe(404);
  expect((await app.request("/metrics/x")).status).toBe(404);
  const posted = await app.request("/metrics", { method: "POST" });
  expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

test("metricsApp refuses a page that was rebound to it", async () => {
  const ask = (host: string) => app.request("/metrics", { headers: { Host: host } }, { port: 9100 });
  expect((await ask("evil.example:9100")).status).toBe(401);
  for (const host of ["127.0.0.1:9100", "boat.example:9100", "boat.local:9100", "evil.example"]) {
    expect((await ask(host)).status, host).toBe(200);
  }
});
