/** Requests of pages of other sites through nginx with the snippets of the package. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { hostname } from "node:os";
import { afterAll, expect, test } from "vitest";
import { rangeUrl } from "../../src/web/display/trend/range-query.ts";
import { type RangeName, ranges } from "../../src/web/display/trend/ranges.ts";
import { killed } from "../support/ends-with-test.ts";
import { type Namespace, openNamespace, withoutNamespace } from "../support/namespace.ts";
import { environment, withoutNginx, writeBoatSite } from "../support/nginx.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const options = { skip: (withoutNamespace ?? withoutNginx) !== undefined };

/**
 * Takes the place of the service, hub-link, the engine and the broker: answers with the request as JSON, or accepts a
 * WebSocket.
 */
const behind = `
const http = require("node:http");
const say = (request, response) => response.end(JSON.stringify({ ...request.headers, target: request.url }));
const upgrade = (request, socket) =>
  socket.end("HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n");
http.createServer(say).listen(12000, "127.0.0.1");
http.createServer(say).on("upgrade", upgrade).listen(3000, "127.0.0.1");
const engine = http.createServer((request, response) => {
  // VictoriaMetrics sends this header.
  response.setHeader("Access-Control-Allow-Origin", "*");
  if (request.url.includes("slow")) setTimeout(() => response.destroy(), 100);
  else say(request, response);
});
engine.listen(8428, "127.0.0.1");
http.createServer().on("upgrade", upgrade).listen(9001, "127.0.0.1", () => console.log("ready"));
`;

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function openSite(replaced: Readonly<Record<string, string>> = {}): Promise<Namespace> {
  const folder = temporaryFolder("nginx");
  const inside = await openNamespace(80);
  writeFileSync(inside.file("/etc/passwd"), "root:x:0:0::/:/bin/sh\n");
  writeFileSync(inside.file("/etc/group"), "root:x:0:\n");
  const others = inside.spawn(process.execPath, ["-e", behind]);
  await new Promise((resolve) => others.stdout!.once("data", resolve));
  const nginx = inside.spawn("nginx", ["-c", writeBoatSite(folder, replaced)], environment);
  closing.push(
    // Ended by its own signal, so that its workers end too.
    () => killed(nginx, "SIGTERM"),
    () => others.kill(),
    () => inside.close(),
  );
  while ((await send(inside, "/api/config/info", { Host: "boat" }))[0] !== 200)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return inside;
}
let shared: Promise<Namespace> | undefined;
/** The site of the package as it is, the same for all tests. */
const site = (): Promise<Namespace> => {
  shared ??= openSite();
  return shared;
};

/** Status and body; 0 where the connection was closed without an answer. */
function send(inside: Namespace, path: string, headers: Record<string, string>): Promise<readonly [number, string]> {
  return new Promise((resolve) => {
    const outgoing = request({ socketPath: inside.socket(80), path, headers }, (incoming) => {
      let body = "";
      incoming.on("data", (chunk) => {
        body += chunk;
      });
      incoming.on("end", () => resolve([incoming.statusCode!, body]));
    });
    outgoing.on("upgrade", ({ statusCode }, socket) => {
      socket.destroy();
      resolve([statusCode!, ""]);
    });
    outgoing.on("error", () => resolve([0, ""]));
    outgoing.end();
  });
}

test("pages of other sites get no WebSocket", options, async () => {
  const inside = await site();
  const upgrade = { Connection: "Upgrade", Upgrade: "websocket" };
  const own = [
    ...[
      { Host: "boat" },
      { Host: "boat", Origin: "http://boat" },
      { Host: "boat.local", Origin: "https://boat.local" },
    ],
    { Host: "boat:8080", Origin: "http://boat:8080" },
  ];
  for (const headers of own) expect(await send(inside, "/mqtt", { ...headers, ...upgrade })).toEqual([101, ""]);
  for (const Origin of [
    "http://evil.example",
    "null",
    "http://evilboat",
    "http://boat.evil.example",
    "http://boat:81",
    ...["boat", "ftp://boat", "chrome-extension://boat", "http://evil@boat", "http://boat boat"],
  ]) {
    expect((await send(inside, "/mqtt", { Host: "boat", Origin, ...upgrade }))[0], Origin).toBe(403);
  }
  // The kiosk's parameter survives both redirects.
  for (const path of ["/?kiosk", "/display?kiosk"]) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request({ socketPath: inside.socket(80), path, headers: { Host: "boat" } }, resolve);
      asked.on("error", reject).end();
    });
    expect(response.resume().headers.location, path).toBe("/display/?kiosk");
  }
});

/** The pages and paths of the boat's site. */
const everywhere = ["/", "/api/config/project", "/api/deploy.json", "/signalk", "/mqtt", "/display/", "/pages/", "/x"];
/** Names of the boat, and those of others that were pointed at it: the page would be the boat's own to its browser. */
const ownNames = [
  ...["boat", "BOAT", "127.0.0.1", "[::1]", "localhost", "localhost.localdomain", "boat.localhost", "boat.local."],
  ...["boat.local", "Boat.LAN", "boat.home.arpa", "boat.internal", "boat:8080", "192.168.4.1:80", hostname()],
];
const otherNames = [
  ...["evil.example", "evil.example:80", "EVIL.example", "evil.example.", "127.0.0.1.evil.example", "evil.127.0.0.1.x"],
  ...["local.evil.example", "evilboat.locale", "boat.example.org", "xlocalhost.localdomain", "a.localdomain"],
];

