/**
 * Instruments that do not speak NMEA 2000: sentences of NMEA 0183 with AIS, engines of SAE J1939, sensors on MQTT. They
 * say the same truth, of which hub's own readers make messages. A protocol enters the worlds as a row here.
 */

import * as j1939 from "../../src/core/n2k/j1939/engine.ts";
import { Packet } from "../../src/core/ports/packet-batch.ts";
import type { PacketBatch } from "../../src/core/ports/packet-source.ts";
import type { SensorRow } from "../../src/core/sensors/reading.ts";
import { Sensors } from "../../src/core/sensors/sensors.ts";
import { openNmea0183 } from "../../src/formats/gateway/nmea0183.ts";
import { Translator } from "../../src/formats/j1939/translator.ts";
import { stampArrival } from "../../src/formats/recording/arrival.ts";
import { RecordWriter } from "../../src/formats/recording/record-writer.ts";
import type { Broker } from "./broker.ts";
import { Reader } from "./readers.ts";
import { payloadOf, type RoleName, roleOf, type Saying, type Truth } from "./roles.ts";
import type { ProgramClock, VirtualClock } from "./virtual-clock.ts";

/** Numbers of the networks of hub-cand. */
export const SENTENCES = 2;
export const ENGINES = 3;
export const SENSORS = 4;
/** Names of the networks after the first one. */
export const furtherNetworks = ["can1", "nmea0183+tcp://10.0.0.7", "j1939:can2", "mqtt:"] as const;

/** Interval at which values of sensors are collected. */
const COLLECT_MS = 500;
const SENSORS_AT_MOST = 2;

/** The roles that each protocol has messages for. */
export const rolesOf: Readonly<Record<number, readonly RoleName[]>> = {
  [SENTENCES]: ["receiver", "sounder", "anemometer", "ship"],
  [ENGINES]: ["engine"],
  [SENSORS]: ["battery"],
};

const two = (value: number): string => String(value).padStart(2, "0");

const sentence = (start: string, body: string): string => {
  const sum = [...body].reduce((all, each) => all ^ each.charCodeAt(0), 0);
  return `${start}${body}*${sum.toString(16).toUpperCase().padStart(2, "0")}\r\n`;
};

/** Degrees and minutes with a letter for the side. */
function angle(degrees: number, width: number, [positive, negative]: readonly [string, string]): string {
  const minutes = Math.round(Math.abs(degrees) * 60 * 1e6) / 1e6;
  const whole = Math.floor(minutes / 60);
  const rest = (minutes - whole * 60).toFixed(6).padStart(9, "0");
  return `${String(whole).padStart(width, "0")}${rest},${degrees < 0 ? negative : positive}`;
}

/** A position report of class B (message 18 of ITU-R M.1371). */
function aisSentence({ mmsi, latitude, longitude }: { mmsi: number; latitude: number; longitude: number }): string {
  const field = (value: number, bits: number): string =>
    (value < 0 ? 2 ** bits + value : value).toString(2).padStart(bits, "0");
  const place = [field(Math.round(longitude * 600_000), 28), field(Math.round(latitude * 600_000), 27)];
  const bits = [
    ...[field(18, 6), field(0, 2), field(mmsi, 30), field(0, 8), field(0, 10), "0", ...place],
    ...[field(0, 12), field(511, 9), field(60, 6), field(0, 2), "1110000", field(0, 20)],
  ].join("");
  const payload = bits.replaceAll(/.{6}/g, (six) => {
    const value = Number.parseInt(six, 2);
    return String.fromCharCode(value + (value < 40 ? 48 : 56));
  });
  return sentence("!", `AIVDM,1,1,,B,${payload},0`);
}

/** The sentences of a message of NMEA 2000. */
function sentenceOf({ pgn, ...message }: Saying, { time, metresPerSecond }: Truth): string {
  const number = (member: string): number => message[member] as number;
  if (pgn === 129025) {
    const date = new Date(time);
    const clock = `${two(date.getUTCHours())}${two(date.getUTCMinutes())}${two(date.getUTCSeconds())}.00`;
    const day = `${two(date.getUTCDate())}${two(date.getUTCMonth() + 1)}${two(date.getUTCFullYear() % 100)}`;
    const place = `${angle(number("latitude"), 2, ["N", "S"])},${angle(number("longitude"), 3, ["E", "W"])}`;
    const knots = ((metresPerSecond * 3600) / 1852).toFixed(3);
    return sentence("$", `GPRMC,${clock},A,${place},${knots},0.0,${day},,,A`);
  }
  if (pgn === 128267) return sentence("$", `SDDBT,,f,${number("depthM").toFixed(2)},M,,F`);
  if (pgn === 130306)
    return sentence("$", `WIMWD,${number("windAngleDeg").toFixed(1)},T,,M,,N,${number("windSpeedMs").toFixed(2)},M`);
  if (pgn === 129039) return aisSentence(message as never);
  // The others are in RMC.
  return "";
}

