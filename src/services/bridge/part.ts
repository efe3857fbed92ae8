/** A part of the bridge: one file, and one row in `parts.ts`. The kernel (`bridge.ts`) calls it and knows no names. */
import type { Read } from "../../core/n2k/decode.ts";
import type { Packet } from "../../core/ports/packet-batch.ts";
import type { SettingsEntry } from "../../core/report/read-entry.ts";
import type { Place } from "../../core/topics/topics.ts";
import type { Boat, Knowledge } from "./boat.ts";
import type { BridgeCounters } from "./counters.ts";
import type { HeardPacket } from "./heard-packet.ts";

/** Reads the packets of a PGN. */
export type Listener = (packet: HeardPacket) => void;

/** Takes a command: the place of its topic, and its payload; undefined: too long. */
export type Command = (place: Place, payload: string | undefined) => void;

/** A change that parts are told of at once. */
export type Change =
  | { readonly of: "settings" | "clock" }
  /** The state of a further network; those with the numbers in `gone` have been replaced or closed. */
  | { readonly of: "network"; readonly gone: readonly number[] }
  /** The state of the source; `hasChanged`: it has gone up or down. */
  | { readonly of: "bus"; readonly isUp: boolean; readonly hasChanged: boolean };

/** An entry of the deployed settings that a part follows; see `uses`. */
export interface SettingsUse {
  readonly entry: SettingsEntry<unknown>;
  apply(settings: unknown): void;
}

/** Every member is optional but one. All times are in milliseconds; `now` is monotonic, `wall` the timestamp. */
export interface Part {
  /** Readings for other parts, which they find in `Boat`. */
  readonly knows?: Partial<Knowledge>;
  /** Listeners by PGN; several parts may listen to one PGN. */
  readonly listens?: Iterable<readonly [pgn: number, listener: Listener]>;
  /** PGNs of which `hearWatched` takes the messages as they are published. */
  readonly watches?: ReadonlySet<number>;
  readonly settings?: readonly SettingsUse[];
  readonly commands?: Partial<Record<Place["topic"], Command>>;
  /** Time at which `advance` publishes next; a packet or a command can make it earlier. */
  readonly due?: number;
  /** Entries held in memory about the bus; bounded for any traffic. */
  readonly kept?: number;
  /** Whether the kernel calls `published`; true if absent. */
  readonly isOn?: boolean;
  /** Takes every packet of every network before all others; false: another network has delivered it already. */
  admits?(packet: Packet): boolean;
  /** Takes every packet of the first network. */
  hear?(packet: Packet): void;
  hearWatched?(packet: HeardPacket): void;
  /** Takes a packet after its publication. */
  published?(packet: HeardPacket): void;
  /** hub's node has sent a request. */
  requested?(destination: number, pgn: number, now: number): void;
  notice?(change: Change, now: number): void;
  /** Publishes what is due. Called for all parts in the order of their rows when one of them is due. */
  advance?(now: number, wall: number): void;
  /** Publishes what waits, at the end of a source. */
  finish?(now: number, wall: number): void;
  counters?(): Partial<BridgeCounters>;
}

/** A row of `parts.ts`. */
export interface PartRow {
  readonly name: string;
  readonly create: (boat: Boat) => Part;
  /** It has state that the bus does not bring back, such as answers to alarms, and is never made anew. */
  readonly isLasting?: boolean;
}

export const uses = <Settings>(entry: SettingsEntry<Settings>, apply: (settings: Settings) => void): SettingsUse => ({
  entry,
  apply: (settings) => apply(settings as Settings),
});

/** Listeners by PGN that decode; undefined is a message that the reader does not know. */
export const listenersOf = <Message>(
  readers: ReadonlyMap<number, Read<Message | undefined>>,
  hear: (message: Message, packet: HeardPacket) => void,
): readonly (readonly [number, Listener])[] =>
  [...readers].map(([pgn, read]) => [
    pgn,
    (packet) => {
      const message = read(packet.bytes, packet.at, packet.end, packet.source);
      if (message !== undefined) hear(message, packet);
    },
  ]);