test("names that were pointed at the boat get 421 wherever they ask", options, async () => {
  const inside = await site();
  const upgrade = { Connection: "Upgrade", Upgrade: "websocket" };
  for (const Host of otherNames) {
    for (const path of everywhere) expect((await send(inside, path, { Host }))[0], `${Host} ${path}`).toBe(421);
    const page = { Host, Origin: `http://${Host}`, ...upgrade };
    expect((await send(inside, "/mqtt", page))[0], Host).toBe(421);
    expect((await send(inside, "/signalk/v1/stream", page))[0], Host).toBe(421);
  }
  for (const Host of ownNames) {
    expect((await send(inside, "/api/config/project", { Host }))[0], Host).toBe(200);
    const page = { Host, Origin: `http://${Host}`, ...upgrade };
    expect((await send(inside, "/mqtt", page))[0], Host).toBe(101);
  }
});

test("a client of HTTP 1.0, which sends no Host, is answered", options, async () => {
  const inside = await site();
  const socket = connect(inside.socket(80));
  socket.write("GET /api/config/info HTTP/1.0\r\n\r\n");
  const [chunk] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  expect(chunk.toString().split("\r\n")[0]).toBe("HTTP/1.1 200 OK");
});

test("a public name of the boat's own is written into the example", options, async () => {
  const inside = await openSite({ "# boat.example.org": "boat.example.org" });
  expect((await send(inside, "/api/config/project", { Host: "boat.example.org" }))[0]).toBe(200);
  expect((await send(inside, "/api/config/project", { Host: "boat.example.com" }))[0]).toBe(421);
});

test("Signal K is reached with its stream, and learns the host and scheme of the client", options, async () => {
  const inside = await site();
  for (const target of ["/signalk", "/signalk/v1/api/vessels/self?a=b"]) {
    const [status, heard] = await send(inside, target, { Host: "boat:8080", Origin: "http://boat:8080" });
    expect(status).toBe(200);
    expect(JSON.parse(heard)).toMatchObject({
      target,
      host: "boat:8080",
      origin: "http://boat:8080",
      "x-forwarded-proto": "http",
    });
  }
  const stream = { Host: "boat", Connection: "Upgrade", Upgrade: "websocket" };
  expect(await send(inside, "/signalk/v1/stream?subscribe=none", stream)).toEqual([101, ""]);
  expect((await send(inside, "/signalkers", { Host: "boat" }))[0]).toBe(404);
});

const spans = Object.keys(ranges) as readonly RangeName[];

test("of the history nginx lets the queries of the display pass, and nothing else", options, async () => {
  const inside = await site();
  const ask = (path: string, method = "GET"): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ socketPath: inside.socket(80), path, method, headers: { Host: "boat" } }, resolve);
      outgoing.on("error", reject).end();
    });
  const tags = { instance: "0", fluidType: "Black water (æ) 100%&start=1", source: "a}b" };
  const own = [
    ...spans.map((range) => rangeUrl("can/can0", { metric: "navigation_depth_water_depth" }, range)),
    ...spans.map((range) => rangeUrl("can/can0", { metric: "fluid_level_levelPercent", tags }, range)),
    ...spans.map((range) => rangeUrl("can/can0", { metric: "navigation_wind_true_direction", isAngle: true }, range)),
    rangeUrl("can/can0", { metric: "navigation_position_latitude", isAngle: true }, "day", "1m"),
  ];
  for (const url of own) {
    const answer = await ask(url);
    expect(answer.statusCode, url).toBe(200);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    expect(answer.headers["cache-control"]).toBe("no-store");
    const heard = JSON.parse((await answer.toArray()).join(""));
    expect(heard.target).toBe(
      `${url.replace("/api/history/", "/api/v1/")}&end=-0s&nocache=1&latency_offset=1ms&timeout=8s`,
    );
  }
  const [good] = own as [string];
  const quote = encodeURIComponent('"');
  const refused = [
    "/api/history/query_range",
    `${good}&step=1ms`,
    `${good}&timeout=1h`,
    good.replace("step=10s", "step=1s"),
    good.replace("start=-10m", "start=-1y"),
    good.replace("last_over_time", "count_values_over_time"),
    good.replace("query=", "query=sum("),
    good.replace("%5B1m%5D", "%5B1y%3A1ms%5D"),
    good.replace("can0", `can0${quote}%7D%5B1m%5D)%2Brollup(x%7Ba%3D${quote}`),
    good.replace("can0", "can0%5C"),
    good.replace("bus%3D", "bus%3D~"),
    good.replace(/%7B.*%7D/, "%7B%7D"),
  ];
  for (const url of refused) expect((await ask(url)).resume().statusCode, url).toBe(400);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
    expect((await ask(good, method)).resume().statusCode, method).toBe(403);
  for (const path of ["/api/history/", "/api/history/export", "/api/history/query", "/api/history/query_range/x"])
    expect((await ask(`${path}${good.slice(good.indexOf("?"))}`)).resume().statusCode, path).toBe(404);
  // An engine that breaks off is a bad gateway, not a page.
  expect((await ask(good.replace("depth_water", "slow"))).resume().statusCode).toBe(502);
});
