/** Which ships come close, from the situation: the readings of the alarm `cpa`. */
import type { Approach } from "../nav/ais-targets.ts";
import { type Encounter, encountersOf, type Mover, moverOf } from "../nav/encounter.ts";
import { greatCircle } from "../nav/great-circle.ts";
import { isLost } from "../nav/reporting-interval.ts";
import { sentence } from "../text/sentence.ts";
import type { Reading } from "./reading.ts";
import {
  HARBOUR_MILES,
  isAnchoredShip,
  isMooredShip,
  isShip,
  isWithoutWay,
  type Situation,
  WITHOUT_WAY_KNOTS,
} from "./situation.ts";

interface Limits {
  readonly limit: number;
  readonly minutes: number;
}

/** Ships without way that lie so near to one another are in a harbour; a boat under way passes its quays. */
const HARBOUR_SHIPS = 3;
const MILES_PER_DEGREE = 60;

/** At an anchor that is watched boats swing close to one another, and ships with way on pass in the fairway. */
const ANCHORAGE_MILES = 0.1;
const WAY_ON_KNOTS = 2;

/** Ships that pass one another more slowly keep company: their closest approach has passed and comes again. */
const COMPANY_KNOTS = 2;
/** An approach may be clear for a moment only, because courses and speeds waver. */
const CLEAR_SECONDS = 30;
/** Margin of limits, as a factor. */
const MARGIN = 1.25;

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
/** By how much the range of a ship in the AIS report may be wrong by now. */
const MOVED_MILES = 0.1;

/**
 * Whether a ship makes no way at a place where ships do not lie: it drifts, fishes, does not report its anchor, or does
 * not report its speed.
 */
function isObstacle(ship: Approach, targets: readonly Approach[]): boolean {
  const { navStatus, position } = ship;
  if (navStatus === "Moored" || position === undefined || !isWithoutWay(ship)) return false;
  // A marina has hundreds of ships, each of which would be compared with all others.
  let others = 0;
  for (const other of targets) {
    if (other.position === undefined || !isShip(other) || !isMooredShip(other)) continue;
    if (Math.abs(other.position.latitude - position.latitude) * MILES_PER_DEGREE > HARBOUR_MILES) continue;
    if (greatCircle(position, other.position).range <= HARBOUR_MILES) others++;
    if (others >= HARBOUR_SHIPS) return false;
  }
  return true;
}

function zoneOf({ line, closest, relativeSpeed }: Encounter, { limit, minutes }: Limits): Reading["zone"] {
  if (closest === undefined) return line.range < limit * MARGIN && relativeSpeed < COMPANY_KNOTS ? "between" : "within";
  const { cpa, tcpa } = closest;
  if (cpa >= limit * MARGIN || tcpa >= minutes * MARGIN) return "within";
  return cpa < limit && tcpa < minutes ? "beyond" : "between";
}

/** The boat at its last position; undefined without a position or a speed. */
function boatOf({ navigation, position, isAtAnchor }: Situation): Mover | undefined {
  const { cog, sog } = navigation.speed_course ?? {};
  if (position === undefined || sog == null) return undefined;
  const { age = 0 } = navigation.position?.source ?? {};
  return moverOf(position, { cog, sog: isAtAnchor ? 0 : sog }, age * 1000);
}

const lost = [sentence`lost: not heard any more`, sentence`by its last course and speed`];
const unknownSpeed = sentence`its speed is not known`;
const withoutWay = sentence`makes no way`;
const unknownCourse = sentence`its course is not known`;
const unknownOwnCourse = sentence`the course of the boat is not known`;

const sentencesOf = ({ sog }: Approach, of: Mover, boat: Mover, isStill: boolean, isGone: boolean) => [
  ...(isGone ? lost : []),
  ...(sog === undefined ? [unknownSpeed] : isStill ? [withoutWay] : []),
  ...(of.knots > 0 ? [unknownCourse] : []),
  ...(boat.knots > 0 ? [unknownOwnCourse] : []),
];

/** Whether the boat goes towards ships that lie. */
const makesWay = ({ navigation, liesStill, isAtAnchor }: Situation): boolean =>
  !liesStill && !isAtAnchor && (navigation.speed_course?.sog ?? 0) >= WITHOUT_WAY_KNOTS;

/** The motion of the boat and the limits, the same for all ships of an evaluation. */
interface Watching {
  readonly boat: Mover;
  /** Her speed. */
  readonly knots: number;
  readonly encounterWith: (ship: Mover) => Encounter;
  readonly limits: Limits;
  /** A boat that lies still is not under way towards anything. */
  readonly isUnderWay: boolean;
}

/** The range beyond which a ship stays clear within the minutes, even if both sail towards one another. */
const reachOf = (knots: number, ageMs: number, { limit, minutes }: Limits): number =>
  limit * MARGIN + (knots * (minutes * MARGIN + ageMs / MINUTE_MS)) / HOUR_MINUTES + MOVED_MILES;

/** The reading of a ship; undefined for one that is clear and has no alarm. */
function readingOf(
  ship: Approach,
  { boat, knots, encounterWith, limits, isUnderWay }: Watching,
  { targets, now, isAtAnchor }: Situation,
  tracked: boolean,
): Reading | undefined {
  const { mmsi: subject, name, position, range = 0, sog = 0, placedAt } = ship;
  const ageMs = now - (placedAt ?? now);
  if (!tracked && range > reachOf(knots + sog, ageMs, limits)) return undefined;
  const isStill = isMooredShip(ship);
  const lies = isStill || isAnchoredShip(ship);
  const isWatched = isAtAnchor ? sog >= WAY_ON_KNOTS : isUnderWay || !lies;
  if (!isWatched && !tracked) return undefined;
  const mover = moverOf(position!, lies && ship.cog === undefined ? { sog: 0 } : { cog: ship.cog, sog }, ageMs);
  const encounter = encounterWith(mover);
  const zone = isWatched ? zoneOf(encounter, limits) : "within";
  const isClear = zone === "within" || (isStill && !isObstacle(ship, targets));
  if (isClear && !tracked) return undefined;
  const { closest } = encounter;
  return {
    subject,
    name,
    limit: limits.limit,
    value: closest?.cpa ?? encounter.line.range,
    minutes: closest?.tcpa ?? 0,
    sentences: sentencesOf(ship, mover, boat, isStill, isLost(ship, ageMs)),
    isLatched: isLost(ship, ageMs),
    endSeconds: closest === undefined ? undefined : CLEAR_SECONDS,
    zone: isClear ? "within" : zone,
  };
}

/** The readings of all ships; undefined where no station is heard, or without the motion of the boat. */
export function closeApproaches(
  situation: Situation,
  settings: Limits,
  isTracked: (mmsi: number) => boolean,
): readonly Reading[] | undefined {
  const boat = boatOf(situation);
  const stations = situation.targets.filter(({ position }) => position !== undefined);
  if (boat === undefined || stations.length === 0) return undefined;
  const watching = {
    boat,
    knots: situation.navigation.speed_course?.sog ?? 0,
    encounterWith: encountersOf(boat),
    limits: situation.isAtAnchor ? { ...settings, limit: Math.min(settings.limit, ANCHORAGE_MILES) } : settings,
    isUnderWay: makesWay(situation),
  };
  // A beacon has an alarm of its own; an aircraft flies above, and a buoy stands where the chart has it.
  const ships = stations.filter(isShip);
  return ships.flatMap((ship) => readingOf(ship, watching, situation, isTracked(ship.mmsi)) ?? []);
}
