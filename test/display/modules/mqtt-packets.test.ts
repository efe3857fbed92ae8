/** The packets of MQTT as the display writes and reads them, compared with mqtt-packet. */
import { generate, type Packet, parser } from "mqtt-packet";
import { describe, expect, test } from "vitest";
import {
  connectPacket,
  packetReader,
  pingPacket,
  publishPacket,
  subscribePacket,
  unsubscribePacket,
} from "../../../src/display/data/mqtt-packets.ts";

function parsed(bytes: Uint8Array): Packet {
  const packets: Packet[] = [];
  const read = parser();
  read.on("packet", (packet) => packets.push(packet));
  read.on("error", (error) => {
    throw error;
  });
  expect(read.parse(Buffer.from(bytes))).toBe(0);
  expect(packets.length).toBe(1);
  return packets[0]!;
}

describe("written", () => {
  const login = { clientId: "hub_1", keepaliveSeconds: 15, username: "", password: "" };

  test("a clean session of MQTT 3.1.1, with and without a name", () => {
    const common = {
      cmd: "connect",
      protocolId: "MQTT",
      protocolVersion: 4,
      clean: true,
      clientId: "hub_1",
      keepalive: 15,
    };
    expect(parsed(connectPacket(login))).toMatchObject(common);
    const named = parsed(connectPacket({ ...login, username: "crew", password: "größer" }));
    expect(named).toMatchObject({ ...common, username: "crew" });
    expect(String((named as { password?: Buffer }).password)).toBe("größer");
  });

  test("subscriptions, commands and pings", () => {
    expect(parsed(subscribePacket(65_535, ["can/+/ais", "ä/#"]))).toMatchObject({
      ...{ cmd: "subscribe", messageId: 65_535 },
      subscriptions: [
        { topic: "can/+/ais", qos: 0 },
        { topic: "ä/#", qos: 0 },
      ],
    });
    expect(parsed(unsubscribePacket(1, ["a", "b"]))).toMatchObject({ cmd: "unsubscribe", unsubscriptions: ["a", "b"] });
    const long = "x".repeat(20_000);
    const command = parsed(publishPacket("alarms/all/set", long));
    expect(command).toMatchObject({ cmd: "publish", topic: "alarms/all/set", qos: 0, retain: false });
    expect(String((command as { payload: Buffer }).payload)).toBe(long);
    expect(parsed(pingPacket()).cmd).toBe("pingreq");
  });
});

describe("read", () => {
  const read = (chunks: readonly Uint8Array[]): readonly unknown[] => {
    const heard: unknown[] = [];
    const next = packetReader({
      connected: (isAccepted) => heard.push(isAccepted),
      published: (topic, payload, isRetained) => heard.push([topic, Buffer.from(payload).toString(), isRetained]),
      answered: () => heard.push("pong"),
    });
    for (const chunk of chunks) next(chunk);
    return heard;
  };
  const publish = (topic: string, payload: string, others: object): Buffer =>
    generate({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false, ...others } as Packet);
  const stream = Buffer.concat([
    generate({ cmd: "connack", returnCode: 0, sessionPresent: false }),
    generate({ cmd: "suback", messageId: 1, granted: [0] }),
    publish("can/can0/ä", "{}", { retain: true }),
    publish("empty", "", {}),
    publish("long", "y".repeat(300), { qos: 1, messageId: 7 }),
    generate({ cmd: "pingresp" }),
  ]);
  const expected = [true, ["can/can0/ä", "{}", true], ["empty", "", false], ["long", "y".repeat(300), false], "pong"];

  test("whole, byte by byte, and cut in two at every byte", () => {
    expect(read([stream])).toEqual(expected);
    expect(read([...stream].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
    for (let cut = 0; cut <= stream.length; cut++)
      expect(read([stream.subarray(0, cut), stream.subarray(cut)])).toEqual(expected);
  });

  test("a refusal, and bytes that are no packet", () => {
    expect(read([generate({ cmd: "connack", returnCode: 5, sessionPresent: false })])).toEqual([false]);
    expect(() => read([Uint8Array.of(0x30, 255, 255, 255, 255, 1)])).toThrow("not a packet");
  });
});
