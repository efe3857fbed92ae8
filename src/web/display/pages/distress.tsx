/** Persons overboard and vessels in distress: bearing and distance from here, large enough for the helm. */

import { useState } from "preact/hooks";
import { topics } from "../../../core/topics/topics.ts";
import { Answers } from "../alarms/alarm-bar.tsx";
import { canCommand } from "../alarms/alarms.ts";
import { driftText, GoTo, PersonNumber } from "../alarms/call-bar.tsx";
import {
  type Call,
  callsNow,
  driftOf,
  lineTo,
  type PlacedCall,
  placedCalls,
  rangeText,
  sinceText,
} from "../alarms/calls.ts";
import { endCourse, isGoingTo, unansweredText } from "../alarms/destination.ts";
import { release, reportedPersons } from "../alarms/man-overboard.ts";
import { acknowledge, silence, stateHere } from "../alarms/ringing.ts";
import { WhileHeard } from "../alarms/while-heard.tsx";
import { secondTick } from "../data/frame-tick.ts";
import { notNowText } from "../data/link.ts";
import { boatClock } from "../data/store.ts";
import { timeText } from "../instruments/moments.ts";
import { bearingText, coordinateText } from "../instruments/units.ts";
import { said, say } from "../languages/say.ts";
import { lazy } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

/** The plot with own ship and the calls; without it the figures above are enough to steer by. */
const SearchPlot = lazy(
  () => import("../ships/search-plot.tsx").then(({ SearchPlot: View }) => View),
  () => null,
);

/** An arrow from the bow in the direction to steer. */
function Arrow({ off }: { readonly off: number }) {
  const degrees = Math.abs(Math.round(off));
  const side =
    degrees === 0
      ? say("ahead")
      : off < 0
        ? say("{degrees}° to port", { degrees })
        : say("{degrees}° to starboard", { degrees });
  return (
    <figure class="steer">
      <svg viewBox="-50 -50 100 100" role="img" aria-label={side}>
        <circle r="46" />
        <path class="boat" d="M0 -20L12 16Q0 10 -12 16Z" />
        <path class="way" transform={`rotate(${off})`} d="M0 -48L9 -30H-9Z" />
      </svg>
      <figcaption>{side}</figcaption>
    </figure>
  );
}

function Figure({ label, text, unit = "" }: { readonly label: string; readonly text: string; readonly unit?: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {text} <small>{unit}</small>
      </dd>
    </div>
  );
}

const isPlaced = (call: Call): call is PlacedCall => call.position !== undefined;

interface CallViewProps {
  readonly call: Call;
  readonly persons: readonly Call[];
  readonly now: number;
}

/** Of a press that hub-cand does not have: it is this screen's own. */
const isHere = (call: Call): boolean => call.alarm === undefined;

/** Ends the search by two presses, so that an accidental touch does not end it; `persons` are those of the button. */
function Release({ call, persons, now }: CallViewProps) {
  const [isAsked, setAsked] = useState(false);
  const end = (ended: readonly Call[]): void => {
    if (ended.some((each) => isPlaced(each) && isGoingTo(each))) endCourse();
    release(ended.length < persons.length ? call.at : undefined);
  };
  const isHeard = notNowText(now) === undefined;
  if (!isAsked)
    return (
      <button type="button" onClick={() => setAsked(true)}>
        {say("Person is back on board")}
      </button>
    );
  return (
    <p class="mob-release">
      <b>{say("End the search?")}</b>
      {persons.length > 1 && (
        <button type="button" class="main-action" onClick={() => end([call])}>
          {say("Yes, this person is on board")}
        </button>
      )}
      {(isHeard || persons.every(isHere)) && (
        <button type="button" class="main-action" onClick={() => end(persons)}>
          {say("Yes, all are on board")}
        </button>
      )}
      <button type="button" onClick={() => setAsked(false)}>
        {say("No")}
      </button>
    </p>
  );
}

function CallView({ call, persons, now }: CallViewProps) {
  const { range, bearing, off } = lineTo(call, now);
  const { alarm, position } = call;
  const [distance, unit] = range === undefined ? ["––", ""] : rangeText(range);
  return (
    <section class="call" data-id={`call-${call.id}`}>
      <h2>
        {said(call.title)} <PersonNumber of={call} />
      </h2>
      <p class={alarm === undefined ? "warn" : ""}>{call.about}</p>
      <div class="call-figures">
        {off !== undefined && <Arrow off={off} />}
        <dl>
          <Figure label={say("Bearing")} text={bearing === undefined ? "––" : bearingText(bearing)} unit="°T" />
          <Figure label={say("Distance")} text={distance} unit={unit} />
          <Figure label={say("Since")} text={sinceText(boatClock(now) - call.at)} />
        </dl>
      </div>
      <p class="call-position">
        {position === undefined
          ? say("Position not known")
          : `${coordinateText(position.latitude, "latitude")}  ${coordinateText(position.longitude, "longitude")}`}{" "}
        <small>{say("at {time}", { time: timeText(call.at) })}</small>
      </p>
      {isPlaced(call) && driftOf(call, now) && (
        <p class="source" data-id="drift">
          {driftText(call, now)}
        </p>
      )}
      {canCommand && (
        <div class="choices">
          {alarm !== undefined && (
            <Answers
              state={stateHere(alarm, now)}
              silence={() => silence(alarm.id)}
              acknowledge={() => acknowledge(alarm.id)}
            />
          )}
          {isPlaced(call) && <GoTo call={call} now={now} />}
          {persons.includes(call) &&
            (isHere(call) ? (
              <Release call={call} persons={persons} now={now} />
            ) : (
              <WhileHeard now={now}>
                <Release call={call} persons={persons} now={now} />
              </WhileHeard>
            ))}
        </div>
      )}
    </section>
  );
}

function Distress() {
  const now = secondTick.value;
  const calls = callsNow(now);
  const reported = reportedPersons(now);
  const persons = calls.filter(({ alarm }) => alarm === undefined || reported.includes(alarm));
  return (
    <div data-urgent class={`distress ${placedCalls(now).length > 0 ? "with-plot" : ""}`}>
      {placedCalls(now).length > 0 && <SearchPlot />}
      {calls.length === 0 && (
        <p class="nothing">
          {say("Nobody is reported overboard or in distress.")} {unansweredText(now)}
        </p>
      )}
      {calls.map((call) => (
        <CallView key={call.id} call={call} persons={persons} now={now} />
      ))}
      <p>
        <a class="wide-link" href="#/alarms">
          {say("All alarms")}
        </a>
      </p>
    </div>
  );
}

export const distress: Page = {
  name: "distress",
  title: "Distress",
  icon: "M12 3A9 9 0 1 1 11.9 3ZM12 8A4 4 0 1 1 11.9 8ZM6 6L9 9M18 6L15 9M6 18L9 15M18 18L15 15",
  about: "persons overboard, beacons, calls by radio",
  filters: (prefix) => [topics.ais.name({ prefix })],
  View: Distress,
};
