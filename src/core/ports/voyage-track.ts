/** The track of the voyages that hub-history keeps, as a reader asks it. */
import type { Span } from "./history-engine.ts";

/** A MultiLineString of GeoJSON with points at least `resolution` milliseconds apart; undefined: there are no voyages now. */
export type VoyageTrack = (
  span: Span & { readonly resolution: number },
) => Promise<Uint8Array<ArrayBuffer> | undefined>;
