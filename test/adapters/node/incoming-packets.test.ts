import { describe, expect, test } from "vitest";
import { createPacketCheck, type MqttVersion, VERSION_REFUSED } from "../../../src/adapters/node/incoming-packets.ts";

const CONNACK = [0x20, 2, 0, 0];
const PUBACK = [0x40, 2, 0, 1];
const PINGRESP = [0xd0, 0];

/** The first fault found in these packets, given in pieces of a length. */
function faultOf(
  bytes: readonly number[],
  length: number,
  maxMessageBytes?: number,
  version?: MqttVersion,
): string | undefined {
  const check = createPacketCheck(maxMessageBytes, version);
  for (let at = 0; at < bytes.length; at += length) {
    const fault = check(Uint8Array.from(bytes.slice(at, at + length)));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

describe.each([1, 2, 3, 5, 1000])("createPacketCheck, in pieces of %i bytes,", (length) => {
  test("lets acknowledgements pass, whatever their packet numbers look like", () => {
    const numbered = [0x40, 2, 0x30, 0xff];
    expect(faultOf([...CONNACK, ...PUBACK, ...PINGRESP, ...numbered, ...PUBACK], length)).toBe(undefined);
  });

  test.each([
    ["a message", [...CONNACK, 0x30, 3, 0, 1, 0x61], "the broker sent PUBLISH unasked"],
    ["a message with QoS 2", [...CONNACK, ...PUBACK, 0x34, 5, 0, 1, 0x61, 0, 1], "the broker sent PUBLISH unasked"],
    ["a message of 256 MB", [...CONNACK, 0x30, 0xff, 0xff, 0xff, 0x7f], "the broker sent PUBLISH unasked"],
    ["a release of what was not sent", [...CONNACK, 0x62, 2, 0, 1], "the broker sent PUBREL unasked"],
    ["a second CONNACK", [...CONNACK, ...CONNACK], "the broker sent CONNACK unasked"],
    ["an acknowledgement first", PUBACK, "the broker sent PUBACK in place of CONNACK"],
    ["another protocol", [...Buffer.from("HTTP/1.1 400")], "the broker sent PUBACK in place of CONNACK"],
    ["a CONNACK of 256 MB", [0x20, 0xff, 0xff, 0xff, 0x7f], "the broker sent CONNACK of a wrong length"],
    ["an acknowledgement with a tail", [...CONNACK, 0x40, 4, 0, 1, 0, 0], "the broker sent PUBACK of a wrong length"],
  ])("finds %s", (_, bytes, fault) => {
    expect(faultOf(bytes, length)).toBe(fault);
  });

  const SUBACK = [0x90, 3, 0, 1, 0];
  const message = (payload: number, first = 0x30): number[] => {
    const rest = payload + 3;
    const size = rest < 128 ? [rest] : [(rest & 0x7f) | 0x80, rest >> 7];
    return [first, ...size, 0, 1, 0x61, ...Array<number>(payload).fill(0x30)];
  };

  test("with a subscription lets SUBACK and messages up to the limit pass, retained or not", () => {
    const bytes = [
      ...CONNACK,
      ...SUBACK,
      ...message(0),
      ...PUBACK,
      ...message(200, 0x31),
      ...message(297),
      ...PINGRESP,
    ];
    expect(faultOf(bytes, length, 300)).toBe(undefined);
  });

  test("with a subscription lets a thousand messages with QoS 1 of a connection pass, and no more", () => {
    const many = (count: number): number[] => Array.from({ length: count }, () => message(4, 0x33)).flat();
    expect(faultOf([...CONNACK, ...SUBACK, ...message(4, 0x32), ...many(999)], length, 300)).toBe(undefined);
    const fault = "the broker sent more than 1000 messages with QoS 1";
    expect(faultOf([...CONNACK, ...SUBACK, ...message(4, 0x3a), ...many(999), ...message(4, 0x3b)], length, 300)).toBe(
      fault,
    );
  });

  test.each([
    ["a message that is too long", [...CONNACK, ...message(298)], "the broker sent PUBLISH of a wrong length"],
    ["one with QoS 1", [...CONNACK, ...message(298, 0x32)], "the broker sent PUBLISH of a wrong length"],
    ["one of 256 MB", [...CONNACK, 0x30, 0xff, 0xff, 0xff, 0x7f], "the broker sent PUBLISH of a wrong length"],
    [
      "a length without an end",
      [...CONNACK, 0x30, 0x80, 0x80, 0x80, 0x80],
      "the broker sent PUBLISH of a wrong length",
    ],
    ["a message with QoS 2", [...CONNACK, ...message(5, 0x34)], "the broker sent PUBLISH unasked"],
    ["one that is a duplicate", [...CONNACK, ...message(5, 0x38)], "the broker sent PUBLISH unasked"],
    ["a SUBACK of another length", [...CONNACK, 0x90, 4, 0, 1, 0, 0], "the broker sent SUBACK of a wrong length"],
    ["a message before CONNACK", message(5), "the broker sent PUBLISH in place of CONNACK"],
  ])("with a subscription finds %s", (_, bytes, fault) => {
    expect(faultOf(bytes, length, 300)).toBe(fault);
  });

  const CONNACK_5 = [0x20, 6, 0, 0, 3, 0x21, 0, 20];
  const REFUSED_5 = [0x40, 3, 0, 1, 0x87];

  test("of MQTT 5 lets properties, reasons and DISCONNECT pass", () => {
    const bytes = [...CONNACK_5, ...PUBACK, ...REFUSED_5, 0x40, 4, 0, 1, 0, 0, 0x90, 4, 0, 1, 0, 0, ...PINGRESP];
    expect(faultOf([...bytes, ...message(300, 0x31), 0xe0, 2, 0x8b, 0], length, 300, 5)).toBe(undefined);
    const long = [0x20, 0x83, 0x02, 0, 0, ...Array<number>(257).fill(1)];
    expect(faultOf([...long, ...PUBACK], length, 300, 5)).toBe(undefined);
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
    ["a message without a subscription", [...CONNACK_5, 0x30, 4, 0, 1, 0x61, 0], "the broker sent PUBLISH unasked"],
    ["SUBACK without a subscription", [...CONNACK_5, 0x90, 4, 0, 1, 0, 0], "the broker sent SUBACK unasked"],
  ])("of MQTT 5 finds %s", (_, bytes, fault) => {
    expect(faultOf(bytes, length, 0, 5)).toBe(fault);
  });

  test("by MQTT 3.1.1 leaves the return code and a DISCONNECT to the client", () => {
    expect(faultOf([0x20, 2, 0, 1], length)).toBe(undefined);
    expect(faultOf([...CONNACK, 0xe0, 0], length)).toBe("the broker sent DISCONNECT unasked");
  });
});
