/**
 * Publishes to an MQTT broker, over TCP or TLS, by MQTT 5: its acknowledgements tell refusals, and states expire. If
 * the broker does not speak MQTT 5, the publisher uses MQTT 3.1.1.
 *
 * MQTT.js keeps the session (CONNECT and its will, pings, QoS 1); one client is made for each connection, because the
 * will has the time of its connection and because nothing of a lost session must remain. It does not send the streams:
 * their packets are written here (`publish-packet.ts`) and sent by the same socket, a burst at a time, which takes a
 * tenth of the time of `publish` of MQTT.js.
 *
 * Whole packets may be written between those of MQTT.js, because it writes each of its packets in one synchronous call
 * (`_writePacket` calls mqtt-packet's `writeToStream`, which writes header, topic and payload in turn), and so does
 * `flush`. mqtt-packet corks the socket for the rest of the tick, which delays bytes but keeps their order. Streams
 * write nothing before CONNACK or after DISCONNECT. MQTT.js does not see their writes, so at worst it sends a ping too
 * many.
 *
 * Memory is bounded: streams are dropped beyond a limit, states are few (`retained-states.ts`), and messages of the
 * subscription are read or skipped before MQTT.js (`incoming-packets.ts`).
 */
import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { MqttClient } from "mqtt";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import type { Publisher, PublisherCounters, Stream, StreamOptions } from "../../../core/ports/publisher.ts";
import type { EncodedText } from "../../../core/text/ascii-buffer.ts";
import { BufferedStream, OutputBuffer } from "../streams/output-buffer.ts";
import { BrokerAbsence } from "./broker-absence.ts";
import {
  answered,
  type BrokerAddress,
  brokerSockets,
  brokerUrl,
  clientOptions,
  keepFailure,
  type OpenSocket,
  REFUSED,
  subscribe,
} from "./broker-socket.ts";
import type { Credentials } from "./credentials.ts";
import { type MqttVersion, packetSizeFor, VERSION_REFUSED } from "./incoming-packets.ts";
import { completePacket, packetHead } from "./publish-packet.ts";
import { RetainedStates } from "./retained-states.ts";
import { type EndedBy, endedBy, Rivalry, SESSION_TAKEN_OVER } from "./rivalry.ts";

/** Unsent bytes beyond which streams are dropped, */
const STREAM_LIMIT = 1 << 20;
/** and beyond which the important ones are dropped too. */
const IMPORTANT_LIMIT = 2 << 20;

/** Refusals are logged once in a connection for each first level of topics; there are few of them. */
const MAX_REFUSALS_LOGGED = 16;
const RECONNECT_MS = 5000;
const SLOW_WARNING_MS = 10_000;
const LAST_ACK_MS = 1000;
const OFFLINE_MS = 500;

/** The retained identity of the publisher; as will, it says that the publisher is offline. */
export interface Identity {
  readonly topic: string;
  /** Made anew for each connection and at its end, because it has the time. */
  payload(online: boolean): string;
}

export interface Subscription {
  /** Topic filters; the topics of the messages match one of them. */
  readonly filters: readonly string[];
  readonly maxPayloadBytes: number;
  /** Messages that the broker had before are not delivered. */
  readonly ignoresRetained?: boolean;
  /** Receiver of messages; the publisher subscribes to nothing before it resolves. */
  readonly receiver: Promise<MessageReceiver>;
}

export interface MessageReceiver {
  /** `payload` is undefined if it is longer than `maxPayloadBytes`; `isRetained`: the broker had it before. */
  command(topic: string, payload: string | undefined, isRetained: boolean): void;
}

export interface MqttPublisherOptions {
  readonly broker: BrokerAddress;
  readonly clientId: string;
  readonly identity: Identity;
  /** Subscription of the publisher; none by default. */
  readonly subscription?: Subscription;
  readonly credentials?: Credentials | undefined;
  /** Certificates for a secure broker (`tls-files.ts`); without it the authorities of Node count. */
  readonly secureContext?: SecureContext | undefined;
  /** Time from a failure to the next attempt; 5000 by default. */
  readonly reconnectMs?: number;
  /** Asked after a failure, before the next attempt; false ends the attempts. */
  readonly mayReconnect?: () => Promise<boolean>;
  /** The machine's clock, also while a recording is replayed. */
  readonly clock: Clock;
  readonly log: Log;
}

