/**
 * Input of hub-link from others: requests and messages of Signal K clients, and messages of any client of the broker.
 */

import type { SharedText } from "../../src/core/ports/text-stream.ts";
import { Link } from "../../src/services/link/link.ts";
import { Nmea0183Outlet } from "../../src/services/link/nmea0183-outlet.ts";
import { API, STREAM } from "../../src/services/link/signalk-app.ts";
import { SignalKOutlet } from "../../src/services/link/signalk-outlet.ts";
import { textOf } from "../formats/signalk/boats.ts";
import { type MemoryClock, memoryClock } from "../support/memory/clock.ts";
import { memoryLog } from "../support/memory/log.ts";
import { check, type Target, text, told } from "./target.ts";

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

function openLink() {
  const clock = memoryClock({ monotonic: 1000 });
  const log = memoryLog();
  const lines: string[] = [];
  const sink = { send: (some: string) => void lines.push(some), close() {} };
  const signalK = new SignalKOutlet({
    self: "urn:mrn:imo:mmsi:299000001",
    prefix: "can/can0",
    version: "1",
    clock,
    log,
    hostname: () => "boat",
  });
  const outlets = [new Nmea0183Outlet([{ sink }], clock), signalK];
  return { clock, log, lines, signalK, link: new Link({ prefix: "can/can0", outlets, clock, log }) };
}

const encoder = new TextEncoder();
const metadata = { rxDate: "2026-11-21T08:00:00.000Z", expireAfterSec: 60 };
const mqtt = (topic: string, data: object): string => `${topic} ${JSON.stringify({ data, metadata })}`;

const boat: readonly string[] = [
  mqtt("can/can0/navigation", {
    position: { hasFix: true, fixType: "gnss", numSatellites: 9, latitude: 53, longitude: 3 },
    speed_course: { cog: 90, sog: 5, headingTrue: 91, headingMagnetic: 89, source: { name: 1, pgn: 129026, age: 0 } },
  }),
  mqtt("can/can0/ais", {
    ownShip: {},
    targets: [{ mmsi: 299001100, class: "A", name: "A", lastSeen: metadata.rxDate, cpa: 1, tcpa: 2 }],
  }),
  mqtt("can/can0/device/20/pgn/127508", { pgn: 127508, instance: 0, voltageV: 12 }),
];

/** Lines of topic and payload. */
const published = (messages: readonly string[]): Uint8Array => text(messages.join("\n"));

/** Every line as NMEA 0183 has them. */
const isLine = (line: string): boolean => /^[$!][\x20-\x7e]{1,76}\*[\dA-F]{2}$/.test(line);

const topics: Target = {
  name: "topics of hub-link",
  seeds: [
    published(boat),
    published(['app/can-can0/info {"online":false}', 'app/can-can0/info {"online":true}']),
    published([
      mqtt("can/can0/device/4/infos", {
        name: 13854948221379412976n.toString(),
        addr: 4,
        productInfo: { modelId: "x" },
      }),
      mqtt("can/can0/devices", { count: 1, peers: [{ addr: 20, name: "255" }] }),
      mqtt("can/can0/alarms", {
        alarms: [{ id: "a", kind: "depth", title: "Shallow", severity: "alarm", state: "active", value: 1, unit: "m" }],
        anchorWatch: { latitude: 53, longitude: 3, radius: 30, distance: 4 },
      }),
    ]),
    published([
      mqtt("can/can0/device/9/pgn/129038", { mmsi: 299001100, messageId: 1, sogMs: 5, latitude: 53, longitude: 3 }),
      mqtt("can/can0/device/9/pgn/129794", { mmsi: 299001100, name: "A", etaDate: 20778, etaTime: 3600, lengthM: 20 }),
      mqtt("can/can0/device/9/pgn/129802", { mmsi: 299001100, text: "hello" }),
    ]),
    published([
      mqtt("can/can0/device/9/pgn/129283", { xte: -3.5, xteMode: 0 }),
      mqtt("can/can0/device/9/pgn/129284", { distanceToWaypoint: 100, bearingToWaypoint: 4, waypointId: 1 }),
      mqtt("can/can0/device/9/pgn/129285", { waypoints: [{ waypointId: 1, name: "A,B" }, null, 3] }),
      mqtt("can/can0/device/9/pgn/127505", { instance: 0, fluidType: "Fuel", levelPercent: 50 }),
    ]),
  ],
  async run(bytes) {
    const { clock, log, lines, signalK, link } = openLink();
    const client = {
      unreadBytes: 0,
      send: (sent: string | SharedText) => void JSON.parse(textOf(sent)),
      end: () => {},
      ...nothing,
    };
    const target = `${STREAM}?subscribe=all&sendMeta=all`;
    signalK.open({ target, port: 3000, address: "127.0.0.1", header: () => undefined }, client);
    for (const line of latin1(bytes).split("\n")) {
      const [topic = "", ...payload] = line.split(" ");
      link.hear(topic, encoder.encode(payload.join(" ")), false);
      clock.advance(50);
    }
    clock.advance(70_000);
    for (const line of lines.join("").split("\r\n").slice(0, -1)) check(isLine(line), () => `a line ${told([line])}`);
    const response = await inTurns(clock, signalK.app.fetch(new Request(`http://127.0.0.1${API}/`), { port: 3000 }));
    check(response.status === 200, "no tree");
    JSON.parse(await response.text());
    check(!log.lines.some(({ level }) => level === "error"), () => told(log.lines));
    // biome-ignore lint/suspicious/noPrototypeBuiltins: no member of any message may have become one of all objects.
    check(!Object.prototype.hasOwnProperty("undefined") && Object.keys(Object.prototype).length === 0, "a prototype");
  },
};

