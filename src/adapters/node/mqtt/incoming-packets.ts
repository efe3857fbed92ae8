/**
 * Reads the input from a broker before MQTT.js does, which keeps a packet of any announced length. These pass on to
 * MQTT.js:
 *
 *     MQTT 3.1.1         MQTT 5, without problem information
 *     20 02 xx xx        20 nn …                   CONNACK, once, as the first
 *     40 02 xx xx        40 02 …, 40 03 …, 40 04 … PUBACK; a reason behind the packet number
 *     90 03 xx xx xx     90 04 xx xx xx xx         SUBACK
 *     d0 00              d0 00                     PINGRESP
 *                        e0 nn …                   DISCONNECT
 *
 * Messages are read here, because any client may be allowed to publish to a topic that is subscribed to:
 *
 *     3q nn … | topic length, 2 bytes | topic | packet number, QoS 1 and 2 | length of properties, properties, MQTT 5 |
 *             | payload
 *     62 02 xx xx                                                            PUBREL, which ends a message with QoS 2
 *
 * A payload that is too long is counted by its bytes and not kept, whatever its length. Messages with QoS 1 and 2 are
 * acknowledged in either case, although QoS 0 was subscribed to, because brokers such as Aedes use the QoS of the
 * publisher all the same. Everything else is a fault of the broker, which no client causes.
 */

export type MqttVersion = 4 | 5;

const CONNACK = 0x20;
const PUBLISH = 0x30;
const PUBREL = 0x62;
/** Replies to messages with QoS 1 and 2, and to PUBREL. */
const [PUBACK, PUBREC, PUBCOMP] = [0x40, 0x50, 0x70];
/** Properties of a broker, or a reason in words. */
const MAX_PROPERTIES = 1024;
/** Maximum bytes of topic length, topic and packet number. */
const MAX_HEAD_BYTES = 2 + 65_535 + 2;
/** Least and greatest length by first byte. */
const lengths: Readonly<Record<MqttVersion, Readonly<Record<number, readonly [least: number, most: number]>>>> = {
  4: { [CONNACK]: [2, 2], [PUBACK]: [2, 2], [PUBREL]: [2, 2], 144: [3, 3], 208: [0, 0] },
  5: {
    [CONNACK]: [2, MAX_PROPERTIES],
    [PUBACK]: [2, 4],
    [PUBREL]: [2, 4],
    144: [4, 4],
    208: [0, 0],
    224: [0, MAX_PROPERTIES],
  },
};
/** Least and greatest remaining length of a PUBLISH; MQTT sets the greatest. */
const messageLengths = [2, 268_435_455] as const;

/** The fault of a broker that does not speak MQTT 5 and says so by the code of MQTT 3.1.1 or by a reason of MQTT 5. */
export const VERSION_REFUSED = "the broker does not speak MQTT 5";
const versionRefusals: readonly number[] = [1, 0x84];

/** Packet types by the upper four bits of their first byte. */
const names = [
  ...["type 0", "CONNECT", "CONNACK", "PUBLISH", "PUBACK", "PUBREC", "PUBREL", "PUBCOMP"],
  ...["SUBSCRIBE", "SUBACK", "UNSUBSCRIBE", "UNSUBACK", "PINGREQ", "PINGRESP", "DISCONNECT", "AUTH"],
];

/** Bits of a length in each of its bytes; the bit above them means that another byte follows. */
const LENGTH_BITS = 7;
const MAX_LENGTH_BYTES = 4;

/** The packet size to announce by MQTT 5: enough for messages of these topics, and for the properties of a broker. */
export const packetSizeFor = (filter: string, maxPayloadBytes: number): number =>
  Buffer.byteLength(filter) + maxPayloadBytes + MAX_PROPERTIES;

/**
 * The payload is undefined if it is too long; its bytes are valid during the call. `isRetained`: the broker had it
 * before.
 */
export type OnMessage = (topic: string, payload: Uint8Array | undefined, isRetained: boolean) => void;

export interface PacketReaderOptions {
  readonly version: MqttVersion;
  /** Bytes of the longest payload that is kept. */
  readonly maxPayloadBytes: number;
  readonly onMessage: OnMessage;
}

/** Bytes of the input that are not part of a message. */
export interface Received {
  /** Packets, or parts of them, for MQTT.js. */
  readonly passed: Uint8Array;
  readonly replies: Uint8Array;
  /** Describes the first packet that the broker may not send. */
  readonly fault: string | undefined;
}

const utf8 = new TextDecoder();

const isPublish = (first: number): boolean => (first & 0xf0) === PUBLISH;
const qosOf = (first: number): number => (first >> 1) & 3;

/** Reads one connection, whose bytes arrive in order, in pieces of any length. */
export class PacketReader {
  readonly #options: PacketReaderOptions;
  #isConnected = false;
  /** First byte of the packet that is being read; 0 between packets. */
  #first = 0;
  /** Whether the length of the packet is complete; its bytes so far, and its value. */
  #isMeasured = false;
  #lengthBytes = 0;
  #length = 0;
  /** Bytes of the packet that are still missing. */
  #rest = 0;
  /** The parts of a message or a PUBREL kept so far, and their length. */
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #passed: number[] = [];
  #replies: number[] = [];

  constructor(options: PacketReaderOptions) {
    this.#options = options;
  }