/** Starts connecting and returns; while the broker is away, it tries again without end. */
export async function mqttPublisher(options: MqttPublisherOptions): Promise<Publisher> {
  // Imported here, so that `--help` and `--stdout` start without MQTT.js.
  const { MqttClient } = await import("mqtt");
  const { broker, secureContext, subscription } = options;
  let receiver: MessageReceiver | undefined;
  void subscription?.receiver.then((ready) => {
    receiver = ready;
  });
  const open = await brokerSockets({
    broker,
    secureContext,
    maxPayloadBytes: subscription?.maxPayloadBytes ?? 0,
    onMessage(topic, payload, isRetained) {
      if (isRetained && subscription?.ignoresRetained) return;
      receiver?.command(topic, payload && utf8.decode(payload), isRetained);
    },
  });
  return new MqttPublisher(options, MqttClient, open);
}

const utf8 = new TextDecoder();

/** A broker without MQTT 5 says so, or ends the connection without an answer. */
const refusesVersion = (failure: Failure | undefined): boolean =>
  failure === undefined || failure.code === "ECONNRESET" || failure.message === VERSION_REFUSED;

type Failure = Error & { readonly code?: string | number };

/** One connection from its first attempt to its end. */
interface Connection {
  readonly client: MqttClient;
  readonly socket: Socket;
  /** Whether the broker has accepted it, and it is not being closed. */
  isOnline: boolean;
  failure: Failure | undefined;
  isDisplaced: boolean;
  /** Whether the broker has ever accepted it. */
  isAccepted: boolean;
  /** States in flight that the broker permits. */
  permitted: number;
  /** Resolves when the broker has sent what it retained. */
  read: Promise<void>;
}

class MqttPublisher implements Publisher {
  readonly #options: MqttPublisherOptions;
  readonly #Client: typeof MqttClient;
  readonly #openSocket: OpenSocket;
  readonly #url: string;

  #connection: Connection | undefined;
  #cancelReconnect: (() => void) | undefined;
  readonly #absence: BrokerAbsence;
  readonly #rivalry: Rivalry;
  #closing: Promise<void> | undefined;
  /** Whether a broker has sent what it retained before this start. */
  #hasRead: boolean;

  readonly #output = new OutputBuffer({ complete: completePacket, onDrop: () => this.#warnOfDrops() });
  #droppedLogged = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;

  #version: MqttVersion = 5;
  #refused = 0;
  /** Levels of topics whose refusal has been logged in this connection. */
  readonly #refusedLevels = new Set<string>();

  readonly #states: RetainedStates;
  /** States and identities passed to MQTT.js. */
  #statesPublished = 0;

  constructor(options: MqttPublisherOptions, Client: typeof MqttClient, openSocket: OpenSocket) {
    this.#options = options;
    this.#Client = Client;
    this.#openSocket = openSocket;
    this.#url = brokerUrl(options.broker);
    this.#absence = new BrokerAbsence(options.log, this.#url);
    this.#rivalry = new Rivalry(options);
    this.#states = new RetainedStates(options.clock);
    this.#hasRead = options.subscription === undefined || options.subscription.ignoresRetained === true;
    this.#connect();
  }

  get isReading(): boolean {
    return !this.#hasRead;
  }

