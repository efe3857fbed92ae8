/**
 * The packets that a broker may send to a client that subscribes to nothing and publishes with QoS 0 and 1 (MQTT 3.1.1):
 *
 *     20 02 xx xx    CONNACK, once, as the first
 *     40 02 xx xx    PUBACK
 *     d0 00          PINGRESP
 *
 * A parser keeps whatever length a packet announces and whatever has to be acknowledged, so that a broken broker could fill
 * the memory with anything else.
 */

const CONNACK = 0x20;
const lengths: Readonly<Record<number, number>> = { [CONNACK]: 2, 64: 2, 208: 0 };

/** Packet types by the upper four bits of their first byte. */
const names = [
  ...["type 0", "CONNECT", "CONNACK", "PUBLISH", "PUBACK", "PUBREC", "PUBREL", "PUBCOMP"],
  ...["SUBSCRIBE", "SUBACK", "UNSUBSCRIBE", "UNSUBACK", "PINGREQ", "PINGRESP", "DISCONNECT", "AUTH"],
];

/**
 * Makes the check of one connection: given its bytes in order, in pieces of any length, it returns a description of the first
 * packet that the broker may not send.
 */
export function createPacketCheck(): (bytes: Uint8Array) => string | undefined {
  let isConnected = false;
  /** First byte of the packet whose length comes next. */
  let first: number | undefined;
  /** Bytes of the packet that are still to come. */
  let rest = 0;
  return (bytes) => {
    for (const byte of bytes) {
      if (rest > 0) rest--;
      else if (first === undefined) {
        const isExpected = isConnected ? byte in lengths && byte !== CONNACK : byte === CONNACK;
        if (!isExpected)
          return `the broker sent ${names[byte >> 4]!} ${isConnected ? "unasked" : "in place of CONNACK"}`;
        isConnected = true;
        first = byte;
      } else {
        if (byte !== lengths[first]) return `the broker sent ${names[first >> 4]!} of a wrong length`;
        rest = byte;
        first = undefined;
      }
    }
    return undefined;
  };
}
