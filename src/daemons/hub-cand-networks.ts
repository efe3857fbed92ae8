/**
 * The networks of hub-cand in addition to the first: each has a source and a loop of its own, so that one that is away,
 * slow or broken does not touch the others. They are listened to only.
 */

import { MAX_FURTHER_NETWORKS } from "../core/can/networks.ts";
import type { Log } from "../core/ports/log.ts";
import type { PacketSource } from "../core/ports/packet-source.ts";
import type { Warning } from "../core/report/read-entry.ts";
import type { SensorRow } from "../core/sensors/reading.ts";
import { isOwnTopic } from "../core/sensors/topic-filter.ts";
import { entries } from "../core/settings/entries.ts";
import type { Bridge } from "../services/bridge/bridge.ts";
import { settingsPart } from "../services/bridge/settings-parts.ts";
import type { FurtherNetwork } from "../services/bridge/taken-networks.ts";
import { type NetworkAddress, originOf, readNetwork } from "./hub-cand-options.ts";

/** The source of a network; one of sensors takes the rows of the settings. */
export type NetworkSource = PacketSource & { setRows?(rows: readonly SensorRow[]): void };

export interface NetworksOptions {
  /** Those of the command line, which come first. */
  readonly also: readonly NetworkAddress[];
  /** Whether those of the settings are opened too. */
  readonly fromSettings: boolean;
  /** Origins that no further network may have: those of the first one. */
  readonly taken: readonly string[];
  /** Prefix of hub-cand's topics. */
  readonly prefix: string;
  readonly bridge: Pick<Bridge, "take" | "fastPacketTable" | "setNetworks" | "networkChanged" | "settingIgnored">;
  /** Makes the source of a network, not yet open. */
  readonly open: (address: NetworkAddress) => Promise<NetworkSource>;
  /** Called after each batch. */
  readonly flush: () => void;
  readonly monotonic: () => number;
  readonly log: Log;
}

interface OpenNetwork extends FurtherNetwork {
  readonly source: NetworkSource;
}

/** Whether a URL of the settings, which many may deploy, names a serial port that is none below /dev. */
export const isFileOfAnother = (text: string): boolean => {
  const path = /^[^:]*:\/\/(\/[^?]*)/.exec(text)?.[1];
  return path !== undefined && !/^\/dev\/(?!(?:.*\/)?\.\.?(?:\/|$))/.test(path);
};

export class Networks {
  readonly #options: NetworksOptions;
  #open: (OpenNetwork | undefined)[] = [];
  #isClosed = false;
  readonly #settings = settingsPart(entries.networks, ({ also }) => {
    this.#named = also;
  });
  /** Those of the settings, as they are written there. */
  #named: readonly string[] = [];
  readonly #sensors = settingsPart(entries.sensors, ({ rows }) => {
    this.#rows = rows;
  });
  #rows: readonly SensorRow[] = [];
  /** Parts of the entry of the sensors that cannot be used. */
  #rowWarnings: readonly Warning[] = [];

  constructor(options: NetworksOptions) {
    this.#options = options;
  }

  /** Applies the entries of the settings that have changed; opens and closes networks. */
  async configure(settings: ReadonlyMap<string, unknown>): Promise<void> {
    const ofNetworks = this.#settings.configure(settings.get(entries.networks.name));
    const ofRows = this.#sensors.configure(settings.get(entries.sensors.name));
    if (ofNetworks !== undefined) await this.#configureNetworks(ofNetworks);
    this.#rowWarnings = ofRows ?? this.#rowWarnings;
    if (ofNetworks !== undefined || ofRows !== undefined) this.#useRows();
  }

  /** Gives the rows of the sensors to the networks that have sensors. */
  #useRows(): void {
    const brokers = this.#open.flatMap((network) => (network?.source.setRows === undefined ? [] : [network]));
    for (const { source } of brokers) source.setRows!(this.#rows);
    const isHeard = ({ network }: SensorRow): boolean =>
      brokers.some(({ name }) => network === undefined || network === name);
    const { bridge, prefix, fromSettings } = this.#options;
    // Beside a recording or a simulation no network of the settings is listened to, which is no fault of theirs.
    const unheard = fromSettings ? this.#rows.filter((row) => !isHeard(row)).length : 0;
    const own = this.#rows.filter(({ topic }) => isOwnTopic(topic, prefix)).length;
    const remedy = "the entry networks, or --also, has to name mqtt: or their broker";
    bridge.settingIgnored(entries.sensors.name, [
      ...this.#rowWarnings,
      ...(unheard === 0 ? [] : [{ path: ["rows"], problem: `without a network: ${unheard}; ${remedy}` }]),
      ...(own === 0 ? [] : [{ path: ["rows"], problem: `with topics of hub itself, which are not read: ${own}` }]),
    ]);
  }

  async #configureNetworks(warnings: readonly Warning[]): Promise<void> {
    const { also, fromSettings, taken, bridge } = this.#options;
    const wanted = [...also];
    const ignored = [...warnings];
    for (const text of fromSettings ? this.#named : []) {
      const network = isFileOfAnother(text) ? "the path has to be below /dev" : readNetwork(text);
      const refuse = (problem: string): void => void ignored.push({ path: ["also", text], problem });
      if (typeof network === "string") refuse(network);
      else if ([...taken, ...wanted.map(originOf)].includes(originOf(network))) refuse("is listened to already");
      else if (wanted.length >= MAX_FURTHER_NETWORKS) refuse("there is room for no more networks");
      else wanted.push(network);
    }
    bridge.settingIgnored(entries.networks.name, ignored);
    await this.#use(wanted);
  }

  /** A network keeps its number while its place in the list is the same. */
  async #use(wanted: readonly NetworkAddress[]): Promise<void> {
    const { open, bridge, monotonic, log } = this.#options;
    if (wanted.length === 0 && this.#open.length === 0) return;
    const before = this.#open;
    before.forEach((network, index) => {
      if (network !== undefined && network.name !== wanted[index]?.name) network.source.close();
    });
    const sources = await Promise.all(
      wanted.map(async (address, index) => {
        const { name } = address;
        const same = before[index];
        if (same?.name === name) return same;
        try {
          const source = await open(address);
          return { name, source, monitor: source.monitor, counters: () => source.counters() };
        } catch (error) {
          log.error("a further network cannot be opened", {
            code: "NETWORK_FAILED",
            network: name,
            reason: String(error),
          });
          return undefined;
        }
      }),
    );
    this.#open = sources;
    bridge.setNetworks(sources, monotonic());
    if (this.#isClosed) this.close();
    else
      for (const [index, network] of sources.entries())
        if (network !== undefined && network !== before[index]) void this.#read(network, index + 1);
  }

  async #read(network: OpenNetwork, number: number): Promise<void> {
    const { bridge, flush, log } = this.#options;
    const { source, name } = network;
    source.onState?.(() => bridge.networkChanged());
    try {
      for await (const batch of source.packets(bridge.fastPacketTable)) {
        // Its number may belong to another one since.
        if (this.#open[number - 1] !== network) return;
        bridge.take(batch, number);
        flush();
      }
    } catch (error) {
      log.error("a further network cannot be read", { code: "NETWORK_FAILED", network: name, reason: String(error) });
    }
  }

  /** Changes which PGNs are fast packets. */
  setFastPacketTable(table: Uint32Array): void {
    for (const network of this.#open) network?.source.setFastPacketTable(table);
  }

  close(): void {
    this.#isClosed = true;
    for (const network of this.#open) network?.source.close();
  }
}
