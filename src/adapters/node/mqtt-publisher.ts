/**
 * Publishes to an MQTT 3.1.1 broker, over TCP or TLS.
 *
 * MQTT.js keeps the session (CONNECT and its will, pings, QoS 1); one client is made for each connection, because the
 * will carries the time of its connection and because nothing of a lost session shall linger. Streams do not go through
 * it: their packets are written here (`publish-packet.ts`) and sent by the same socket, a burst at a time, which takes a
 * tenth of the time that the `publish` of MQTT.js does.
 *
 * Why whole packets of ours may stand between those of MQTT.js: it writes each of its packets in one synchronous call
 * (`_writePacket` calls mqtt-packet's `writeToStream`, which writes header, topic and payload one behind the other), and
 * so does `flush`; JavaScript never interrupts either. mqtt-packet corks the socket for the rest of the tick, which
 * holds bytes back but keeps their order. Nothing of ours is written before CONNACK or after DISCONNECT.
 * Pings are not put off by writes that MQTT.js does not see: at worst one goes out that was not needed.
 *
 * Memory is bounded: streams are dropped beyond a limit, of a state only the latest value is kept, and few are under way.
 */
import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { MqttClient } from "mqtt";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Publisher, PublisherCounters, Stream, StreamOptions } from "../../ports/publisher.ts";
import { Burst, BurstStream } from "./burst.ts";
import type { Credentials } from "./credentials.ts";
import { endPacket, packetHead } from "./publish-packet.ts";

/** Beyond this many unsent bytes streams are dropped, */
export const STREAM_LIMIT = 1 << 20;
/** and beyond this many the important ones too. */
export const IMPORTANT_LIMIT = 2 << 20;

/** A source that can wait goes on below this backlog. */
const DRAINED_BYTES = 256 << 10;
/** States sent and not yet acknowledged; the others wait as their latest value. */
const STATES_UNDER_WAY = 20;

const CONNECT_TIMEOUT_MS = 10_000;
const KEEPALIVE_SECONDS = 30;
const SLOW_WARNING_MS = 10_000;
const LAST_ACK_MS = 1000;
const GOODBYE_MS = 500;

export interface BrokerAddress {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

/** The retained message that says who publishes, and, as will, that it is gone. */
export interface Identity {
  readonly topic: string;
  /** Made anew for each connection and each goodbye, since it carries the time. */
  payload(online: boolean): string;
}

export interface MqttPublisherOptions {
  readonly broker: BrokerAddress;
  readonly clientId: string;
  readonly identity: Identity;
  readonly credentials?: Credentials;
  /** Certificates for a secure broker (`tls-files.ts`); without it the authorities that Node knows. */
  readonly secureContext?: SecureContext;
  /** How long after a failure it is tried again, 5000 without. */
  readonly reconnectMs?: number;
  /** The machine's clock, also where a recording has its own. */
  readonly clock: Clock;
  readonly log: Log;
}

/** Starts connecting and returns; a broker that is away is tried again for ever. */
export async function mqttPublisher(options: MqttPublisherOptions): Promise<Publisher> {
  // Only here, so that `--help` and `--stdout` start without it, and whoever has no use of TLS without that.
  const { MqttClient } = await import("mqtt");
  const tls = options.broker.secure ? await import("node:tls") : undefined;
  return new MqttPublisher(options, MqttClient, tls);
}

type Tls = Pick<typeof import("node:tls"), "connect">;

/** One connection from its first attempt to its end. */
interface Connection {
  readonly client: MqttClient;
  readonly socket: Socket;
  failure: Error | undefined;
}

class MqttPublisher implements Publisher {
  readonly #options: MqttPublisherOptions;
  readonly #Client: typeof MqttClient;
  /** There where the broker is a secure one. */
  readonly #tls: Tls | undefined;
  readonly #name: string;

  #connection: Connection | undefined;
  /** The socket of a connection that the broker has accepted. */
  #socket: Socket | undefined;
  #cancelReconnect: (() => void) | undefined;
  /** Kinds of failure that have been told in this absence of the broker. */
  readonly #told = new Set<string>();
  #closing: Promise<void> | undefined;
  #waiting: (() => void)[] = [];

