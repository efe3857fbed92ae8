/**
 * The packets that a broker may send to a client that publishes with QoS 0 and 1:
 *
 *     MQTT 3.1.1         MQTT 5, without problem information
 *     20 02 xx xx        20 nn …                   CONNACK, once, as the first
 *     40 02 xx xx        40 02 …, 40 03 …, 40 04 … PUBACK; a reason behind the packet number
 *     d0 00              d0 00                     PINGRESP
 *                        e0 nn …                   DISCONNECT
 *
 * and to one that also has one subscription with QoS 0:
 *
 *     90 03 xx xx xx     90 04 xx xx xx xx         SUBACK
 *     30 nn … 3b nn …    the same                  PUBLISH of limited length; a few with QoS 1, which brokers such as Aedes
 *                                                  use all the same
 *
 * A parser keeps whatever length a packet announces and whatever has to be acknowledged, so that a broken broker could fill
 * the memory with anything else.
 */

export type MqttVersion = 4 | 5;

const CONNACK = 0x20;
const SUBACK = 0x90;
/** First bytes of PUBLISH with QoS 0 and 1: retained or not, sent again or not. */
const WITHOUT_QOS: readonly number[] = [0x30, 0x31];
const WITH_QOS_1: readonly number[] = [0x32, 0x33, 0x3a, 0x3b];
/** Messages of a connection with QoS 1; each is acknowledged, and a broker that reads nothing would fill the memory. */
const MAX_ACKNOWLEDGED = 1000;
/** Properties of a broker, or a reason in words. */
const MAX_PROPERTIES = 1024;
/** User properties of a message. */
const MAX_MESSAGE_PROPERTIES = 64;
/** Least and greatest length by first byte, SUBACK for a client with a subscription only. */
const lengths: Readonly<Record<MqttVersion, Readonly<Record<number, readonly [least: number, most: number]>>>> = {
  4: { [CONNACK]: [2, 2], 64: [2, 2], [SUBACK]: [3, 3], 208: [0, 0] },
  5: { [CONNACK]: [2, MAX_PROPERTIES], 64: [2, 4], [SUBACK]: [4, 4], 208: [0, 0], 224: [0, MAX_PROPERTIES] },
};

/** The fault of a broker that does not speak MQTT 5, which says so as MQTT 3.1.1 does or with a reason of its own. */
export const VERSION_REFUSED = "the broker does not speak MQTT 5";
const versionRefusals: readonly number[] = [1, 0x84];

/** Packet types by the upper four bits of their first byte. */
const names = [
  ...["type 0", "CONNECT", "CONNACK", "PUBLISH", "PUBACK", "PUBREC", "PUBREL", "PUBCOMP"],
  ...["SUBSCRIBE", "SUBACK", "UNSUBSCRIBE", "UNSUBACK", "PINGREQ", "PINGRESP", "DISCONNECT", "AUTH"],
];

/** Bits of a length in each of its bytes; the bit above them says that one more follows. */
const LENGTH_BITS = 7;
const MAX_LENGTH_BYTES = 4;

/**
 * Makes the check of one connection: given its bytes in order, in pieces of any length, it returns a description of the first
 * packet that the broker may not send. `maxMessageBytes` is the longest PUBLISH, topic included; 0 without a subscription.
 */
export function createPacketCheck(
  maxMessageBytes = 0,
  version: MqttVersion = 4,
): (bytes: Uint8Array) => string | undefined {
  const hasSubscription = maxMessageBytes > 0;
  const mostOfMessage = maxMessageBytes + (version === 5 ? MAX_MESSAGE_PROPERTIES : 0);
  let isConnected = false;
  let acknowledged = 0;
  /** First byte of the packet that is being read, whose length comes next while `isHead`. */
  let first = 0;
  let isHead = false;
  /** Bytes of the length so far, and the length. */
  let lengthBytes = 0;
  let length = 0;
  /** Bytes of the packet that are still to come. */
  let rest = 0;
  const isMessage = (byte: number): boolean =>
    hasSubscription && (WITHOUT_QOS.includes(byte) || WITH_QOS_1.includes(byte));
  const isExpected = (byte: number): boolean => {
    if (!isConnected) return byte === CONNACK;
    if (byte === CONNACK || (byte === SUBACK && !hasSubscription)) return false;
    return byte in lengths[version] || isMessage(byte);
  };
  const begin = (byte: number): string | undefined => {
    if (!isExpected(byte))
      return `the broker sent ${names[byte >> 4]!} ${isConnected ? "unasked" : "in place of CONNACK"}`;
    if (WITH_QOS_1.includes(byte) && ++acknowledged > MAX_ACKNOWLEDGED)
      return `the broker sent more than ${MAX_ACKNOWLEDGED} messages with QoS 1`;
    isConnected = true;
    first = byte;
    isHead = true;
    length = 0;
    lengthBytes = 0;
    return undefined;
  };
  const measure = (byte: number): string | undefined => {
    length += (byte & 0x7f) << (LENGTH_BITS * lengthBytes++);
    const [least, most] = isMessage(first) ? [0, mostOfMessage] : lengths[version][first]!;
    const isComplete = byte < 0x80;
    if (isComplete ? length < least || length > most : most < 0x80 || lengthBytes === MAX_LENGTH_BYTES)
      return `the broker sent ${names[first >> 4]!} of a wrong length`;
    if (!isComplete) return undefined;
    rest = length;
    isHead = false;
    return undefined;
  };
  const pass = (byte: number): string | undefined => {
    // The second byte of CONNACK is its return code.
    const isRefusal = version === 5 && first === CONNACK && length - rest === 1 && versionRefusals.includes(byte);
    rest--;
    return isRefusal ? VERSION_REFUSED : undefined;
  };
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      // Of the content only that of CONNACK is looked at.
      if (rest > 0 && first !== CONNACK) {
        const passed = Math.min(rest, bytes.length - at);
        rest -= passed;
        at += passed;
        continue;
      }
      const byte = bytes[at++]!;
      const fault = rest > 0 ? pass(byte) : isHead ? measure(byte) : begin(byte);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}
