/**
 * The boat and the sea as a pure function of the seconds since the start. The boat rounds four marks in twenty minutes:
 * under engine against the wind, then under sail across it, before it, and across it again.
 *
 * The quantities are consistent: velocity over ground is the derivative of the position; minus the current it is the
 * velocity through the water; the apparent wind is the wind minus the velocity over ground; heading and leeway give the
 * course through the water. True wind computed from the instruments is the wind of this module.
 */
import {
  type Coordinates,
  directionOf,
  full,
  half,
  lengthOf,
  minus,
  plus,
  polar,
  radians,
  toCoordinates,
  type Vector,
} from "./plane.ts";
import { closedTrack } from "./track.ts";
import { integralOf, type Sine, smoothStep, waves } from "./waves.ts";

/** Seconds of one round. It is a multiple of the periods of all movements, so that each round is the same. */
export const ROUND_SECONDS = 1200;

/** Mean direction of the wind, and course of the first leg. */
const WIND_DIRECTION = 300;

const marks: readonly Vector[] = [
  { north: 0, east: 0 },
  polar(1000, WIND_DIRECTION),
  plus(polar(1000, WIND_DIRECTION), polar(700, WIND_DIRECTION - 90)),
  polar(700, WIND_DIRECTION - 90),
];

export interface Waypoint extends Coordinates {
  readonly id: number;
  readonly name: string;
}

/** The marks of the route, in order. */
export const waypoints: readonly Waypoint[] = ["START", "WINDWARD", "WING", "LEEWARD"].map((name, index) => ({
  id: index + 1,
  name,
  ...toCoordinates(marks[index]!),
}));

/** Metres around a mark within which it counts as reached. */
const ARRIVAL_RADIUS = 110;

const route = closedTrack(marks, 60);
const MEAN_SPEED = route.length / ROUND_SECONDS;

const speedChanges: readonly Sine[] = [
  [0.22, 240],
  [0.14, 75, 0.3],
  [0.06, 6],
];
const wayGained = integralOf(...speedChanges);
/** Metres to starboard of the route. */
const wander = waves([4, 240, 0.1], [1.5, 60]);
const slip = waves([1.3, 8], [0.8, 15, 0.4], [0.5, 40]);

const windWaves = waves([8, 100, 0.6], [6, 48], [4, 25, 0.2], [3, 3600]);
/**
 * At first the wind blows from the side, so that apparent and true wind differ visibly; it veers within three minutes.
 */
const OPENING_SHIFT = -60;
const OPENING = { from: 30, to: 150 } as const;
const windShift = (seconds: number): number =>
  windWaves(seconds) + OPENING_SHIFT * (1 - smoothStep(OPENING.from, OPENING.to, seconds));
const gusts = waves([1.1, 160], [0.8, 40, 0.5], [0.5, 15], [0.4, 5400]);
const MEAN_WIND = 7.5;

/** The tide turns once in 12 h 25 min. */
const TIDE_SECONDS = 44_700;
const currentNorth = waves([0.35, TIDE_SECONDS, 0.15]);
const currentEast = waves([0.12, TIDE_SECONDS, 0.4]);
const tideHeight = waves([0.8, TIDE_SECONDS]);
const heave = waves([0.25, 8], [0.1, 5, 0.3]);

/** Degrees, east positive; about what a model of the Earth's field gives for this place and time. */
const VARIATION = 1.9;

/** Depth of the transducer below the waterline, metres. */
export const TRANSDUCER_DEPTH = 0.6;

/** State of the boat. Angles in degrees, speeds in metres per second; directions are true. */
export interface Voyage {
  readonly seconds: number;
  readonly place: Vector;
  readonly position: Coordinates;
  readonly altitude: number;
  readonly courseOverGround: number;
  readonly speedOverGround: number;
  readonly heading: number;
  readonly variation: number;
  /** Deviation of the magnetic compass: magnetic heading = its reading + deviation. */
  readonly deviation: number;
  /** Reading of the magnetic compass. */
  readonly compass: number;
  /** Degrees a second, starboard positive. */
  readonly rateOfTurn: number;
  readonly speedThroughWater: number;
  /** Course through the water less heading; positive when she is set to starboard. */
  readonly leeway: number;
  readonly set: number;
  readonly drift: number;
  /** Bow up, starboard side down, bow to starboard of her mean heading. */
  readonly pitch: number;
  readonly roll: number;
  readonly yaw: number;
  /** Positive to starboard. */
  readonly rudder: number;
  /** Direction of the apparent wind: 0 the bow, 90 starboard. */
  readonly apparentWind: { readonly speed: number; readonly angle: number };
  /** The same relative to the water: the true wind of sailors. */
  readonly trueWind: { readonly speed: number; readonly angle: number; readonly direction: number };
  /** Metres below the transducer. */
  readonly depth: number;
  /** Metres along the route since the start, the reading of the log. */
  readonly log: number;
  readonly navigation: Navigation;
}

