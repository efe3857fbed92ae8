/** Log lines of the outlets of hub-link: lines that clients can cause are limited in number. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { hubLinkCommand } from "../../src/daemons/hub-link-options.ts";
import { openOutlets } from "../../src/daemons/hub-link-parts.ts";
import { Closers } from "../../src/daemons/program/closers.ts";
import { subscriptionsOf } from "../adapters/node/mqtt/scripted-broker.ts";
import { memoryLog } from "../support/memory/log.ts";
import { until } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";
import { published, startBeside } from "./started.ts";

/** The outlets of hub-link with these options, and both logs. */
async function open(...args: readonly string[]) {
  const command = hubLinkCommand(args);
  if (command.kind !== "run") throw new Error("not to be run");
  const [log, limitedLog, opened] = [memoryLog(), memoryLog(), new Closers()];
  onTestFinished(() => opened.close());
  return { outlets: await openOutlets(command.settings, { log, limitedLog, opened }), log, limitedLog };
}

test("clients that are too many, datagrams that cannot be sent and messages that are none go to the limited log", async () => {
  const [nmea0183, signalK] = [await freePort(), await freePort()];
  const { outlets, log, limitedLog } = await open(
    ...["--nmea0183", `127.0.0.1:${nmea0183}`, "--nmea0183-udp", "no.such.host.invalid:10110"],
    ...["--signalk", `127.0.0.1:${signalK}`],
  );
  const told = (code: string, port?: number): boolean =>
    limitedLog.lines.some(({ fields }) => fields.code === code && (port === undefined || fields.port === port));

  const sockets: Socket[] = Array.from({ length: 201 }, () => connect(nmea0183, "127.0.0.1").on("error", () => {}));
  const streams = Array.from({ length: 101 }, () => {
    const stream = new WebSocket(`ws://127.0.0.1:${signalK}/signalk/v1/stream?subscribe=none`);
    return stream.on("error", () => {});
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    for (const stream of streams) stream.terminate();
  });
  await until(() => told("CLIENTS_REFUSED", nmea0183) && told("CLIENTS_REFUSED", signalK));

  const metadata = { rxDate: "2026-11-24T00:00:00.000Z", expireAfterSec: 60 };
  const heard = { receivedMs: 0, isRetained: false };
  for (const outlet of outlets) {
    const data = { instance: 0, positionDeg: 5 };
    outlet.hear({ ...heard, topic: "pgn", addr: 4, pgn: 127245, message: { data, metadata } });
    // A NAME that is none.
    const devices = { count: 1, peers: [{ addr: 4, name: "x" }] };
    outlet.hear({ ...heard, topic: "devices", message: { data: devices, metadata } } as never);
  }
  await until(() => told("DATAGRAM_FAILED") && told("MESSAGES_SKIPPED"));
  expect(log.lines.filter(({ fields }) => fields.code !== undefined)).toEqual([]);
  await once(sockets[0]!.destroy(), "close");
});

test("a program that connects to NMEA 0183 gets hub's own mark first, though there is no data", async () => {
  const port = await freePort();
  await open("--nmea0183", `127.0.0.1:${port}`);
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const [bytes] = (await once(socket, "data")) as [Buffer];
  expect(bytes.toString()).toMatch(/^\$PHUBL,1\*[0-9A-F]{2}\r\n$/);
});

test("of a thousand messages that are none one line tells", async () => {
  const { sessions, log } = await startBeside("hub-link", "--nmea0183", `127.0.0.1:${await freePort()}`);
  await until(() => sessions[0] !== undefined && subscriptionsOf(sessions[0]).length > 0);
  // The subscription of the identity is the first.
  await until(() => sessions[0]!.packets.length > 5);
  for (let count = 0; count < 1000; count++) sessions[0]!.send(published("can/can0/navigation", "{"));
  await until(() => log().includes("MESSAGES_SKIPPED"));
  sessions[0]!.end();
  await until(() => log().includes("BROKER_AWAY"));
  expect(log().match(/MESSAGES_SKIPPED/g)).toHaveLength(1);
});

/** A Web server that answers with a body, which the test may change, and what it is asked. */
async function serving(body: string) {
  const server = { url: "", body, asked: [] as string[] };
  const listening = createServer(({ url = "" }, answer) => {
    server.asked.push(url);
    answer.end(server.body);
  }).listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  server.url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  return server;
}

test("--voyages names the hub-history whose track apps of Signal K get; without a track they get 404", async () => {
  const track = '{"type":"MultiLineString","coordinates":[[[10,54],[10,54.1]]]}';
  const history = await serving(track);
  const port = await freePort();
  await open("--signalk", `127.0.0.1:${port}`, "--voyages", history.url);
  const asApp = `http://127.0.0.1:${port}/signalk/v1/api/self/track?timespan=1h`;
  expect(await (await fetch(asApp)).text()).toBe(track);
  expect(history.asked[0]).toMatch(/^\/voyages\/track\.json\?from=\d+&to=\d+&resolution=0$/);
  const nowhere = await freePort();
  const other = await freePort();
  await open("--signalk", `127.0.0.1:${other}`, "--voyages", `http://127.0.0.1:${nowhere}`);
  expect((await fetch(asApp.replace(`${port}`, `${other}`))).status).toBe(404);
});

test("--history names the engine that is asked; a response that is none of VictoriaMetrics counts as its absence", async () => {
  const engine = await serving(
    '{"status":"success","data":[{"__name__":"navigation_position_latitude","bus":"can/can0"}]}',
  );
  const port = await freePort();
  await open("--signalk", `127.0.0.1:${port}`, "--history", engine.url, "--mmsi", "299000001");
  const contexts = async (): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/signalk/v2/api/history/contexts?duration=60`);
    return response.json();
  };
  expect(await contexts()).toEqual(["vessels.urn:mrn:imo:mmsi:299000001"]);
  expect(engine.asked[0]).toContain("/api/v1/series?match%5B%5D=%7Bbus%3D%22can%2Fcan0%22%7D&start=");
  for (engine.body of [
    "",
    "[]",
    '{"status":"error"}',
    '{"status":"success","data":{}}',
    '{"status":"success","data":[{"a":1}]}',
  ])
    expect(await contexts()).toEqual({ error: "the history is away" });
  engine.body = " ".repeat((4 << 20) + 1);
  expect(await contexts()).toMatchObject({ error: expect.stringContaining("too many values") });
});
