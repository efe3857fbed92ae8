/** In place of the display's WebSocket: connections to the broker of a world. */
import type { Broker, BrokerListener } from "../../../../src/web/display/data/broker.ts";
import type { ConnectToWorld, WorldConnection } from "../tablet-page.ts";

declare const connectToWorld: ConnectToWorld;

const RECONNECT_PERIOD_MS = 1000;
const QUESTION_PERIOD_MS = 5000;

export function connectBroker(_url: string, listener: BrokerListener): Broker {
  let connection: WorldConnection | undefined;
  const lost = (): void => {
    connection = undefined;
    retry = setTimeout(open, RECONNECT_PERIOD_MS);
    listener.onClose?.();
  };
  const open = (): void => {
    connection = connectToWorld(listener.onMessage, lost);
    if (connection === undefined) lost();
    else listener.onOpen();
  };
  const ask = (): void => {
    const askedAt = performance.now();
    connection?.ask(() => listener.onAnswer?.(askedAt));
  };
  let retry = setTimeout(open);
  const questions = setInterval(ask, QUESTION_PERIOD_MS);
  return {
    subscribe: (filters) => connection?.subscribe(filters),
    unsubscribe: (filters) => connection?.unsubscribe(filters),
    publish: (topic, payload) => connection?.publish(topic, payload),
    ask,
    close() {
      clearTimeout(retry);
      clearInterval(questions);
      connection?.close();
      connection = undefined;
    },
  };
}
