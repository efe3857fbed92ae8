/** The track of an earlier day that the page Voyages lays over the plot, until it is hidden or the page is closed. */

import { signal } from "@preact/signals";
import type { Position } from "../../../core/nav/great-circle.ts";

export interface PastTrack {
  /** The voyage and its day. */
  readonly id: string;
  /** Parts without gaps. */
  readonly parts: readonly (readonly Position[])[];
}

export const pastTrack = signal<PastTrack | undefined>(undefined);
