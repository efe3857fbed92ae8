/** The connection of the page to its broker, and its subscriptions. Topics are named as on board. */
import { signal } from "@preact/signals";
import { type Broker, type BrokerListener, connectBroker, type MessageListener } from "./broker.ts";
import { topicRoot } from "./hull.ts";

export type ConnectionState = "connecting" | "connected" | "lost";

/** `onOpen` is called for each connection: the first one, and those that replace it. */
export type ConnectionListener = Pick<BrokerListener, "onMessage" | "onAnswer"> &
  Partial<Pick<BrokerListener, "onOpen">>;

export const connectionState = signal<ConnectionState>("connecting");

let broker: Broker | undefined;
let subscriptions: readonly string[] = [];
let listener: ConnectionListener = { onMessage() {} };
let brokerUrl = "";

/** Connects; an earlier connection is closed. */
export function connect(url: string, newListener: ConnectionListener): void {
  listener = newListener;
  brokerUrl = url;
  connectionState.value = "connecting";
  renew();
}

/** Connects anew, so that messages waiting for this page are dropped. */
export function renew(): void {
  broker?.close();
  const own = connectBroker(brokerUrl, {
    onOpen() {
      listener.onOpen?.();
      connectionState.value = "connected";
      if (subscriptions.length > 0) own.subscribe(subscriptions);
    },
    onClose() {
      connectionState.value = "lost";
    },
    onMessage: (topic, payload, retained) => listener.onMessage(topic.slice(topicRoot.length), payload, retained),
    onAnswer: (askedAt) => listener.onAnswer?.(askedAt),
  });
  broker = own;
}

/** Sends a question, which the broker answers after all messages that wait for this page; one is sent every 5 s too. */
export const ask = (): void => broker?.ask();

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
  onMessage: MessageListener,
  tell: (listening: Listening) => void,
): () => void {
  // The first refusal may be one of the version.
  let attempts = 0;
  const own = connectBroker(
    brokerUrl,
    {
      onOpen: () => own.subscribe(["#"]),
      onSubscribed(isGranted) {
        attempts = 2;
        tell(isGranted ? { isHeard: true } : { isHeard: false, why: "it does not permit all topics" });
      },
      onClose(why) {
        if (++attempts > 1) tell({ isHeard: false, why: why ?? "it does not answer" });
      },
      onMessage,
    },
    maximumPacketSize,
  );
  return () => own.close();
}

/** Publishes a command, on board only; a command that cannot be sent now is not sent later, when it may be wrong. */
export function publish(topic: string, payload: string): void {
  broker?.publish(topic, payload);
}

export function subscribeTo(names: readonly string[]): void {
  const filters = names.map((name) => topicRoot + name);
  const gone = subscriptions.filter((filter) => !filters.includes(filter));
  const added = filters.filter((filter) => !subscriptions.includes(filter));
  subscriptions = filters;
  // Unsubscribe first: with overlapping filters a broker may send a message twice.
  if (gone.length > 0) broker?.unsubscribe(gone);
  if (added.length > 0) broker?.subscribe(added);
}
