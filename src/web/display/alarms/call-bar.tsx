/** A call in a line above a plot, and the button that makes its place the destination. */
import { boatClock, store } from "../data/store.ts";
import { bearingText } from "../instruments/units.ts";
import { canCommand } from "./alarms.ts";
import { driftOf, lineTo, type PlacedCall, placedCalls, rangeText, sinceText } from "./calls.ts";
import { endCourse, goTo, isGoingTo } from "./destination.ts";

/** Nothing where hub-link, which holds the destination, is not there. */
export function GoTo({ call }: { readonly call: PlacedCall }) {
  if (!canCommand || store.course === undefined) return null;
  const isOnWay = isGoingTo(call);
  return (
    <>
      <button type="button" data-urgent aria-pressed={isOnWay} onClick={() => goTo(call)}>
        {isOnWay ? "Going there" : "Go to"}
      </button>
      {isOnWay && (
        <button type="button" onClick={endCourse}>
          End
        </button>
      )}
      {!isOnWay && store.course.refused !== undefined && <small role="status">{store.course.refused}</small>}
    </>
  );
}

/** Where a person may be after a while: `may have drifted 120 m to 012`. */
export function driftText(call: PlacedCall, now: number): string | undefined {
  const drift = driftOf(call, now);
  return drift && `may have drifted ${rangeText(drift.miles).join("\u202f")} to ${bearingText(drift.set)}°T`;
}

export function CallBar({ now }: { readonly now: number }) {
  const [call, ...others] = placedCalls(now);
  if (call === undefined) return null;
  const { range, bearing } = lineTo(call, now);
  return (
    <div class="call-bar" data-id="call-bar">
      <a href="#/distress">{call.title}</a>
      <b>
        {bearing === undefined ? "––" : bearingText(bearing)}
        {"\u202f°T "}
        {range === undefined ? "––" : rangeText(range).join("\u202f")}
      </b>
      <span>{sinceText(boatClock(now) - call.at)}</span>
      <GoTo call={call} />
      {others.length > 0 && <small>and {others.length} more</small>}
    </div>
  );
}
