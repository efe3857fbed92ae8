/** A call in a line above a plot, and the button that makes its place the destination. */

import { boatClock, store } from "../data/store.ts";
import { bearingText } from "../instruments/units.ts";
import { said, say } from "../languages/say.ts";
import { canCommand } from "./alarms.ts";
import { driftOf, lineTo, type PlacedCall, placedCalls, rangeText, sinceText } from "./calls.ts";
import { endCourse, goTo, isGoingTo, unansweredText } from "./destination.ts";

/** Nothing where hub-link, which holds the destination, is not there. */
export function GoTo({ call, now }: { readonly call: PlacedCall; readonly now: number }) {
  if (!canCommand || store.course === undefined) return null;
  const isOnWay = isGoingTo(call);
  const why = isOnWay ? unansweredText(now) : (unansweredText(now) ?? store.course.refused);
  return (
    <>
      <button type="button" data-urgent aria-pressed={isOnWay} onClick={() => goTo(call)}>
        {isOnWay ? say("Going there") : say("Go to")}
      </button>
      {isOnWay && (
        <button type="button" onClick={endCourse}>
          {say("End")}
        </button>
      )}
      {why !== undefined && <small role="status">{why}</small>}
    </>
  );
}

/** Where a person may be after a while: `may have drifted 120 m to 012`. */
export function driftText(call: PlacedCall, now: number): string | undefined {
  const drift = driftOf(call, now);
  return (
    drift &&
    say("may have drifted {distance} to {bearing}°T", {
      distance: rangeText(drift.miles).join("\u202f"),
      bearing: bearingText(drift.set),
    })
  );
}

export function CallBar({ now }: { readonly now: number }) {
  const [call, ...others] = placedCalls(now);
  if (call === undefined) return null;
  const { range, bearing } = lineTo(call, now);
  return (
    <div class="call-bar" data-id="call-bar">
      <a href="#/distress">{said(call.title)}</a>
      <b>
        {bearing === undefined ? "––" : bearingText(bearing)}
        {"\u202f°T "}
        {range === undefined ? "––" : rangeText(range).join("\u202f")}
      </b>
      <span>{sinceText(boatClock(now) - call.at)}</span>
      <GoTo call={call} now={now} />
      {others.length > 0 && <small>{say("and {others} more", { others: others.length })}</small>}
    </div>
  );
}
