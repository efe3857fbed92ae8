/** Persons overboard, vessels in distress and beacons: where they are, and where the current may have taken them. */

import { MAX_PERSONS } from "../../../core/alarms/words.ts";
import { radians } from "../../../core/nav/angles.ts";
import { greatCircle, type Position } from "../../../core/nav/great-circle.ts";
import { connectionState } from "../data/connection.ts";
import { ageOf } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { boatClock, isDead, latest, store } from "../data/store.ts";
import { rangeText as rangeIn } from "../instruments/crew-unit.ts";
import { instruments, readTrue } from "../instruments/instruments.ts";
import { say } from "../languages/say.ts";
import { placeAt } from "../trend/own-track.ts";
import { type ActiveAlarm, personNumber, spokenText, subjectText } from "./alarms.ts";
import { type Press, reportedPersons, waitingPresses } from "./man-overboard.ts";

export interface Call {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly position: Position | undefined;
  /** The time of the position, milliseconds since 1970. */
  readonly positionAt: number;
  /** The time of the call, milliseconds since 1970. */
  readonly at: number;
  /** A person, or a vessel. */
  readonly isPerson: boolean;
  /** The number of a person whom the button has marked, where there are several. */
  readonly person: number | undefined;
  /** The ship, the beacon, the person. */
  readonly subject: string;
  /** Range and bearing of the report, for a boat whose position this screen does not know. */
  readonly range?: number | undefined;
  readonly bearing?: number | undefined;
  /** The alarm; undefined for a press on this screen that hub-cand does not have yet. */
  readonly alarm: ActiveAlarm | undefined;
}

/** Seconds for which calls stay that hub-cand, which is away, has reported last. */
const KEPT_SECONDS = 3600;

function reportedCalls(now: number): readonly Call[] {
  const { alarms, ais } = store;
  if (alarms === undefined || ageOf(alarms.stamp, now) > KEPT_SECONDS) return [];
  const isAway = isDead(alarms, now);
  return alarms.data.alarms
    .filter(({ severity }) => severity === "emergency")
    .map((alarm) => {
      const target = ais?.data.targets.find(({ mmsi, position }) => mmsi === alarm.subject && position !== undefined);
      const at = Date.parse(alarm.first?.at ?? alarm.since);
      return {
        id: alarm.id,
        title: alarm.title,
        person: personNumber(alarm),
        subject: subjectText(alarm),
        about: [subjectText(alarm), spokenText(alarm), isAway ? say("hub-cand is off: as it was last told") : ""]
          .filter((text) => text)
          .join(", "),
        // A beacon tells its place again and again.
        position: target?.position ?? alarm.position,
        positionAt: target === undefined ? at : Date.parse(target.lastSeen),
        at,
        isPerson: alarm.kind === "manOverboard",
        ...{ range: alarm.range, bearing: alarm.bearing, alarm },
      };
    });
}

/** The calls without an end, the most urgent first; other emergencies, such as a fire, have no position. */
export function callsNow(now: number): readonly Call[] {
  const reported = reportedCalls(now);
  const last = reported.reduce((most, call) => Math.max(most, call.person ?? 0), 0);
  const calls = [...waitingPresses(now).map((press, at) => waitingCall(press, last + 1 + at, now)), ...reported];
  const isAlone = calls.every((call) => (call.person ?? 0) < 2);
  return isAlone ? calls.map((call) => ({ ...call, person: undefined })) : calls;
}

/** Why hub-cand has not reported a press yet. */
function waitingText(now: number): string {
  if (connectionState.value !== "connected")
    return say("not sent: no connection to the boat. It is sent when the connection is back");
  return reportedPersons(now).length < MAX_PERSONS
    ? say("hub-cand has not confirmed it yet")
    : say("hub-cand marks six persons at most: this one when another one is back on board");
}

/** hub-cand gives a person the lowest number that is free, which is the next one unless one is back on board. */
function waitingCall(press: Press, person: number, now: number): Call {
  const { latitude, longitude } = press;
  const at = Date.parse(press.at);
  return {
    id: `unsent-${press.at}`,
    title: say("Man overboard"),
    about: waitingText(now),
    position: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    positionAt: at,
    at,
    isPerson: true,
    ...{ person, subject: "" },
    alarm: undefined,
  };
}

/** A call that can be drawn. */
export type PlacedCall = Call & { readonly position: Position };

export const placedCalls = (now: number): readonly PlacedCall[] =>
  callsNow(now).filter((call): call is PlacedCall => call.position !== undefined);

/** Own position, where this screen knows it. */
export function hereNow(now: number): Position | undefined {
  const place = latest.read("place", now);
  return place.kind === "live" ? place.value : undefined;
}

/** Time since a call, with its seconds: 0:42, 12:05, 1:02:07. */
export function sinceText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A distance in the units of this screen. */
export const rangeText = (miles: number): readonly [string, string] => rangeIn(settings.value.units, miles);

export interface Line {
  readonly range: number | undefined;
  readonly bearing: number | undefined;
  /** Angle off the bow, or off the course if the heading is not known; starboard positive. */
  readonly off: number | undefined;
}

export function lineTo({ position, range, bearing }: Call, now: number): Line {
  const here = hereNow(now);
  const line = here !== undefined && position !== undefined ? greatCircle(here, position) : { range, bearing };
  const heading = latest.read("headingTrue", now);
  const bow = heading.kind === "live" ? heading : latest.read("cog", now);
  const off = line.bearing === undefined || bow.kind !== "live" ? undefined : line.bearing - bow.value;
  return { ...line, off: off === undefined ? undefined : ((off + 540) % 360) - 180 };
}

/** Where the current as it is now may have taken somebody since the position was told. */
export interface Drift {
  readonly place: Position;
  /** Degrees true, knots, nautical miles. */
  readonly set: number;
  readonly knots: number;
  readonly miles: number;
}

/** A beacon that is heard tells its place; a current holds for some hours at most. */
const [LEAST_DRIFT_MS, LONGEST_DRIFT_MS] = [30_000, 3 * 3_600_000];

export function driftOf({ position, positionAt }: PlacedCall, now: number): Drift | undefined {
  const [set, drift] = [readTrue(instruments.currentSet, now), instruments.currentDrift.read(now)];
  const milliseconds = Math.min(LONGEST_DRIFT_MS, boatClock(now) - positionAt);
  if (set.kind !== "live" || drift.kind !== "live" || milliseconds < LEAST_DRIFT_MS) return undefined;
  const miles = (drift.value * milliseconds) / 3_600_000;
  const [east, north] = [miles * Math.sin(radians(set.value)), miles * Math.cos(radians(set.value))];
  return { place: placeAt(position, east, north), set: set.value, knots: drift.value, miles };
}

/** Nautical miles within which all calls are in sight, however near the most urgent one is. */
const NEAR_MILES = 0.25;

/** Nautical miles from own ship to the most urgent call and the other near ones, or to where the current may have taken them. */
export function searchMiles(now: number): number | undefined {
  const here = hereNow(now);
  if (here === undefined) return undefined;
  let miles: number | undefined;
  for (const call of placedCalls(now)) {
    const drifted = driftOf(call, now)?.place ?? call.position;
    const far = Math.max(greatCircle(here, call.position).range, greatCircle(here, drifted).range);
    if (miles === undefined || (far > miles && far < NEAR_MILES)) miles = far;
  }
  return miles;
}
