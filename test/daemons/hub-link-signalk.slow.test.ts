/**
 * Signal K of hub-link as its users see it: a broker, a bridge with a simulated boat, and clients that others wrote.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { specification } from "../formats/signalk/specification.ts";
import { startHubCand } from "../support/hub-cand.ts";
import { type Mosquitto, mosquitto, until, withoutMosquitto } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";

type Json = ReturnType<typeof JSON.parse>;

/** The package has no types. */
const { Client } = createRequire(import.meta.url)("@signalk/client") as Json;

const skip = withoutMosquitto !== undefined;
const children: ChildProcess[] = [];
const sockets: WebSocket[] = [];
let broker: Mosquitto;
let port: number;
let simulated: ChildProcess;
let log = "";

beforeAll(async () => {
  if (skip) return;
  broker = await mosquitto();
  port = await freePort();
  const url = `mqtt://127.0.0.1:${broker.port}`;
  const link = spawn(process.execPath, [resolve("dist/hub-link.mjs"), "--broker", url, "--signalk", `${port}`]);
  link.stderr.on("data", (chunk: Buffer) => {
    log += chunk;
  });
  children.push(link);
  await until(() => log.includes("connected to the broker"));
  simulated = startHubCand(["--simulate", "--broker", url]);
  children.push(simulated);
  for (const path of [
    "vessels/self/navigation/position",
    "vessels/self/navigation/speedOverGround",
    "vessels/self/electrical/batteries/1/voltage",
    "sources/can0/c046aa002cc003f0/n2k/productName",
  ])
    while ((await read(path)) === undefined) await setTimeout(20);
});

afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  for (const child of children) if (child.exitCode === null) child.kill("SIGKILL");
  await broker?.stop();
});

const request = (path: string, options: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, options);

/** A part of the tree; undefined where there is none. */
const read = async (path: string): Promise<Json> => {
  const response = await request(`/signalk/v1/api/${path}`);
  return response.status === 200 ? response.json() : undefined;
};

/** The answer to the lines of a request as they are. */
async function answerTo(head: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${head}\r\n\r\n`);
  return text(socket);
}

/** Connects to the stream and keeps what comes. */
async function stream(query = "", headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/signalk/v1/stream${query}`, { headers });
  sockets.push(socket);
  const messages: Json[] = [];
  socket.on("message", (data) => messages.push(JSON.parse(String(data))));
  await once(socket, "open");
  return { socket, messages };
}

/** The HTTP status with which the stream is refused. */
const refusal = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  sockets.push(socket);
  socket.on("error", () => {});
  const [, response] = await once(socket, "unexpected-response");
  return response.statusCode;
};

const pathsOf = (messages: readonly Json[]): Set<string> =>
  new Set(
    messages.flatMap(({ updates = [] }) =>
      updates.flatMap(({ values = [] }: Json) => values.map(({ path }: Json) => path)),
    ),
  );

describe.skipIf(skip)("with a simulated boat", () => {
  test("it is discovered, with addresses as the client sees them", async () => {
    const discovered: Json = await (await request("/signalk")).json();
    expect(specification.faultOf(discovered, "discovery.json")).toBeUndefined();
    expect(discovered.endpoints.v1).toEqual({
      version: "1.7.0",
      "signalk-http": `http://127.0.0.1:${port}/signalk/v1/api/`,
      "signalk-ws": `ws://127.0.0.1:${port}/signalk/v1/stream`,
    });
    // Apps read it as a version of signalk-server.
    expect(discovered.server).toEqual({ id: "hub", version: expect.stringMatching(/^2\.32\.0\+hub\.\d+\.\d+\.\d+$/) });
    const proxied = await request("/signalk", { headers: { "X-Forwarded-Proto": "https" } });
    const secure: Json = await proxied.json();
    expect(secure.endpoints.v1["signalk-ws"]).toMatch(/^wss:/);
    for (const head of ["GET /signalk HTTP/1.0", "GET /signalk HTTP/1.1\r\nHost:\r\nConnection: close"])
      expect(await answerTo(head), head).toContain(`"http://localhost:${port}/signalk/v1/api/"`);
  });

  test("the tree and its parts are there; what is not there is 404", async () => {
    const tree = await read("");
    expect(tree.self).toMatch(
      /^vessels\.urn:mrn:signalk:uuid:[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
    const own = await read("vessels/self");
    expect(own.uuid).toBe(tree.self.slice("vessels.".length));
    expect(own.navigation.position.value.latitude).toBeCloseTo(53.3, 0);
    const { $source } = own.electrical.batteries["1"].voltage;
    expect($source).toBe("can0.c046aa002cc003f0");
    expect(tree.sources.can0.c046aa002cc003f0.n2k.productName).toBe("Battery Monitor");
    expect(await read("vessels/self/navigation/speedOverGround/meta/units")).toBe("m/s");
    expect(await read("vessels/self/navigation/speedOverGround/")).toBeDefined();
    for (const path of ["vessels/other", "vessels/self/none", "none", "__proto__", "vessels/%ff"])
      expect((await request(`/signalk/v1/api/${path}`)).status, path).toBe(404);
    expect((await request("/")).status).toBe(404);
  });

  test("pages of the boat may read, those of the Internet not", async () => {
    const allowed = [
      "http://boat.local",
      "http://192.168.1.9:8080",
      "http://localhost:5000",
      `http://127.0.0.1:${port}`,
    ];
    for (const origin of allowed) {
      const response = await request("/signalk", { headers: { Origin: origin } });
      expect(response.headers.get("access-control-allow-origin"), origin).toBe(origin);
      const { socket } = await stream("?subscribe=none", { Origin: origin });
      socket.close();
    }
    for (const origin of ["https://evil.example", "null", "http://10.evil.example"]) {
      const response = await request("/signalk", { headers: { Origin: origin } });
      expect(response.headers.get("access-control-allow-origin"), origin).toBeNull();
      expect(await refusal("/signalk/v1/stream", { Origin: origin }), origin).toBe(403);
    }
    // DNS rebinding: the page of evil.example, whose name has become our address.
    const rebound = { Origin: `http://evil.example:${port}`, Host: `evil.example:${port}` };
    expect(await refusal("/signalk/v1/stream", rebound)).toBe(403);
    expect(await refusal("/signalk/v1/other")).toBe(404);
  });

  test("@signalk/client reads the tree and the stream", async () => {
    const client = new Client({
      hostname: "127.0.0.1",
      port,
      useTLS: false,
      useAuthentication: false,
      reconnect: false,
      deltaStreamBehaviour: "none",
      notifications: false,
    });
    const deltas: Json[] = [];
    client.on("delta", (delta: Json) => deltas.push(delta));
    await client.connect();
    const api = await client.API();
    expect(await api.vessel("self").then(({ uuid }: Json) => uuid)).toMatch(/^urn:mrn:signalk:uuid:/);
    expect((await api.get("/vessels/self/navigation/position")).value.latitude).toBeCloseTo(53.3, 0);
    client.subscribe([{ context: "vessels.self", subscribe: [{ path: "navigation.position", policy: "instant" }] }]);
    await until(() => pathsOf(deltas).has("navigation.position"));
    client.disconnect();
  });
});
