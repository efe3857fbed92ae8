/**
 * Messages of a hostile device on the bus; storms of claims and of garbage are in `test/services/bridge/hostile-bus.slow.test.ts`.
 */

import { expect, test } from "vitest";
import { ReassembledSource } from "../../src/adapters/node/can/reassembled-source.ts";
import { ConsoleLog } from "../../src/adapters/node/console-log.ts";
import { deviceNameBytes } from "../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../src/core/n2k/encode.ts";
import { fastPacketTable } from "../../src/core/n2k/fast-packets.ts";
import { aisClassAStaticAndVoyageData } from "../../src/core/n2k/pgns/ais.ts";
import { productInformation } from "../../src/core/n2k/pgns/system.ts";
import { FrameCounter } from "../../src/formats/recording/frame-counter.ts";
import { type Bridge, createBridge } from "../../src/services/bridge/bridge.ts";
import { counting, fastFrames, frameRecords, type TestFrame } from "../adapters/node/can/frames.ts";
import { createBursts, type TestPacket } from "../services/bridge/bursts.ts";
import { memoryPublisher } from "../support/memory/publisher.ts";
import { packetsOf } from "../support/packets.ts";

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
  const bridge = createBridge({
    prefix: "can/can0",
    publisher,
    log: new ConsoleLog({ level: "debug", journal: false, write }),
    monitor: new FrameCounter("replay"),
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
    expect(bridge.counters().decodeErrors).toBe(0);
    expect(publisher.messages.length).toBeGreaterThan(3);
    for (const { topic, payload } of publisher.messages) {
      expect(topic).toMatch(/^can\/can0\/[a-z0-9/]+$/);
      expect(payload ?? "null").toMatch(/^[ -~]*$/);
      JSON.parse(payload ?? "null");
    }
    const infos = JSON.parse(publisher.states.get("can/can0/device/9/infos")!) as {
      data: { productInfo?: { modelId?: string } };
    };
    // Nothing is added, and nothing but control characters taken away.
    expect(Object.keys(infos)).toEqual(["data", "metadata"]);
    const said = Buffer.from(text).subarray(0, placeholder.length).toString();
    expect(infos.data.productInfo?.modelId ?? "").toBe(said.replaceAll(/\p{Cc}/gu, ""));
    // Line ends and escapes of a terminal never reach the log as such.
    for (const line of log.split("\n")) expect(line).toMatch(/^(|(error|warn|info|debug) [^\p{Cc}]*)$/u);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  },
);

test("two devices with one address: the lower NAME that defends it has it, and nothing of the other is told as its own", () => {
  const low = hexOf(deviceNameBytes(1n));
  const high = hexOf(deviceNameBytes(2n ** 63n));
  for (const claims of [
    [low, high, low],
    [high, low],
  ]) {
    const { publisher } = hear(claims.map((hex, index) => ({ pgn: 60928, hex, source: 9, at: start + index * 10 })));
    const { data } = JSON.parse(publisher.states.get("can/can0/devices")!) as { data: { count: number } };
    expect(data.count).toBe(1);
    expect(publisher.states.get("can/can0/devices")).toContain('"name":1');
  }
});

/**
 * Frames of transport protocol connection management: `control` with a size, a number of packets and the PGN it is
 * about.
 */
const announcement = (control: number, size: number, packets: number): number[] => [
  ...[control, size & 0xff, size >> 8, packets],
  ...[0xff, 126996 & 0xff, (126996 >> 8) & 0xff, 126996 >> 16],
];

test("packets that are begun by everybody and never finished leave room for those that are whole", async () => {
  const payload = [...Buffer.from("one of a kind, whole and in its order")];
  const frames: TestFrame[] = [];
  for (let round = 0; round < 20; round++) {
    for (let source = 0; source < 252; source++) {
      const at = round * 300 + source;
      frames.push(
        { pgn: 126996, source, at, data: [round << 5, 223, ...counting(6)] },
        { pgn: 126996, source, at, data: [(round << 5) | 9, ...counting(7)] },
        { pgn: 60416, source, at, data: announcement(32, 1785, 255) },
        { pgn: 60416, source, at, destination: 5, data: announcement(16, 65535, 255) },
        { pgn: 60160, source, at, data: [round + 2, ...counting(7)] },
        { pgn: 60416, source, at, data: [255] },
      );
    }
    for (const data of fastFrames(payload, round % 8)) frames.push({ pgn: 129038, source: 77, at: round * 300, data });
  }
  const bytes = frameRecords(frames.sort((one, other) => one.at! - other.at!));
  const batches = (async function* () {
    yield { frames: { bytes, length: bytes.length } };
  })();
  const source = new ReassembledSource({ name: "replay", batches });
  const table = fastPacketTable([126996, 129038].map((pgn) => ({ pgn })));
  const whole: string[] = [];
  for await (const batch of source.packets(table)) {
    for (const { pgn, source: from, at, end } of packetsOf(batch)) {
      expect([pgn, from]).toEqual([129038, 77]);
      whole.push(Buffer.from(batch.bytes.subarray(at, end)).toString());
    }
  }
  expect(whole).toEqual(Array(20).fill(String.fromCharCode(...payload)));
  // Each frame is accounted for: frames without a packet are counted by their reason.
  const { discarded } = source.counters();
  expect(Object.values(discarded).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(252 * 20);
});
