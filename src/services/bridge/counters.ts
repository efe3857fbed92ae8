/** The counters of the bridge. */
import type { Health } from "../../core/topics/health.ts";

/** Counters that a bridge always has; all counts are since the start. */
const noCounters = {
  published: 0,
  decodeErrors: 0,
  refused: 0,
  unknown: 0,
  commandsSkipped: { tooLong: 0, notUnderstood: 0, withoutEffect: 0 },
  /** Not in the health: packets taken from all networks. */
  packetsTaken: 0,
  /** Not in the health: attempts of the node to send a frame for which there was no room or no bus. */
  notSent: 0,
  /** Not in the health: `refused` by PGN, because the operator sets the layout of each. */
  refusedByPgn: new Map() as ReadonlyMap<number, number>,
};

/** Counters of the bridge, in the words of the health. */
export type BridgeCounters = Partial<Health> & Readonly<typeof noCounters>;

/** The counters of all parts together; skipped commands of several parts add up. */
export function addedCounters(all: readonly (Partial<BridgeCounters> | undefined)[]): BridgeCounters {
  const commandsSkipped = { ...noCounters.commandsSkipped };
  for (const counters of all)
    for (const [reason, count] of Object.entries(counters?.commandsSkipped ?? {}))
      commandsSkipped[reason as keyof typeof commandsSkipped] += count;
  return Object.assign({ ...noCounters }, ...all, { commandsSkipped });
}
