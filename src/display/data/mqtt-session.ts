/** A connection to a broker over a WebSocket, which ends once. */
import {
  connectPacket,
  packetReader,
  pingPacket,
  publishPacket,
  subscribePacket,
  unsubscribePacket,
} from "./mqtt-packets.ts";

const CONNECT_TIMEOUT_MS = 5000;
const KEEPALIVE_SECONDS = 15;
/** The broker ends a session that is silent for so long; a session without answers ends here after the same time. */
const SILENCE_MS = 1500 * KEEPALIVE_SECONDS;
const CHECK_PERIOD_MS = 1000;

export interface SessionListener {
  readonly connected: () => void;
  readonly published: (topic: string, payload: Uint8Array, isRetained: boolean) => void;
  /** The broker has answered the ping that was sent at this time, monotonic milliseconds; it answers in order. */
  readonly answered: (askedAt: number) => void;
  /** Called once, unless the session is closed here. */
  readonly ended: () => void;
}

export interface Session {
  readonly isConnected: () => boolean;
  readonly subscribe: (filters: readonly string[]) => void;
  readonly unsubscribe: (filters: readonly string[]) => void;
  readonly publish: (topic: string, payload: string) => void;
  readonly ping: () => void;
  /** Closes without a word to the listener. */
  readonly close: () => void;
}

const randomId = (): string =>
  `hub_${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

export function openSession(url: string, { connected, published, answered, ended }: SessionListener): Session {
  const { username, password } = new URL(url);
  const login = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const address = new URL(url);
  address.username = address.password = "";
  const socket = new WebSocket(address.href, "mqtt");
  socket.binaryType = "arraybuffer";
  let [isConnected, isEnded, lastId] = [false, false, 0];
  let lastAnswer = performance.now();
  let pings: number[] = [];
  const send = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (!isEnded && socket.readyState === socket.OPEN) socket.send(bytes);
  };
  const nextId = (): number => {
    lastId = (lastId % 65_535) + 1;
    return lastId;
  };
  /** A socket whose network is gone takes long to close, so nothing waits for that. */
  const close = (): void => {
    isEnded = true;
    isConnected = false;
    clearInterval(check);
    socket.close();
  };
  const end = (): void => {
    if (isEnded) return;
    close();
    ended();
  };
  const read = packetReader({
    connected: (isAccepted) => {
      if (!isAccepted) return end();
      isConnected = true;
      lastAnswer = performance.now();
      connected();
    },
    published,
    answered: () => {
      lastAnswer = performance.now();
      const askedAt = pings.shift();
      if (askedAt !== undefined) answered(askedAt);
    },
  });
  const check = setInterval(() => {
    if (performance.now() - lastAnswer > (isConnected ? SILENCE_MS : CONNECT_TIMEOUT_MS)) end();
  }, CHECK_PERIOD_MS);
  socket.addEventListener("open", () =>
    send(connectPacket({ clientId: randomId(), keepaliveSeconds: KEEPALIVE_SECONDS, ...login })),
  );
  socket.addEventListener("message", ({ data }) => {
    if (isEnded) return;
    try {
      read(new Uint8Array(data as ArrayBuffer));
    } catch {
      end();
    }
  });
  // An error is followed by `close`.
  socket.addEventListener("close", end);
  return {
    isConnected: () => isConnected,
    subscribe: (filters) => send(subscribePacket(nextId(), filters)),
    unsubscribe: (filters) => send(unsubscribePacket(nextId(), filters)),
    publish: (topic, payload) => send(publishPacket(topic, payload)),
    ping: () => {
      pings = [...pings, performance.now()];
      send(pingPacket());
    },
    close,
  };
}
