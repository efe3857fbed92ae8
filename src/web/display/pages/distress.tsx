/** Persons overboard and vessels in distress: bearing and distance from here, large enough for the helm. */

import { useLayoutEffect, useState } from "preact/hooks";
import { topics } from "../../../core/topics/topics.ts";
import { Answers } from "../alarms/alarm-bar.tsx";
import { canCommand } from "../alarms/alarms.ts";
import { driftText, GoTo, PersonNumber, Sighted } from "../alarms/call-bar.tsx";
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
import { release } from "../alarms/man-overboard.ts";
import { acknowledge, lossHere, silence, stateHere } from "../alarms/ringing.ts";
import { WhileHeard } from "../alarms/while-heard.tsx";
import { secondTick } from "../data/frame-tick.ts";
import { notNowText } from "../data/link.ts";
import { boatClock } from "../data/store.ts";
import { timeText } from "../instruments/moments.ts";
import { bearingText, coordinateText } from "../instruments/units.ts";
import { said, say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
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

interface FigureProps {
  readonly label: string;
  readonly text: string;
  readonly unit?: string;
  readonly isOld?: boolean;
}

function Figure({ label, text, unit = "", isOld = false }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Sighted text={text} isOld={isOld} /> <small>{unit}</small>
      </dd>
    </div>
  );
}

const isPlaced = (call: Call): call is PlacedCall => call.position !== undefined;

/** Of a press that hub-cand does not have: it is this screen's own. */
const isHere = (call: Call): boolean => call.alarm === undefined;

/** The person whose release is to be confirmed, by the key of her call; empty: all. */
type Asked = string | undefined;

interface ReleaseProps {
  readonly label: string;
  readonly yes: string;
  readonly about: NonNullable<Asked>;
  readonly asked: Asked;
  readonly ask: (about: Asked) => void;
  readonly persons: readonly Call[];
}

/** Ends a search by two presses at two places, so that no accidental touch ends it. */
function Release({ label, yes, about, asked, ask, persons }: ReleaseProps) {
  const end = (): void => {
    if (persons.some((each) => isPlaced(each) && isGoingTo(each))) endCourse();
    for (const { press } of persons) release(press!);
  };
  return (
    <>
      <button type="button" aria-expanded={asked === about} onClick={() => ask(about)}>
        {label}
      </button>
      {asked === about && (
        <p class="mob-release">
          <b>{say("End the search?")}</b>
          <button type="button" class="main-action" onClick={end}>
            {yes}
          </button>
          <Button says="No" onClick={() => ask(undefined)} />
        </p>
      )}
    </>
  );
}

interface CallViewProps extends Pick<ReleaseProps, "asked" | "ask"> {
  readonly call: Call;
  readonly now: number;
}

function CallView({ call, now, asked, ask }: CallViewProps) {
  const { range, bearing, off, isOld } = lineTo(call, now);
  const { alarm, position, positionAt } = call;
  const [distance, unit] = range === undefined ? ["––", ""] : rangeText(range);
  const backOnBoard = (
    <Release
      label={say("Person is back on board")}
      yes={say("Yes, this person is on board")}
      about={call.key}
      persons={[call]}
      {...{ asked, ask }}
    />
  );
  return (
    <section class="call" data-id={`call-${call.id}`}>
      <h2 id={`title-${call.id}`}>
        {said(call.title)} <PersonNumber of={call} />
      </h2>
      <p class={alarm === undefined ? "warn" : ""}>{call.about}</p>
      <div class="call-figures">
        {off !== undefined && <Arrow off={off} />}
        <dl>
          <Figure
            label={say("Bearing")}
            text={bearing === undefined ? "––" : bearingText(bearing)}
            unit="°T"
            isOld={isOld}
          />
          <Figure label={say("Distance")} text={distance} unit={unit} isOld={isOld} />
          <Figure label={say("Elapsed")} text={sinceText(now - call.at)} />
        </dl>
      </div>
      <p class="call-position">
        {position === undefined
          ? say("Position not known")
          : `${coordinateText(position.latitude, "latitude")}  ${coordinateText(position.longitude, "longitude")}`}{" "}
        {positionAt !== undefined && (
          <small>{say("at {time}", { time: timeText(boatClock(now) - (now - positionAt)) })}</small>
        )}
      </p>
      {isPlaced(call) && driftOf(call, now) && (
        <p class="hint" data-id="drift">
          {driftText(call, now)}
        </p>
      )}
      {canCommand && (
        <fieldset class="choices" disabled={call.isReleased}>
          {alarm !== undefined && (
            <Answers
              of={`title-${call.id}`}
              state={stateHere(alarm, now)}
              isFixed
              silence={() => silence(alarm.id)}
              acknowledge={() => acknowledge(alarm.id)}
            />
          )}
          {isPlaced(call) && <GoTo call={call} now={now} />}
          {call.isOfButton && (isHere(call) ? backOnBoard : <WhileHeard now={now}>{backOnBoard}</WhileHeard>)}
          {call.isReleased && (
            <p class="mob-release" role="status">
              {say("on board: waiting for hub-cand")}
            </p>
          )}
        </fieldset>
      )}
    </section>
  );
}

function Distress() {
  const now = secondTick.value;
  const calls = callsNow(now);
  const others = calls.filter(({ isReleased }) => !isReleased);
  const persons = others.filter(({ isOfButton }) => isOfButton);
  const isHeard = notNowText(now) === undefined;
  const [asked, ask] = useState<Asked>();
  // One question is open at most, and none when calls come and go: of what then moves below a finger, nothing is a yes.
  useLayoutEffect(() => ask(undefined), [isHeard, others.map(({ key }) => key).join()]);
  return (
    <div class={`distress ${placedCalls(now).length > 0 ? "with-plot" : ""}`}>
      {placedCalls(now).length > 0 && <SearchPlot />}
      {calls.length === 0 && (
        <p class="nothing">
          {lossHere(now) === undefined
            ? say("Nobody is reported overboard or in distress.")
            : say("Whether anybody is overboard or in distress is not known now.")}{" "}
          {unansweredText(now)}
        </p>
      )}
      {calls.map((call) => (
        <CallView key={call.key} {...{ call, now, asked, ask }} />
      ))}
      {canCommand && persons.length > 1 && (isHeard || persons.every(isHere)) && (
        <div class="choices">
          <Release
            label={say("All are back on board")}
            yes={say("Yes, all are on board")}
            about=""
            {...{ asked, ask, persons }}
          />
        </div>
      )}
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
  filters: (prefix) => [topics.ais.name({ prefix }), topics.manOverboard.name({ prefix })],
  View: Distress,
};
