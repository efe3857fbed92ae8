/** Recordings: every format by itself, and any detected format all the way to the messages that are published. */
import { createReassembler } from "../../src/adapters/node/can/can-bus.ts";
import { detectFormat, formats } from "../../src/formats/recording/detect-format.ts";
import { candumpLog } from "../../src/formats/recording/formats/candump-log.ts";
import type { Format } from "../../src/formats/recording/formats/format.ts";
import { FRAME_BYTES } from "../../src/formats/recording/frame-batch.ts";
import { RecordWriter } from "../../src/formats/recording/record-writer.ts";
import { bst, eblEscaped, eblTag, eblTime, frameBst } from "../formats/gateway/bst.ts";
import { candumpLogByAddon } from "../formats/recording/by-addon.ts";
import { memoryBridge } from "../support/memory-bridge.ts";
import { packetsOf } from "../support/packets.ts";
import { asciiJson, check, type Target, text, told } from "./target.ts";

/** The longest payload of ISO 11783-3 transport: 255 packets of 7 bytes. */
const LONGEST_PAYLOAD = 1785;

const bytes = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(" ", ""), "hex");
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

const captured = bytes("98eeff01 08 000000 2a366c2bba00ffff");
const pcapHead = bytes("d4c3b2a1 0200 0400 00000000 00000000 00000400 e3000000");
const pcapRecord = joined(bytes("01000000 02000000 10000000 10000000"), captured);
const section = bytes("0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000");
/** An interface with a resolution of nanoseconds and an offset of one second. */
const captureInterface = bytes(
  "01000000 2c000000 e300 0000 00000400 0900 0100 09000000 0e00 0800 0100000000000000 00000000 2c000000",
);
const captureBlock = joined(
  bytes("06000000 30000000 00000000 4fe00500 00e40b54 10000000 10000000"),
  captured,
  bytes("30000000"),
);

