/**
 * A broker with sensors as a source of packets: a network of devices, whose messages `sensors/` makes of topics. It has
 * a connection of its own, so that nothing that clients publish there delays the commands to hub-cand or its messages.
 *
 * A hostile broker or client can grow nothing: payloads are short or not kept, the rows bound what is kept of them, and
 * messages beyond a number a second are counted as refused and not read.
 */
import type { SecureContext } from "node:tls";
import { GLOBAL_ADDRESS } from "../../../core/can/can-id.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { InterfaceMonitor, InterfaceReading } from "../../../core/ports/interface-monitor.ts";
import type { Log } from "../../../core/ports/log.ts";
import { type BusCounters, noCounts, type PacketBatch, type PacketSource } from "../../../core/ports/packet-source.ts";
import { MAX_PAYLOAD_BYTES, type SensorRow } from "../../../core/sensors/reading.ts";
import { Sensors } from "../../../core/sensors/sensors.ts";
import { matchesTopic } from "../../../core/sensors/topic-filter.ts";
import { VenusRequests, venusFilters } from "../../../core/sensors/venus.ts";
import { isoTime } from "../../../core/text/date.ts";
import { stampArrival } from "../../../formats/recording/arrival.ts";
import { FrameCounter } from "../../../formats/recording/frame-counter.ts";
import { RecordWriter } from "../../../formats/recording/record-writer.ts";
import type { BrokerAddress } from "./broker-socket.ts";
import type { Credentials } from "./credentials.ts";
import { type MqttSubscriber, mqttSubscriber } from "./subscriber.ts";

/** Interval at which values are collected and sent. */
const COLLECT_MS = 500;
const VENUS_REQUESTS_MS = 30_000;
/** Time from the connection on after which topics without a message are told: a broker may withhold them. */
const UNHEARD_MS = 600_000;
/** Messages of a second that are read; a GX device that tells everything has some thousands, of which few are asked for. */
export const MAX_SENSOR_MESSAGES = 500;

/** Without rows there is no connection. */
const NO_ROWS = "the settings have no sensors for it";
const PRIORITY = 6;
const SECOND_MS = 1000;

