/** The one connection of the display: to the broker, over a WebSocket. It comes back by itself. */
import { signal } from "@preact/signals";
import mqtt, { type MqttClient } from "mqtt";

export type Link = "connecting" | "connected" | "lost";

/** A message as it came. */
export type Hear = (topic: string, payload: Uint8Array, retained: boolean) => void;

/** How long to wait before the next attempt, milliseconds. */
const AGAIN = 1000;
/** An attempt that gets no answer is given up. */
const PATIENCE = 5000;

export const link = signal<Link>("connecting");

let client: MqttClient | undefined;
let wanted: readonly string[] = [];
let hear: Hear = () => {};

/** Connects; an earlier connection is closed. */
export function connect(url: string, listener: Hear): void {
  hear = listener;
  client?.end(true);
  link.value = "connecting";
  const own = mqtt.connect(url, {
    clean: true,
    keepalive: 15,
    reconnectPeriod: AGAIN,
    connectTimeout: PATIENCE,
    // What was listened to is said anew below; the library's own way would repeat what is not wanted any more.
    resubscribe: false,
    // Its other timers run in a worker made from a string, which the page's rules forbid.
    timerVariant: "native",
  });
  client = own;
  own.on("connect", () => {
    link.value = "connected";
    if (wanted.length > 0) own.subscribe([...wanted], { qos: 0 });
  });
  own.on("close", () => {
    if (client === own) link.value = "lost";
  });
  // Comes before each close and says nothing that the close does not.
  own.on("error", () => {});
  own.on("message", (topic, payload, { retain }) => hear(topic, payload, retain));
}

/** Listens to these filters from now on, and to nothing else. */
export function listen(filters: readonly string[]): void {
  const gone = wanted.filter((filter) => !filters.includes(filter));
  const added = filters.filter((filter) => !wanted.includes(filter));
  wanted = filters;
  if (client?.connected !== true) return;
  // First the old ones: a filter of both sets in one breath could bring a message twice.
  if (gone.length > 0) client.unsubscribe(gone);
  if (added.length > 0) client.subscribe(added, { qos: 0 });
}
