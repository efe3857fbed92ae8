/** The way to the next waypoint: bearing, distance, cross-track error; autopilot, rudder, heel, current, log. */

import { navigationData } from "../../../core/n2k/pgns/route.ts";
import { headingTrackControl } from "../../../core/n2k/pgns/steering.ts";
import { type PilotState, pilotStates } from "../../../core/n2k/pilot-states.ts";
import type { Destination } from "../../../core/nav/link-course.ts";
import { topics } from "../../../core/topics/topics.ts";
import { canCommand } from "../alarms/alarms.ts";
import { placedCalls } from "../alarms/calls.ts";
import { destinationTexts, endCourse, unansweredText } from "../alarms/destination.ts";
import { frameTick } from "../data/frame-tick.ts";
import type { Reading } from "../data/freshness.ts";
import { store } from "../data/store.ts";
import { readField } from "../instruments/instrument.ts";
import { type InstrumentName, pilotHeading } from "../instruments/instruments.ts";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { Button } from "../parts/button.tsx";
import { Cell, lengthStyle, Mini, textsOf as textsOfInstrument } from "../parts/cell.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Rose } from "../parts/rose.tsx";
import { Field, Position } from "../parts/strip.tsx";
import type { Page } from "./page.ts";

const shown: readonly InstrumentName[] = [
  "waypointDistance",
  "waypointBearing",
  "crossTrack",
  "vmgWaypoint",
  "timeToGo",
  "headingToSteer",
  "rudder",
  "heel",
  "rateOfTurn",
  "currentSet",
  "currentDrift",
  "trip",
];

const pilotWords: Readonly<Record<PilotState, PlainText>> = {
  standby: "Standby",
  directControl: "Steered by lever",
  auto: "Auto",
  route: "Track",
};

/** The autopilot's state; an unknown mode of a newer hub-cand is shown unchanged. */
export function readPilot(now: number): Reading<string> {
  const textOf = (steeringMode: string): string => {
    const state = (pilotStates as Readonly<Record<string, PilotState>>)[steeringMode];
    return state === undefined ? String(steeringMode) : say(pilotWords[state]);
  };
  return readField(headingTrackControl, "steeringMode", textOf, now);
}

const textsOf = (reading: Reading<string>): readonly string[] => ["value" in reading ? reading.value : "––"];

/** It need not lead to the destination that hub-link holds. */
function pilotHeadingTexts(now: number): readonly string[] {
  const { reading, text, unit } = textsOfInstrument(pilotHeading, now);
  return reading.kind === "live" ? [`${text}${unit}`] : [];
}

/** In place of the rose while somebody is in distress: with the way to steer, and bearing and distance. */
const SearchPlot = lazy(
  () => import("../ships/search-plot.tsx").then(({ SearchPlot: View }) => View),
  () => null,
);

/** The destination that hub-link holds; in place of the plotter's waypoint. */
function LinkDestination({ destination, now }: { readonly destination: Destination; readonly now: number }) {
  const texts = destinationTexts(destination, now);
  return (
    <div class="mini readout live destination" data-id="destination">
      <h2 class="label">{say("Going to")}</h2>
      <p class="mini-value" style={lengthStyle(texts.at(-1)!)}>
        {texts.map((text) => (
          <span class="worth" key={text}>
            {text}
          </span>
        ))}
        <small role="status">{unansweredText(now)}</small>
      </p>
      {canCommand && <Button says="End" onClick={endCourse} />}
    </div>
  );
}

function Route() {
  const now = frameTick.value;
  const pilot = readPilot(now);
  const waypoint = readField(navigationData, "waypointId", String, now);
  const closing = readField(
    navigationData,
    "waypointClosing",
    (isClosing: boolean) => (isClosing ? "" : say("going away")),
    now,
  );
  const { destination } = store.course ?? {};
  return (
    <div class="dashboard route">
      {placedCalls(now).length > 0 ? (
        <div class="rose with-plot">
          <SearchPlot />
        </div>
      ) : (
        <Rose shows="route" />
      )}
      <div class="board twelve">
        {shown.map((name) => (
          <Cell key={name} name={name} />
        ))}
      </div>
      <div class="strip">
        <Position />
        <Field
          id="autopilot"
          label={say("Autopilot")}
          reading={pilot}
          texts={destination === undefined ? textsOf(pilot) : [...textsOf(pilot), ...pilotHeadingTexts(now)]}
        />
        {destination === undefined && (
          <Field
            id="waypoint"
            label={say("Waypoint")}
            reading={waypoint}
            note={"value" in closing && closing.value}
            texts={textsOf(waypoint)}
          />
        )}
        <Mini name="log" />
        {destination !== undefined && <LinkDestination destination={destination} now={now} />}
      </div>
    </div>
  );
}

export const route: Page = {
  name: "route",
  title: "Route",
  filters: (prefix) => [topics.ais.name({ prefix })],
  icon: "M5 20V5H17L14 9L17 13H5M9 20H19",
  View: Route,
};
