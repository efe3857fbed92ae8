/**
 * The packets that a broker may send to a client that publishes with QoS 0 and 1 (MQTT 3.1.1):
 *
 *     20 02 xx xx        CONNACK, once, as the first
 *     40 02 xx xx        PUBACK
 *     d0 00              PINGRESP
 *
 * and to one that also has one subscription with QoS 0:
 *
 *     90 03 xx xx xx     SUBACK
 *     30 nn … 3b nn …    PUBLISH of limited length; a few with QoS 1, which brokers such as Aedes use all the same
 *
 * A parser keeps whatever length a packet announces and whatever has to be acknowledged, so that a broken broker could fill
 * the memory with anything else.
 */

const CONNACK = 0x20;
const SUBACK = 0x90;
/** First bytes of PUBLISH with QoS 0 and 1: retained or not, sent again or not. */
const WITHOUT_QOS: readonly number[] = [0x30, 0x31];
const WITH_QOS_1: readonly number[] = [0x32, 0x33, 0x3a, 0x3b];
/** Messages of a connection with QoS 1; each is acknowledged, and a broker that reads nothing would fill the memory. */
const MAX_ACKNOWLEDGED = 1000;
const lengths: Readonly<Record<number, number>> = { [CONNACK]: 2, 64: 2, 208: 0 };

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
export function createPacketCheck(maxMessageBytes = 0): (bytes: Uint8Array) => string | undefined {
  const hasSubscription = maxMessageBytes > 0;
  let isConnected = false;
  let acknowledged = 0;
  /** First byte of the packet whose length comes next. */
  let first: number | undefined;
  /** Bytes of the length so far, and the length. */
  let lengthBytes = 0;
  let length = 0;
  /** Bytes of the packet that are still to come. */
  let rest = 0;
  const isMessage = (byte: number): boolean =>
    hasSubscription && (WITHOUT_QOS.includes(byte) || WITH_QOS_1.includes(byte));
  const isExpected = (byte: number): boolean =>
    isConnected
      ? (byte in lengths && byte !== CONNACK) || isMessage(byte) || (hasSubscription && byte === SUBACK)
      : byte === CONNACK;
  const isRight = (byte: number): boolean =>
    isMessage(byte) ? length <= maxMessageBytes : length === (byte === SUBACK ? 3 : lengths[byte]);
  return (bytes) => {
    for (const byte of bytes) {
      if (rest > 0) rest--;
      else if (first === undefined) {
        if (!isExpected(byte))
          return `the broker sent ${names[byte >> 4]!} ${isConnected ? "unasked" : "in place of CONNACK"}`;
        if (WITH_QOS_1.includes(byte) && ++acknowledged > MAX_ACKNOWLEDGED)
          return `the broker sent more than ${MAX_ACKNOWLEDGED} messages with QoS 1`;
        isConnected = true;
        first = byte;
        length = 0;
        lengthBytes = 0;
      } else {
        length += (byte & 0x7f) << (LENGTH_BITS * lengthBytes++);
        const isComplete = byte < 0x80;
        if (isComplete ? !isRight(first) : !isMessage(first) || lengthBytes === MAX_LENGTH_BYTES)
          return `the broker sent ${names[first >> 4]!} of a wrong length`;
        if (!isComplete) continue;
        rest = length;
        first = undefined;
      }
    }
    return undefined;
  };
}
