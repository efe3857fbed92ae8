/** Log lines of the outlets of hub-link: lines that clients can cause are limited in number. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { hubLinkCommand } from "../../src/daemons/hub-link-options.ts";
import { openOutlets } from "../../src/daemons/hub-link-parts.ts";
import { Closers } from "../../src/daemons/program/closers.ts";
import { subscriptionsOf } from "../adapters/node/mqtt/scripted-broker.ts";
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

test("--history names the engine that is asked; a response that is none of VictoriaMetrics counts as its absence", async () => {
  let body = "";
  const asked: string[] = [];
  const engine = createServer(({ url = "" }, answer) => {
    asked.push(url);
    answer.end(body);
  });
  engine.listen(0, "127.0.0.1");
  await once(engine, "listening");
  const port = await freePort();
  const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const command = hubLinkCommand(["--signalk", `127.0.0.1:${port}`, "--history", url, "--mmsi", "299000001"]);
  if (command.kind !== "run") throw new Error("not to be run");
  const opened = new Closers();
  onTestFinished(async () => {
    await opened.close();
    engine.closeAllConnections();
    engine.close();
  });
  await openOutlets(command.settings, { log: memoryLog(), limitedLog: memoryLog(), opened });
  const contexts = async (): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/signalk/v2/api/history/contexts?duration=60`);
    return response.json();
  };
  body = '{"status":"success","data":[{"__name__":"navigation_position_latitude","bus":"can/can0"}]}';
  expect(await contexts()).toEqual(["vessels.urn:mrn:imo:mmsi:299000001"]);
  expect(asked[0]).toContain("/api/v1/series?match%5B%5D=%7Bbus%3D%22can%2Fcan0%22%7D&start=");
  for (body of [
    "",
    "[]",
    '{"status":"error"}',
    '{"status":"success","data":{}}',
    '{"status":"success","data":[{"a":1}]}',
  ])
    expect(await contexts()).toEqual({ error: "the history is away" });
  body = " ".repeat((4 << 20) + 1);
  expect(await contexts()).toMatchObject({ error: expect.stringContaining("too many values") });
});
