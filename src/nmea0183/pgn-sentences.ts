/** Sentences from PGNs, for what the navigation report does not have: the log, the rudder, and the way to a waypoint. */
import {
  choice,
  constant,
  type Derived,
  decimal,
  derived,
  direction,
  type Lookup,
  latitude,
  longitude,
  name,
  numberOf,
  type Sentence,
  type Source,
  sentence,
  status,
} from "./sentence.ts";

const inMiles = 1 / 1852;
/** Nothing is farther away. */
const HALF_EARTH_METRES = 20_100_000;

const position = "127245 positionDeg";
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

/** Letters of the mode by its code in 129283. */
const modes = ["A", "D", "E", "S", "M"];
const mode = choice(["129283 xteMode"], (code) => modes[Number(code ?? 0)] ?? "A");

/** Positive when the boat is to the right of the track, so that it has to steer to the left. */
const crossTrackError = decimal(3, xte, { times: inMiles, letters: ["L", "R"] });
/** RMB has room for 9.99 miles. */
const shortCrossTrackError = decimal(2, xte, { times: inMiles, letters: ["L", "R"], limit: 9.99 });

const letterOfReference = choice([bearingReference], (reference) =>
  reference === undefined ? "" : reference === "Magnetic" ? "M" : "T",
);

/** The bearing with another reference needs the variation. */
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

const hasArrived = (event: string) =>
  choice([arrival], (text) => (typeof text === "string" && text.includes(event) ? "A" : "V"));
const circleEntered = hasArrived("Arrival Circle Entered");
const perpendicularPassed = hasArrived("Perpendicular Crossed");

/** The name of the waypoint in the route of 129285, else its number. */
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
  // The rudder that is heard first has the field of a single one, which is that of the one to starboard too.
  sentence("II", "RSA", { on: 127245, everyMs: 200, needs: [position] }, [
    decimal(1, position),
    status(position),
    constant(",V"),
  ]),
  sentence("II", "VLW", { on: 128275, needs: [total, trip] }, [
    decimal(2, total),
    constant("N"),
    decimal(2, trip),
    constant("N"),
  ]),
  sentence("GP", "XTE", { on: 129283, needs: [xte] }, [status(xte), status(xte), crossTrackError, constant("N"), mode]),
  sentence("GP", "RMB", { on: 129284, needs }, [
    status(distance, bearing),
    shortCrossTrackError,
    // The waypoint of origin is not in the message as hub-cand publishes it.
    constant(""),
    waypointName,
    ...destination,
    decimal(3, distance, { times: inMiles, limit: 999.9, max: HALF_EARTH_METRES }),
    direction(bearingBy("True")),
    // Nor is the speed towards the waypoint.
    constant(""),
    circleEntered,
    mode,
  ]),
  sentence("GP", "APB", { on: 129284, needs }, [
    status(xte, bearing),
    status(xte, bearing),
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
    constant(""),
    ...destination,
    direction(bearingBy("True")),
    constant("T"),
    direction(bearingBy("Magnetic")),
    constant("M"),
    decimal(3, distance, { times: inMiles, max: HALF_EARTH_METRES }),
    constant("N"),
    waypointName,
    mode,
  ]),
];