  stream(topic: string, { important = false }: StreamOptions = {}): Stream {
    let version = this.#version;
    let head = packetHead(topic, version);
    const currentHead = (): EncodedText => {
      if (version !== this.#version) {
        version = this.#version;
        head = packetHead(topic, version);
      }
      return head;
    };
    return new BufferedStream(topic, this.#output, currentHead, important ? IMPORTANT_LIMIT : STREAM_LIMIT);
  }

  retain(topic: string, payload: string | null, expirySeconds?: number): void {
    this.#output.requireClosed();
    this.#states.set(topic, payload ?? "", expirySeconds);
  }

  flush(): void {
    this.#output.flush();
  }

  drained(): Promise<void> {
    return this.#output.drained();
  }

  counters(): PublisherCounters {
    const { published, dropped, backlog } = this.#output;
    return { published: published + this.#statesPublished, refused: this.#refused, dropped, backlog };
  }

  get rival(): string | undefined {
    return this.#rivalry.isThere ? this.#options.clientId : undefined;
  }

  close(): Promise<void> {
    this.#closing ??= this.#publishOffline();
    return this.#closing;
  }

  #warnOfDrops(): void {
    const { clock, log } = this.#options;
    const now = clock.monotonic();
    if (now - this.#warnedAt < SLOW_WARNING_MS) return;
    this.#warnedAt = now;
    log.warn("broker is too slow, messages are dropped", {
      code: "BROKER_SLOW",
      broker: this.#url,
      dropped: this.#droppedSinceLogged(),
      backlog: this.#output.backlog,
    });
  }

  #droppedSinceLogged(): number {
    const { dropped } = this.#output;
    const since = dropped - this.#droppedLogged;
    this.#droppedLogged = dropped;
    return since;
  }

  #connect(): void {
    const { clientId, credentials, identity } = this.#options;
    let socket: Socket;
    try {
      socket = this.#openSocket(this.#version);
    } catch (error) {
      this.#scheduleReconnect(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    const client = new this.#Client(() => socket, {
      clientId,
      protocolVersion: this.#version,
      ...(this.#version === 5 && { properties: this.#connectProperties() }),
      ...clientOptions,
      will: { topic: identity.topic, payload: Buffer.from(identity.payload(false)), qos: 1, retain: true },
      ...credentials,
    });
    const connection: Connection = {
      client,
      socket,
      isOnline: false,
      failure: undefined,
      isDisplaced: false,
      isAccepted: false,
      permitted: 1,
      read: Promise.resolve(),
    };
    this.#connection = connection;
    keepFailure(connection, client, socket);
    client.on("connect", ({ properties }) => {
      // One message in flight is the identity.
      connection.permitted = Math.max(1, (properties?.receiveMaximum ?? 65_535) - 1);
      this.#onConnack(connection);
    });
    client.on("disconnect", ({ reasonCode }) => {
      connection.isDisplaced = reasonCode === SESSION_TAKEN_OVER;
      connection.failure ??= new Error(`the broker ended the connection, reason ${reasonCode ?? 0}`);
    });
    client.on("close", () => this.#onClose(connection));
  }

  /** Limits the packets of the broker, and permits reasons in words only in CONNACK and DISCONNECT. */
  #connectProperties() {
    const { filters = [], maxPayloadBytes = 0 } = this.#options.subscription ?? {};
    // biome-ignore lint/plugin: filters are listed in the source
    const maximumPacketSize = Math.max(...["", ...filters].map((filter) => packetSizeFor(filter, maxPayloadBytes)));
    return { requestProblemInformation: false, maximumPacketSize };
  }

