/**
 * Serves the display on the loopback address: its files at `/display/`, the broker as a WebSocket at `/mqtt`, the
 * configuration API at `/api/config/`, the history at `/api/history/`, voyages at `/api/voyages`, charts at `/charts/`, as nginx does on a boat. `node
 * scripts/serve-display.mjs [BROKER-PORT]` runs it alone.
 */
import { once } from "node:events";
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createWebSocketStream, WebSocketServer } from "ws";
import { isLocalPage, listen } from "./broker.mjs";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

/** The endings of files that were compressed by the build, by their encoding; those that save more come first. */
const encodings = { br: ".br", gzip: ".gz" };

/** The encoding in which a file is there and which a request accepts. */
function encodingOf({ headers }, file) {
  const accepted = (headers["accept-encoding"] ?? "").split(/ *, */);
  return Object.keys(encodings).find((name) => accepted.includes(name) && existsSync(file + encodings[name]));
}

/** The file for a path; undefined unless it is in the folder. */
function fileOf(folder, url) {
  const { pathname } = new URL(url, "http://localhost");
  if (!pathname.startsWith("/display/")) return undefined;
  const name = pathname.slice("/display/".length) || "index.html";
  return readdirSync(folder).includes(name) ? join(folder, name) : undefined;
}

const CHARTS = "/charts/";

/** Sends the list of a folder, which may be absent, or the part of a file that a request is for. */
function sendChart(request, response, folder) {
  const name = decodeURIComponent(request.url.slice(CHARTS.length));
  const names = folder === undefined ? [] : readdirSync(folder).filter((each) => !each.startsWith("."));
  if (name === "") {
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify(names.map((each) => ({ name: each, type: "file" }))));
  }
  if (!names.includes(name)) return response.writeHead(404).end();
  const path = join(folder, name);
  const { size, mtimeMs } = statSync(path);
  const headers = { etag: `"${size}-${mtimeMs}"`, "cache-control": "no-cache" };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  if (first === undefined) {
    response.writeHead(200, headers);
    return createReadStream(path).pipe(response);
  }
  const [start, end] = [Number(first), Math.min(Number(last), size - 1)];
  response.writeHead(206, {
    ...headers,
    "content-range": `bytes ${start}-${end}/${size}`,
    "content-length": end - start + 1,
  });
  createReadStream(path, { start, end }).pipe(response);
}

const API = "/api/config/";
const VOYAGES = "/api/voyages";
const HISTORY = "/api/history/query_range?";

/**
 * Passes a request on to `path` of a service. The host stays, because hub-configd compares it with the origin of the
 * page.
 */
function passOn(request, response, { port, path }) {
  const options = { host: "127.0.0.1", port, path, method: request.method, headers: request.headers };
  const onward = httpRequest(options, (answer) => {
    // VictoriaMetrics permits pages of any site to read.
    delete answer.headers["access-control-allow-origin"];
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  request.pipe(onward);
}

/** The service for a request to an API; undefined for other requests. */
function serviceOf(request, { configPort, historyPort, voyagesPort }) {
  const { url = "", method } = request;
  if (url.startsWith(API)) return { port: configPort, path: url.slice(API.length - 1) };
  if (url.startsWith(VOYAGES)) return { port: voyagesPort, path: url.slice("/api".length) };
  if (method !== "GET" || !url.startsWith(HISTORY)) return undefined;
  return {
    port: historyPort,
    path: `/api/v1/query_range?${url.slice(HISTORY.length)}&end=-0s&nocache=1&latency_offset=1ms`,
  };
}

/** Serves on the first free port of 127.0.0.1 from `port` on; returns its URL. */
export async function serveDisplay(options) {
  const {
    folder,
    brokerPort,
    configPort = 12000,
    historyPort = 8428,
    voyagesPort = 12010,
    port = 8080,
    charts,
  } = options;
  const server = createServer((request, response) => {
    // The name of another site may resolve to this machine (DNS rebinding).
    if (!isLocalPage(`http://${request.headers.host}`)) return response.writeHead(403).end("not from this machine\n");
    const service = serviceOf(request, { configPort, historyPort, voyagesPort });
    if (service !== undefined) return passOn(request, response, service);
    if (request.url?.startsWith(CHARTS)) return sendChart(request, response, charts);
    const file = fileOf(folder, request.url);
    if (file === undefined) {
      const isRoot = request.url === "/" || request.url === "/display";
      return response.writeHead(isRoot ? 302 : 404, isRoot ? { location: "/display/" } : {}).end();
    }
    const encoding = encodingOf(request, file);
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "cache-control": "no-cache",
      vary: "accept-encoding",
      ...(encoding !== undefined && { "content-encoding": encoding }),
    });
    response.end(readFileSync(encoding === undefined ? file : file + encodings[encoding]));
  });
  const webSockets = new WebSocketServer({
    server,
    path: "/mqtt",
    verifyClient: ({ req }) => isLocalPage(req.headers.origin) && isLocalPage(`http://${req.headers.host}`),
  });
  // Emitted for a port in use too, which listen() handles.
  webSockets.on("error", () => {});
  webSockets.on("connection", (socket) => {
    const outer = createWebSocketStream(socket);
    const inner = connect(brokerPort, "127.0.0.1");
    outer.on("error", () => inner.destroy());
    inner.on("error", () => socket.terminate());
    inner.on("close", () => socket.close());
    outer.pipe(inner).pipe(outer);
  });
  const taken = await listen(server, port);
  return {
    url: `http://127.0.0.1:${taken}/display/`,
    async close() {
      for (const socket of webSockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = fileURLToPath(new URL("../dist/display", import.meta.url));
  const { url } = await serveDisplay({ folder, brokerPort: Number(process.argv[2] ?? 1883) });
  console.error(`hub: the display is ${url}`);
}
