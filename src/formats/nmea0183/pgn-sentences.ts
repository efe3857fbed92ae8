/**
 * Sentences from PGNs, for data that the navigation report does not have: the log, the rudder, and the way to a
 * waypoint.
 *
 * NMEA 0183 (since 2.3) ties the status to the mode: `A` with the modes A, autonomous, and D, differential, `V` with
 * every other.
 */
import { callSentences } from "./call-sentences.ts";
import {
  choice,
  constant,
  type Derived,
  decimal,
  derived,
  direction,
  type Field,
  type Lookup,
  latitude,
  longitude,
  name,
  numberOf,
  type Sentence,
  type Source,
  sentence,
  status,
  timeOfDay,
} from "./sentence.ts";

const inMiles = 1 / 1852;
/** The greatest distance on the earth. */
const HALF_EARTH_METRES = 20_100_000;

const starboardRudder = "127245 positionDeg";
const portRudder = "127245/1 positionDeg";
const total = "128275 totalLogNm";
const trip = "128275 tripLogNm";

const xte = "129283 xte";
const distance = "129284 distanceToWaypoint";
const bearing = "129284 bearingToWaypoint";
const bearingReference = "129284 bearingReference";
const arrival = "129284 arrivalStatus";
const waypoint = "129284 waypointId";
const variation = "navigation speed_course.variation";
const destination = [latitude("129284 destinationLatitude"), longitude("129284 destinationLongitude")];

const modeCode = "129283 xteMode";
/** Letters of the mode by its code in 129283. */
const modes = ["A", "D", "E", "S", "M"];
/** A if the sender does not say the mode, N for a code without a meaning. */
const letterOf = (code: unknown): string =>
  code === undefined ? "A" : (typeof code === "number" && modes[code]) || "N";
/** The mode of the bearing and the distance, which are valid without a cross-track error too. */
const bearingMode = choice([modeCode], letterOf);

const modeOfTrack = (find: Lookup): string => (numberOf(xte, find) === undefined ? "N" : letterOf(find(modeCode)));
/** The mode of the cross-track error; N without one. */
const mode: Field = { members: [xte, modeCode], write: modeOfTrack };

/** `A` if the cross-track error is measured and all of the numbers are known, otherwise `V`. */
const trackStatus = (...sources: readonly Source[]): Field => {
  const areThere = status(xte, ...sources);
  return {
    members: [modeCode, ...areThere.members],
    write: (find) => ("AD".includes(modeOfTrack(find)) ? areThere.write(find) : "V"),
  };
};

/** Positive when the boat is to the right of the track, so that it has to steer to the left. */
const crossTrackErrorTo = (limit?: number): Field =>
  decimal(3, xte, { times: inMiles, letters: ["L", "R"], ...(limit !== undefined && { limit }) });
const crossTrackError = crossTrackErrorTo();
/** The largest cross-track error of RMB, miles. */
const MOST_OF_RMB = 9.99;

const letterOfReference = choice([bearingReference], (reference) =>
  reference === undefined ? "" : reference === "Magnetic" ? "M" : "T",
);

/** The bearing in the other reference needs the variation. */
const bearingBy = (reference: "True" | "Magnetic"): Derived => {
  const sign = reference === "True" ? 1 : -1;
  const converted = derived([bearing, variation], (degrees, east) => degrees! + sign * east!);
  return {
    members: [bearing, bearingReference, variation],
    compute(find: Lookup) {
      const given = find(bearingReference) ?? "True";
      return given === reference ? numberOf(bearing, find) : converted.compute(find);
    },
  };
};

/** The speed over ground towards the waypoint, knots; negative away from it. */
const closingVelocity = derived(
  ["navigation speed_course.sog", "navigation speed_course.cog", bearingBy("True")],
  (knots, course, towards) => knots! * Math.cos(((course! - towards!) * Math.PI) / 180),
);

const hasArrived = (event: string) =>
  choice([arrival], (text) => (typeof text === "string" && text.includes(event) ? "A" : "V"));
const circleEntered = hasArrived("Arrival Circle Entered");
const perpendicularPassed = hasArrived("Perpendicular Crossed");

/** The name of the waypoint in the route of 129285, or else its number. */
const waypointName = name(14, {
  members: [waypoint, "129285 waypoints"],
  find(find) {
    const id = find(waypoint);
    const list = find("129285 waypoints");
    const found = Array.isArray(list) ? list.find((each) => each?.waypointId === id && id !== undefined) : undefined;
    return found?.name ?? id;
  },
});

const needs: readonly Source[] = [distance, bearing, "129284 destinationLatitude"];

export const pgnSentences: readonly Sentence[] = [
  // The first field is for a single rudder or the starboard one.
  sentence("II", "RSA", { on: 127245, everyMs: 200, needs: [starboardRudder, portRudder] }, [
    decimal(1, starboardRudder),
    status(starboardRudder),
    decimal(1, portRudder),
    status(portRudder),
  ]),
  sentence("II", "VLW", { on: 128275, needs: [total, trip] }, [
    decimal(2, total),
    constant("N"),
    decimal(2, trip),
    constant("N"),
  ]),
  sentence("GP", "XTE", { on: 129283, needs: [xte] }, [
    trackStatus(),
    trackStatus(),
    crossTrackError,
    constant("N"),
    mode,
  ]),
  sentence("GP", "RMB", { on: 129284, needs }, [
    trackStatus(distance, bearing),
    crossTrackErrorTo(MOST_OF_RMB),
    // The waypoint of origin is not in the message as hub-cand publishes it.
    constant(""),
    waypointName,
    ...destination,
    decimal(3, distance, { times: inMiles, limit: 999.9, max: HALF_EARTH_METRES }),
    direction(bearingBy("True")),
    decimal(1, closingVelocity),
    circleEntered,
    mode,
  ]),
  sentence("GP", "APB", { on: 129284, needs }, [
    trackStatus(bearing),
    trackStatus(bearing),
    crossTrackError,
    constant("N"),
    circleEntered,
    perpendicularPassed,
    // The bearing from the origin, which is not published either.
    constant(","),
    waypointName,
    direction(bearing),
    letterOfReference,
    // The heading to steer to the waypoint.
    direction(bearing),
    letterOfReference,
    mode,
  ]),
  sentence("GP", "BWC", { on: 129284, needs }, [
    timeOfDay("clock time"),
    ...destination,
    direction(bearingBy("True")),
    constant("T"),
    direction(bearingBy("Magnetic")),
    constant("M"),
    decimal(3, distance, { times: inMiles, max: HALF_EARTH_METRES }),
    constant("N"),
    waypointName,
    bearingMode,
  ]),
  ...callSentences,
];
