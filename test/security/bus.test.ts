/** What a hostile device says on the bus, and what a hostile client of the broker sends; floods are in `test/bridge`. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { memoryClock } from "../../src/adapters/memory/clock.ts";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { memoryPublisher } from "../../src/adapters/memory/publisher.ts";
import { consoleLog } from "../../src/adapters/node/console-log.ts";
import { mqttPublisher } from "../../src/adapters/node/mqtt-publisher.ts";
import { Bridge } from "../../src/bridge/bridge.ts";
import { deviceNameBytes } from "../../src/n2k/device-name.ts";
import { encoderOf } from "../../src/n2k/encode.ts";
import { aisClassAStaticAndVoyageData } from "../../src/n2k/pgns/ais.ts";
import { productInformation } from "../../src/n2k/pgns/system.ts";
import { createBursts, type TestPacket } from "../bridge/bursts.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26);
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Texts that would be something else in a page, a terminal, a log, a shell or a JSON text. */
const evil = [
  "<script>alert(1)</script>",
  "<img src=x onerror=x>",
  '","x":"',
  "a\nerror fake line",
  "\u001b[2J\u001b]0;x\u0007",
  "\r\n\r\n",
  "$(reboot);`x`",
  "../../etc/passwd",
  "a/+/#",
  "__proto__",
  "\u202egnp.exe",
];

function hear(packets: readonly TestPacket[]): {
  bridge: Bridge;
  publisher: ReturnType<typeof memoryPublisher>;
  log: string;
} {
  const publisher = memoryPublisher();
  let log = "";
  const write = (line: string): void => {
    log += line;
  };
  const bridge = new Bridge({
    prefix: "can/can0",
    publisher,
    log: consoleLog({ level: "debug", journal: false, write }),
    interface: "replay",
    unknown: true,
  });
  const burst = createBursts(start);
  for (const packet of packets) bridge.take(burst([packet]));
  bridge.advance(60_000, start + 60_000);
  return { bridge, publisher, log };
}

/** A payload with its first text replaced by other bytes of the same length. */
function withText(payload: Uint8Array, placeholder: string, text: string): Uint8Array {
  const bytes = Buffer.from(payload);
  const at = bytes.indexOf(placeholder);
  expect(at).toBeGreaterThanOrEqual(0);
  bytes.fill(0, at, at + placeholder.length);
  Buffer.from(text).copy(bytes, at, 0, placeholder.length);
  return Uint8Array.from(bytes);
}

test.each(evil)(
  "a device or a ship that calls itself %j is text in JSON, in no topic and in no line of the log",
  (text) => {
    const placeholder = "P".repeat(20);
    const product = encoderOf(productInformation)({ pgn: 126996, modelId: placeholder, serialNumber: "1" });
    const ship = encoderOf(aisClassAStaticAndVoyageData)({
      pgn: 129794,
      mmsi: 211_000_001,
      name: placeholder,
    } as never);
    const { bridge, publisher, log } = hear([
      { pgn: 60928, hex: hexOf(deviceNameBytes(42n)), source: 9, at: start },
      { pgn: 126996, hex: hexOf(withText(product, placeholder, text)), source: 9, at: start + 10 },
      { pgn: 129794, hex: hexOf(withText(ship, placeholder, text)), source: 9, at: start + 20 },
    ]);
    expect(bridge.counters().failed).toBe(0);
    expect(publisher.messages.length).toBeGreaterThan(3);
    for (const { topic, payload } of publisher.messages) {
      expect(topic).toMatch(/^can\/can0\/[a-z0-9/]+$/);
      expect(payload ?? "null").toMatch(/^[ -~]*$/);
      JSON.parse(payload ?? "null");
    }
    const infos = JSON.parse(publisher.states.get("can/can0/device/9/infos")!) as {
      data: { productInfo?: { modelId?: string } };
    };
    // Nothing is added, and only a filling is taken away.
    expect(Object.keys(infos)).toEqual(["data", "metadata"]);
    expect(text).toContain((infos.data.productInfo?.modelId ?? "").slice(0, 4));
    // Line ends and escapes of a terminal never reach the log as such.
    for (const line of log.split("\n")) expect(line).toMatch(/^(|(error|warn|info|debug) [^\p{Cc}]*)$/u);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  },
);

test("two devices with one address: the lower NAME has it, and nothing of the other is told as its own", () => {
  const low = hexOf(deviceNameBytes(1n));
  const high = hexOf(deviceNameBytes(2n ** 63n));
  for (const claims of [
    [low, high],
    [high, low],
  ]) {
    const { publisher } = hear(claims.map((hex, index) => ({ pgn: 60928, hex, source: 9, at: start + index * 10 })));
    const { data } = JSON.parse(publisher.states.get("can/can0/devices")!) as { data: { count: number } };
    expect(data.count).toBe(1);
    expect(publisher.states.get("can/can0/devices")).toContain('"name":1');
  }
});

/** A broker that sends whatever it likes and notes the kinds of packets it gets. */
async function hostileBroker(): Promise<{
  readonly port: number;
  readonly kinds: Set<number>;
  readonly sockets: Set<Socket>;
}> {
  const kinds = new Set<number>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    let waiting = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      for (;;) {
        let length = 0;
        let at = 1;
        for (let shift = 0; at < waiting.length; shift += 7) {
          const byte = waiting[at++]!;
          length |= (byte & 127) << shift;
          if (byte < 128) break;
        }
        if (waiting.length < 2 || waiting.length < at + length) return;
        const kind = waiting[0]! >> 4;
        kinds.add(kind);
        if (kind === 1) socket.write(Uint8Array.of(0x20, 2, 0, 0));
        // The identity is at QoS 1; its number stands behind the topic.
        if (kind === 3 && (waiting[0]! & 6) === 2) {
          const topic = waiting.readUInt16BE(at);
          socket.write(Uint8Array.of(0x40, 2, waiting[at + 2 + topic]!, waiting[at + 3 + topic]!));
        }
        waiting = waiting.subarray(at + length);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, kinds, sockets };
}

test("a broker and its clients cannot give orders: nothing is subscribed to, and what comes unasked changes nothing", async () => {
  const { port, kinds, sockets } = await hostileBroker();
  const clock = memoryClock({ wall: start });
  const log = memoryLog();
  const publisher = await mqttPublisher({
    broker: { secure: false, host: "127.0.0.1", port },
    clientId: "hub-config",
    identity: { topic: "app/config/info", payload: (online) => JSON.stringify({ online }) },
    clock,
    log,
  });
  onTestFinished(async () => {
    const closed = publisher.close();
    const timer = setInterval(() => clock.advance(100), 10);
    await closed;
    clearInterval(timer);
  });
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await until(() => kinds.has(3));
  const publish = (topic: string, payload: string): Uint8Array =>
    Buffer.concat([
      Uint8Array.of(0x30, 2 + topic.length + payload.length, 0, topic.length),
      Buffer.from(topic + payload),
    ]);
  for (const socket of sockets) {
    socket.write(publish("app/config/info", '{"online":false}'));
    socket.write(publish("can/can0/device/1/pgn/127250", '{"data":{}}'));
    socket.write(publish("$SYS/x", "x"));
  }
  publisher.stream("after").publish("x");
  publisher.flush();
  await new Promise((resolve) => setTimeout(resolve, 100));
  // CONNECT, PUBLISH and perhaps answers to what came, but no SUBSCRIBE (8).
  expect(kinds.has(8)).toBe(false);
  expect(publisher.counters().dropped).toBe(0);
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
});