  readonly #burst = new Burst();
  /** Unsent bytes of the socket when last looked at; but for the few states they only become fewer until the next burst. */
  #unsent = 0;
  #published = 0;
  #dropped = 0;
  #droppedTold = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;

  /** The latest value of each state; empty: removed, until the broker has acknowledged that. */
  readonly #states = new Map<string, string>();
  readonly #changed = new Set<string>();
  #underWay = 0;

  constructor(options: MqttPublisherOptions, Client: typeof MqttClient, tls: Tls | undefined) {
    this.#options = options;
    this.#Client = Client;
    this.#tls = tls;
    const { host, port, secure } = options.broker;
    this.#name = `${secure ? "mqtts" : "mqtt"}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    this.#connect();
  }

  stream(topic: string, { important = false }: StreamOptions = {}): Stream {
    return new BurstStream(
      topic,
      this.#burst,
      packetHead(topic),
      this.#end,
      important ? IMPORTANT_LIMIT : STREAM_LIMIT,
    );
  }

  readonly #end = (limit: number): void => {
    const burst = this.#burst;
    endPacket(burst.out, burst.start);
    if (!this.#hasRoom(burst.begun, limit)) {
      this.#drop();
      return;
    }
    burst.end();
    if (burst.isFull) this.flush();
  };

  retain(topic: string, payload: string | null): void {
    this.#states.set(topic, payload ?? "");
    this.#changed.add(topic);
    this.#sendStates();
  }

  flush(): void {
    if (this.#socket === undefined || this.#burst.messages === 0) return;
    this.#published += this.#burst.write(this.#socket);
    this.#unsent = this.#socket.writableLength;
  }

  drained(): Promise<void> {
    if (this.#closing !== undefined) return Promise.resolve();
    if (this.#socket !== undefined && this.#backlog() <= DRAINED_BYTES) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  counters(): PublisherCounters {
    return { published: this.#published, dropped: this.#dropped, backlog: this.#backlog() };
  }

  close(): Promise<void> {
    this.#closing ??= this.#sayGoodbye();
    return this.#closing;
  }

  #backlog(): number {
    return this.#burst.length + (this.#socket?.writableLength ?? 0);
  }

  #hasRoom(bytes: number, limit: number): boolean {
    if (this.#socket === undefined) return false;
    if (this.#unsent + this.#burst.length + bytes <= limit) return true;
    this.#unsent = this.#socket.writableLength;
    return this.#unsent + this.#burst.length + bytes <= limit;
  }

  #drop(): void {
    this.#dropped += 1;
    if (this.#socket === undefined) return;
    const now = this.#options.clock.monotonic();
    if (now - this.#warnedAt < SLOW_WARNING_MS) return;
    this.#options.log.warn("broker is too slow, messages are dropped", {
      broker: this.#name,
      dropped: this.#droppedSinceTold(),
      backlog: this.#backlog(),
    });
    this.#warnedAt = now;
  }

  #droppedSinceTold(): number {
    const dropped = this.#dropped - this.#droppedTold;
    this.#droppedTold = this.#dropped;
    return dropped;
  }

  #connect(): void {
    const { clientId, credentials, identity } = this.#options;
    let socket: Socket;
    try {
      socket = this.#openSocket();
    } catch (error) {
      this.#isAway(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    const client = new this.#Client(() => socket, {
      clientId,
      protocolVersion: 4,
      clean: true,
      keepalive: KEEPALIVE_SECONDS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectPeriod: 0,
      // A cache of all 65536 packet numbers is worth megabytes, not for a few states.
      writeCache: false,
      will: { topic: identity.topic, payload: Buffer.from(identity.payload(false)), qos: 1, retain: true },
      ...credentials,
    });
    const connection: Connection = { client, socket, failure: undefined };
    this.#connection = connection;
    const failed = (error: Error): void => {
      connection.failure ??= error;
      socket.destroy();
    };
    client.on("error", failed);
    socket.on("error", failed);
    client.on("connect", () => this.#isThere(connection));
    client.on("close", () => this.#isGone(connection));
    socket.on("drain", () => this.#release());
  }

  #openSocket(): Socket {
    const { broker, secureContext } = this.#options;
    const { host, port } = broker;
    const socket = this.#tls
      ? this.#tls.connect({
          host,
          port,
          rejectUnauthorized: true,
          ...(isIP(host) === 0 && { servername: host }),
          ...(secureContext !== undefined && { secureContext }),
        })
      : connectTcp({ host, port });
    // A burst is a whole already; waiting for more would only make it late.
    return socket.setNoDelay(true);
  }

