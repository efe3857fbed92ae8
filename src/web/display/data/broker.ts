/** A connection to the broker over a WebSocket, which is made anew whenever it ends. */
/// <reference path="./u8-mqtt.d.ts" />
import { type MqttClient, mqtt_v4, mqtt_v5 } from "u8-mqtt/esm/web/basic-v5.js";
import { socketTo, withoutNames } from "./broker-address.ts";

const RECONNECT_PERIOD_MS = 1000;
/** Time for the WebSocket and the answer of the broker. */
const CONNECT_TIMEOUT_MS = 5000;
/** The broker ends a connection from which it hears nothing for one and a half times that. */
const KEEP_ALIVE_SECONDS = 15;
/** Time between two questions (PINGREQ). */
const QUESTION_PERIOD_MS = 5000;
/** A connection on which a question has no answer for that time is dead. */
const ANSWER_TIMEOUT_MS = 22_500;

/** Codes of answers from here on are refusals. */
const REFUSED = 0x80;

export type MessageListener = (topic: string, payload: Uint8Array, retained: boolean) => void;

export interface BrokerListener {
  readonly onOpen: () => void;
  /** The connection has ended, or could not be made, for a reason if it is known; the next attempt follows by itself. */
  readonly onClose?: (why?: string) => void;
  /** The broker has answered a subscription: all its filters are heard, or one of them is refused. */
  readonly onSubscribed?: (isGranted: boolean) => void;
  readonly onMessage: MessageListener;
  /** The broker has answered the question of a time, monotonic milliseconds. */
  readonly onAnswer?: (askedAt: number) => void;
}

/** Nothing is kept for later: what is asked for without a connection does nothing. */
export interface Broker {
  /** Subscribes with QoS 0. */
  subscribe(filters: readonly string[]): void;
  unsubscribe(filters: readonly string[]): void;
  /** Publishes with QoS 1, once: a message that the broker does not acknowledge is not sent again. */
  publish(topic: string, payload: string): void;
  /** Sends a question, which the broker answers after all messages that wait for this connection. */
  ask(): void;
  /** Ends the connection for good; the listener hears nothing more. */
  close(): void;
}

/**
 * Connects by MQTT 3.1.1, or by MQTT 5 with the length in bytes of the longest packet that the broker may send; a broker
 * that does not take this version is asked by the other one in turn.
 */
export function connectBroker(url: string, listener: BrokerListener, maximumPacketSize?: number): Broker {
  let session: Session;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let longest = maximumPacketSize;
  const open = (): void => {
    session = openSession(url, listener, longest, (wasOpen, why) => {
      if (!wasOpen) longest = longest === undefined ? maximumPacketSize : undefined;
      retry = setTimeout(open, RECONNECT_PERIOD_MS);
      listener.onClose?.(why);
    });
  };
  open();
  return {
    subscribe: (filters) =>
      session.use((client) => {
        const told = client.subscribe([...filters]);
        if (listener.onSubscribed !== undefined)
          void told.then(([{ answers }]) => listener.onSubscribed!(answers.every((each) => Number(each) < REFUSED)));
      }),
    unsubscribe: (filters) => session.use((client) => client.unsubscribe([...filters])),
    publish: (topic, payload) => session.use((client) => client.send(topic, payload)),
    ask: () => session.ask(),
    close() {
      clearTimeout(retry);
      session.close();
    },
  };
}

interface Session {
  /** Calls with the client while the broker is connected. */
  use(work: (client: MqttClient) => void): void;
  ask(): void;
  /** Ends without a call of `onEnd`. */
  close(): void;
}

/** One connection, which calls `onEnd` once, later, when it has ended or could not be made. */
function openSession(
  url: string,
  listener: BrokerListener,
  maximumPacketSize: number | undefined,
  onEnd: (wasOpen: boolean, why?: string) => void,
): Session {
  const { username, password, href } = withoutNames(url);
  /** Times of the questions that have no answer yet; the broker answers in order. */
  const asked: number[] = [];
  /** The refusal of the broker. */
  let why: string | undefined;
  let isConnected = false;
  let isOver = false;
  let socket: WebSocket | undefined;
  let questions: ReturnType<typeof setInterval> | undefined;
  const timeout = setTimeout(fail, CONNECT_TIMEOUT_MS);

  function close(): void {
    isConnected = false;
    isOver = true;
    clearTimeout(timeout);
    clearInterval(questions);
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null;
    socket.close();
  }
  function fail(): void {
    if (isOver) return;
    const wasOpen = isConnected;
    close();
    onEnd(wasOpen, why);
  }
  function ask(): void {
    if (!isConnected) return;
    asked.push(performance.now());
    void client.ping();
  }
  function question(): void {
    if (performance.now() - (asked[0] ?? Number.POSITIVE_INFINITY) > ANSWER_TIMEOUT_MS) fail();
    else ask();
  }

  const client = (maximumPacketSize === undefined ? mqtt_v4 : mqtt_v5)({
    // No pings of the library's own: it does not tell when they were sent.
    keep_alive: 0,
    log_conn() {},
    on_error() {},
    on_disconnect: fail,
    on_mqtt_type: {
      mqtt_publish({ topic, payload, retain }) {
        if (!isOver) listener.onMessage(topic, payload, retain);
      },
      mqtt_pingresp() {
        const askedAt = asked.shift();
        if (askedAt !== undefined && !isOver) listener.onAnswer?.(askedAt);
      },
    },
  });
  const connect = async (): Promise<void> => {
    socket = socketTo(href);
    await client.with_websock(socket).connect({
      client_id: `hub-display-${Math.random().toString(36).slice(2, 12)}`,
      keep_alive: KEEP_ALIVE_SECONDS,
      flags: { clean_start: true },
      username,
      password,
      ...(maximumPacketSize !== undefined && { props: { maximum_packet_size: maximumPacketSize } }),
    });
    if (isOver) return;
    clearTimeout(timeout);
    isConnected = true;
    questions = setInterval(question, QUESTION_PERIOD_MS);
    listener.onOpen();
  };
  connect().catch((error: unknown) => {
    why = error instanceof Error ? error.message : undefined;
    setTimeout(fail);
  });
  return {
    use(work) {
      if (isConnected) work(client);
    },
    ask,
    close,
  };
}
