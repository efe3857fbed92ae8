import fc from "fast-check";
import mqttPacket from "mqtt-packet";
import { expect, test } from "vitest";
import { publishHead, topicField } from "../../../src/adapters/node/publish-packet.ts";

/** What MQTT.js's own parser reads from the bytes. */
function parse(text: string): { cmd: string; topic: string; payload: string; qos: number; retain: boolean }[] {
  const packets: ReturnType<typeof parse> = [];
  const parser = mqttPacket.parser({ protocolVersion: 4 });
  parser.on("packet", (packet) => {
    if (packet.cmd === "publish") packets.push({ ...packet, payload: packet.payload.toString() });
  });
  parser.parse(Buffer.from(text, "latin1"));
  return packets;
}

const packet = (topic: string, payload: string): string => {
  const field = topicField(topic);
  return publishHead(field.length + payload.length) + field + payload;
};

test("any topic and payload come out of a parser as they went in", () => {
  const message = fc.record({
    topic: fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    length: fc.oneof(fc.nat(300), fc.integer({ min: 16_300, max: 16_500 })),
  });
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 5 }), (messages) => {
      const text = messages.map(({ topic, length }) => packet(topic, "x".repeat(length))).join("");
      const parsed = parse(text);
      expect(parsed.map(({ topic }) => topic)).toEqual(messages.map(({ topic }) => topic));
      expect(parsed.map(({ payload }) => payload.length)).toEqual(messages.map(({ length }) => length));
      expect(parsed.every(({ qos, retain }) => qos === 0 && !retain)).toBe(true);
    }),
  );
});

test.each([
  [0, [0x30, 0x00]],
  [127, [0x30, 0x7f]],
  [128, [0x30, 0x80, 0x01]],
  [16_383, [0x30, 0xff, 0x7f]],
  [16_384, [0x30, 0x80, 0x80, 0x01]],
  [2_097_151, [0x30, 0xff, 0xff, 0x7f]],
  [2_097_152, [0x30, 0x80, 0x80, 0x80, 0x01]],
  [268_435_455, [0x30, 0xff, 0xff, 0xff, 0x7f]],
])("publishHead writes a remaining length of %i as the standard's table does", (remaining, bytes) => {
  expect([...Buffer.from(publishHead(remaining), "latin1")]).toEqual(bytes);
});
