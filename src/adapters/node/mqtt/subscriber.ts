/**
 * Subscribes to topics of an MQTT 3.1.1 broker, over TCP or TLS, with QoS 0.
 *
 * MQTT.js keeps the session; one client is made for each connection, which subscribes anew, so that nothing of a lost
 * session remains. While the broker is away, it tries again without end. Messages are read before MQTT.js
 * (`incoming-packets.ts`), so that memory is bounded and none of them ends the connection.
 */
import type { SecureContext } from "node:tls";
import type { MqttClient } from "mqtt";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import { BrokerAbsence, reasonOf } from "./broker-absence.ts";
import { BrokerSilence, type ExpectedTopic } from "./broker-silence.ts";
import {
  type BrokerAddress,
  brokerSockets,
  brokerUrl,
  clientOptions,
  keepFailure,
  type OpenSocket,
  subscribe,
} from "./broker-socket.ts";
import type { Credentials } from "./credentials.ts";
import type { OnMessage } from "./incoming-packets.ts";
import { type EndedBy, endedBy, Rivalry } from "./rivalry.ts";

const RECONNECT_MS = 5000;
/** 3.1.1, which every broker speaks. */
const VERSION = 4;

export interface MqttSubscriberOptions {
  readonly broker: BrokerAddress;
  readonly clientId: string;
  readonly filters: readonly string[];
  /** The topic among them whose messages are expected; absent: none is. */
  readonly expected?: ExpectedTopic;
  /** A topic whose retained message the broker removes, as last will, when the connection ends in any way. */
  readonly ownTopic?: string | undefined;
  readonly maxPayloadBytes: number;
  readonly credentials?: Credentials | undefined;
  readonly secureContext?: SecureContext | undefined;
  /** Time from a failure to the next attempt; 5000 by default. */
  readonly reconnectMs?: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly onMessage: OnMessage;
  /** The broker has accepted the connection. */
  readonly onConnect?: () => void;
  /** The connection has ended, or could not be made, for this reason. */
  readonly onClose?: (reason: string) => void;
}

/** Starts connecting and returns. */
export async function mqttSubscriber(options: MqttSubscriberOptions): Promise<MqttSubscriber> {
  const { MqttClient } = await import("mqtt");
  const { broker, secureContext, maxPayloadBytes } = options;
  const silence = options.expected && new BrokerSilence(options.expected, options);
  const onMessage: OnMessage = (topic, payload, isRetained) => {
    silence?.hear(topic, isRetained);
    options.onMessage(topic, payload, isRetained);
  };
  const open = await brokerSockets({ broker, secureContext, maxPayloadBytes, onMessage });
  return new MqttSubscriber(options, MqttClient, open, silence);
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
  readonly #rivalry: Rivalry;
  readonly #silence: BrokerSilence | undefined;

  constructor(
    options: MqttSubscriberOptions,
    Client: typeof MqttClient,
    openSocket: OpenSocket,
    silence: BrokerSilence | undefined,
  ) {
    this.#options = options;
    this.#Client = Client;
    this.#openSocket = openSocket;
    this.#url = brokerUrl(options.broker);
    this.#absence = new BrokerAbsence(options.log, this.#url);
    this.#rivalry = new Rivalry(options);
    this.#silence = silence;
    this.#connect();
  }

  /** Publishes with QoS 0; false without a connection, when nothing is sent. */
  publish(topic: string, payload: string, { retain = false } = {}): boolean {
    if (!this.#client?.connected) return false;
    this.#client.publish(topic, payload, { qos: 0, retain });
    return true;
  }

  /** Ends the connection without a DISCONNECT, after which there is no last will; no message is delivered afterwards. */
  close(): void {
    this.#isClosed = true;
    this.#silence?.end();
    this.#cancelReconnect?.();
    this.#client?.end(true);
  }

  #connect(): void {
    const { clientId, credentials, ownTopic } = this.#options;
    const kept: { failure: Error | undefined; isAccepted: boolean } = { failure: undefined, isAccepted: false };
    try {
      const socket = this.#openSocket(VERSION);
      const client = new this.#Client(() => socket, {
        clientId,
        protocolVersion: VERSION,
        ...clientOptions,
        ...credentials,
        ...(ownTopic !== undefined && { will: { topic: ownTopic, payload: Buffer.alloc(0), qos: 0, retain: true } }),
      });
      this.#client = client;
      keepFailure(kept, client, socket);
      client.on("connect", () => {
        kept.isAccepted = true;
        this.#subscribe(client);
      });
      client.on("close", () => {
        const { failure = new Error("closed by the broker"), isAccepted } = kept;
        this.#scheduleReconnect(failure, endedBy(isAccepted, kept.failure));
      });
    } catch (error) {
      this.#scheduleReconnect(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #subscribe(client: MqttClient): void {
    const { filters, log } = this.#options;
    // Each filter has its own request, because the answer to a refused request does not name a filter.
    for (const filter of filters)
      subscribe(client, filter, () =>
        log.warn("the broker refuses a subscription", { code: "SUBSCRIPTION_REFUSED", filter }),
      );
    this.#absence.end();
    this.#rivalry.begin();
    this.#silence?.begin();
    log.info("connected to the broker", { broker: this.#url });
    this.#options.onConnect?.();
  }

  #scheduleReconnect(failure: Error, by?: EndedBy): void {
    if (this.#isClosed) return;
    const { clock, reconnectMs = RECONNECT_MS } = this.#options;
    this.#silence?.end();
    const waitMs = this.#rivalry.end(by, reconnectMs);
    if (by === undefined || !this.#rivalry.isThere) this.#absence.failed(failure);
    this.#options.onClose?.(reasonOf(failure));
    this.#cancelReconnect = clock.after(waitMs, () => this.#connect());
  }
}
