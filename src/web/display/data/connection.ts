/** The connection of the page to its broker, and its subscriptions. Topics are named as on board. */
import { signal } from "@preact/signals";
import { type Broker, connectBroker, type MessageListener } from "./broker.ts";
import { topicRoot } from "./hull.ts";

export type ConnectionState = "connecting" | "connected" | "lost";

/** Called when the broker has answered the question of a time, monotonic milliseconds. */
export type AnswerListener = (askedAt: number) => void;

export const connectionState = signal<ConnectionState>("connecting");

let broker: Broker | undefined;
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
  broker?.close();
  const own = connectBroker(brokerUrl, {
    onOpen() {
      connectionState.value = "connected";
      if (subscriptions.length > 0) own.subscribe(subscriptions);
    },
    onClose() {
      connectionState.value = "lost";
    },
    onMessage: (topic, payload, retained) => onMessage(topic.slice(topicRoot.length), payload, retained),
    onAnswer: (askedAt) => onAnswer(askedAt),
  });
  broker = own;
}

/** Sends a question, which the broker answers after all messages that wait for this page; one is sent every 5 s too. */
export const ask = (): void => broker?.ask();

/**
 * Listens to all topics of the broker until the returned function is called, on board only, with a connection of its
 * own: filters that overlap those of the page would bring messages twice. The broker keeps longer packets to itself.
 */
export function listenToAll(maximumPacketSize: number, onMessage: MessageListener): () => void {
  const own = connectBroker(brokerUrl, { onOpen: () => own.subscribe(["#"]), onMessage }, maximumPacketSize);
  return () => own.close();
}

/** Publishes a command, on board only; a command that cannot be sent now is not sent later, when it may be wrong. */
export function publish(topic: string, payload: string): void {
  broker?.publish(topic, payload);
}

/** Replaces the current subscriptions. */
export function subscribeTo(names: readonly string[]): void {
  const filters = names.map((name) => topicRoot + name);
  const gone = subscriptions.filter((filter) => !filters.includes(filter));
  const added = filters.filter((filter) => !subscriptions.includes(filter));
  subscriptions = filters;
  // Unsubscribe first: with overlapping filters a broker may send a message twice.
  if (gone.length > 0) broker?.unsubscribe(gone);
  if (added.length > 0) broker?.subscribe(added);
}
