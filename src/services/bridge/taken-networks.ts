/** The networks whose packets the bridge takes, by number; the first is that of the source. */
import { NETWORK_ADDRESSES } from "../../core/can/networks.ts";
import type { InterfaceMonitor } from "../../core/ports/interface-monitor.ts";
import type { BusCounters } from "../../core/ports/packet-source.ts";
import { sum } from "../../core/util/sum.ts";
import type { BridgeCounters } from "./counters.ts";

/** A network in addition to the first. */
export interface FurtherNetwork {
  /** Interface or URL. */
  readonly name: string;
  readonly monitor: InterfaceMonitor;
  counters(): BusCounters;
}

/** `of` is undefined for the first. */
export interface TakenNetwork {
  readonly of: FurtherNetwork | undefined;
  readonly monitor: InterfaceMonitor;
  /** Packets taken so far. */
  packets: number;
}

export class TakenNetworks {
  #networks: readonly (TakenNetwork | undefined)[];
  #packetsOfGone = 0;

  constructor(first: InterfaceMonitor) {
    this.#networks = [{ of: undefined, monitor: first, packets: 0 }];
  }

  /** Undefined: a number that no network has now. */
  at(number: number): TakenNetwork | undefined {
    return this.#networks[number];
  }

  /** Sets the networks in addition to the first; returns the numbers of those that are gone. */
  set(further: readonly (FurtherNetwork | undefined)[]): readonly number[] {
    const before = this.#networks;
    const added = further.map((of, index) => {
      const same = before[index + 1];
      return same?.of === of ? same : of && { of, monitor: of.monitor, packets: 0 };
    });
    this.#networks = [before[0], ...added];
    const gone = before.flatMap((network, number) => (network === this.#networks[number] ? [] : [number]));
    for (const number of gone) this.#packetsOfGone += before[number]?.packets ?? 0;
    return gone;
  }

  counters(): Partial<BridgeCounters> {
    const packetsTaken = this.#networks.reduce((sum, network) => sum + (network?.packets ?? 0), this.#packetsOfGone);
    if (this.#networks.length === 1) return { packetsTaken };
    const networks = this.#networks.flatMap((network, number) => {
      if (network?.of === undefined) return [];
      const { of, packets } = network;
      const { frames, lost, discarded, malformed, unusedTransducers } = of.counters();
      return [
        {
          interface: of.name,
          firstAddr: number * NETWORK_ADDRESSES,
          frames,
          framesLost: sum(Object.values(lost)),
          packets,
          packetsDiscarded: sum(Object.values(discarded)),
          malformed,
          ...(unusedTransducers && { unusedTransducers }),
        },
      ];
    });
    return { packetsTaken, networks };
  }
}