  #onConnack(connection: Connection): void {
    if (connection !== this.#connection || this.#closing !== undefined) return;
    connection.isAccepted = true;
    this.#rivalry.begin();
    this.#refusedLevels.clear();
    this.#publishIdentity(true);
    connection.isOnline = true;
    this.#output.attach(connection.socket);
    // At first the broker has states of the last start, which are read before they are replaced; later it has older ones.
    if (this.#hasRead) this.#attachStates(connection);
    connection.read = this.#read(connection);
    this.#absence.end();
    this.#options.log.info("connected to the broker", { broker: this.#url, dropped: this.#droppedSinceLogged() });
  }

  /** Subscribes; the first time, the states wait until the broker has sent what it retained. */
  async #read(connection: Connection): Promise<void> {
    const { subscription, log } = this.#options;
    if (subscription === undefined) return;
    const { filters, receiver } = subscription;
    await receiver;
    if (!connection.isOnline) return;
    // Each filter has its own request, because the answer to a refused request does not name a filter.
    for (const filter of filters)
      subscribe(connection.client, filter, () =>
        log.warn("the broker refuses the subscription to commands", { code: "COMMANDS_UNHEARD", filter }),
      );
    if (this.#hasRead) return;
    await answered(connection.client);
    if (!connection.isOnline) return;
    this.#hasRead = true;
    this.#attachStates(connection);
  }

  #onClose(connection: Connection): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    connection.isOnline = false;
    this.#output.detach();
    this.#states.detach();
    if (this.#closing !== undefined) return;
    const { failure, isAccepted, isDisplaced } = connection;
    if (this.#version === 5 && !isAccepted && refusesVersion(failure)) {
      this.#version = 4;
      this.#connect();
    } else {
      const by = isDisplaced ? "rival" : endedBy(isAccepted, failure);
      this.#scheduleReconnect(failure ?? new Error("closed by the broker"), by);
    }
  }

  #scheduleReconnect(failure: Error, by?: EndedBy): void {
    const { clock, reconnectMs = RECONNECT_MS } = this.#options;
    const waitMs = this.#rivalry.end(by, reconnectMs);
    if (by === undefined || !this.#rivalry.isThere) this.#absence.failed(failure);
    this.#version = 5;
    this.#cancelReconnect = clock.after(waitMs, () => void this.#reconnect());
  }

  async #reconnect(): Promise<void> {
    const { mayReconnect } = this.#options;
    const may = mayReconnect === undefined || (await mayReconnect());
    if (may && this.#closing === undefined) this.#connect();
  }

  #publishIdentity(online: boolean, onAcknowledged?: () => void): void {
    const { topic, payload } = this.#options.identity;
    this.#connection?.client.publish(topic, payload(online), { qos: 1, retain: true }, (error) => {
      this.#logRefusal(topic, error);
      if (!error) onAcknowledged?.();
    });
    this.#statesPublished += 1;
  }

  /** With MQTT 5 a broker reports that its access control list forbids a topic; with MQTT 3.1.1 it does not. */
  #logRefusal(topic: string, error: Error | null | undefined): boolean {
    const reason = error && "code" in error ? Number(error.code) : 0;
    if (!(reason >= REFUSED)) return false;
    this.#refused += 1;
    const level = topic.split("/", 1)[0]!;
    if (!this.#refusedLevels.has(level) && this.#refusedLevels.size < MAX_REFUSALS_LOGGED) {
      this.#refusedLevels.add(level);
      this.#options.log.warn("the broker refuses messages", {
        code: "PUBLISH_REFUSED",
        broker: this.#url,
        topic,
        reason: error!.message,
      });
    }
    return true;
  }

  /** Sends the states over a connection. Messages published before a state also leave before it. */
  #attachStates({ client, permitted }: Connection): void {
    const canExpire = this.#version === 5;
    this.#states.attach({
      canExpire,
      permitted,
      send: (topic, payload, expirySeconds, onAnswer) => {
        this.flush();
        this.#statesPublished += 1;
        const properties = expirySeconds === undefined ? {} : { properties: { messageExpiryInterval: expirySeconds } };
        client.publish(topic, payload, { qos: 1, retain: true, ...properties }, (error) => {
          if (this.#logRefusal(topic, error) || !error) onAnswer();
        });
      },
    });
  }

  /**
   * If the offline identity is not acknowledged, the connection ends without DISCONNECT, so that the broker publishes
   * the will.
   */
  async #publishOffline(): Promise<void> {
    this.#cancelReconnect?.();
    this.#output.end();
    const connection = this.#connection;
    if (connection === undefined) return;
    const { client, socket } = connection;
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    let isAcknowledged = false;
    if (connection.isOnline) {
      this.flush();
      const sent = connection.read.then(() => this.#states.allSent());
      await this.#within(LAST_ACK_MS, sent, closed);
      const acknowledged = new Promise<void>((resolve) => {
        this.#publishIdentity(false, () => {
          isAcknowledged = true;
          resolve();
        });
      });
      connection.isOnline = false;
      this.#output.detach();
      await this.#within(LAST_ACK_MS, acknowledged, closed);
    }
    client.end(!isAcknowledged);
    await this.#within(OFFLINE_MS, closed);
    socket.destroy();
  }

  /** Resolves with the first of `events`, or after `milliseconds`. */
  async #within(milliseconds: number, ...events: readonly Promise<void>[]): Promise<void> {
    let cancel = (): void => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(milliseconds, resolve);
    });
    await Promise.race([timeout, ...events]);
    cancel();
  }
}
