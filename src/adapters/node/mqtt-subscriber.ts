/**
 * Subscribes to topics of an MQTT 3.1.1 broker, over TCP or TLS, with QoS 0.
 *
 * MQTT.js keeps the session; one client is made for each connection, which subscribes anew, so that nothing of a lost session
 * lingers. A broker that is away is tried again for ever. Memory is bounded: a packet that is longer than any message may be
 * ends the connection (`incoming-packets.ts`).
 */
import type { SecureContext } from "node:tls";
import type { MqttClient } from "mqtt";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { BrokerAbsence } from "./broker-absence.ts";
import { type BrokerAddress, brokerSockets, brokerUrl, type OpenSocket } from "./broker-socket.ts";
import type { Credentials } from "./credentials.ts";

const RECONNECT_MS = 5000;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEPALIVE_SECONDS = 30;

/** The longest packet, topic included: eight times the longest message of hub-cand. */
const MAX_PACKET_BYTES = 8 << 20;

/** Return code of SUBACK for a subscription that the broker does not permit. */
const REFUSED = 0x80;

export interface MqttSubscriberOptions {
  readonly broker: BrokerAddress;
  readonly clientId: string;
  /** Topic filters. */
  readonly filters: readonly string[];
  readonly credentials?: Credentials;
  readonly secureContext?: SecureContext;
  /** From a failure to the next attempt; 5000 by default. */
  readonly reconnectMs?: number;
  readonly clock: Clock;
  readonly log: Log;
  /** `isRetained`: the broker had the message before the subscription. The bytes are the receiver's. */
  onMessage(topic: string, payload: Uint8Array, isRetained: boolean): void;
}

/** Starts connecting and returns. */
export async function mqttSubscriber(options: MqttSubscriberOptions): Promise<MqttSubscriber> {
  const { MqttClient } = await import("mqtt");
  const { broker, secureContext } = options;
  const open = await brokerSockets({ broker, secureContext, maxMessageBytes: MAX_PACKET_BYTES });
  return new MqttSubscriber(options, MqttClient, open);
}

export class MqttSubscriber {
  readonly #options: MqttSubscriberOptions;
  readonly #Client: typeof MqttClient;
  readonly #openSocket: OpenSocket;
  readonly #url: string;
  #client: MqttClient | undefined;
  #cancelReconnect: (() => void) | undefined;
  #isClosed = false;
  readonly #absence: BrokerAbsence;

  constructor(options: MqttSubscriberOptions, Client: typeof MqttClient, openSocket: OpenSocket) {
    this.#options = options;
    this.#Client = Client;
    this.#openSocket = openSocket;
    this.#url = brokerUrl(options.broker);
    this.#absence = new BrokerAbsence(options.log, this.#url);
    this.#connect();
  }

  /** Disconnects; no message comes after it. */
  close(): void {
    this.#isClosed = true;
    this.#cancelReconnect?.();
    this.#client?.end(true);
  }

  #connect(): void {
    const { clientId, credentials } = this.#options;
    let failure: Error | undefined;
    try {
      const socket = this.#openSocket();
      const client = new this.#Client(() => socket, {
        clientId,
        protocolVersion: 4,
        clean: true,
        keepalive: KEEPALIVE_SECONDS,
        connectTimeout: CONNECT_TIMEOUT_MS,
        reconnectPeriod: 0,
        writeCache: false,
        ...credentials,
      });
      this.#client = client;
      client.on("error", (error) => {
        failure ??= error;
        socket.destroy();
      });
      // Of two failures that of the socket is the cause.
      socket.on("error", (error) => {
        failure = error;
      });
      client.on("connect", () => this.#subscribe(client));
      client.on("message", (topic, payload, { retain }) => {
        if (!this.#isClosed) this.#options.onMessage(topic, payload, retain);
      });
      client.on("close", () => this.#scheduleReconnect(failure ?? new Error("closed by the broker")));
    } catch (error) {
      this.#scheduleReconnect(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #subscribe(client: MqttClient): void {
    const { filters, log } = this.#options;
    // A request for each filter: the answer to one that is refused names no filter.
    for (const filter of filters) {
      client.subscribe(filter, { qos: 0 }, (error) => {
        // A connection that is lost before SUBACK gives an error too, which its end tells.
        if (error !== null && "code" in error && error.code === REFUSED)
          log.warn("the broker refuses a subscription", { code: "SUBSCRIPTION_REFUSED", filter });
      });
    }
    this.#absence.end();
    log.info("connected to the broker", { broker: this.#url });
  }

  #scheduleReconnect(failure: Error): void {
    if (this.#isClosed) return;
    const { clock, reconnectMs = RECONNECT_MS } = this.#options;
    this.#absence.failed(failure);
    this.#cancelReconnect = clock.after(reconnectMs, () => this.#connect());
  }
}
