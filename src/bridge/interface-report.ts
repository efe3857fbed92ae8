/**
 * The interface on its topic: a change of what it is at once, its counters every ten seconds. It is asked every second,
 * and as soon as somebody notices that it may have changed.
 */
import { asciiJson } from "../n2k/ascii-json.ts";
import type { InterfaceMonitor, InterfaceReading, InterfaceStatus } from "../ports/interface-monitor.ts";
import type { Log } from "../ports/log.ts";
import type { Publisher } from "../ports/publisher.ts";
import { createEnvelope } from "./envelope.ts";
import { busLoadPercent } from "./health.ts";
import type { Report } from "./report.ts";

/** How often the interface is asked, and the least time between two questions however much is noticed, milliseconds. */
const LOOK = 1000;
const LOOK_AGAIN = 20;
/** How often it is published without a change, for its counters. */
const REPEAT = 10_000;
/** What NMEA 2000 runs at. */
const BITRATE = 250_000;

export interface InterfaceReportOptions {
  readonly topic: string;
  readonly monitor: InterfaceMonitor;
  readonly publisher: Publisher;
  /** Bounds its lines by itself: a controller may change its state many times a second. */
  readonly log: Log;
}

export class InterfaceReport implements Report {
  readonly #options: InterfaceReportOptions;
  readonly #envelope = createEnvelope();
  #look = Number.NEGATIVE_INFINITY;
  #looked = Number.NEGATIVE_INFINITY;
  #repeat = Number.NEGATIVE_INFINITY;
  /** What was published last, without its counters. */
  #published = "";
  #said = "";
  #state: InterfaceStatus["state"] = "UNKNOWN";
  /** The last reading that counts for the load of the bus, and when that was. */
  #counted: { readonly at: number; readonly reading: InterfaceReading } | undefined;
  #busLoadPercent: number | undefined;

  constructor(options: InterfaceReportOptions) {
    this.#options = options;
  }

  get due(): number {
    return this.#look;
  }

  /** Percent of the last ten seconds in which the bus was busy; undefined without a CAN controller. */
  get busLoadPercent(): number | undefined {
    return this.#busLoadPercent;
  }

  /** The interface may have changed: it is asked at the next opportunity. */
  notice(): void {
    this.#look = Math.min(this.#look, this.#looked + LOOK_AGAIN);
  }

  advance(now: number, wall: number): void {
    if (now < this.#look) return;
    this.#looked = now;
    this.#look = now + LOOK;
    const { topic, monitor, publisher, log } = this.#options;
    let reading: InterfaceReading;
    try {
      reading = monitor.read();
    } catch (error) {
      // What was published last expires by itself.
      log.error("the system does not say what the interface is", { error: String(error) });
      return;
    }
    const { index, status } = reading;
    const { stats: _, ...lasting } = status;
    const kept = JSON.stringify([index, lasting]);
    const isRepeat = now >= this.#repeat;
    if (!isRepeat && kept === this.#published) {
      this.#look = Math.min(this.#look, this.#repeat);
      return;
    }
    if (isRepeat || this.#counted?.reading.index !== index) this.#count(now, reading);
    if (kept !== this.#published) this.#say(status);
    this.#published = kept;
    this.#repeat = now + REPEAT;
    publisher.retain(topic, this.#envelope(asciiJson(JSON.stringify(status)), wall));
  }

  #count(now: number, reading: InterfaceReading): void {
    const before = this.#counted;
    const { stats, config } = reading.status;
    this.#counted = { at: now, reading };
    this.#busLoadPercent =
      before?.reading.index === reading.index && before.reading.status.stats && stats && config?.bitrate
        ? busLoadPercent(before.reading.status.stats, stats, now - before.at, config.bitrate)
        : undefined;
  }

  /** Tells the log what somebody ought to see to. */
  #say({ interface: name, state, up, config }: InterfaceStatus): void {
    const { log } = this.#options;
    if (state !== this.#state) {
      if (state === "BUS-OFF") log.warn("the controller is off the bus after too many errors", { interface: name });
      else if (state === "ERROR-PASSIVE") log.warn("the controller sees many errors on the bus", { interface: name });
    }
    this.#state = state;
    if (!up || config === undefined) return;
    const { bitrate, restart_ms: restartMs } = config;
    const isSound = restartMs !== 0 && (bitrate === undefined || bitrate === BITRATE);
    const said = isSound ? "" : JSON.stringify([bitrate, restartMs]);
    if (!isSound && said !== this.#said) {
      log.warn("the interface is not set up as NMEA 2000 wants it: bitrate 250000, restart-ms above 0", {
        interface: name,
        ...(bitrate !== undefined && { bitrate }),
        ...(restartMs !== undefined && { restartMs }),
      });
    }
    this.#said = said;
  }
}
