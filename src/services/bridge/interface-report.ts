/**
 * The topic of the interface: a change of status at once, counters every ten seconds. The interface is read every
 * second, and as soon as it may have changed.
 */

import { isJ1939Network, NETWORK_ADDRESSES } from "../../core/can/networks.ts";
import type { InterfaceMonitor, InterfaceReading } from "../../core/ports/interface-monitor.ts";
import { metadataAt } from "../../core/report/envelope.ts";
import {
  type FurtherNetworkStatus,
  type InterfaceStatus,
  interfaceMessage,
} from "../../core/report/interface-status.ts";
import { writerOf } from "../../core/report/write.ts";
import { textOf } from "../../core/text/ascii-buffer.ts";
import { topics } from "../../core/topics/topics.ts";
import type { Boat } from "./boat.ts";
import type { BridgeCounters } from "./counters.ts";
import { busLoadPercent } from "./health/health.ts";
import type { Change, Part } from "./part.ts";

/** Time from one reading to the next, and the shortest one after a notice. */
const POLL_MS = 1000;
const MIN_POLL_MS = 20;
/** The status is also published without a change, because of its counters. */
const { repeatMs } = topics.interface;
/** Bitrate of NMEA 2000. */
const BITRATE = 250_000;
/** A controller with this flag sends nothing, so that it never goes BUS-OFF and needs no restart. */
const CAN_CTRLMODE_LISTENONLY = 0x02;

type InterfaceBoat = Pick<Boat, "topics" | "publisher" | "log" | "networks">;

/** The state and the setup of an interface of which the log has been warned. */
interface Warned {
  state: InterfaceStatus["state"];
  /** As JSON text; empty when it is right. */
  setup: string;
}

export class InterfaceReport implements Part {
  readonly knows = { interface: this };
  readonly #boat: InterfaceBoat;
  readonly #monitor: InterfaceMonitor;
  readonly #text = textOf(writerOf(interfaceMessage));
  /** Monotonic times: next reading, last reading, next message without a change. */
  due = Number.NEGATIVE_INFINITY;
  #lastPoll = Number.NEGATIVE_INFINITY;
  #republish = Number.NEGATIVE_INFINITY;
  /** The last published status without its counters, as JSON text. */
  #published = "";
  /** By the name of the interface. */
  readonly #warned = new Map<string, Warned>();
  /** The last reading for the load of the bus, and its time. */
  #counted: { readonly at: number; readonly reading: InterfaceReading } | undefined;
  /**
   * Percent of the last ten seconds in which the bus was busy; undefined if neither a CAN controller nor a gateway
   * tells it.
   */
  #busLoadPercent: number | undefined;
  /** The status as it was last read; undefined before the first time. */
  status: InterfaceStatus | undefined;
  /** The status of each further network as it was last read. */
  networks: readonly FurtherNetworkStatus[] = [];

  /** The log limits the rate of its lines, because a controller may change its state many times a second. */
  constructor(boat: InterfaceBoat, monitor: InterfaceMonitor) {
    this.#boat = boat;
    this.#monitor = monitor;
  }

  counters(): Partial<BridgeCounters> {
    return this.#busLoadPercent === undefined ? {} : { busLoadPercent: this.#busLoadPercent };
  }

  /** Reads the interface soon, because it may have changed. */
  notice({ of }: Change): void {
    if (of === "bus" || of === "network") this.due = Math.min(this.due, this.#lastPoll + MIN_POLL_MS);
  }

  advance(now: number, wall: number): void {
    if (now < this.due) return;
    this.#lastPoll = now;
    this.due = now + POLL_MS;
    const { topics: names, publisher, log } = this.#boat;
    let reading: InterfaceReading;
    try {
      reading = this.#monitor.read();
    } catch (error) {
      // The last message expires by itself.
      log.error("the interface cannot be read", { code: "INTERFACE_UNREADABLE", reason: String(error) });
      return;
    }
    const { index } = reading;
    const networks = this.#readFurther();
    const status = networks.length === 0 ? reading.status : { ...reading.status, networks };
    this.status = reading.status;
    this.networks = networks;
    const withoutCounters = JSON.stringify([index, ...[reading.status, ...networks].map(lastingOf)]);
    const isRepeat = now >= this.#republish;
    if (!isRepeat && withoutCounters === this.#published) {
      this.due = Math.min(this.due, this.#republish);
      return;
    }
    if (isRepeat || this.#counted?.reading.index !== index) this.#count(now, reading);
    if (withoutCounters !== this.#published) for (const each of [reading.status, ...networks]) this.#warn(each);
    this.#published = withoutCounters;
    this.#republish = now + repeatMs;
    publisher.retain(names.interface(), this.#text({ data: status, metadata: metadataAt(wall) }));
  }

  /** One that cannot be read is left out. */
  #readFurther(): FurtherNetworkStatus[] {
    const { networks, log } = this.#boat;
    return networks.flatMap((network, number) => {
      if (network === undefined) return [];
      try {
        return [{ ...network.monitor.read().status, firstAddr: (number + 1) * NETWORK_ADDRESSES }];
      } catch (error) {
        const { name } = network;
        log.error("the interface cannot be read", {
          code: "INTERFACE_UNREADABLE",
          interface: name,
          reason: String(error),
        });
        return [];
      }
    });
  }

  #count(now: number, reading: InterfaceReading): void {
    const before = this.#counted;
    const { stats, config, gateway } = reading.status;
    this.#counted = { at: now, reading };
    if (gateway !== undefined) {
      this.#busLoadPercent = gateway.busLoadPercent;
      return;
    }
    this.#busLoadPercent =
      before?.reading.index === reading.index && before.reading.status.stats && stats && config?.bitrate
        ? busLoadPercent(before.reading.status.stats, stats, now - before.at, config.bitrate)
        : undefined;
  }

  /** Warns of states and of a setup that the operator should correct. */
  #warn({ interface: name, state, up, config }: InterfaceStatus): void {
    const { log } = this.#boat;
    const warned = this.#warned.get(name) ?? { state: "UNKNOWN", setup: "" };
    this.#warned.set(name, warned);
    if (state !== warned.state) {
      if (state === "BUS-OFF") {
        log.warn("the controller is off the bus after too many errors", { code: "BUS_OFF", interface: name });
      } else if (state === "ERROR-PASSIVE") {
        log.warn("the controller sees many errors on the bus", { code: "ERROR_PASSIVE", interface: name });
      }
    }
    warned.state = state;
    // Engines have the bit rate of their maker, and hub never sends there.
    if (!up || config === undefined || isJ1939Network(name)) return;
    const { bitrate, restart_ms: restartMs, ctrlmode = 0 } = config;
    const restarts = restartMs !== 0 || (ctrlmode & CAN_CTRLMODE_LISTENONLY) !== 0;
    const isRight = restarts && (bitrate === undefined || bitrate === BITRATE);
    const setup = isRight ? "" : JSON.stringify([bitrate, restartMs]);
    if (!isRight && setup !== warned.setup) {
      log.warn("the interface is not set up for NMEA 2000: bitrate 250000, restart-ms above 0", {
        code: "INTERFACE_SETUP",
        interface: name,
        ...(bitrate !== undefined && { bitrate }),
        ...(restartMs !== undefined && { restartMs }),
      });
    }
    warned.setup = setup;
  }
}

/** The status without its counters. */
function lastingOf({ stats: _, gateway, ...lasting }: InterfaceStatus): unknown {
  return [lasting, gateway?.since, gateway?.reason];
}
