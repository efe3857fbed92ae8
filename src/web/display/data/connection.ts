/** The connection to the broker over a WebSocket. Reconnects automatically. Topics are named as on board. */
import { signal } from "@preact/signals";
import { topicRoot } from "./hull.ts";
import { type MqttClient, openClient } from "./mqtt-client.ts";

export type ConnectionState = "connecting" | "connected" | "lost";

export type MessageListener = (topic: string, payload: Uint8Array, retained: boolean) => void;

/** Called when the broker has answered the question of a time, monotonic milliseconds. */
export type AnswerListener = (askedAt: number) => void;

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
  client?.end();
  const own = openClient(brokerUrl, {
    onConnect() {
      connectionState.value = "connected";
      if (subscriptions.length > 0) client?.subscribe(subscriptions);
    },
    onClose() {
      connectionState.value = "lost";
    },
    onMessage: (topic, payload, isRetained) => onMessage(topic.slice(topicRoot.length), payload, isRetained),
    onAnswer: (askedAt) => onAnswer(askedAt),
  });
  client = own;
}

/** Sends a question, which the broker answers after all messages that wait for this page. */
export const ask = (): void => client?.ask();

setInterval(ask, QUESTION_PERIOD_MS);

/**
 * Listens to all topics of the broker until the returned function is called, on board only, with a connection of its
 * own: filters that overlap those of the page would bring messages twice. A broker with MQTT 5 keeps longer packets to
 * itself.
 */
export function listenToAll(maximumPacketSize: number, onMessage: MessageListener): () => void {
  const onConnect = (): void => own.subscribe(["#"]);
  const own = openClient(brokerUrl, { version: 5, maximumPacketSize, onConnect, onMessage });
  const asking = setInterval(own.ask, QUESTION_PERIOD_MS);
  return () => {
    clearInterval(asking);
    own.end();
  };
}

/** Publishes a command, on board only; a command that cannot be sent now is not sent later, when it may be wrong. */
export const publish = (topic: string, payload: string): void => client?.publish(topic, payload);

/** Replaces the current subscriptions. */
export function subscribeTo(names: readonly string[]): void {
  const filters = names.map((name) => topicRoot + name);
  const gone = subscriptions.filter((filter) => !filters.includes(filter));
  const added = filters.filter((filter) => !subscriptions.includes(filter));
  subscriptions = filters;
  if (client?.isConnected !== true) return;
  // Unsubscribe first: with overlapping filters a broker may send a message twice.
  if (gone.length > 0) client.unsubscribe(gone);
  if (added.length > 0) client.subscribe(added);
}