  #isThere(connection: Connection): void {
    if (connection !== this.#connection || this.#closing !== undefined) return;
    this.#publishIdentity(true);
    this.#socket = connection.socket;
    this.#unsent = connection.socket.writableLength;
    // All of them and in their own order, since this broker may have lost what the last one acknowledged.
    this.#changed.clear();
    for (const topic of this.#states.keys()) this.#changed.add(topic);
    this.#sendStates();
    this.#told.clear();
    this.#options.log.info("connected to the broker", { broker: this.#name, dropped: this.#droppedSinceTold() });
    this.#release();
  }

  #isGone(connection: Connection): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    this.#socket = undefined;
    this.#dropped += this.#burst.clear();
    this.#unsent = 0;
    this.#underWay = 0;
    if (this.#closing === undefined) this.#isAway(connection.failure ?? new Error("closed by the broker"));
  }

  #isAway(failure: Error & { readonly code?: string | number }): void {
    const { clock, log, reconnectMs = 5000 } = this.#options;
    // Of several addresses tried (localhost is often two) only the code says what went wrong.
    const reason = failure.message || String(failure.code ?? failure.name);
    // Not the message, which may name a port that is another one each time.
    const kind = String(failure.code ?? failure.message);
    const values = { broker: this.#name, reason };
    if (this.#told.has(kind)) log.debug("broker is still away", values);
    else log.warn("broker is away, trying again", values);
    this.#told.add(kind);
    this.#cancelReconnect = clock.after(reconnectMs, () => this.#connect());
  }

  #publishIdentity(online: boolean, acknowledged?: () => void): void {
    const { topic, payload } = this.#options.identity;
    this.#connection?.client.publish(topic, payload(online), { qos: 1, retain: true }, (error) => {
      if (!error) acknowledged?.();
    });
    this.#published += 1;
  }

  #sendStates(limit = STATES_UNDER_WAY): void {
    const connection = this.#connection;
    if (connection === undefined || this.#socket === undefined || this.#changed.size === 0) return;
    // What was published before a state also leaves before it.
    this.flush();
    for (const topic of this.#changed) {
      if (this.#underWay >= limit) return;
      this.#changed.delete(topic);
      const payload = this.#states.get(topic) ?? "";
      this.#underWay += 1;
      this.#published += 1;
      connection.client.publish(topic, payload, { qos: 1, retain: true }, (error) => {
        if (error || connection !== this.#connection) return;
        this.#underWay -= 1;
        if (payload === "" && this.#states.get(topic) === "" && !this.#changed.has(topic)) this.#states.delete(topic);
        this.#sendStates();
      });
    }
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** An unacknowledged goodbye ends without DISCONNECT, so that the will says it. */
  async #sayGoodbye(): Promise<void> {
    this.#cancelReconnect?.();
    const connection = this.#connection;
    if (connection !== undefined) {
      const { client, socket } = connection;
      const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      let isAcknowledged = false;
      if (this.#socket !== undefined) {
        this.flush();
        this.#sendStates(Number.POSITIVE_INFINITY);
        const acknowledged = new Promise<void>((resolve) => {
          this.#publishIdentity(false, () => {
            isAcknowledged = true;
            resolve();
          });
        });
        this.#socket = undefined;
        await this.#within(LAST_ACK_MS, acknowledged, gone);
      }
      client.end(!isAcknowledged);
      await this.#within(GOODBYE_MS, gone);
      socket.destroy();
    }
    this.#release();
  }

  async #within(milliseconds: number, ...events: readonly Promise<void>[]): Promise<void> {
    let cancel = (): void => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(milliseconds, resolve);
    });
    await Promise.race([timeout, ...events]);
    cancel();
  }
}