/** The route as the plotter shows it. */
export interface Navigation {
  readonly origin: Waypoint;
  readonly destination: Waypoint;
  /** Metres and degrees to the destination. */
  readonly distance: number;
  readonly bearing: number;
  /** Metres off the leg, positive to starboard of it. */
  readonly crossTrack: number;
  /** Course of the leg. */
  readonly track: number;
  readonly arrived: boolean;
  /** Closing speed, metres per second. */
  readonly closing: number;
}

const wayAt = (seconds: number): number => MEAN_SPEED * seconds + wayGained(seconds) - wayGained(0);

function placeAt(seconds: number): Vector {
  const { place, course } = route.at(wayAt(seconds));
  return plus(place, polar(wander(seconds), course + 90));
}

/** Step of the numeric derivative, seconds: small against the curves, large against the rounding of a double. */
const STEP_SECONDS = 0.05;

function velocityAt(seconds: number): Vector {
  const { north, east } = minus(placeAt(seconds + STEP_SECONDS), placeAt(seconds - STEP_SECONDS));
  return { north: north / (2 * STEP_SECONDS), east: east / (2 * STEP_SECONDS) };
}

/** Velocity of the air over ground. */
const airAt = (seconds: number): Vector => polar(-(MEAN_WIND + gusts(seconds)), WIND_DIRECTION + windShift(seconds));

const currentAt = (seconds: number): Vector => ({ north: currentNorth(seconds), east: currentEast(seconds) });

/** Direction and speed of the wind over the water. */
const windOverWater = (seconds: number): Vector => minus(currentAt(seconds), airAt(seconds));

function headingAt(
  seconds: number,
  velocity = velocityAt(seconds),
): { readonly heading: number; readonly leeway: number } {
  const course = directionOf(minus(velocity, currentAt(seconds)));
  const windAngle = directionOf(windOverWater(seconds)) - course;
  const leeway = -4 * Math.sin(radians(windAngle)) + slip(seconds);
  return { heading: full(course - leeway), leeway };
}

/** Depth: a bank that slopes to the north-west, with sand waves. */
const seabed = ({ north, east }: Vector): number =>
  15 + north / 130 - east / 400 + 1.1 * Math.sin(north / 150) * Math.cos(east / 190);

function navigationAt(place: Vector, velocity: Vector, leg: number): Navigation {
  const next = (leg + 1) % marks.length;
  const from = marks[leg]!;
  const toGo = minus(marks[next]!, place);
  const track = directionOf(minus(marks[next]!, from));
  const distance = lengthOf(toGo);
  const offset = minus(place, from);
  const closing = (velocity.north * toGo.north + velocity.east * toGo.east) / distance;
  return {
    origin: waypoints[leg]!,
    destination: waypoints[next]!,
    distance,
    bearing: directionOf(toGo),
    crossTrack: offset.east * Math.cos(radians(track)) - offset.north * Math.sin(radians(track)),
    track,
    arrived: distance < ARRIVAL_RADIUS,
    closing,
  };
}

/** The result of the last call: the messages of one time are made one after the other. */
let latest: Voyage | undefined;

/** The boat at a time, seconds since the start. */
export function voyageAt(seconds: number): Voyage {
  if (latest?.seconds !== seconds) latest = computedAt(seconds);
  return latest;
}

