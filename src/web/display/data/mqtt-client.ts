/**
 * A client of MQTT over WebSocket with what a page needs: QoS 0, a clean session, reconnection. MQTT.js, which the daemons
 * have, is 106 kB of compressed script, more than all else of the first page: four seconds of a bad link.
 */
import { noteFailure } from "./failures.ts";
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
} from "./mqtt-packets.ts";

const RECONNECT_PERIOD_MS = 1000;
const CONNECT_TIMEOUT_MS = 5000;
const KEEP_ALIVE_SECONDS = 15;
/** A broker from which nothing has come for this time, in spite of questions, is away. */
const MAX_SILENCE_MS = 1000 * KEEP_ALIVE_SECONDS;
/** Codes of a broker without MQTT 5: its answer in MQTT 3.1.1, and in 5. */
const WRONG_VERSION: readonly number[] = [0x01, 0x84];

export interface ClientOptions {
  readonly version?: Version;
  /** The broker keeps longer packets to itself, if it has MQTT 5. */
  readonly maximumPacketSize?: number;
  onConnect?(): void;
  onClose?(): void;
  onMessage(topic: string, payload: Uint8Array, isRetained: boolean): void;
  /** The broker has answered the question of that time, monotonic milliseconds. */
  onAnswer?(askedAt: number): void;
}

export interface MqttClient {
  readonly isConnected: boolean;
  subscribe(filters: readonly string[]): void;
  unsubscribe(filters: readonly string[]): void;
  publish(topic: string, payload: string): void;
  /** Sends a question, which the broker answers after all messages that wait for this client. */
  ask(): void;
  end(): void;
}

/** One WebSocket, from its opening to its end. */
interface Session {
  readonly socket: WebSocket;
  readonly reader: PacketReader;
  /** Times of the questions without an answer. */
  asked: number[];
  isConnected: boolean;
  heardAt: number;
}

const randomId = (): string => `hub-display-${Math.random().toString(16).slice(2, 10)}`;

/** Connects until it is ended, and again after each loss; subscriptions are made by `onConnect`. */
export function openClient(url: string, options: ClientOptions): MqttClient {
  const { username, password } = new URL(url);
  const address = new URL(url);
  address.username = address.password = "";
  const clientId = randomId();
  let version = options.version ?? 4;
  let session: Session | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let packetId = 0;

  function open(): void {
    const socket = new WebSocket(address, "mqtt");
    socket.binaryType = "arraybuffer";
    const own: Session = {
      ...{ socket, reader: new PacketReader(version), asked: [], isConnected: false, heardAt: performance.now() },
    };
    session = own;
    waiting = setTimeout(() => close(own), CONNECT_TIMEOUT_MS);
    socket.onopen = () => {
      const { maximumPacketSize } = options;
      const limit = version === 5 ? maximumPacketSize : undefined;
      const names = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
      socket.send(
        connectPacket({ version, clientId, keepAliveSeconds: KEEP_ALIVE_SECONDS, ...names, maximumPacketSize: limit }),
      );
    };
    socket.onmessage = ({ data }) => hear(own, new Uint8Array(data as ArrayBuffer));
    // An error is followed by its close.
    socket.onclose = () => close(own);
  }

  /** Ends a session; the next one begins after a pause. Later events of its socket are not heard. */
  function close(own: Session): void {
    if (session !== own) return;
    session = undefined;
    own.isConnected = false;
    own.socket.onmessage = own.socket.onopen = own.socket.onclose = null;
    own.socket.close();
    clearTimeout(waiting);
    waiting = setTimeout(open, RECONNECT_PERIOD_MS);
    options.onClose?.();
  }

  function hear(own: Session, piece: Uint8Array): void {
    own.heardAt = performance.now();
    try {
      for (const received of own.reader.read(piece)) {
        if (session !== own) return;
        take(own, received);
      }
    } catch {
      close(own);
    }
  }

  function take(own: Session, received: Received): void {
    if (received.type === "connack") {
      // The next session speaks MQTT 3.1.1.
      if (WRONG_VERSION.includes(received.code)) version = 4;
      if (received.code !== 0) return close(own);
      clearTimeout(waiting);
      own.isConnected = true;
      options.onConnect?.();
    } else if (received.type === "publish") deliver(received);
    else if (received.type === "disconnect") close(own);
    else {
      const askedAt = own.asked.shift();
      if (askedAt !== undefined) options.onAnswer?.(askedAt);
    }
  }

  /** A fault of a reader costs its message. */
  function deliver({ topic, payload, isRetained }: Extract<Received, { type: "publish" }>): void {
    try {
      options.onMessage(topic, payload, isRetained);
    } catch (error) {
      noteFailure(`The reader of ${topic}`, error);
    }
  }

  const send = (packet: Uint8Array<ArrayBuffer>): void => {
    if (session?.isConnected === true && session.socket.readyState === session.socket.OPEN) session.socket.send(packet);
  };

  const nextId = (): number => {
    packetId = (packetId % 0xffff) + 1;
    return packetId;
  };

  open();
  return {
    get isConnected() {
      return session?.isConnected === true;
    },
    subscribe: (filters) => send(subscribePacket(version, nextId(), filters)),
    unsubscribe: (filters) => send(unsubscribePacket(version, nextId(), filters)),
    publish: (topic, payload) => send(publishPacket(version, topic, payload)),
    ask() {
      if (session?.isConnected !== true) return;
      const now = performance.now();
      const [first = now] = session.asked;
      if (now - Math.max(first, session.heardAt) > MAX_SILENCE_MS) return close(session);
      session.asked.push(now);
      send(pingPacket);
    },
    end() {
      clearTimeout(waiting);
      const own = session;
      session = undefined;
      if (own === undefined) return;
      own.socket.onmessage = own.socket.onopen = own.socket.onclose = null;
      if (own.isConnected) own.socket.send(disconnectPacket);
      own.socket.close();
    },
  };
}