/** Advances the time until a response is complete, whose parts are made in turns. */
async function inTurns<Value>(clock: MemoryClock, response: Value | Promise<Value>): Promise<Value> {
  let isThere = false;
  const settled = Promise.resolve(response).finally(() => {
    isThere = true;
  });
  while (!isThere) {
    clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return settled;
}

const states = new Set([400, 405, 429]);

const nothing = { pause: () => {}, resume: () => {} };

/** A client that says no more than this in its life cannot cause too much work with the boat of these tests. */
const LITTLE_BYTES = 10_000;

const subscribed = (...messages: readonly object[]): Uint8Array =>
  text(messages.map((one) => JSON.stringify(one)).join("\n"));

const stream: Target = {
  name: "clients of the Signal K stream",
  seeds: [
    subscribed({ context: "vessels.*", subscribe: [{ path: "*", period: 1000, policy: "fixed" }] }),
    subscribed(
      {
        context: "vessels.self",
        subscribe: [{ path: "navigation.*", minPeriod: 200, policy: "ideal", format: "delta" }],
      },
      { context: "*", unsubscribe: [{ path: "*" }] },
    ),
    subscribed({ subscribe: [{ path: "electrical.batteries.*.voltage", policy: "instant" }, { path: "" }] }, {}),
    subscribed({ requestId: "1", put: { path: "a", value: 1 } }, { requestId: 2, get: { path: "a" } }, { login: {} }),
    subscribed({ context: { radius: 5, position: {} }, subscribe: [] }, { subscribe: [{ path: "x", period: -1 }] }),
    text('[]\nnull\n{"subscribe":[[]]}\n{"subscribe":{"path":"*"}}'),
  ],
  run(bytes) {
    const { clock, signalK, link, log } = openLink();
    const say = (): void => {
      for (const message of boat) {
        const at = message.indexOf(" ");
        link.hear(message.slice(0, at), encoder.encode(message.slice(at + 1)), false);
      }
    };
    let sent = 0;
    let hasEnded = false;
    const client = {
      unreadBytes: 0,
      ...nothing,
      end: () => {
        hasEnded = true;
      },
      send(sentText: string | SharedText) {
        const message = textOf(sentText);
        sent++;
        const { name, context, updates, state, statusCode } = JSON.parse(message);
        const isDelta = typeof context === "string" && Array.isArray(updates) && updates.length > 0;
        const isAnswer = state === "COMPLETED" && states.has(statusCode);
        check(name === "hub" || isDelta || isAnswer, () => `a message ${message}`);
      },
    };
    say();
    // The first line may be a query.
    const messages = latin1(bytes).split("\n");
    const query = messages[0]!.startsWith("?") ? messages.shift() : "?subscribe=none";
    const request = { target: `${STREAM}${query}`, port: 3000, address: "127.0.0.1", header: () => undefined };
    const listener = signalK.open(request, client);
    check(typeof listener !== "number", "refused");
    for (const message of messages) {
      listener.receive(message);
      check(!hasEnded || bytes.length > LITTLE_BYTES, "a client is closed that has said little");
      say();
      clock.advance(250);
    }
    clock.advance(3000);
    listener.closed();
    const before = sent;
    say();
    clock.advance(3000);
    check(sent === before, "a client that has gone is sent something");
    check(!log.lines.some(({ level }) => level === "error"), () => told(log.lines));
  },
};

const statuses = new Set([200, 403, 404, 405, 426]);

const paths: Target = {
  name: "paths of Signal K",
  seeds: [
    text("GET /signalk"),
    text("GET /signalk/v1/api/vessels/self/navigation/position/value"),
    text("GET /signalk/v1/api/vessels/urn:mrn:imo:mmsi:299001100/name"),
    text("HEAD /signalk/v1/api/sources/can0"),
    text("PUT /signalk/v1/api/vessels/self/a"),
    text("GET /signalk/v1/api/vessels/%2e%2e/__proto__/%E0%A4/constructor"),
    text("GET /signalk/v1/stream"),
    text("OPTIONS /signalk http://evil.example"),
  ],
  async run(bytes) {
    const { clock, signalK, link } = openLink();
    for (const message of boat) {
      const at = message.indexOf(" ");
      link.hear(message.slice(0, at), encoder.encode(message.slice(at + 1)), false);
    }
    const [method = "", path = "", origin] = latin1(bytes).split(" ");
    const url = URL.canParse(path, "http://127.0.0.1:3000") ? new URL(path, "http://127.0.0.1:3000") : undefined;
    const isMethod = /^(?:GET|HEAD|PUT|POST|DELETE|OPTIONS|PATCH)$/.test(method);
    if (url === undefined || !isMethod || url.hostname !== "127.0.0.1") return;
    const headers = origin !== undefined && /^[\x21-\x7e]+$/.test(origin) ? { origin } : undefined;
    const request = new Request(url, { method, ...(headers && { headers }) });
    const response = await inTurns(clock, signalK.app.fetch(request, { port: 3000 }));
    const { status } = response;
    check(statuses.has(status) || (method === "OPTIONS" && status === 204), `a status ${status}`);
    const body = await response.text();
    if (/json/.test(response.headers.get("content-type") ?? "") && body !== "") JSON.parse(body);
    const allowed = response.headers.get("access-control-allow-origin");
    check(allowed === null || !/^https?:\/\/[^/]*\.example$/.test(allowed), "a page of the Internet may read");
  },
};

export const linkTargets: readonly Target[] = [topics, stream, paths];
