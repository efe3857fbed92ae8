/** The display's packets of MQTT beside those of mqtt-packet, the parser and generator of MQTT.js. */
import { generate, type Packet, parser } from "mqtt-packet";
import { describe, expect, test } from "vitest";
import {
  connectPacket,
  disconnectPacket,
  PacketReader,
  pingPacket,
  publishPacket,
  type Received,
  subscribePacket,
  unsubscribePacket,
  type Version,
} from "../../../../src/web/display/data/mqtt-packets.ts";

const read = (bytes: Uint8Array, protocolVersion: Version): Packet => {
  const packets: Packet[] = [];
  const reader = parser({ protocolVersion });
  reader.on("packet", (packet) => packets.push(packet));
  reader.parse(Buffer.from(bytes));
  expect(packets).toHaveLength(1);
  return packets[0]!;
};

const texts = { short: "a/b", beyondAscii: "Bö/水", long: "x".repeat(300) };

describe.each([4, 5] as const)("version %d", (version) => {
  test.each([
    [{}, {}],
    [{ username: "crew" }, { username: "crew" }],
    [
      { username: "crew", password: "pässword" },
      { username: "crew", password: Buffer.from("pässword") },
    ],
  ])("connects with %j", (names, expected) => {
    const bytes = connectPacket({ version, clientId: "one", keepAliveSeconds: 300, ...names });
    expect(read(bytes, version)).toMatchObject({
      ...{ cmd: "connect", protocolVersion: version, clean: true, clientId: "one", keepalive: 300 },
      ...expected,
    });
  });

  test.each(Object.values(texts))("subscribes and publishes: %s", (text) => {
    expect(read(subscribePacket(version, 513, [text, "#"]), version)).toMatchObject({
      ...{ cmd: "subscribe", messageId: 513 },
      subscriptions: [
        { topic: text, qos: 0 },
        { topic: "#", qos: 0 },
      ],
    });
    expect(read(unsubscribePacket(version, 1, [text, "b"]), version)).toMatchObject({
      ...{ cmd: "unsubscribe", unsubscriptions: [text, "b"] },
    });
    const published = read(publishPacket(version, text, text), version);
    expect(published).toMatchObject({ cmd: "publish", topic: text, qos: 0, retain: false });
    expect((published as { payload: Buffer }).payload.toString()).toBe(text);
  });

  test("asks and says goodbye", () => {
    expect(read(pingPacket, version).cmd).toBe("pingreq");
    expect(read(disconnectPacket, version).cmd).toBe("disconnect");
  });

  /** Lengths of one, two and three bytes. */
  const payloads = [0, 1, 100, 127, 128, 16_383, 20_000].map((size) => Buffer.alloc(size, "p"));
  const sent: readonly Packet[] = [
    { cmd: "connack", returnCode: 0, reasonCode: 0, sessionPresent: false } as Packet,
    { cmd: "suback", messageId: 2, granted: [0, 0x80] } as Packet,
    ...payloads.map((payload, index) => ({
      ...({ cmd: "publish", topic: texts.beyondAscii, payload, qos: 0, dup: false, retain: index % 2 === 0 } as const),
      ...(version === 5 && index % 3 === 0 ? { properties: { messageExpiryInterval: 60, contentType: "text" } } : {}),
    })),
    { cmd: "publish", topic: "q", payload: "one", qos: 1, messageId: 7, dup: false, retain: false } as Packet,
    { cmd: "unsuback", messageId: 3, granted: [0] } as unknown as Packet,
    { cmd: "pingresp" } as Packet,
  ];
  const bytes = Buffer.concat(sent.map((packet) => generate(packet, { protocolVersion: version })));

  test.each([1, 2, 3, 7, 1000, 1_000_000])("reads packets in pieces of %d bytes", (size) => {
    const reader = new PacketReader(version);
    const received: Received[] = [];
    for (let at = 0; at < bytes.length; at += size) received.push(...reader.read(bytes.subarray(at, at + size)));
    expect(received.map(({ type }) => type)).toEqual([
      ...["connack", ...payloads.map(() => "publish"), "publish", "pingresp"],
    ]);
    const messages = received.flatMap((each) => (each.type === "publish" ? [each] : []));
    expect(
      messages.map(({ topic, payload, isRetained }) => [topic, Buffer.from(payload).toString(), isRetained]),
    ).toEqual([
      ...payloads.map((payload, index) => [texts.beyondAscii, payload.toString(), index % 2 === 0]),
      ["q", "one", false],
    ]);
  });

  test.each([
    ["a length of five bytes", [0x30, 0xff, 0xff, 0xff, 0xff, 0x01]],
    ["a packet of a client", [0x82, 0x00]],
    ["a topic that is longer than its packet", [0x30, 3, 0xff, 0xff, 1]],
    ["HTTP", [...Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n".repeat(4))]],
  ])("throws for %s", (_name, wrong) => {
    expect(() => [...new PacketReader(version).read(Uint8Array.from(wrong))]).toThrow();
  });
});

test("asks a broker with MQTT 5 to keep longer packets to itself", () => {
  const options = { clientId: "one", keepAliveSeconds: 15, maximumPacketSize: 0x12345678 };
  expect(read(connectPacket({ version: 5, ...options }), 5)).toMatchObject({
    properties: { maximumPacketSize: 0x12345678 },
  });
});
