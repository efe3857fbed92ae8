/** Persons overboard and vessels in distress: bearing and distance from here, large enough for the helm. */

import { useState } from "preact/hooks";
import { greatCircle, METRES_PER_MILE, type Position } from "../../../core/nav/great-circle.ts";
import { fixed } from "../../../core/text/quantity.ts";
import { Answers } from "../alarms/alarm-bar.tsx";
import { type ActiveAlarm, canCommand, currentAlarms, subjectText } from "../alarms/alarms.ts";
import { isPressReported, release, reportedPress, unsent } from "../alarms/man-overboard.ts";
import { acknowledge, silence, stateHere } from "../alarms/ringing.ts";
import { connectionState } from "../data/connection.ts";
import { secondTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import { boatClock, latest } from "../data/store.ts";
import { bearingText, convert, coordinateText, measureText } from "../instruments/units.ts";
import type { Page } from "./page.ts";

interface Call {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly position: Position | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Range and bearing of the report, for a boat whose position this screen does not know. */
  readonly range?: number | undefined;
  readonly bearing?: number | undefined;
  /** The alarm; undefined for a press on this screen that hub-cand does not have yet. */
  readonly alarm: ActiveAlarm | undefined;
}

function callsNow(now: number): readonly Call[] {
  const press = unsent.value;
  const own: readonly Call[] =
    press === undefined || isPressReported(now)
      ? []
      : [
          {
            id: "unsent",
            title: "Man overboard",
            about:
              connectionState.value === "connected"
                ? "hub-cand has not confirmed it yet"
                : "not sent: no connection to the boat. It is sent when the connection is back",
            position:
              press.latitude === undefined || press.longitude === undefined
                ? undefined
                : { latitude: press.latitude, longitude: press.longitude },
            at: Date.parse(press.at),
            alarm: undefined,
          },
        ];
  const reported = (currentAlarms(now)?.alarms ?? [])
    .filter(({ severity }) => severity === "emergency")
    .map((alarm) => ({
      id: alarm.id,
      title: alarm.title,
      about: [subjectText(alarm), alarm.text].filter((text) => text).join(", "),
      position: alarm.position,
      at: Date.parse(alarm.first?.at ?? alarm.since),
      ...{ range: alarm.range, bearing: alarm.bearing, alarm },
    }));
  return [...own, ...reported];
}

/** Time since, with its seconds: 0:42, 12:05, 1:02:07. */
function sinceText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A distance; near ones in metres or feet, by which a helmsman steers. */
function rangeText(miles: number): readonly [string, string] {
  const { units } = settings.value;
  if (miles >= 0.5) return [measureText("distance", units, miles), units.distance];
  const unit = units.depth === "ft" ? "ft" : "m";
  return [fixed(convert("depth", { ...units, depth: unit }, miles * METRES_PER_MILE), 0), unit];
}

interface Line {
  readonly range: number | undefined;
  readonly bearing: number | undefined;
  /** Angle off the bow, or off the course if the heading is not known; starboard positive. */
  readonly off: number | undefined;
}

function lineTo({ position, range, bearing }: Call, now: number): Line {
  const here = latest.read("place", now);
  const line = here.kind === "live" && position !== undefined ? greatCircle(here.value, position) : { range, bearing };
  const heading = latest.read("headingTrue", now);
  const bow = heading.kind === "live" ? heading : latest.read("cog", now);
  const off = line.bearing === undefined || bow.kind !== "live" ? undefined : line.bearing - bow.value;
  return { ...line, off: off === undefined ? undefined : ((off + 540) % 360) - 180 };
}

/** An arrow from the bow in the direction to steer. */
function Arrow({ off }: { readonly off: number }) {
  const side = Math.round(off) === 0 ? "ahead" : `${Math.abs(Math.round(off))}° to ${off < 0 ? "port" : "starboard"}`;
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

/** Ends the search by two presses, so that an accidental touch does not end it. */
function Release() {
  const [isAsked, setAsked] = useState(false);
  const isCut = connectionState.value !== "connected" && unsent.value === undefined;
  if (isCut) return <p class="hint">It can be ended when the connection to the boat is back.</p>;
  if (!isAsked)
    return (
      <button type="button" onClick={() => setAsked(true)}>
        Person is back on board
      </button>
    );
  return (
    <p class="mob-release">
      <b>End the search?</b>
      <button type="button" class="main-action" onClick={release}>
        Yes, all are on board
      </button>
      <button type="button" onClick={() => setAsked(false)}>
        No
      </button>
    </p>
  );
}

function CallView({ call, now }: { readonly call: Call; readonly now: number }) {
  const { range, bearing, off } = lineTo(call, now);
  const { alarm, position } = call;
  const isOwn = alarm === undefined || alarm.id === reportedPress(now)?.id;
  const [distance, unit] = range === undefined ? ["––", ""] : rangeText(range);
  return (
    <section class="call" data-id={`call-${call.id}`}>
      <h2>{call.title}</h2>
      <p class={alarm === undefined ? "warn" : ""}>{call.about}</p>
      <div class="call-figures">
        {off !== undefined && <Arrow off={off} />}
        <dl>
          <Figure label="Bearing" text={bearing === undefined ? "––" : bearingText(bearing)} unit="°T" />
          <Figure label="Distance" text={distance} unit={unit} />
          <Figure label="Since" text={sinceText(boatClock(now) - call.at)} />
        </dl>
      </div>
      <p class="call-position">
        {position === undefined
          ? "Position not known"
          : `${coordinateText(position.latitude, "latitude")}  ${coordinateText(position.longitude, "longitude")}`}{" "}
        <small>at {new Date(call.at).toISOString().slice(11, 19)} UTC</small>
      </p>
      {canCommand && (
        <div class="choices">
          {alarm !== undefined && (
            <Answers
              state={stateHere(alarm, now)}
              silence={() => silence(alarm.id)}
              acknowledge={() => acknowledge(alarm.id)}
            />
          )}
          {isOwn && <Release />}
        </div>
      )}
    </section>
  );
}

function Distress() {
  const now = secondTick.value;
  const calls = callsNow(now);
  return (
    <div class="distress">
      {calls.length === 0 && <p class="nothing">Nobody is reported overboard or in distress.</p>}
      {calls.map((call) => (
        <CallView key={call.id} call={call} now={now} />
      ))}
      <p>
        <a class="wide-link" href="#/alarms">
          All alarms
        </a>
      </p>
    </div>
  );
}

export const distress: Page = {
  name: "distress",
  title: "Distress",
  View: Distress,
};
