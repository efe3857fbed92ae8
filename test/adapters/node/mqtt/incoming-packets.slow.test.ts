import { describe, expect, test } from "vitest";
import {
  type MqttVersion,
  PacketReader,
  packetSizeFor,
  VERSION_REFUSED,
} from "../../../../src/adapters/node/mqtt/incoming-packets.ts";

const CONNACK = [0x20, 2, 0, 0];
const CONNACK_5 = [0x20, 6, 0, 0, 3, 0x21, 0, 20];
const PUBACK = [0x40, 2, 0, 1];
const PINGRESP = [0xd0, 0];
const SUBACK = [0x90, 3, 0, 1, 0];
const MAX_PAYLOAD_BYTES = 300;

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString("hex");

/** Remaining length as it is written. */
function lengthOf(length: number): number[] {
  const bytes = [];
  for (let rest = length; bytes.length === 0 || rest > 0; rest >>= 7)
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  return bytes;
}

interface Message {
  readonly payload: number;
  readonly qos?: number;
  readonly flags?: number;
  readonly topic?: string;
  /** Properties of MQTT 5 with their length. */
  readonly properties?: readonly number[];
}

/** A PUBLISH of zeros with the packet number 0x1234. */
function message({ payload, qos = 0, flags = 0, topic = "a/b", properties = [] }: Message): number[] {
  const name = [...Buffer.from(topic)];
  const head = [name.length >> 8, name.length & 0xff, ...name, ...(qos > 0 ? [0x12, 0x34] : []), ...properties];
  return [0x30 | flags | (qos << 1), ...lengthOf(head.length + payload), ...head, ...Array<number>(payload).fill(0)];
}

/** The messages that a reader finds in these bytes, given in pieces of a length out of memory that is used again. */
function read(bytes: readonly number[], length: number, version: MqttVersion = 4) {
  const messages: (readonly [topic: string, bytes: number | undefined, isRetained: boolean])[] = [];
  const reader = new PacketReader({
    version,
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    onMessage: (topic, payload, isRetained) => {
      expect(payload?.every((byte) => byte === 0) ?? true).toBe(true);
      messages.push([topic, payload?.length, isRetained]);
    },
  });
  const [passed, replies]: [number[], number[]] = [[], []];
  const memory = Buffer.alloc(length);
  for (let at = 0; at < bytes.length; at += length) {
    const piece = bytes.slice(at, at + length);
    memory.fill(0xff).set(piece);
    const received = reader.read(memory.subarray(0, piece.length));
    passed.push(...received.passed);
    replies.push(...received.replies);
    if (received.fault !== undefined) return { messages, passed, replies, fault: received.fault };
  }
  return { messages, passed, replies, fault: undefined };
}

