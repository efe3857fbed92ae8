/** The last messages of the panels, kept in this browser: a page that is loaded again has their places at once. */
import { systemPgns } from "../systems/system-pgns.ts";
import { ageOf, PeriodEstimate } from "./freshness.ts";
import { keyOf } from "./message-keys.ts";
import { type DeviceMessage, store } from "./store.ts";
import { stored } from "./stored.ts";

interface Kept {
  readonly prefix: string;
  readonly places: readonly (Pick<DeviceMessage, "address" | "data"> & {
    /** When it was heard by this device's clock, milliseconds since 1970. */
    readonly heardAt: number;
  })[];
}

const MAX_PLACES = 300;

const memory = stored("hub-display-places", (json) => json as Kept);

export function savePlaces(now: number, prefix: string): void {
  const places = [...store.messages.values()]
    .filter(({ data }) => systemPgns.includes(data.pgn))
    .slice(-MAX_PLACES)
    .map(({ address, data, stamp }) => ({ address, data, heardAt: Math.round(Date.now() - 1000 * ageOf(stamp, now)) }));
  if (places.length > 0) memory.write({ prefix, places });
}

/** Adds the messages kept for this prefix, expired, to the empty store. */
export function restorePlaces(now: number, prefix: string): void {
  const kept = memory.read();
  if (kept?.prefix !== prefix || !Array.isArray(kept.places)) return;
  for (const { address, data, heardAt } of kept.places) {
    const stamp = {
      arrived: now,
      ageOnArrival: Math.max(0, Date.now() - heardAt) / 1000,
      expireAfter: Number.NEGATIVE_INFINITY,
    };
    store.messages.set(`${data.pgn}/${address}/${keyOf(data)}`, {
      ...{ address, data, stamp, period: new PeriodEstimate() },
      ...{ made: Number.NEGATIVE_INFINITY, isPlace: true },
    });
  }
}
