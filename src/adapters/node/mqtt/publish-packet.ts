/**
 * A QoS 0 PUBLISH packet, written around its payload:
 *
 *     0x30 | remaining length, 1 to 4 bytes | topic length, 2 bytes | topic, UTF-8 | properties, MQTT 5 | payload
 *            7 bits a byte, low bits first,                                          their length, 0
 *            0x80 means that one more follows
 *
 * The length is known only after the payload is written, so two bytes are reserved for it, which fits 128 to 16383
 * bytes; other packets are moved.
 */
import { type AsciiBuffer, type EncodedText, encodeText } from "../../../core/text/ascii-buffer.ts";
import type { MqttVersion } from "./incoming-packets.ts";

const PUBLISH = 0x30;

/**
 * The bytes in front of each payload of a topic: a fixed header to be filled in, the topic's length, the topic, no
 * properties.
 */
export function packetHead(topic: string, version: MqttVersion = 4): EncodedText {
  const { length } = Buffer.from(topic, "utf8");
  const head = encodeText(`   ..${topic}${version === 5 ? "\0" : ""}`);
  const bytes = new Uint8Array(head.words.buffer);
  bytes[3] = length >> 8;
  bytes[4] = length & 0xff;
  return head;
}

/** Bytes of the fixed header as it is reserved. */
const RESERVED = 3;

/** Fills in the fixed header of the packet from `start` to the end of `out`, at most 268435455 bytes. */
export function completePacket(out: AsciiBuffer, start: number): void {
  const remaining = out.at - start - RESERVED;
  const head = remaining < 1 << 7 ? 2 : remaining < 1 << 14 ? 3 : remaining < 1 << 21 ? 4 : 5;
  if (head !== RESERVED) {
    out.reserve(head);
    out.bytes.copyWithin(start + head, start + RESERVED, out.at);
    out.at += head - RESERVED;
  }
  const { bytes } = out;
  bytes[start] = PUBLISH;
  for (let at = 1; at < head; at++) {
    const more = at + 1 < head ? 0x80 : 0;
    bytes[start + at] = ((remaining >> (7 * (at - 1))) & 0x7f) | more;
  }
}