const seedsOf: Readonly<Record<string, readonly Uint8Array[]>> = {
  pcap: [joined(pcapHead, pcapRecord, pcapRecord)],
  pcapng: [joined(section, captureInterface, captureBlock, captureBlock)],
  candumpLog: [
    text("(1436509052.249713) vcan0 0DF10503#2A366C2BBA00FFFF\n(1436509052.3) vcan0 044#R3\n"),
    text("(1436509052.249713) can0 18EEFF01#0100A0C0000550C0 R\n(1436509053.000001) can0 20000004#0000000000000000\n"),
    text("(1436509052.249713) can0 0DF80503#A02B3301020304A0\n(1436509052.3) can0 0DF80503#A10506070809AABB\n"),
  ],
  candumpText: [
    text(" (1436509052.250126)  can0  18EEFF16   [8]  F1 FB 00 00 01 02 03 C0   '........'\n<0x18eeff01> [1] 05\n"),
    text(" (000.250126)  can0  18EEFF16   [2]  F1 FB\n can0  123  [0]  remote request\n"),
    text("(2016-04-09 16:41:09.078000) can0 18EEFF16 [1] F1\n"),
  ],
  canboat: [
    text("2016-04-09T16:41:09.078Z,3,129029,1,255,9,ff,de,48,48,af,94,32,70,eb\n"),
    text(
      "2016-04-09-16:41:09.078,3,127250,1,255,8,ff,de,48,48,af,94,32,70\n2016-04-09T16:41:10Z,6,60928,254,255,8,1,2,3,4,5,6,7,8\n",
    ),
  ],
  yachtDevices: [
    text("17:33:21.107 R 19F51323 01 2F 30 70 00 2F 30 70\n17:33:21.109 R 18EEFF01 01 00 A0 C0 00 05 50 C0\n"),
  ],
  actisense: [text("A173321.107 23FF7 1F513 012F3070002F30709F\nA173321.207 01FF6 1F112 2A366C2BBA00FFFF\n")],
  yachtDevicesCan: [
    bytes(
      "0038 0900 ffffffff 594456522076 3035 0138 0a00 132ff519 0102030405060708 0188 0b00 44000000 0102ffffffffffff",
    ),
  ],
  yachtDevicesDat: [
    bytes(
      "0000 ffffffff 5944565220763034 7352 0512f109 01102700000000fd 5b56 0514f019 07 06 a0b1c2d3e4f5 5c56 05ffea18 14f001",
    ),
  ],
  ebl: [
    joined(
      eblTime(1_745_600_721_993_000),
      eblTag(1, bytes("ea030000")),
      eblTag(7, frameBst({ id: 0x09f80124, data: bytes("fc370a001b10ffff") }, 39_464)),
      eblEscaped(bst("93 13 02 12 F1 01 FF 03 1B 02 10 03 08 01 FF 10 02 1B 03 7F FF")),
      eblTag(5, bytes("01")),
      eblEscaped(bst("94 09 06 00 EA 00 24 03 14 F0 01")),
    ),
  ],
  airmar: [
    text("20:11:00 - 130306 09FD020D FF 8B 72 FF FF FF FF FF\n20:11:01 - 60928 18EEFF00 8E,F2,DD,E8,00,96,64,40\n"),
  ],
  seaSmart: [text("$PCDIN,01F119,00000000,0F,2AAF00D1067414FF*59\n")],
  garminCsv: [
    text("Sequence #,Timestamp,PGN,Name\n0,486942,127508,Battery Status,Garmin,6,255,2,1,8,0x017505FF7FFFFFFF\n"),
    text("0,6_21_2015_16_11_14_24931648,127508,Processed,Battery, Status,Garmin,6,255,2,1,8,0x017505FF7FFFFFFF\n"),
  ],
  sentences: [
    text("$HCHDM,183.3,M\n$GPRMC,081426.12,A,5213.1234,N,00454.5678,E,5.4,084.4,211126,2.1,E,D\n$SDDPT,4.12,0.5,\n"),
    text("\\c:1795248866*55\\$SDDPT,4.12,0.50,100\n\\c:1795248867123,s:x*2E\\$GPZDA,081427.12,21,11,2026,-02,00\n"),
    text(
      "$GPZDA,081427.12,21,11,2026,,\n$CDDSC,12,3380400790,12,06,00,1423108312,2019,,,S,E\n$CDDSE,1,1,A,3380400790,00,4589\n",
    ),
  ],
  ikonvert: [text("!PDGY,127250,2,3,255,481.734,2C20AAAAAAE=\n!PDGY,000000,3,4,5,6,7\n")],
};
const allSeeds = Object.values(seedsOf).flat();

/** Looks at every record where it lies; returns how many there are. */
export function checkRecords(writer: RecordWriter): { readonly count: number; readonly print: string } {
  let count = 0;
  let print = "";
  for (const { frames, packets } of writer.drain()) {
    if (frames !== undefined) {
      check(frames.length % FRAME_BYTES === 0, "half a frame");
      const view = new DataView(frames.bytes.buffer, frames.bytes.byteOffset, frames.length);
      for (let at = 0; at < frames.length; at += FRAME_BYTES) {
        const length = view.getUint8(at + 20);
        check(length <= 8, "a frame of more than eight bytes");
        check(Number.isFinite(view.getFloat64(at, true)), "a stamp that is no number");
        check(Math.abs(view.getFloat64(at, true)) <= 8.64e18, "a stamp that is no date");
        for (let unused = 24 + length; unused < 32; unused++)
          check(view.getUint8(at + unused) === 0, "something behind the data");
        print += `${Buffer.from(frames.bytes.buffer, frames.bytes.byteOffset + at, FRAME_BYTES).toString("latin1")}\n`;
        count++;
      }
    }
    if (packets !== undefined) {
      for (const packet of packetsOf(packets)) {
        check(packet.pgn <= 0x3ffff && packet.priority <= 7, "no PGN or no priority");
        check(packet.end - packet.at <= LONGEST_PAYLOAD && packet.end > packet.at, "no length of a message");
        check(Math.abs(packet.received) <= 8.64e15, "a stamp that is no date");
        print += `${packet.received} ${packet.pgn} ${packet.source} ${Buffer.from(packet.bytes.subarray(packet.at, packet.end)).toString("hex")}\n`;
        count++;
      }
    }
  }
  return { count, print };
}

const MODIFIED = Date.UTC(2026, 10, 21, 8, 14, 26);

