/** Persons overboard, vessels in distress and beacons: where they are, and where the current may have taken them. */

import { MAX_PERSONS } from "../../../core/alarms/words.ts";
import { radians } from "../../../core/nav/angles.ts";
import { greatCircle, type Position } from "../../../core/nav/great-circle.ts";
import { connectionState } from "../data/connection.ts";
import { ageOf } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { elapsedSince, latest, store } from "../data/store.ts";
import { rangeText as rangeIn } from "../instruments/crew-unit.ts";
import { instruments, readTrue } from "../instruments/instruments.ts";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { positionSeenAt } from "../ships/traffic.ts";
import { placeAt } from "../trend/own-track.ts";
import { type ActiveAlarm, beganAt, isOfButton, personNumber, spokenText, subjectText } from "./alarms.ts";
import { lossOf } from "./loss.ts";
import {
  isOwn,
  isReleased,
  pressOf,
  reportedPersons,
  type WaitingPress,
  waitingPresses,
  wasPressedAt,
} from "./man-overboard.ts";

export interface Call {
  readonly id: string;
  /** Names the call: a press has another id than its alarm, and ids are used again. */
  readonly key: string;
  readonly title: string;
  readonly about: string;
  /** How old the report is while none comes; empty while they come. */
  readonly asOf: string;
  readonly position: Position | undefined;
  /** The time of the position, monotonic milliseconds; undefined: a report after the first one has told it. */
  readonly positionAt: number | undefined;
  /** The time of the call, monotonic milliseconds. */
  readonly at: number;
  /** The name of the press, of a person whom the button has marked. */
  readonly press: string | undefined;
  readonly isPerson: boolean;
  /** Whether the button has marked the person, and releases her. */
  readonly isOfButton: boolean;
  /** Whether a screen has released her, which hub-cand has not confirmed yet. */
  readonly isReleased: boolean;
  /** The number of a person whom the button has marked, where there are several; none before hub-cand has given it. */
  readonly person: number | undefined;
  /** The ship, the beacon, the person. */
  readonly subject: string;
  /** The alarm; undefined for a press on this screen that hub-cand does not have yet. */
  readonly alarm: ActiveAlarm | undefined;
}

/** The time of the position of a report, which has that of the first one; a report without a first one is it. */
function toldAt(alarm: ActiveAlarm): number | undefined {
  const { position, first } = alarm;
  const isFirst =
    first?.position?.latitude === position?.latitude && first?.position?.longitude === position?.longitude;
  return first === undefined || isFirst ? beganAt(alarm) : undefined;
}

/** Seconds for which calls stay that hub-cand, which is away, has reported last. */
const KEPT_SECONDS = 3600;

const toldText = (seconds: number): string => say("as told {duration} ago", { duration: durationText(seconds) });

function reportedCalls(now: number): readonly Call[] {
  const { alarms, ais } = store;
  if (alarms === undefined || ageOf(alarms.stamp, now) > KEPT_SECONDS) return [];
  const asOf = lossOf(now) === undefined ? "" : toldText(ageOf(alarms.stamp, now));
  return alarms.data.alarms
    .filter(({ severity }) => severity === "emergency")
    .map((alarm) => {
      const target = ais?.data.targets.find(({ mmsi, position }) => mmsi === alarm.subject && position !== undefined);
      const press = pressOf(alarm);
      return {
        id: alarm.id,
        key: press ?? `${alarm.id} ${alarm.first?.at ?? alarm.since}`,
        title: alarm.title,
        person: personNumber(alarm),
        subject: subjectText(alarm),
        about: [subjectText(alarm), spokenText(alarm), asOf].filter((text) => text).join(", "),
        asOf,
        // A beacon tells its place again and again.
        position: target?.position ?? alarm.position,
        positionAt: target === undefined ? toldAt(alarm) : now - elapsedSince(positionSeenAt(target), now),
        at: beganAt(alarm),
        press,
        isPerson: alarm.kind === "manOverboard",
        isOfButton: isOfButton(alarm),
        isReleased: press !== undefined && isReleased(press, now),
        alarm,
      };
    });
}

/** A person of the button is in the water until she is released; other calls stay long after their answer. */
const isAnswered = ({ isOfButton, alarm }: Call): boolean => !isOfButton && alarm?.state === "acknowledged";