describe.each([1, 2, 3, 5, 1000])("PacketReader, in pieces of %i bytes,", (length) => {
  test("passes acknowledgements on, whatever their packet numbers look like", () => {
    const bytes = [...CONNACK, ...SUBACK, ...PUBACK, ...PINGRESP, 0x40, 2, 0x30, 0xff, ...PUBACK];
    expect(read(bytes, length)).toEqual({ messages: [], passed: bytes, replies: [], fault: undefined });
  });

  test("of MQTT 5 passes properties, reasons and DISCONNECT on", () => {
    const long = [0x20, 0x83, 0x02, 0, 0, ...Array<number>(257).fill(1)];
    const refused = [0x40, 3, 0, 1, 0x87, 0x40, 4, 0, 1, 0, 0];
    for (const connack of [CONNACK_5, long]) {
      const bytes = [...connack, ...refused, 0x90, 4, 0, 1, 0, 0, ...PINGRESP, 0xe0, 2, 0x8b, 0];
      expect(read(bytes, length, 5)).toEqual({ messages: [], passed: bytes, replies: [], fault: undefined });
    }
  });

  test.each([0, 127, 128, 299, 300])("reads a message of %i bytes between acknowledgements", (payload) => {
    const bytes = [...CONNACK, ...message({ payload }), ...PUBACK, ...message({ payload, flags: 1 }), ...PINGRESP];
    const { messages, passed, replies, fault } = read(bytes, length);
    expect(messages).toEqual([
      ["a/b", payload, false],
      ["a/b", payload, true],
    ]);
    expect(hex(passed)).toBe(hex([...CONNACK, ...PUBACK, ...PINGRESP]));
    expect([replies, fault]).toEqual([[], undefined]);
  });

  test.each([301, 70_000])("passes over a message of %i bytes, and goes on", (payload) => {
    const long = (qos: number): number[] => message({ payload, qos });
    const bytes = [...CONNACK, ...long(0), ...PUBACK, ...long(1), ...long(2), ...message({ payload: 3 }), ...PINGRESP];
    const { messages, passed, replies, fault } = read(bytes, length);
    expect(messages).toEqual([...Array(3).fill(["a/b", undefined, false]), ["a/b", 3, false]]);
    expect(hex(passed)).toBe(hex([...CONNACK, ...PUBACK, ...PINGRESP]));
    expect(hex(replies)).toBe("4002123450021234");
    expect(fault).toBe(undefined);
  });

  test("the topic counts for nothing, however long it is", () => {
    const topic = "t".repeat(65_535);
    const bytes = [0, 300, 301, 200_000].flatMap((payload) => message({ payload, topic, qos: 1 }));
    const { messages, replies, fault } = read([...CONNACK, ...bytes], length);
    expect(messages.map(([name, kept]) => [name.length, kept])).toEqual([
      [65_535, 0],
      [65_535, 300],
      [65_535, undefined],
      [65_535, undefined],
    ]);
    expect([replies.length, fault]).toEqual([16, undefined]);
  });

  test.each<[number, number[]]>([
    [0, []],
    [1, [0x40, 2, 0x12, 0x34]],
    [2, [0x50, 2, 0x12, 0x34]],
  ])("acknowledges messages with QoS %i, sent again or not, of either version", (qos, reply) => {
    for (const flags of [0, 1, 8, 9]) {
      const isRetained = (flags & 1) === 1;
      const older = read([...CONNACK, ...message({ payload: 4, qos, flags })], length);
      expect(older).toMatchObject({ messages: [["a/b", 4, isRetained]], replies: reply, fault: undefined });
      const properties = [0x80, 0x01, ...Array<number>(128).fill(0x26)];
      const newer = read([...CONNACK_5, ...message({ payload: 4, qos, flags, properties })], length, 5);
      expect(newer).toMatchObject({ messages: [["a/b", 4, isRetained]], replies: reply, fault: undefined });
    }
  });

  test("completes what is released", () => {
    expect(hex(read([...CONNACK, 0x62, 2, 0x12, 0x34], length).replies)).toBe("70021234");
    expect(hex(read([...CONNACK_5, 0x62, 4, 0x12, 0x34, 0, 0], length, 5).replies)).toBe("70021234");
  });

  test("a message of the greatest length is passed over byte by byte", () => {
    const bytes = [...CONNACK, 0x30, 0xff, 0xff, 0xff, 0x7f, 0, 1, 0x61, ...Array<number>(10_000).fill(0)];
    expect(read(bytes, length)).toMatchObject({ messages: [], replies: [], fault: undefined });
  });

  test.each([
    ["a message with QoS 3", [...CONNACK, 0x36, 5, 0, 1, 0x61, 0, 1], "the broker sent PUBLISH unasked"],
    ["a message before CONNACK", message({ payload: 5 }), "the broker sent PUBLISH in place of CONNACK"],
    ["a second CONNACK", [...CONNACK, ...CONNACK], "the broker sent CONNACK unasked"],
    ["an acknowledgement first", PUBACK, "the broker sent PUBACK in place of CONNACK"],
    ["another protocol", [...Buffer.from("HTTP/1.1 400")], "the broker sent PUBACK in place of CONNACK"],
    ["a CONNACK of 256 MB", [0x20, 0xff, 0xff, 0xff, 0x7f], "the broker sent CONNACK of a wrong length"],
    ["an acknowledgement with a tail", [...CONNACK, 0x40, 4, 0, 1, 0, 0], "the broker sent PUBACK of a wrong length"],
    ["a SUBACK of another length", [...CONNACK, 0x90, 4, 0, 1, 0, 0], "the broker sent SUBACK of a wrong length"],
    ["a release with a tail", [...CONNACK, 0x62, 3, 0, 1, 0], "the broker sent PUBREL of a wrong length"],
    ["a message without a topic", [...CONNACK, 0x30, 1, 0], "the broker sent PUBLISH of a wrong length"],
    ["a topic longer than its packet", [...CONNACK, 0x30, 3, 0, 2, 0x61], "the broker sent PUBLISH of a wrong length"],
    ["a missing packet number", [...CONNACK, 0x32, 4, 0, 1, 0x61, 0], "the broker sent PUBLISH of a wrong length"],
    [
      "a length without an end",
      [...CONNACK, 0x30, 0x80, 0x80, 0x80, 0x80],
      "the broker sent PUBLISH of a wrong length",
    ],
    ["DISCONNECT by MQTT 3.1.1", [...CONNACK, 0xe0, 0], "the broker sent DISCONNECT unasked"],
  ])("finds %s", (_, bytes, fault) => {
    expect(read(bytes, length).fault).toBe(fault);
  });

  test.each([
    ["a broker of MQTT 3.1.1", [0x20, 2, 0, 1], VERSION_REFUSED],
    ["one that says so by MQTT 5", [0x20, 3, 0, 0x84, 0], VERSION_REFUSED],
    ["a CONNACK of 1 MB", [0x20, 0x80, 0x80, 0x40], "the broker sent CONNACK of a wrong length"],
    [
      "a reason in words",
      [...CONNACK_5, 0x40, 9, 0, 1, 0x87, 5, 0x1f, 0, 2, 0x61, 0x62],
      "the broker sent PUBACK of a wrong length",
    ],
    [
      "properties longer than their packet",
      [...CONNACK_5, ...message({ payload: 0, properties: [9, 1] })],
      "the broker sent PUBLISH of a wrong length",
    ],
    [
      "properties without a length",
      [...CONNACK_5, ...message({ payload: 0, properties: [0x80] })],
      "the broker sent PUBLISH of a wrong length",
    ],
  ])("of MQTT 5 finds %s", (_, bytes, fault) => {
    expect(read(bytes, length, 5).fault).toBe(fault);
  });

  test("by MQTT 3.1.1 leaves the return code to the client", () => {
    expect(read([0x20, 2, 0, 1], length)).toMatchObject({ passed: [0x20, 2, 0, 1], fault: undefined });
  });
});

test("the packet size of a subscription has room for its longest message and for what a broker says of itself", () => {
  const filter = "can/can0/alarms/+/set";
  const longest = message({ payload: 256, topic: "can/can0/alarms/cpa-244660000/set", qos: 2, properties: [0] });
  expect(packetSizeFor(filter, 256)).toBeGreaterThan(longest.length);
  expect(packetSizeFor(filter, 256)).toBeLessThan(2000);
});
