/** The track of own ship since a time, of the history of the boat and of this page. */
import { elapsedSince, ownTrack } from "../data/store.ts";
import { pastCoordinates } from "./boat-history.ts";
import { type TrackPoint, trackParts } from "./own-track.ts";

/** In parts without gaps, oldest first; `since` in milliseconds of the boat's clock, undefined: all of it. */
export function trackSince(since: number | undefined, now: number): readonly (readonly TrackPoint[])[] {
  const begin = since === undefined ? Number.NEGATIVE_INFINITY : now - elapsedSince(since, now);
  return trackParts(pastCoordinates("latitude"), pastCoordinates("longitude"), ownTrack.points, now)
    .map((part) => part.filter(({ at }) => at >= begin))
    .filter((part) => part.length > 0);
}
