/** The connection to the broker over a WebSocket. Reconnects automatically. Topics are named as on board. */
import { signal } from "@preact/signals";
import mqtt, { type MqttClient } from "mqtt";
import { topicRoot } from "./hull.ts";

export type ConnectionState = "connecting" | "connected" | "lost";

export type MessageListener = (topic: string, payload: Uint8Array, retained: boolean) => void;

/** Called when the broker has answered the question of a time, monotonic milliseconds. */
export type AnswerListener = (askedAt: number) => void;

const RECONNECT_PERIOD_MS = 1000;
const CONNECT_TIMEOUT_MS = 5000;
/** Time between two questions, which give the clock of the boat. */
const QUESTION_PERIOD_MS = 5000;

export const connectionState = signal<ConnectionState>("connecting");

let client: MqttClient | undefined;
/** The subscriptions at the broker. */
let subscriptions: readonly string[] = [];
let onMessage: MessageListener = () => {};
let onAnswer: AnswerListener = () => {};
let brokerUrl = "";

/** Connects; an earlier connection is closed. */
export function connect(url: string, listener: MessageListener, answerListener: AnswerListener = () => {}): void {
  onMessage = listener;
  onAnswer = answerListener;
  brokerUrl = url;
  connectionState.value = "connecting";
  renew();
}

/** Connects anew, so that messages waiting for this page are dropped. */
export function renew(): void {
  client?.end(true);
  const own = mqtt.connect(brokerUrl, {
    clean: true,
    keepalive: 15,
    reconnectPeriod: RECONNECT_PERIOD_MS,
    // A refusal may be one of a broker that has only begun.
    reconnectOnConnackError: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // `subscriptions` is sent on connect; the library would also restore filters that were dropped meanwhile.
    resubscribe: false,
    // Sent requests do not prove that the broker is there.
    reschedulePings: false,
    // The other timers run in a worker from a blob URL, which the Content-Security-Policy forbids.
    timerVariant: "native",
  });
  client = own;
  listenForAnswers(own);
  own.on("connect", () => {
    connectionState.value = "connected";
    if (subscriptions.length > 0) own.subscribe([...subscriptions], { qos: 0 });
  });
  own.on("close", () => {
    if (client === own) connectionState.value = "lost";
  });
  // Each error is followed by `close`, which is handled above. Without a listener the error would be thrown.
  own.on("error", () => {});
  own.on("message", (topic, payload, { retain }) => onMessage(topic.slice(topicRoot.length), payload, retain));
}

/** Passes on the times of answered questions; the broker answers in order. */
function listenForAnswers(own: MqttClient): void {
  let asked: number[] = [];
  own.on("connect", () => {
    asked = [];
  });
  own.on("packetsend", ({ cmd }) => {
    if (cmd === "pingreq") asked.push(performance.now());
  });
  own.on("packetreceive", ({ cmd }) => {
    const askedAt = cmd === "pingresp" ? asked.shift() : undefined;
    if (askedAt !== undefined) onAnswer(askedAt);
  });
}

/** Sends a question, which the broker answers after all messages that wait for this page. */
export function ask(): void {
  if (client?.connected === true) client.sendPing();
}

setInterval(ask, QUESTION_PERIOD_MS);

/** Whether all topics are listened to; `why` not, in words. */
export interface Listening {
  readonly isHeard: boolean;
  readonly why?: string;
}

/**
 * Listens to all topics of the broker until the returned function is called, on board only, with a connection of its
 * own: filters that overlap those of the page would bring messages twice. By MQTT 5 the broker keeps longer packets to
 * itself; one that knows MQTT 3.1.1 alone sends all. Whether it listens is told at each change.
 */
export function listenToAll(
  maximumPacketSize: number,
  listener: MessageListener,
  tell: (listening: Listening) => void,
): () => void {
  const own = mqtt.connect(brokerUrl, {
    protocolVersion: 5,
    properties: { maximumPacketSize },
    reconnectPeriod: RECONNECT_PERIOD_MS,
    reconnectOnConnackError: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    timerVariant: "native",
  });
  /** Whether the broker has taken a connection of this version. */
  let isTaken = false;
  let refusals = 0;
  let why: string | undefined;
  own.on("connect", () => {
    isTaken = true;
    own.subscribe("#", { qos: 0 }, (error) => {
      // The error of a connection that closes meanwhile is that of `close`.
      if (own.connected) tell(error ? { isHeard: false, why: error.message } : { isHeard: true });
    });
  });
  own.on("error", ({ message }) => {
    why = message;
  });
  own.on("close", () => {
    // Brokers refuse a version that they do not know, or close the connection without a word.
    if (!isTaken) own.options.protocolVersion = own.options.protocolVersion === 5 ? 4 : 5;
    if (isTaken || ++refusals > 1) tell({ isHeard: false, why: why ?? "the broker does not answer" });
    why = undefined;
  });
  own.on("message", (topic, payload, { retain }) => listener(topic, payload, retain));
  return () => {
    tell = () => {};
    own.end(true);
  };
}

/** Publishes a command, on board only; a command that cannot be sent now is not sent later, when it may be wrong. */
export function publish(topic: string, payload: string): void {
  if (client?.connected === true) client.publish(topic, payload, { qos: 0 });
}

/** Replaces the current subscriptions. */
export function subscribeTo(names: readonly string[]): void {
  const filters = names.map((name) => topicRoot + name);
  const gone = subscriptions.filter((filter) => !filters.includes(filter));
  const added = filters.filter((filter) => !subscriptions.includes(filter));
  subscriptions = filters;
  if (client?.connected !== true) return;
  // Unsubscribe first: with overlapping filters a broker may send a message twice.
  if (gone.length > 0) client.unsubscribe(gone);
  if (added.length > 0) client.subscribe(added, { qos: 0 });
}
