/**
 * The packets of MQTT 3.1.1 and 5 that a client of QoS 0 sends and receives:
 *
 *     | type, flags | remaining length, 7 bits a byte | … |
 *
 * Texts and binary data have a length of two bytes before them. Pure.
 */
export type Version = 4 | 5;

export type Received =
  | { readonly type: "connack"; readonly code: number }
  | { readonly type: "publish"; readonly topic: string; readonly payload: Uint8Array; readonly isRetained: boolean }
  | { readonly type: "pingresp" }
  | { readonly type: "disconnect" };

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() };

const u16 = (value: number): readonly number[] => [value >> 8, value & 0xff];

/** The number in bytes of seven bits, the lowest first; the eighth bit says that another follows. */
function lengthBytes(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...lengthBytes(value >> 7)];
}

const sized = (text: string): readonly number[] => {
  const bytes = utf8.encoder.encode(text);
  return [...u16(bytes.length), ...bytes];
};

const packet = (head: number, body: readonly number[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([head, ...lengthBytes(body.length), ...body]);

export interface ConnectOptions {
  readonly version: Version;
  readonly clientId: string;
  readonly keepAliveSeconds: number;
  readonly username?: string;
  readonly password?: string;
  /** Of version 5 alone: the broker keeps longer packets to itself. */
  readonly maximumPacketSize?: number | undefined;
}

const MAXIMUM_PACKET_SIZE = 0x27;
const [HAS_USERNAME, HAS_PASSWORD, CLEAN] = [0x80, 0x40, 0x02];

export function connectPacket(options: ConnectOptions): Uint8Array<ArrayBuffer> {
  const { version, clientId, keepAliveSeconds, username = "", password = "", maximumPacketSize: most } = options;
  const limit = most === undefined ? [] : [MAXIMUM_PACKET_SIZE, ...u16(most >>> 16), ...u16(most & 0xffff)];
  const flags = CLEAN | (username === "" ? 0 : HAS_USERNAME) | (password === "" ? 0 : HAS_PASSWORD);
  const properties = version === 5 ? [...lengthBytes(limit.length), ...limit] : [];
  const texts = [clientId, ...[username, password].filter((text) => text !== "")];
  return packet(0x10, [
    ...sized("MQTT"),
    ...[version, flags, ...u16(keepAliveSeconds), ...properties],
    ...texts.flatMap(sized),
  ]);
}

export const subscribePacket = (version: Version, id: number, filters: readonly string[]): Uint8Array<ArrayBuffer> =>
  packet(0x82, [
    ...[...u16(id), ...(version === 5 ? [0] : [])],
    ...filters.flatMap((filter) => [...sized(filter), /* QoS */ 0]),
  ]);

export const unsubscribePacket = (version: Version, id: number, filters: readonly string[]): Uint8Array<ArrayBuffer> =>
  packet(0xa2, [...u16(id), ...(version === 5 ? [0] : []), ...filters.flatMap(sized)]);

export const publishPacket = (version: Version, topic: string, payload: string): Uint8Array<ArrayBuffer> =>
  packet(0x30, [...sized(topic), ...(version === 5 ? [0] : []), ...utf8.encoder.encode(payload)]);

export const pingPacket = packet(0xc0, []);
export const disconnectPacket = packet(0xe0, []);

/** The number at an index, and the index behind it; undefined if its bytes have not all arrived. */
function lengthAt(bytes: Uint8Array, at: number): readonly [value: number, end: number] | undefined {
  let value = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 128 ** index;
    if (byte < 0x80) return [value, at + index + 1];
  }
  throw new Error("malformed length");
}

/** Takes the bytes of a connection in any pieces and gives whole packets. */
export class PacketReader {
  #waiting = new Uint8Array(0);
  readonly #version: Version;

  constructor(version: Version) {
    this.#version = version;
  }

  /** The packets that end in these bytes; throws for bytes that are none. */
  *read(piece: Uint8Array): Generator<Received> {
    const bytes = this.#waiting.length === 0 ? piece : joined(this.#waiting, piece);
    let at = 0;
    for (;;) {
      const length = lengthAt(bytes, at + 1);
      if (length === undefined || length[0] + length[1] > bytes.length) break;
      const [size, begin] = length;
      const received = this.#received(bytes[at]!, bytes.subarray(begin, begin + size));
      at = begin + size;
      if (received !== undefined) yield received;
    }
    this.#waiting = bytes.slice(at);
  }

  #received(head: number, body: Uint8Array): Received | undefined {
    switch (head >> 4) {
      case 2:
        return { type: "connack", code: body[1] ?? 0xff };
      case 3:
        return this.#publish(head, body);
      case 13:
        return { type: "pingresp" };
      case 14:
        return { type: "disconnect" };
      // Acknowledgements of subscriptions, which the broker may refuse: the page then shows what it hears.
      case 9:
      case 11:
        return undefined;
      default:
        throw new Error("no packet of a broker");
    }
  }

  #publish(head: number, body: Uint8Array): Received {
    const end = 2 + ((body[0]! << 8) | body[1]!);
    // A packet with a QoS has an identifier; a subscription of QoS 0 brings none.
    const begin = end + ((head & 0x06) === 0 ? 0 : 2);
    const properties = this.#version === 5 ? lengthAt(body, begin) : ([0, begin] as const);
    if (properties === undefined || properties[0] + properties[1] > body.length) throw new Error("malformed message");
    // A copy: a page that keeps one payload would otherwise keep the others of its piece.
    const payload = body.slice(properties[0] + properties[1]);
    return {
      type: "publish",
      topic: utf8.decoder.decode(body.subarray(2, end)),
      payload,
      isRetained: (head & 0x01) === 1,
    };
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
