/** The track of an earlier day that the page Voyages lays over the plot, until it is hidden or the page is closed. */
import { signal } from "@preact/signals";
import type { Coordinates } from "./own-track.ts";

export interface PastTrack {
  /** The voyage and its day. */
  readonly id: string;
  /** Parts without gaps. */
  readonly parts: readonly (readonly Coordinates[])[];
}

export const pastTrack = signal<PastTrack | undefined>(undefined);
