/**
 * The sensors of one broker: messages of topics in, messages of PGNs out. Rows with one name are a device. Its values
 * that belong to one message are collected and sent together: after a change, and again while one of them counts, but
 * none for longer than its period.
 *
 *     N/…/battery/278/Dc/0/Voltage {"value": 13.3} ┐
 *     N/…/battery/278/Dc/0/Current {"value": -4.2} ┴─► 127508 {instance 0, voltageV 13.3, currentA -4.2}
 */
import { type Said, say } from "../n2k/said.ts";
import { hashOf, type StandIn, StandIns } from "../n2k/stand-in.ts";
import { groupedBy } from "../util/grouped.ts";
import { quantityNamed } from "./quantities.ts";
import { readPayload, readSensor, type SensorMessage, type SensorRow } from "./reading.ts";
import { SourceClock } from "./source-clock.ts";
import { matchesTopic } from "./topic-filter.ts";

/**
 * Interval at which an unchanged message is sent again, at the next turn of its source: below the three seconds after
 * which a wind has expired.
 */
const REPEAT_MS = 1500;
/** A program on a computer that passes messages on: "PC Gateway" of the public list. */
const [CLASS_CODE, FUNCTION_CODE] = [25, 130];
/** Bytes of a text of the product information. */
const TEXT_BYTES = 32;

/** A value, and the time until which it counts, monotonic milliseconds. */
interface Held {
  readonly topic: string;
  readonly value: number;
  readonly until: number;
}

/** The rows of one message. */
interface Group {
  readonly rows: readonly SensorRow[];
  /** Members that tell what the message is about. */
  readonly about: Readonly<Record<string, number | string>>;
  readonly device: StandIn;
  /** The values of the last message as text, and when it is sent again. */
  sent: string;
  repeatAt: number;
}

/** Called with messages of a device. */
export type Tell = (address: number, said: readonly Said[]) => void;

const aboutOf = ({ quantity, instance, kind }: SensorRow): Group["about"] => {
  const { instance: number, kind: kinds, members } = quantityNamed(quantity);
  return {
    ...members,
    ...(number !== undefined && { [number.member]: instance }),
    ...(kinds !== undefined && kind !== undefined && { [kinds.member]: kind }),
  };
};

/** The message that has the value of a row, of all devices. */
export const messageOf = (row: SensorRow): string =>
  JSON.stringify([row.name, quantityNamed(row.quantity).definition.pgn, aboutOf(row)]);

export class Sensors {
  /** Messages that no row could use, and those for which there was no room. */
  refused = 0;
  readonly #network: string;
  readonly #onClock: (row: SensorRow, aheadMs: number) => void;
  #rows: readonly SensorRow[] = [];
  #groups: readonly Group[] = [];
  /** Values by their row as text, so that they outlive a change of other rows. */
  #held = new Map<string, Held>();
  #keys = new Map<SensorRow, string>();
  #clocks = new Map<string, SourceClock>();
  /** Devices whose clock is known to differ. */
  readonly #differing = new Set<string>();

  /**
   * `network`: with another one, the NAMEs of the devices are others. `onClock` hears once of each device whose values
   * are used although their times are ahead of the boat's clock, or behind, by more than their period.
   */
  constructor(network: string, onClock: (row: SensorRow, aheadMs: number) => void) {
    this.#network = network;
    this.#onClock = onClock;
  }

  /** Sets the rows, those of this network. */
  setRows(rows: readonly SensorRow[]): void {
    this.#rows = rows;
    this.#keys = new Map(rows.map((row) => [row, JSON.stringify(row)]));
    const kept = new Set(this.#keys.values());
    this.#held = new Map([...this.#held].filter(([key]) => kept.has(key)));
    this.#clocks = new Map([...kept].map((key) => [key, this.#clocks.get(key) ?? new SourceClock()]));
    const standIns = new StandIns();
    // In the order of their names, so that the order of rows gives no device another address.
    const names = [...new Set(rows.map(({ name }) => name))].sort();
    const devices = new Map(names.map((name) => [name, this.#deviceOf(name, standIns)]));
    this.#groups = [...groupedBy(rows, messageOf).values()].map((ofMessage) => ({
      rows: ofMessage,
      about: aboutOf(ofMessage[0]!),
      device: devices.get(ofMessage[0]!.name)!,
      sent: "",
      repeatAt: Number.NEGATIVE_INFINITY,
    }));
  }

  /** Topic filters, each once. */
  get filters(): readonly string[] {
    return [...new Set(this.#rows.map(({ topic }) => topic))];
  }

  /** The topics from which values came. */
  get topics(): readonly string[] {
    return [...new Set([...this.#held.values()].map(({ topic }) => topic))];
  }

  #deviceOf(name: string, standIns: StandIns): StandIn {
    return standIns.create({
      address: name,
      name: `${this.#network} ${name}`,
      classCode: CLASS_CODE,
      functionCode: FUNCTION_CODE,
      product: {
        modelId: name,
        modelVersion: "sensor by MQTT",
        serialNumber: `${this.#network} ${hashOf(name).toString(16)}`.slice(0, TEXT_BYTES),
      },
    });
  }

  /** Hears a message at a time in milliseconds, monotonic and since 1970. */
  hear({ topic, payload, isRetained }: SensorMessage, now: number, wall: number): void {
    const rows = this.#rows.filter((row) => matchesTopic(row.topic, topic));
    if (rows.length === 0) return;
    const read = readPayload(payload);
    let isRefused = false;
    for (const row of rows) {
      const key = this.#keys.get(row)!;
      const held = this.#held.get(key);
      const isOther = held !== undefined && held.topic !== topic && held.until > now;
      const clock = this.#clocks.get(key)!;
      let aheadMs = 0;
      const reading = readSensor(row, read, isRetained, (moment) => {
        aheadMs = moment - wall;
        if (!isRetained && !isOther) clock.hear(moment, now);
        return clock.age(moment, now, wall);
      });
      // One row is one sensor: the topic that it hears first, while that has a value.
      if (isOther || reading.kind === "refused") isRefused = true;
      else if (reading.kind === "ended") this.#held.delete(key);
      else if (reading.kind === "value") {
        this.#held.set(key, { topic, value: reading.value, until: now + row.periodSec * 1000 - reading.ageMs });
        if (Math.abs(aheadMs) > row.periodSec * 1000) this.#noteDiffering(row, aheadMs);
      }
    }
    if (isRefused) this.refused++;
  }

  #noteDiffering(row: SensorRow, aheadMs: number): void {
    if (this.#differing.has(row.name)) return;
    this.#differing.add(row.name);
    this.#onClock(row, aheadMs);
  }

  /** Tells the messages that are due at a time in monotonic milliseconds. */
  advance(now: number, tell: Tell): void {
    for (const group of this.#groups) {
      const values = this.#valuesOf(group, now);
      const text = JSON.stringify(values);
      if (text === "{}") group.sent = "";
      if (text === "{}" || (text === group.sent && now < group.repeatAt)) continue;
      group.sent = text;
      group.repeatAt = now + REPEAT_MS;
      const { device, rows, about } = group;
      tell(device.address, device.introduction(now / 1000));
      tell(device.address, say(quantityNamed(rows[0]!.quantity).definition, { ...about, ...values }));
    }
  }

  #valuesOf({ rows }: Group, now: number): Readonly<Record<string, number>> {
    const values: Record<string, number> = {};
    for (const row of rows) {
      const held = this.#held.get(this.#keys.get(row)!);
      if (held !== undefined && held.until > now) values[quantityNamed(row.quantity).member] = held.value;
    }
    return values;
  }
}
