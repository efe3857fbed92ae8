/** A call in a line above a plot, and the button that makes its place the destination. */

import type { ComponentChildren } from "preact";
import { store } from "../data/store.ts";
import { bearingText } from "../instruments/units.ts";
import { said, say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { canCommand } from "./alarms.ts";
import { type Call, callsNow, driftOf, lineTo, type PlacedCall, placedCalls, rangeText, sinceText } from "./calls.ts";
import { destinationText, endCourse, goTo, isGoingTo, unansweredText } from "./destination.ts";

/** The number of a person, as in the mark on the plot. */
export const PersonNumber = ({ of: { person } }: { readonly of: Call }) =>
  person === undefined ? null : <b class="call-number">{person}</b>;

/** Nothing where hub-link, which holds the destination, was not there. */
export function GoTo({ call, now }: { readonly call: PlacedCall; readonly now: number }) {
  if (!canCommand || store.course === undefined) return null;
  if (store.course === null)
    return <small role="status">{say("{program} does not answer", { program: "hub-link" })}</small>;
  const isOnWay = isGoingTo(call);
  const { destination, refused } = store.course;
  const why = unansweredText(now) ?? (isOnWay ? undefined : refused);
  return (
    <>
      <Button says={isOnWay ? "Going there" : "Go to"} aria-pressed={isOnWay} onClick={() => goTo(call)} />
      {isOnWay && <Button says="End" onClick={endCourse} />}
      {!isOnWay && destination !== undefined && (
        <small class="call-destination">
          {say("Going to")} {destinationText(destination, now)}
        </small>
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

/** A plot below the bar of a call, which covers none of it. */
export const BelowCallBar = ({ now, children }: { readonly now: number; readonly children: ComponentChildren }) => (
  <div class="sight">
    <CallBar now={now} />
    {children}
  </div>
);

/** Bearing or distance of a call; struck out if it is from where the boat was last. */
export const Sighted = ({ text, isOld }: { readonly text: string; readonly isOld: boolean }) =>
  isOld ? <s>{text}</s> : text;

function CallBar({ now }: { readonly now: number }) {
  const [call] = placedCalls(now);
  if (call === undefined) return null;
  const others = callsNow(now).length - 1;
  const { range, bearing, isOld } = lineTo(call, now);
  return (
    <div class="call-bar" data-id="call-bar">
      <a href="#/distress">{said(call.title)}</a>
      <PersonNumber of={call} />
      <b>
        <Sighted text={bearing === undefined ? "––" : bearingText(bearing)} isOld={isOld} />
        {"\u202f°T "}
        <Sighted text={range === undefined ? "––" : rangeText(range).join("\u202f")} isOld={isOld} />
      </b>
      <span>{sinceText(now - call.at)}</span>
      {call.asOf !== "" && <small>{call.asOf}</small>}
      <GoTo call={call} now={now} />
      {others > 0 && (
        <a class="others" href="#/distress">
          {say("and {others} more", { others })}
        </a>
      )}
    </div>
  );
}
