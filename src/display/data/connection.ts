/** The connection to the broker over a WebSocket. Reconnects automatically. Topics are named as on board. */
import { signal } from "@preact/signals";
import { topicRoot } from "./hull.ts";
import { openSession, type Session } from "./mqtt-session.ts";

export type ConnectionState = "connecting" | "connected" | "lost";

export type MessageListener = (topic: string, payload: Uint8Array, retained: boolean) => void;

/** Called when the broker has answered the question of a time, monotonic milliseconds. */
export type AnswerListener = (askedAt: number) => void;

const RECONNECT_PERIOD_MS = 1000;
/** Time between two questions, which give the clock of the boat. */
const QUESTION_PERIOD_MS = 5000;

export const connectionState = signal<ConnectionState>("connecting");

let session: Session | undefined;
let reconnecting: ReturnType<typeof setTimeout> | undefined;
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
  session?.close();
  session = undefined;
  clearTimeout(reconnecting);
  try {
    session = openSession(brokerUrl, {
      connected: () => {
        connectionState.value = "connected";
        if (subscriptions.length > 0) session!.subscribe(subscriptions);
      },
      published: (topic, payload, isRetained) => onMessage(topic.slice(topicRoot.length), payload, isRetained),
      answered: (askedAt) => onAnswer(askedAt),
      ended: lose,
    });
  } catch {
    // The address in the settings is none.
    lose();
  }
}

function lose(): void {
  connectionState.value = "lost";
  reconnecting = setTimeout(renew, RECONNECT_PERIOD_MS);
}

/** Sends a question, which the broker answers after all messages that wait for this page. */
export function ask(): void {
  if (session?.isConnected() === true) session.ping();
}

setInterval(ask, QUESTION_PERIOD_MS);

/** Publishes a command, on board only; a command that cannot be sent now is not sent later, when it may be wrong. */
export function publish(topic: string, payload: string): void {
  if (session?.isConnected() === true) session.publish(topic, payload);
}

/** Replaces the current subscriptions. */
export function subscribeTo(names: readonly string[]): void {
  const filters = names.map((name) => topicRoot + name);
  const gone = subscriptions.filter((filter) => !filters.includes(filter));
  const added = filters.filter((filter) => !subscriptions.includes(filter));
  subscriptions = filters;
  if (session?.isConnected() !== true) return;
  // Unsubscribe first: with overlapping filters a broker may send a message twice.
  if (gone.length > 0) session.unsubscribe(gone);
  if (added.length > 0) session.subscribe(added);
}