/** The calls without an end, the most urgent first; other emergencies, such as a fire, have no position. */
export const callsNow = (now: number): readonly Call[] =>
  [...waitingPresses(now).map((press) => waitingCall(press, now)), ...reportedCalls(now)].sort(
    (one, other) => Number(isAnswered(one)) - Number(isAnswered(other)),
  );

/** Why hub-cand has not reported a press yet. */
function waitingText(press: WaitingPress, now: number): string {
  if (!isOwn(press)) return say("pressed on another screen; hub-cand has not confirmed it yet");
  if (connectionState.value !== "connected")
    return say("not sent: no connection to the boat. It is sent when the connection is back");
  return reportedPersons(now).length < MAX_PERSONS
    ? say("hub-cand has not confirmed it yet")
    : say("hub-cand marks six persons at most: this one when another one is back on board");
}

function waitingCall(pressed: WaitingPress, now: number): Call {
  const { press, latitude, longitude } = pressed;
  const at = wasPressedAt(pressed, now);
  return {
    id: `unsent-${press}`,
    key: press,
    title: say("Man overboard"),
    about: waitingText(pressed, now),
    asOf: "",
    position: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    positionAt: at,
    ...{ at, press },
    ...{ isPerson: true, isOfButton: true, isReleased: false },
    ...{ person: undefined, subject: "", alarm: undefined },
  };
}

export type PlacedCall = Call & { readonly position: Position };

export const placedCalls = (now: number): readonly PlacedCall[] =>
  callsNow(now).filter((call): call is PlacedCall => call.position !== undefined);

/** Own position, where this screen knows it. */
export function hereNow(now: number): Position | undefined {
  const place = latest.read("place", now);
  return place.kind === "live" ? place.value : undefined;
}

/** Where this screen has known the boat to be last. */
function lastHere(now: number): Position | undefined {
  const place = latest.read("place", now);
  return "value" in place ? place.value : undefined;
}

/** The middle of a plot of calls while own position is not known; undefined without a call. */
export function searchMiddle(now: number): Position | undefined {
  const [call] = placedCalls(now);
  return call && (lastHere(now) ?? call.position);
}

/** Time since a call, with its seconds: 0:42, 12:05, 1:02:07. */
export function sinceText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export const rangeText = (miles: number): readonly [string, string] => rangeIn(settings.value.units, miles);

/** From the boat to a call; without range and bearing where one of the two places is not known. */
export interface Line {
  readonly range?: number;
  readonly bearing?: number;
  /** Whether it is from where the boat was last: its position has expired. */
  readonly isOld: boolean;
  /** Angle off the bow, or off the course if the heading is not known; starboard positive. */
  readonly off?: number;
}

export function lineTo({ position }: Call, now: number): Line {
  const place = latest.read("place", now);
  if (position === undefined || !("value" in place)) return { isOld: false };
  const line = greatCircle(place.value, position);
  const heading = latest.read("headingTrue", now);
  const bow = heading.kind === "live" ? heading : latest.read("cog", now);
  if (place.kind !== "live") return { ...line, isOld: true };
  return { ...line, isOld: false, ...(bow.kind === "live" && { off: ((line.bearing - bow.value + 540) % 360) - 180 }) };
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
  if (positionAt === undefined) return undefined;
  const milliseconds = Math.min(LONGEST_DRIFT_MS, now - positionAt);
  if (set.kind !== "live" || drift.kind !== "live" || milliseconds < LEAST_DRIFT_MS) return undefined;
  const miles = (drift.value * milliseconds) / 3_600_000;
  const [east, north] = [miles * Math.sin(radians(set.value)), miles * Math.cos(radians(set.value))];
  return { place: placeAt(position, east, north), set: set.value, knots: drift.value, miles };
}

/** Nautical miles within which all calls are in sight, however near the most urgent one is. */
const NEAR_MILES = 0.25;

/** Nautical miles from own ship to the most urgent call and the other near ones, or to where the current may have taken them. */
export function searchMiles(now: number): number | undefined {
  const here = lastHere(now);
  if (here === undefined) return undefined;
  let miles: number | undefined;
  for (const call of placedCalls(now)) {
    const drifted = driftOf(call, now)?.place ?? call.position;
    const far = Math.max(greatCircle(here, call.position).range, greatCircle(here, drifted).range);
    if (miles === undefined || (far > miles && far < NEAR_MILES)) miles = far;
  }
  return miles;
}
