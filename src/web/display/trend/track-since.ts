/** The track of own ship since a time, of the history of the boat and of this page. */
import { ownTrack } from "../data/store.ts";
import { pastCoordinates } from "./boat-history.ts";
import { type TrackPoint, trackParts } from "./own-track.ts";

/** In parts without gaps, oldest first; `since` in monotonic milliseconds. */
export function trackSince(since: number, now: number): readonly (readonly TrackPoint[])[] {
  return trackParts(pastCoordinates("latitude"), pastCoordinates("longitude"), ownTrack.points, now)
    .map((part) => part.filter(({ at }) => at >= since))
    .filter((part) => part.length > 0);
}
