/** Payloads: every definition by itself, and any packets of any devices through the bridge. */

import { decoderOf, type Read } from "../../src/core/n2k/decode.ts";
import type { Definition } from "../../src/core/n2k/definition.ts";
import { encoderOf } from "../../src/core/n2k/encode.ts";
import { jsonWriterOf, type Write } from "../../src/core/n2k/json.ts";
import { assumed } from "../../src/core/n2k/pgns/assumed.ts";
import { definitions, reportOnly } from "../../src/core/n2k/pgns/index.ts";
import { navigationReport } from "../../src/core/nav/navigation-report.ts";
import { AsciiBuffer } from "../../src/core/text/ascii-buffer.ts";
import { RecordWriter } from "../../src/formats/recording/record-writer.ts";
import { memoryBridge } from "../support/memory-bridge.ts";
import { asciiJson, check, Input, type Target, text, told } from "./target.ts";

const all: readonly Definition[] = [
  ...definitions,
  ...reportOnly,
  ...assumed.flatMap(({ public: other }) => (other === undefined ? [] : [other.definition])),
];

interface Readings {
  readonly title: string;
  readonly decode: ReturnType<typeof decoderOf>;
  readonly json: Read<string>;
  readonly encode: ReturnType<typeof encoderOf>;
}

/** Compiled when they are first asked for, as in the daemon. */
const readings = new Map<Definition, Readings>();

/** Calls `write` with a buffer that has no byte more than it reserves, so that one too many throws. */
const tightly =
  (write: Write): Read<string> =>
  (bytes, at, end, source) => {
    const out = new AsciiBuffer(0);
    write(out, bytes, at, end, source);
    return out.text();
  };

function readingsOf(definition: Definition): Readings {
  let made = readings.get(definition);
  if (made === undefined) {
    made = {
      title: `${definition.pgn} ${definition.title}`,
      decode: decoderOf(definition),
      json: tightly(jsonWriterOf(definition)),
      encode: encoderOf(definition),
    };
    readings.set(definition, made);
  }
  return made;
}

const SOURCE = 7;

/** Text fields may hold what no encoder would write; all the rest has one way to be written. */
const numbersOf = (message: unknown): string =>
  JSON.stringify(message, (_, value) => (typeof value === "string" ? undefined : value));

const decoding: Target = {
  name: "decode",
  seeds: all.flatMap((_, index) => [
    Uint8Array.from([index, index >> 8, ...Array.from({ length: 60 }, (_, at) => at * 7)]),
    Uint8Array.from([index, index >> 8, ...new Uint8Array(30).fill(0xff)]),
  ]),
  run(input) {
    const definition = all[((input[0] ?? 0) | ((input[1] ?? 0) << 8)) % all.length]!;
    const { title, decode, json, encode } = readingsOf(definition);
    const payload = input.subarray(2, 2 + 1785);
    const message = decode(payload, 0, payload.length, SOURCE);
    const written = json(payload, 0, payload.length, SOURCE);
    check(JSON.stringify(asciiJson(written)) === JSON.stringify(message), `${title}: text and object differ`);

    // The same in the middle of other bytes.
    const around = new Uint8Array(payload.length + 64).fill(0xa5);
    around.set(payload, 32);
    check(json(around, 32, 32 + payload.length, SOURCE) === written, `${title} reads outside of its payload`);

    // Written and read once, a message is a fixed point: written and read again it stays the same.
    const once = encode(message);
    const settled = decode(once, 0, once.length, SOURCE);
    const twice = encode(settled);
    const again = decode(twice, 0, twice.length, SOURCE);
    check(JSON.stringify(again) === JSON.stringify(settled), `${title} does not come to rest`);
    check(numbersOf(again) === numbersOf(settled), `${title}: a number wanders`);
  },
};

const NAMES = [..."1234"].map((digit) => `0${digit}00a0c0000550c0`);

/** Steps of a bus: which PGN, from whom, after how long, and its bytes. */
const packetSeed = (...packets: readonly (readonly [pgn: number, source: number, hex: string])[]): Uint8Array =>
  Uint8Array.from(
    packets.flatMap(([pgn, source, hex]) => {
      const payload = Buffer.from(hex.replaceAll(" ", ""), "hex");
      return [pgn & 255, (pgn >> 8) & 255, pgn >> 16, source, 3, payload.length, ...payload];
    }),
  );

const pauses = [0, 1, 10, 100, 1000, 5000, 60_000, 120_000];