  read(bytes: Uint8Array): Received {
    this.#passed = [];
    this.#replies = [];
    let fault: string | undefined;
    for (let at = 0; at < bytes.length && fault === undefined; ) {
      if (this.#rest > 0) {
        const end = Math.min(bytes.length, at + this.#rest);
        fault = this.#take(bytes.subarray(at, end));
        at = end;
      } else fault = this.#takeHead(bytes[at++]!);
    }
    return { passed: Uint8Array.from(this.#passed), replies: Uint8Array.from(this.#replies), fault };
  }

  #takeHead(byte: number): string | undefined {
    const isFirst = this.#first === 0;
    const fault = isFirst ? this.#begin(byte) : this.#measure(byte);
    if (fault !== undefined) return fault;
    if (!this.#isRead()) this.#passed.push(byte);
    if (this.#isMeasured && this.#length === 0) this.#first = 0;
    return undefined;
  }

  #begin(byte: number): string | undefined {
    const isExpected = this.#isConnected
      ? byte !== CONNACK && (byte in lengths[this.#options.version] || (isPublish(byte) && qosOf(byte) < 3))
      : byte === CONNACK;
    if (!isExpected)
      return `the broker sent ${names[byte >> 4]!} ${this.#isConnected ? "unasked" : "in place of CONNACK"}`;
    this.#isConnected = true;
    this.#first = byte;
    this.#isMeasured = false;
    this.#length = 0;
    this.#lengthBytes = 0;
    return undefined;
  }

  #measure(byte: number): string | undefined {
    this.#length += (byte & 0x7f) << (LENGTH_BITS * this.#lengthBytes++);
    const [least, most] = lengths[this.#options.version][this.#first] ?? messageLengths;
    this.#isMeasured = byte < 0x80;
    const isWrong = this.#isMeasured
      ? this.#length < least || this.#length > most
      : most < 0x80 || this.#lengthBytes === MAX_LENGTH_BYTES;
    if (isWrong) return this.#wrongLength();
    if (this.#isMeasured) this.#rest = this.#length;
    return undefined;
  }

  #wrongLength(): string {
    return `the broker sent ${names[this.#first >> 4]!} of a wrong length`;
  }

  /** Whether the packet is read here, and not by MQTT.js. */
  #isRead(): boolean {
    return isPublish(this.#first) || this.#first === PUBREL;
  }

  /** Takes bytes of the content, at most as many as are missing. */
  #take(bytes: Uint8Array): string | undefined {
    const offset = this.#length - this.#rest;
    this.#rest -= bytes.length;
    if (this.#isRead()) return this.#keep(bytes);
    // biome-ignore lint/plugin: the head of a packet
    this.#passed.push(...bytes);
    // The second byte of CONNACK is its return code.
    const code = this.#first === CONNACK ? bytes[1 - offset] : undefined;
    if (this.#rest === 0) this.#first = 0;
    return this.#options.version === 5 && code !== undefined && versionRefusals.includes(code)
      ? VERSION_REFUSED
      : undefined;
  }

  #keep(bytes: Uint8Array): string | undefined {
    if (bytes.length === this.#length) return this.#finish(bytes);
    const room = this.#mostKept() - this.#keptBytes;
    if (room > 0) {
      // A copy, because the memory of a read is reused; `slice` of a Buffer does not copy.
      const piece = Uint8Array.from(bytes.subarray(0, room));
      this.#kept.push(piece);
      this.#keptBytes += piece.length;
    }
    return this.#rest === 0 ? this.#finish(Buffer.concat(this.#kept)) : undefined;
  }

  /** Maximum bytes kept of a message: all, or those before a payload that is too long in any case. */
  #mostKept(): number {
    const longest = MAX_HEAD_BYTES + MAX_PROPERTIES + this.#options.maxPayloadBytes;
    return this.#length <= longest ? this.#length : MAX_HEAD_BYTES;
  }

  /** The packet is complete; `content` has the kept bytes. */
  #finish(content: Uint8Array): string | undefined {
    const first = this.#first;
    const fault = first === PUBREL ? this.#reply(PUBCOMP, content, 0) : this.#message(first, content);
    this.#first = 0;
    this.#kept = [];
    this.#keptBytes = 0;
    return fault;
  }

  #message(first: number, content: Uint8Array): string | undefined {
    const endOfTopic = 2 + (content[0]! << 8) + content[1]!;
    const qos = qosOf(first);
    let at = endOfTopic + (qos > 0 ? 2 : 0);
    if (at > content.length) return this.#wrongLength();
    const isWhole = content.length === this.#length;
    if (isWhole && this.#options.version === 5) {
      const properties = variableLength(content, at);
      if (properties === undefined) return this.#wrongLength();
      at = properties.end + properties.length;
      if (at > content.length) return this.#wrongLength();
    }
    const payload = isWhole && content.length - at <= this.#options.maxPayloadBytes ? content.subarray(at) : undefined;
    this.#options.onMessage(utf8.decode(content.subarray(2, endOfTopic)), payload, (first & 1) === 1);
    return qos === 0 ? undefined : this.#reply(qos === 1 ? PUBACK : PUBREC, content, endOfTopic);
  }

  /** Replies with the packet number at `at`. */
  #reply(first: number, content: Uint8Array, at: number): undefined {
    this.#replies.push(first, 2, content[at]!, content[at + 1]!);
  }
}

/** The length written at `at`, and its end; undefined if it is incomplete. */
function variableLength(bytes: Uint8Array, at: number): { readonly length: number; readonly end: number } | undefined {
  let length = 0;
  for (let index = 0; index < MAX_LENGTH_BYTES && at + index < bytes.length; index++) {
    const byte = bytes[at + index]!;
    length += (byte & 0x7f) << (LENGTH_BITS * index);
    if (byte < 0x80) return { length, end: at + index + 1 };
  }
  return undefined;
}