function computedAt(seconds: number): Voyage {
  const place = placeAt(seconds);
  const velocity = velocityAt(seconds);
  const current = currentAt(seconds);
  const through = minus(velocity, current);
  const { heading, leeway } = headingAt(seconds, velocity);
  const rateOfTurn =
    half(headingAt(seconds + STEP_SECONDS).heading - headingAt(seconds - STEP_SECONDS).heading) / (2 * STEP_SECONDS);

  const apparent = minus(velocity, airAt(seconds));
  const overWater = windOverWater(seconds);
  const apparentSpeed = lengthOf(apparent);
  const apparentAngle = full(directionOf(apparent) - heading);

  const deviation = 1.5 * Math.sin(radians(heading - 20));
  // Heel is proportional to the square of the wind and to its share from the side.
  const heel = -0.12 * apparentSpeed ** 2 * Math.sin(radians(apparentAngle));
  return {
    seconds,
    place,
    position: toCoordinates(place),
    altitude: 3 + heave(seconds) + tideHeight(seconds),
    courseOverGround: directionOf(velocity),
    speedOverGround: lengthOf(velocity),
    heading,
    variation: VARIATION,
    deviation,
    compass: full(heading - VARIATION - deviation),
    rateOfTurn,
    speedThroughWater: lengthOf(through),
    leeway,
    set: directionOf(current),
    drift: lengthOf(current),
    pitch: waves([2.2, 8, 0.2], [0.9, 5])(seconds),
    roll: 16 * Math.tanh(heel / 16) + waves([2.5, 8], [1.2, 6, 0.7])(seconds),
    yaw: -slip(seconds),
    rudder: Math.max(-30, Math.min(30, 4 * rateOfTurn + waves([1, 8, 0.6])(seconds))),
    apparentWind: { speed: apparentSpeed, angle: apparentAngle },
    trueWind: {
      speed: lengthOf(overWater),
      angle: half(directionOf(overWater) - heading),
      direction: directionOf(overWater),
    },
    depth: seabed(place) + tideHeight(seconds) + heave(seconds) - TRANSDUCER_DEPTH,
    log: wayAt(seconds),
    navigation: navigationAt(place, velocity, route.at(wayAt(seconds)).leg),
  };
}

/** Air and water: temperatures in degrees Celsius, pressure in pascal, humidity in percent. */
export interface Weather {
  readonly sea: number;
  readonly air: number;
  readonly cabin: number;
  readonly pressure: number;
  readonly humidity: number;
}

const weather = {
  sea: waves([0.25, 900], [0.6, 86_400]),
  air: waves([0.3, 700, 0.2], [2.5, 86_400]),
  cabin: waves([0.2, 1100], [1.5, 86_400, 0.1]),
  pressure: waves([20, 1500], [650, 259_200]),
  humidity: waves([1.5, 800], [8, 86_400, 0.5]),
};

export const weatherAt = (seconds: number): Weather => ({
  sea: 12.4 + weather.sea(seconds),
  air: 14.2 + weather.air(seconds),
  cabin: 19.5 + weather.cabin(seconds),
  pressure: 101_650 + weather.pressure(seconds),
  humidity: 76 + weather.humidity(seconds),
});

/** Quality of the fix of a receiver. */
export interface Fix {
  /** Code of 129029: 0 none, 1 satellites alone, 2 with corrections. */
  readonly method: 0 | 1 | 2;
  readonly satellites: number;
  readonly hdop: number;
  readonly pdop: number;
  /** Error of the position, metres. */
  readonly error: Vector;
}

/** The better receiver loses its fix in every period, seconds `from` to `to`. */
const OUTAGE_SECONDS = { period: 600, from: 150, to: 200 } as const;

const isOutage = (seconds: number): boolean => {
  const into = seconds % OUTAGE_SECONDS.period;
  return into >= OUTAGE_SECONDS.from && into < OUTAGE_SECONDS.to;
};

const betterError = { north: waves([0.3, 95], [0.2, 31, 0.4]), east: waves([0.3, 70, 0.2], [0.2, 27]) };
const plainError = { north: waves([1.6, 310], [0.7, 62, 0.4]), east: waves([1.4, 240, 0.3], [0.8, 51]) };
const satellitesInSight = waves([1.4, 400], [0.8, 130, 0.3]);

/** The receiver with satellite-based corrections, which fails periodically. */
export function betterFix(seconds: number): Fix {
  const error = { north: betterError.north(seconds), east: betterError.east(seconds) };
  if (isOutage(seconds)) return { method: 0, satellites: 2, hdop: 20, pdop: 25, error };
  const into = seconds % OUTAGE_SECONDS.period;
  // Corrections are received some time after the satellites.
  const corrected = into < OUTAGE_SECONDS.from || into >= OUTAGE_SECONDS.to + 15;
  const settling = into >= OUTAGE_SECONDS.to ? 1 - smoothStep(OUTAGE_SECONDS.to, OUTAGE_SECONDS.to + 30, into) : 0;
  const hdop = 0.8 + settling;
  return {
    method: corrected ? 2 : 1,
    satellites: 13 + Math.round(satellitesInSight(seconds) - 4 * settling),
    hdop,
    pdop: hdop * 1.6,
    error,
  };
}

/** The plain receiver, which never fails. */
export function plainFix(seconds: number): Fix {
  const satellites = 8 + Math.round(satellitesInSight(seconds + 77));
  const hdop = 1.3 + 0.1 * (8 - satellites);
  return {
    method: 1,
    satellites,
    hdop,
    pdop: hdop * 1.7,
    error: { north: plainError.north(seconds), east: plainError.east(seconds) },
  };
}
