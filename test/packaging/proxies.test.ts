/** The boat's site behind other proxies: the pages that each way to the boat accepts, and the addresses that clients are told. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SignalKOutlet } from "../../src/services/link/signalk-outlet.ts";
import { memoryClock } from "../support/memory/clock.ts";
import { memoryLog } from "../support/memory/log.ts";
import { environment, withoutNginx, writeBoatSite } from "../support/nginx.ts";
import { connected, freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe.skipIf(withoutNginx !== undefined)("behind a proxy", () => {
  const closing: (() => unknown)[] = [];
  let port = 0;

  beforeAll(async () => {
    port = await freePort();
    const folder = temporaryFolder("proxies");
    for (const own of ["pages/own", "charts/own"]) mkdirSync(`${folder}/${own}`, { recursive: true });
    /** The broker and the configuration service: a way that is open answers with what it was told. */
    const echo = createServer((incoming, response) => {
      response.end(incoming.headers["x-forwarded-host"] ?? "");
    });
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
    closing.push(() => echo.close());
    const { port: echoed } = echo.address() as AddressInfo;
    const outlet = new SignalKOutlet({
      ...{ self: "urn:mrn:imo:mmsi:299000001", prefix: "can/can0", version: "1", log: memoryLog() },
      ...{ clock: memoryClock(), hostname: () => "boat" },
    });
    const link = serve({ fetch: outlet.app.fetch, port: 0, hostname: "127.0.0.1" });
    await new Promise((resolve) => link.once("listening", resolve));
    closing.push(() => link.close());
    const configuration = writeBoatSite(folder, {
      "listen 80 default_server": `listen 127.0.0.1:${port} default_server`,
      "  listen [::]:80 default_server;": "",
      "# boat.example.org $hostname": "boat.example.org $hostname",
      "/var/lib/hub-display": folder,
      "127.0.0.1:9001": `127.0.0.1:${echoed}`,
      "127.0.0.1:12000": `127.0.0.1:${echoed}`,
      "127.0.0.1:3000": `127.0.0.1:${(link.address() as AddressInfo).port}`,
    });
    const nginx = spawn("nginx", ["-c", configuration], { env: environment, stdio: "inherit" });
    closing.push(() => nginx.kill());
    (await connected(port)).destroy();
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  const ask = (path: string, headers: Readonly<Record<string, string>>) =>
    new Promise<{ status: number; body: string; allowed: unknown; location: unknown }>((resolve, reject) => {
      const asking = request({ host: "127.0.0.1", port, path, headers: { Host: "boat.example.org", ...headers } });
      asking.on("error", reject).on("response", async (response) => {
        let body = "";
        for await (const chunk of response) body += chunk;
        const { location, "access-control-allow-origin": allowed } = response.headers;
        resolve({ status: response.statusCode!, body, allowed, location });
      });
      asking.end();
    });

  const page = "https://boat.example.org:8443";
  test.each([
    ["no proxy", "http://boat.example.org", {}, 200],
    ["a proxy that keeps Host with its port", page, { Host: "boat.example.org:8443" }, 200],
    ["a proxy that names the host", page, { "X-Forwarded-Host": "boat.example.org:8443" }, 200],
    ["two proxies", page, { "X-Forwarded-Host": "boat.example.org:8443, inner.local" }, 200],
    ["proxies with spaces in the list", page, { "X-Forwarded-Host": "boat.example.org:8443 , inner.local" }, 200],
    ["a proxy that adds the port of https", "https://boat.example.org", { Host: "boat.example.org:443" }, 200],
    ["one that adds the port of http", "http://boat.example.org", { "X-Forwarded-Host": "boat.example.org:80" }, 200],
    ["the port of the other scheme", "https://boat.example.org", { Host: "boat.example.org:80" }, 403],
    ["a program", undefined, {}, 200],
    ["a proxy that names the last host", page, { "X-Forwarded-Host": "inner.local, boat.example.org:8443" }, 403],
    ["a page of the Internet", "https://evil.example", {}, 403],
    ["one whose name ends in the boat's", "https://evil.boat.example.org", {}, 403],
    ["one whose name begins with the boat's", "https://boat.example.org.evil.example", {}, 403],
    ["a page without an origin", "null", {}, 403],
    ["a page of a public address", "http://203.0.113.5", {}, 403],
  ])("%s opens both streams or none", async (_who, origin, headers, status) => {
    const asked = { ...headers, ...(origin !== undefined && { Origin: origin }) };
    expect((await ask("/mqtt", asked)).status).toBe(status);
    const { allowed } = await ask("/signalk", asked);
    expect(allowed).toBe(status === 200 ? origin : undefined);
  });

  test.each([
    [{}, "http://boat.example.org", "ws://boat.example.org"],
    [{ "X-Forwarded-Proto": "https" }, "https://boat.example.org", "wss://boat.example.org"],
    [{ "X-Forwarded-Proto": "https, http" }, "https://boat.example.org", "wss://boat.example.org"],
    [{ "X-Forwarded-Proto": "https,http" }, "https://boat.example.org", "wss://boat.example.org"],
    [{ "X-Forwarded-Proto": "HTTPS , http" }, "https://boat.example.org", "wss://boat.example.org"],
    [{ "X-Forwarded-Proto": "gopher" }, "http://boat.example.org", "ws://boat.example.org"],
    [
      { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "boat.example.org:8443, inner" },
      "https://boat.example.org:8443",
      "wss://boat.example.org:8443",
    ],
  ])("Signal K names the addresses that the client sees: %j", async (headers, http, ws) => {
    const { endpoints } = JSON.parse((await ask("/signalk", headers as Record<string, string>)).body);
    expect(endpoints.v1["signalk-http"]).toBe(`${http}/signalk/v1/api/`);
    expect(endpoints.v1["signalk-ws"]).toBe(`${ws}/signalk/v1/stream`);
  });

  test.each([
    ["/", "/display/"],
    ["/display", "/display/"],
    ["/api/config", "/api/config/"],
    ["/pages/own", "/pages/own/"],
    ["/charts/own", "/charts/own/"],
  ])("%s leads to %s, whatever scheme and port the proxy has", async (from, to) => {
    expect(await ask(from, { "X-Forwarded-Proto": "https" })).toMatchObject({ location: to });
  });

  test("hub-configd hears the host that the client has asked", async () => {
    const config = async (headers: Readonly<Record<string, string>>) => (await ask("/api/config/health", headers)).body;
    expect(await config({})).toBe("boat.example.org");
    expect(await config({ "X-Forwarded-Host": "boat.example.org:8443, inner" })).toBe("boat.example.org:8443, inner");
  });

  test("a name that is none of the boat's is told what to do", async () => {
    const { status, body } = await ask("/display/", { Host: "boat.fritz.box" });
    expect(status).toBe(421);
    expect(body).toContain("does not know the name boat.fritz.box");
    expect(body).toContain("http://127.0.0.1/ works");
    expect((await ask("/signalk", { Host: "boat.home" })).status).toBe(200);
  });
});
