/**
 * A QoS 0 PUBLISH packet of MQTT 3.1.1, written around its payload:
 *
 *     0x30 | remaining length, 1 to 4 bytes | topic length, 2 bytes | topic, UTF-8 | payload
 *            7 bits a byte, low bits first,
 *            0x80 means that one more follows
 *
 * How long a message is shows when it is written, so two bytes are left for its length, which is right for 128 to 16383; the
 * few others are moved.
 */
import { type AsciiBuffer, type Piece, pieceOf } from "../../n2k/ascii-buffer.ts";

const PUBLISH = 0x30;

/** What stands in front of each payload of a topic: a head to be filled in, the topic's length and the topic. */
export function packetHead(topic: string): Piece {
  const { length } = Buffer.from(topic, "utf8");
  const head = pieceOf(`   ..${topic}`);
  const bytes = new Uint8Array(head.words.buffer);
  bytes[3] = length >> 8;
  bytes[4] = length & 0xff;
  return head;
}

/** Bytes of the head as it is left. */
const LEFT = 3;

/** Fills in the head of the packet that begins at `start` and goes to the end of what is written, at most 268435455 bytes. */
export function endPacket(out: AsciiBuffer, start: number): void {
  const remaining = out.at - start - LEFT;
  const head = remaining < 1 << 7 ? 2 : remaining < 1 << 14 ? 3 : remaining < 1 << 21 ? 4 : 5;
  if (head !== LEFT) {
    out.reserve(head);
    out.bytes.copyWithin(start + head, start + LEFT, out.at);
    out.at += head - LEFT;
  }
  const { bytes } = out;
  bytes[start] = PUBLISH;
  for (let at = 1; at < head; at++) {
    const more = at + 1 < head ? 0x80 : 0;
    bytes[start + at] = ((remaining >> (7 * (at - 1))) & 0x7f) | more;
  }
}