export interface SensorSourceOptions {
  /** The network as the option or the settings name it: `mqtt:`. */
  readonly name: string;
  readonly broker: BrokerAddress;
  readonly clientId: string;
  readonly credentials?: Credentials | undefined;
  readonly secureContext?: SecureContext | undefined;
  /** Whether a topic is hub's own, so that no message comes round. */
  readonly isOwn: (topic: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export class SensorSource implements PacketSource {
  readonly monitor: InterfaceMonitor;
  readonly #options: SensorSourceOptions;
  readonly #sensors: Sensors;
  readonly #writer = new RecordWriter();
  /** The rows of this network, and the filters that are subscribed to. */
  #filters: readonly string[] = [];
  #subscriber: Promise<MqttSubscriber | undefined> | undefined;
  /** The one that has been made last, as soon as it is there. */
  #current: MqttSubscriber | undefined;
  /** Filters of the rows that no message of this connection fits. */
  #unheard: readonly string[] = [];
  #cancelUnheard = (): void => {};
  #venus = new VenusRequests();
  #venusAt = 0;
  #isUp = false;
  #reason: string | undefined = NO_ROWS;
  #since: number;
  #connections = 0;
  #receivedBytes = 0;
  /** Messages that were not read, for lack of room or because they are hub's own. */
  #unread = 0;
  #secondEnds = 0;
  #left = MAX_SENSOR_MESSAGES;
  #isOpen = true;
  #wake = (): void => {};
  #onState: Parameters<NonNullable<PacketSource["onState"]>>[0] = () => {};

  constructor(options: SensorSourceOptions) {
    this.#options = options;
    const { name, clock, log } = options;
    this.#sensors = new Sensors(name, ({ name: sensor, topic }, aheadMs) =>
      log.warn("the clock of a sensor differs from the boat's, its values count from their arrival", {
        code: "SENSOR_CLOCK",
        network: name,
        sensor,
        topic,
        aheadSec: Math.round(aheadMs / 1000),
      }),
    );
    this.#since = clock.wall();
    const frames = new FrameCounter(name);
    this.monitor = {
      count: (transport, length) => frames.count(transport, length),
      read: () => this.#reading(frames.read()),
    };
  }

  /** Sets the rows of the settings; those of other networks are not used. */
  setRows(rows: readonly SensorRow[]): void {
    const { name } = this.#options;
    this.#sensors.setRows(rows.filter(({ network = name }) => network === name));
    const filters = this.#sensors.filters;
    const wanted = [...new Set([...filters, ...venusFilters(filters)])];
    if (!this.#isOpen) return;
    if (wanted.join("\0") === this.#filters.join("\0")) {
      // A row that has changed has no value yet, and Venus does not publish one again that stays the same.
      this.#ask(this.#venus.anew());
      return;
    }
    this.#filters = wanted;
    this.#connect();
  }

  async *packets(): AsyncGenerator<PacketBatch> {
    const { clock } = this.#options;
    const callOff = clock.every(COLLECT_MS, () => this.#wake());
    try {
      while (this.#isOpen) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        if (!this.#isOpen) return;
        yield* this.#collected();
      }
    } finally {
      callOff();
    }
  }

  counters(): BusCounters {
    return { ...noCounts, malformed: this.#refused };
  }

  onState(listener: Parameters<NonNullable<PacketSource["onState"]>>[0]): void {
    this.#onState = listener;
  }

  /** Its packets are whole. */
  setFastPacketTable(): void {}

  close(): void {
    this.#isOpen = false;
    this.#cancelUnheard();
    void this.#subscriber?.then((subscriber) => subscriber?.close());
    this.#wake();
  }

  /** Connects anew, because the subscriptions are those of a connection. */
  #connect(): void {
    const { broker, clientId, credentials, secureContext, clock, log } = this.#options;
    const before = this.#subscriber;
    this.#current = undefined;
    this.#cancelUnheard();
    this.#become(false, this.#filters.length === 0 ? NO_ROWS : "connecting");
    const opening = (async () => {
      (await before)?.close();
      if (this.#filters.length === 0) return undefined;
      return mqttSubscriber({
        broker,
        clientId,
        filters: this.#filters,
        maxPayloadBytes: MAX_PAYLOAD_BYTES,
        credentials,
        secureContext,
        clock,
        log,
        onMessage: (topic, payload, isRetained) => this.#hear(topic, payload, isRetained),
        onConnect: () => this.#connected(),
        onClose: (reason) => {
          this.#cancelUnheard();
          this.#become(false, reason);
        },
      });
    })();
    this.#subscriber = opening;
    void opening.then((subscriber) => {
      if (this.#subscriber === opening) this.#current = subscriber;
      if (!this.#isOpen) subscriber?.close();
    });
  }

  #connected(): void {
    const { name, clock, log } = this.#options;
    this.#connections++;
    this.#unheard = this.#sensors.filters;
    this.#cancelUnheard = clock.after(UNHEARD_MS, () => {
      if (this.#unheard.length > 0)
        log.warn("no message comes on topics of the settings", {
          code: "SENSORS_UNHEARD",
          network: name,
          topics: this.#unheard.join(" "),
        });
    });
    this.#become(true, undefined);
    this.#venus = new VenusRequests();
    this.#venusAt = clock.monotonic() + VENUS_REQUESTS_MS;
    this.#ask(this.#venus.first(this.#filters));
  }

  #ask(requests: ReturnType<VenusRequests["first"]>): void {
    for (const { topic, payload } of requests) this.#current?.publish(topic, payload);
  }

  #hear(topic: string, payload: Uint8Array | undefined, isRetained: boolean): void {
    const { clock, isOwn } = this.#options;
    const now = clock.monotonic();
    if (now >= this.#secondEnds) {
      this.#secondEnds = now + SECOND_MS;
      this.#left = MAX_SENSOR_MESSAGES;
    }
    this.#receivedBytes += payload?.length ?? 0;
    if (this.#left === 0 || isOwn(topic)) {
      this.#unread++;
      return;
    }
    this.#left--;
    this.#unheard = this.#unheard.filter((filter) => !matchesTopic(filter, topic));
    this.#ask(this.#venus.first(this.#filters, topic));
    const text = payload && utf8.decode(payload);
    this.#sensors.hear({ topic, payload: text, isRetained }, now, clock.wall());
  }

  *#collected(): Generator<PacketBatch> {
    const { clock } = this.#options;
    const now = clock.monotonic();
    if (this.#isUp && now >= this.#venusAt) {
      this.#venusAt = now + VENUS_REQUESTS_MS;
      this.#ask(this.#venus.again(this.#sensors.topics));
    }
    const writer = this.#writer;
    this.#sensors.advance(now, (address, said) => {
      for (const { pgn, payload } of said)
        writer.packet(0, PRIORITY, pgn, address, GLOBAL_ADDRESS, payload, payload.length);
    });
    for (const batch of writer.drain()) {
      stampArrival(batch, now * 1000, clock.wall() * 1000, false);
      if (batch.packets !== undefined) yield batch.packets;
    }
  }

  get #refused(): number {
    return this.#unread + this.#sensors.refused;
  }

  #become(isUp: boolean, reason: string | undefined): void {
    const hasChanged = isUp !== this.#isUp;
    if (!hasChanged && reason === this.#reason) return;
    this.#isUp = isUp;
    this.#reason = reason;
    if (hasChanged) this.#since = this.#options.clock.wall();
    this.#onState({ isUp, hasChanged });
  }

  #reading({ index, status }: InterfaceReading): InterfaceReading {
    const reason = this.#reason;
    return {
      index,
      status: {
        ...status,
        up: this.#isUp,
        gateway: {
          source: this.#options.name,
          since: isoTime(this.#since),
          ...(reason !== undefined && { reason }),
          connections: this.#connections,
          receivedBytes: this.#receivedBytes,
          refused: this.#refused,
        },
      },
    };
  }
}

const utf8 = new TextDecoder();