const bridging: Target = {
  name: "bridge",
  seeds: [
    packetSeed([60928, 3, NAMES[0]!], [127250, 3, "2a366c2bba00fffd"], [129025, 3, "401e7d1c80b2e604"]),
    packetSeed([60928, 3, NAMES[0]!], [60928, 4, NAMES[0]!], [60928, 4, NAMES[1]!], [60928, 5, NAMES[2]!]),
    packetSeed([
      126996,
      3,
      `3408 0100 ${"41".repeat(32)} ${"0a3c".repeat(16)} ${"ff".repeat(32)} ${"40".repeat(32)} 0101`,
    ]),
    packetSeed([129038, 9, `01 15cd5b07 401e7d1c 80b2e604 07 1027 3201 000000 1027 0000 00 00 00`]),
    packetSeed([129794, 9, `05 15cd5b07 00000000 ${"20".repeat(7)} ${"3c".repeat(20)} 24 ${"00".repeat(40)}`]),
    packetSeed(
      [130306, 6, "01 2a02 1027 02 ffff"],
      [128267, 6, "01 10270000 0000 ff"],
      [130312, 6, "0100016c74ffffff"],
    ),
    packetSeed([59904, 3, "14f001"], [126208, 3, "01 14f001 ff ffff ffff 00"], [126993, 3, "60ea ff ffffffffff"]),
  ],
  run(bytes) {
    const input = new Input(bytes);
    const isNode = bytes.length % 2 === 1;
    let sent = 0;
    const send = (id: number): boolean => {
      check(id >= 0 && id <= 0x1fffffff, "the node sends what is no identifier");
      sent++;
      return true;
    };
    const { bridge, publisher, log } = memoryBridge({
      unknown: true,
      ...(bytes.length % 3 === 0 ? { maxRate: 5 } : {}),
      ...(isNode && { node: { sender: { send }, uniqueNumber: 1_000_000, softwareVersion: "1" } }),
    });
    if (isNode) bridge.sourceChanged({ isUp: true, hasChanged: true }, 0);
    const writer = new RecordWriter();
    let wall = Date.UTC(2026, 10, 21, 8, 14, 26) * 1000;
    const begin = wall;
    let packets = 0;
    while (!input.isEmpty && packets < 500) {
      const pgn = (input.byte() | (input.byte() << 8) | (input.byte() << 16)) & 0x3ffff;
      const source = input.byte();
      wall += pauses[input.byte() % pauses.length]! * 1000;
      const length = input.byte();
      writer.packet(wall, 3, pgn, source, 255, input.take(length), Math.max(1, length));
      for (const batch of writer.drain()) {
        bridge.take(batch.packets!);
        packets++;
      }
    }
    bridge.finish();
    const counters = bridge.counters();
    check(counters.packetsTaken === packets, "a packet is in no counter");
    check(counters.decodeErrors === 0, () => told(log.lines));
    check(bridge.kept <= 16 * packets + 16, "more is kept than was heard");
    // A node answers, but by far not as often as it may be asked.
    check(sent <= 60 + 8 * packets + (wall - begin) / 1e6, `${sent} frames sent for ${packets}`);
    for (const { topic, payload } of publisher.messages) {
      check(/^(can\/can0|app\/can-can0)\/[a-z0-9/-]+$/.test(topic), `a topic ${topic}`);
      const told = payload === null ? undefined : asciiJson(payload);
      if (topic === "can/can0/navigation")
        check(navigationReport.safeParse(told).success, () => `no report: ${payload}`);
    }
    for (const state of publisher.states.values()) asciiJson(state);
    // No text of a device puts a line end into a line.
    for (const { message } of log.lines) check(!/[\n\r]/.test(message), "a line end in the log");
  },
};

/** Settings of deploy.json as the bridge takes them over, while it runs. */
const settings: Target = {
  name: "settings",
  seeds: [
    '{"navigation": {"windDamping": 2, "ownMmsi": 123456789, "friendlyNames": {"13857510208926219009": "x"}, "priority": {"wind": ["x", "1"]}, "variation": "model"}}',
    '{"can": {"pgn": {"127490": "off", "127495": [{"id": "engineInstance", "bits": 8}, {"bits": 4}, {"id": "a", "bits": 12, "signed": true, "resolution": 0.01, "offset": -3, "unit": "m"}]}}}',
    '{"can": {"pgn": {"127491": {"fields": [{"id": "_x", "bits": 64}, {"id": "b", "bits": 2, "strings": ["off", "on"]}], "transport": "fast"}, "127493": "public", "1": "x"}}}',
    '{"can": [], "navigation": null}',
  ].map(text),
  run(bytes) {
    let document: unknown;
    try {
      document = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return;
    }
    if (typeof document !== "object" || document === null) return;
    const { bridge, publisher, log } = memoryBridge();
    bridge.configure(new Map(Object.entries(document)));
    for (const word of bridge.fastPacketTable)
      check(word >>> 0 === word, "an entry of the fast-packet table that is no word");
    const writer = new RecordWriter();
    const payload = Uint8Array.from({ length: 60 }, (_, at) => at * 37);
    const read = [...assumed.map(({ definition }) => definition.pgn), 127250, 129026, 130306];
    for (const pgn of read) writer.packet(1.7e15, 3, pgn, 3, 255, payload, pgn % 2 === 0 ? 8 : 60);
    for (const { packets } of writer.drain()) if (packets !== undefined) bridge.take(packets);
    bridge.finish();
    check(bridge.counters().decodeErrors === 0, () => told(log.lines));
    for (const { payload } of publisher.messages) if (payload !== null) asciiJson(payload);
  },
};

export const busTargets: readonly Target[] = [decoding, bridging, settings];
