import fc from "fast-check";
import mqttPacket from "mqtt-packet";
import { expect, test } from "vitest";
import type { MqttVersion } from "../../../../src/adapters/node/mqtt/incoming-packets.ts";
import { completePacket, packetHead } from "../../../../src/adapters/node/mqtt/publish-packet.ts";
import { AsciiBuffer } from "../../../../src/core/text/ascii-buffer.ts";

/** The packet that MQTT.js's own parser reads from the bytes. */
function parse(
  bytes: Uint8Array,
  protocolVersion = 4,
): { cmd: string; topic: string; payload: string; qos: number; retain: boolean }[] {
  const packets: ReturnType<typeof parse> = [];
  const parser = mqttPacket.parser({ protocolVersion });
  parser.on("packet", (packet) => {
    if (packet.cmd === "publish") packets.push({ ...packet, payload: packet.payload.toString() });
  });
  parser.parse(Buffer.from(bytes));
  return packets;
}

/** Writes a packet to the end of `out`. */
function packet(out: AsciiBuffer, topic: string, payload: string, version: MqttVersion): void {
  const start = out.at;
  out.write(packetHead(topic, version));
  out.ascii(payload);
  completePacket(out, start);
}

test.each([4, 5] as const)("any topic and payload come out of a parser of version %i as they went in", (version) => {
  const message = fc.record({
    topic: fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    length: fc.oneof(fc.nat(300), fc.integer({ min: 16_300, max: 16_500 })),
  });
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 5 }), (messages) => {
      const out = new AsciiBuffer(16);
      for (const { topic, length } of messages) packet(out, topic, "x".repeat(length), version);
      const parsed = parse(out.bytes.subarray(0, out.at), version);
      expect(parsed.map(({ topic }) => topic)).toEqual(messages.map(({ topic }) => topic));
      expect(parsed.map(({ payload }) => payload.length)).toEqual(messages.map(({ length }) => length));
      expect(parsed.every(({ qos, retain }) => qos === 0 && !retain)).toBe(true);
    }),
  );
});

test.each([
  [4, [0x30, 0x04]],
  [127, [0x30, 0x7f]],
  [128, [0x30, 0x80, 0x01]],
  [16_383, [0x30, 0xff, 0x7f]],
  [16_384, [0x30, 0x80, 0x80, 0x01]],
  [2_097_151, [0x30, 0xff, 0xff, 0x7f]],
  [2_097_152, [0x30, 0x80, 0x80, 0x80, 0x01]],
  [268_435_455, [0x30, 0xff, 0xff, 0xff, 0x7f]],
])("completePacket writes a remaining length of %i as the standard's table does", (remaining, bytes) => {
  const out = new AsciiBuffer(remaining + 16);
  out.write(packetHead("ab"));
  out.at += remaining - 4;
  completePacket(out, 0);
  expect([...out.bytes.subarray(0, bytes.length + 4)]).toEqual([...bytes, 0, 2, 0x61, 0x62]);
  expect(out.at).toBe(bytes.length + remaining);
});