/** The messages of J1939 of one of NMEA 2000. */
function ofJ1939({ pgn, ...message }: Saying): readonly Saying[] {
  const say = (as: { readonly pgn: number }, data: object): Saying => ({ pgn: as.pgn, as: as as never, ...data });
  if (pgn === 127488) return [say(j1939.electronicEngineController1, { engineSpeedRpm: message.engineSpeedRpm })];
  const { coolantTempC, oilPressureKpa } = message;
  return [say(j1939.engineTemperature1, { coolantTempC }), say(j1939.engineFluidLevelPressure1, { oilPressureKpa })];
}

const topicOf = (instance: number): string => `sensors/battery/${instance}`;
const rows: readonly SensorRow[] = [...Array(SENSORS_AT_MOST).keys()].map((instance) => ({
  ...{ name: `battery ${instance}`, topic: topicOf(instance), pointer: "/volts", instance },
  ...{ quantity: "batteryVoltage", unit: "V", empty: 0, periodSec: 5 },
}));

/** Values that come by MQTT, as their source reads them. */
class SensorProgram {
  readonly sensors = new Sensors(furtherNetworks[SENSORS - 1]!, () => {});
  readonly #clock: ProgramClock;

  constructor(clock: ProgramClock) {
    this.#clock = clock;
    this.sensors.setRows(rows);
  }

  get filters(): readonly string[] {
    return this.sensors.filters;
  }

  hear(topic: string, payload: Uint8Array, isRetained: boolean): void {
    const message = { topic, payload: Buffer.from(payload).toString(), isRetained };
    this.sensors.hear(message, this.#clock.monotonic(), this.#clock.wall());
  }
}

export interface Said {
  readonly network: number;
  readonly role: RoleName;
  readonly instance: number;
  readonly address: number;
  readonly isInDanger: boolean;
}

/** A sensor publishes whether somebody hears it or not. */
export function publishSensor(broker: Broker, { role, instance, isInDanger }: Said, truth: Truth): void {
  for (const { voltageV } of roleOf(role).says(instance, truth, isInDanger))
    broker.publish(topicOf(instance), JSON.stringify({ volts: voltageV }));
}

export interface OtherProtocolsOptions {
  readonly clock: VirtualClock;
  readonly broker: Broker;
  take(batch: PacketBatch, network: number): void;
}

/** The sources of hub-cand for them, which live as long as it runs. */
export class OtherProtocols {
  readonly sensors: Reader<SensorProgram>;
  readonly #options: OtherProtocolsOptions;
  readonly #timers: ProgramClock;
  readonly #writer = new RecordWriter();
  readonly #translator = new Translator({ network: furtherNetworks[ENGINES - 1]!, firstEngine: 0 });
  #session = this.#openSession();

  constructor(options: OtherProtocolsOptions) {
    this.#options = options;
    const { clock, broker } = options;
    this.#timers = clock.program();
    this.sensors = new Reader(
      "sensors",
      clock,
      broker,
      () => 0,
      (own) => new SensorProgram(own),
    );
    this.#timers.every(1000, () => this.#session.advance?.(0));
    this.#timers.every(COLLECT_MS, () => {
      this.sensors.program.sensors.advance(clock.now, (address, said) => {
        for (const { pgn, payload } of said) this.#write(address, pgn, payload);
      });
      this.#flush(SENSORS);
    });
  }

  /** Lines that could not be read. */
  get malformed(): number {
    return this.#session.malformed + this.sensors.program.sensors.refused;
  }

  /** The connection is new. */
  reopen(): void {
    this.#session = this.#openSession();
  }

  stop(): void {
    this.sensors.stop();
    this.sensors.clock.stop();
    this.#timers.stop();
  }

  hear({ network, role, instance, address, isInDanger }: Said, truth: Truth): void {
    for (const saying of roleOf(role).says(instance, truth, isInDanger)) {
      if (network === SENTENCES) this.#session.read(Buffer.from(sentenceOf(saying, truth)), false, this.#writer);
      else if (network === ENGINES)
        for (const message of ofJ1939(saying)) this.hearEngine(address, message.pgn, payloadOf(message));
    }
    this.#flush(network);
  }

  /** A message on the network of engines. */
  hearEngine(address: number, pgn: number, payload: Uint8Array): void {
    const packet = new Packet();
    Object.assign(packet, { pgn, source: address, bytes: payload, at: 0, end: payload.length });
    packet.arrived = this.#options.clock.now;
    this.#translator.hear(packet, (source, toldPgn, told) => this.#write(source, toldPgn, told));
    this.#flush(ENGINES);
  }

  #openSession() {
    const url = furtherNetworks[SENTENCES - 1]!;
    return openNmea0183({ send: () => {}, url, wall: () => this.#options.clock.wall });
  }

  #write(source: number, pgn: number, payload: Uint8Array): void {
    this.#writer.packet(0, 6, pgn, source, 255, payload, payload.length);
  }

  #flush(network: number): void {
    const { clock, take } = this.#options;
    for (const batch of this.#writer.drain()) {
      stampArrival(batch, clock.now * 1000, clock.wall * 1000, false);
      take(batch.packets!, network);
    }
  }
}
