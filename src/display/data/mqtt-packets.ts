/**
 * The packets of MQTT 3.1.1 that a display needs: it subscribes and publishes with QoS 0. Pure. The numbers in comments
 * are those of the sections of the standard (OASIS, 2014).
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Packet types with their fixed flags (2.2). */
const types = {
  connect: 0x10,
  connack: 0x20,
  publish: 0x30,
  subscribe: 0x82,
  unsubscribe: 0xa2,
  pingreq: 0xc0,
  pingresp: 0xd0,
} as const;

/** The length of what follows, seven bits a byte (2.2.3). */
function lengthBytes(length: number): readonly number[] {
  const bytes: number[] = [];
  let rest = length;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return bytes;
}

function packet(type: number, ...parts: readonly (readonly number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = [type, ...lengthBytes(length)];
  const bytes = new Uint8Array(head.length + length);
  bytes.set(head);
  let at = head.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const word = (value: number): readonly number[] => [value >> 8, value & 255];

function text(value: string): Uint8Array {
  const bytes = encoder.encode(value);
  const all = new Uint8Array(2 + bytes.length);
  all.set(word(bytes.length));
  all.set(bytes, 2);
  return all;
}

export interface Login {
  readonly clientId: string;
  readonly keepaliveSeconds: number;
  /** Empty: none. */
  readonly username: string;
  readonly password: string;
}

/** A clean session (3.1). */
export function connectPacket({ clientId, keepaliveSeconds, username, password }: Login): Uint8Array<ArrayBuffer> {
  const flags = 0x02 | (username === "" ? 0 : 0x80) | (password === "" ? 0 : 0x40);
  const names = [clientId, username, password].filter((value, at) => at === 0 || value !== "");
  return packet(types.connect, text("MQTT"), [4, flags], word(keepaliveSeconds), ...names.map(text));
}

export const subscribePacket = (id: number, filters: readonly string[]): Uint8Array<ArrayBuffer> =>
  packet(types.subscribe, word(id), ...filters.flatMap((filter) => [text(filter), [0]]));

export const unsubscribePacket = (id: number, filters: readonly string[]): Uint8Array<ArrayBuffer> =>
  packet(types.unsubscribe, word(id), ...filters.map(text));

export const publishPacket = (topic: string, payload: string): Uint8Array<ArrayBuffer> =>
  packet(types.publish, text(topic), encoder.encode(payload));

export const pingPacket = (): Uint8Array<ArrayBuffer> => packet(types.pingreq);

export interface PacketListener {
  /** The broker has accepted the connection, or refused it. */
  readonly connected: (isAccepted: boolean) => void;
  readonly published: (topic: string, payload: Uint8Array, isRetained: boolean) => void;
  readonly answered: () => void;
}

/** Longer packets are not those of a boat: a broker permits 256 MB. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** Length and first byte of a packet's content; undefined while it has not arrived. */
function contentOf(bytes: Uint8Array, start: number): { readonly begin: number; readonly end: number } | undefined {
  let [length, factor] = [0, 1];
  for (let at = start + 1; at < start + 5; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    length += (byte & 127) * factor;
    factor *= 128;
    if (length > MAX_LENGTH) break;
    if (byte < 128) return { begin: at + 1, end: at + 1 + length };
  }
  throw new Error("not a packet of MQTT");
}

function readPublish(first: number, content: Uint8Array, published: PacketListener["published"]): void {
  const length = content[0]! * 256 + content[1]!;
  const hasId = (first & 0x06) !== 0;
  const topic = decoder.decode(content.subarray(2, 2 + length));
  published(topic, content.subarray(2 + length + (hasId ? 2 : 0)), (first & 0x01) !== 0);
}

/** Reads packets from chunks of any length; throws for other bytes. */
export function packetReader({ connected, published, answered }: PacketListener): (chunk: Uint8Array) => void {
  let waiting = new Uint8Array(0);
  return (chunk) => {
    let bytes = chunk;
    if (waiting.length > 0) {
      bytes = new Uint8Array(waiting.length + chunk.length);
      bytes.set(waiting);
      bytes.set(chunk, waiting.length);
    }
    let at = 0;
    while (at < bytes.length) {
      const content = contentOf(bytes, at);
      if (content === undefined || content.end > bytes.length) break;
      const first = bytes[at]!;
      const inside = bytes.subarray(content.begin, content.end);
      at = content.end;
      if ((first & 0xf0) === types.publish) readPublish(first, inside, published);
      else if (first === types.connack) connected(inside[1] === 0);
      else if (first === types.pingresp) answered();
    }
    waiting = bytes.slice(at);
  };
}