/** Reads a recording in pieces, cut at `cuts` in turn; gives the records as one text. */
function readIn(format: Format, recording: Uint8Array, cuts: readonly number[]): string {
  const reader = format.createReader({ modified: MODIFIED });
  const writer = new RecordWriter();
  let print = "";
  let count = 0;
  for (let at = 0, turn = 0; ; turn++) {
    const end = Math.min(recording.length, at + (cuts[turn % cuts.length] ?? recording.length));
    // A copy, so that reading beyond the piece would give something else than in the whole.
    reader.read(recording.slice(at, end), end === recording.length, writer);
    const read = checkRecords(writer);
    count += read.count;
    print += read.print;
    if (end === recording.length) break;
    at = end;
  }
  // A record takes at least a byte of the recording, and so does one that is malformed.
  const all = count + reader.malformed + writer.internal + writer.unaddressed;
  check(all <= recording.length, "more records than bytes");
  return `${print}${reader.malformed} ${writer.internal} ${writer.unaddressed} ${reader.problem}`;
}

const formatTarget = (format: Format): Target => ({
  name: `recording ${format.name}`,
  seeds: allSeeds.map((seed) => joined(Uint8Array.of(7, 1), seed)),
  run(input) {
    // The first two bytes say where the pieces are cut.
    const [one = 0, other = 0] = input;
    const recording = input.subarray(2);
    const whole = readIn(format, recording, [recording.length]);
    check(readIn(format, recording, [1 + one, 1 + other]) === whole, `${format.name} reads pieces differently`);
  },
});

/** The addon reads the lines of candump as TypeScript does. */
const addonTarget: Target = {
  name: "candump -L by the addon",
  seeds: allSeeds.map((seed) => joined(Uint8Array.of(7, 1), seed)),
  run(input) {
    const [one = 0, other = 0] = input;
    const recording = input.subarray(2);
    const lines = readIn(candumpLog, recording, [recording.length]);
    check(readIn(candumpLogByAddon, recording, [1 + one, 1 + other]) === lines, "the addon reads other lines");
  },
};

/** Recording to messages: detected, read, reassembled, decoded, reported. */
const replayTarget: Target = {
  name: "replay",
  seeds: allSeeds,
  run(recording) {
    const format = detectFormat(recording, true);
    if (format === undefined) return;
    const { bridge, publisher, log } = memoryBridge({ unknown: true });
    const reassembler = createReassembler(bridge.fastPacketTable, { ringBytes: 1 << 16 });
    const drained = new Uint8Array(1 << 16);
    const writer = new RecordWriter();
    const reader = format.createReader({ modified: MODIFIED });
    reader.read(recording, true, writer);
    let messages = 0;
    let frames = 0;
    for (const batch of writer.drain()) {
      if (batch.packets !== undefined) {
        messages += [...packetsOf(batch.packets)].length;
        bridge.take(batch.packets);
      }
      if (batch.frames === undefined) continue;
      const count = batch.frames.length / FRAME_BYTES;
      frames += count;
      for (let taken = 0; taken < count; ) {
        taken += reassembler.push(batch.frames.bytes.subarray(taken * FRAME_BYTES), count - taken);
        for (let length = reassembler.drain(drained); length > 0; length = reassembler.drain(drained))
          bridge.take({ bytes: drained, length });
      }
    }
    bridge.finish();
    const counters = reassembler.counters();
    const ignored = Object.values(counters.ignored).reduce((sum, kind) => sum + kind, 0);
    const whole = Object.values(counters.packets).reduce((sum, kind) => sum + kind, 0);
    check(counters.frames + ignored === frames, "a frame is in no counter");
    check(bridge.counters().packetsTaken === whole + messages, "a packet is in no counter");
    check(bridge.counters().decodeErrors === 0, () => told(log.lines));
    for (const { topic, payload } of publisher.messages) {
      check(/^(can\/can0|app\/can-can0)\/[a-zA-Z0-9/-]+$/.test(topic), `a topic ${topic}`);
      if (payload !== null) asciiJson(payload);
    }
  },
};

export const recordingTargets: readonly Target[] = [...formats.map(formatTarget), addonTarget, replayTarget];
