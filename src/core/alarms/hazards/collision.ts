/** Other ships. */
import { aisAddressedSafetyRelatedMessage, aisSafetyRelatedBroadcastMessage } from "../../n2k/pgns/ais.ts";
import type { Approach } from "../../nav/ais-targets.ts";
import { closestApproach, vector } from "../../nav/closest-approach.ts";
import { greatCircle } from "../../nav/great-circle.ts";
import { GUARD_RADIUS } from "../constants.ts";
import { beaconTextIn } from "../distress.ts";
import { heardBy } from "../reads.ts";
import { raiseSafetyMessage } from "../safety-messages.ts";
import {
  HARBOUR_MILES,
  isAnchoredShip,
  isInHarbour,
  isMooredShip,
  isShip,
  isWithoutWay,
  type Situation,
} from "../situation.ts";
import { noticesOf } from "./bus.ts";
import { ALL_CLEAR, alarm, below, limit, offByDefault, type Reading } from "./hazard.ts";

/** Ships without way that lie so near to one another are in a harbour; a boat under way passes its quays. */
const HARBOUR_SHIPS = 3;
const MILES_PER_DEGREE = 60;

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

/** The closest approach to a ship that lies, by the boat's motion alone where the ship's is not known. */
function approachOf(ship: Approach, cog: number, sog: number): Pick<Approach, "cpa" | "tcpa"> | undefined {
  const { range, bearing } = ship;
  if (ship.cog !== undefined && ship.sog !== undefined) return ship;
  if (range === undefined || bearing === undefined) return undefined;
  return closestApproach({ range, bearing }, vector(cog, sog), { east: 0, north: 0 });
}

function approachZone(cpa: number, tcpa: number, limit: number, minutes: number): Reading["zone"] {
  if (cpa >= limit * 1.25 || tcpa >= minutes * 1.25) return "within";
  return cpa < limit && tcpa < minutes ? "beyond" : "between";
}

/** The reading of a ship that approaches; undefined for any other ship. */
function approaching(
  ship: Approach,
  { navigation, targets, isMoored, isAtAnchor }: Situation,
  { limit, minutes }: { readonly limit: number; readonly minutes: number },
): Reading | undefined {
  const { mmsi: subject, name } = ship;
  const { cog, sog } = navigation.speed_course!;
  const isStill = isMooredShip(ship);
  // A boat that lies still is not under way towards anything.
  const isUnderWay = !isMoored && !isAtAnchor;
  if (isStill && !(isShip(ship) && isUnderWay)) return undefined;
  const lies = isStill || (isUnderWay && isAnchoredShip(ship));
  const { cpa: value, tcpa } = (lies ? approachOf(ship, cog!, sog!) : ship) ?? {};
  if (value === undefined || tcpa === undefined) return undefined;
  const zone = approachZone(value, tcpa, limit, minutes);
  if (zone === "within" || (isStill && !isObstacle(ship, targets))) return undefined;
  const text = ship.sog === undefined ? "its speed is not known" : isStill ? "makes no way" : undefined;
  return { subject, name, limit, value, minutes: tcpa, text, zone };
}

/**
 * Time without a message after which a ship is lost: class A at anchor and class B without way send every three
 * minutes. Its place is forgotten a minute later.
 */
const LOST_AFTER_MS = 300_000;

const guardRadius = limit(GUARD_RADIUS, [0.05, 20], "NM", "radius of the zone");

export const collisionHazards = {
  cpa: alarm({
    title: "Close approach",
    severity: "alarm",
    unit: "nm",
    delay: 5,
    settings: {
      limit: limit(0.25, [0.01, 10], "NM", { below: "distance at the closest approach" }),
      minutes: limit(10, [1, 60], "min", { below: "time to the closest approach" }),
    },
    isQuiet: (situation) => situation.isAtAnchor || isInHarbour(situation),
    readings: (situation, settings, isTracked) => {
      const { cog, sog } = situation.navigation.speed_course ?? {};
      if (cog == null || sog == null) return [];
      let hasShips = false;
      const readings: Reading[] = [];
      for (const ship of situation.targets) {
        const { mmsi: subject, name, cpa: value, tcpa: minutes } = ship;
        // A beacon has an alarm of its own.
        if (ship.range === undefined || ship.class === "SART") continue;
        hasShips = true;
        const reading = approaching(ship, situation, settings);
        // Most ships are far away.
        if (reading !== undefined) readings.push(reading);
        else if (isTracked(subject))
          readings.push({ subject, name, limit: settings.limit, value, minutes, zone: "within" });
      }
      return readings.length === 0 && hasShips ? [ALL_CLEAR] : readings;
    },
  }),
  guardZone: alarm({
    title: "Ship in the guard zone",
    severity: "alarm",
    unit: "nm",
    delay: 5,
    settings: { ...offByDefault, radius: guardRadius },
    isQuiet: isInHarbour,
    readings: ({ targets }, { radius: limit }, isTracked) => {
      const ships = targets.filter((ship) => isShip(ship) && ship.range !== undefined);
      const readings = ships.flatMap(({ mmsi: subject, name, range: value, bearing }): Reading[] => {
        const zone = below(value!, limit, limit / 10);
        return zone === "within" && !isTracked(subject)
          ? []
          : [{ subject, name, value, limit, place: { bearing }, zone }];
      });
      return readings.length === 0 && ships.length > 0 ? [ALL_CLEAR] : readings;
    },
  }),
};

/** A text of a beacon is a call of distress, which has an alarm of its own. */
const addressedTexts = heardBy(aisAddressedSafetyRelatedMessage, raiseSafetyMessage);
const broadcastTexts = heardBy(aisSafetyRelatedBroadcastMessage, (memory, message, heard) => {
  if (beaconTextIn(message) === undefined) raiseSafetyMessage(memory, message, heard);
});

export const trafficHazards = {
  safetyMessage: alarm({
    title: "Safety message",
    severity: "warning",
    delay: 0,
    reads: [addressedTexts, broadcastTexts],
    isListed: true,
    readings: noticesOf("safetyMessage"),
  }),
  lostTarget: alarm({
    title: "Ship lost",
    severity: "warning",
    unit: "nm",
    delay: 0,
    settings: { ...offByDefault, radius: guardRadius },
    isQuiet: isInHarbour,
    isListed: true,
    readings: ({ targets, now }, { radius }, isTracked) =>
      targets.flatMap((ship): Reading[] => {
        const { mmsi: subject, name, range, bearing } = ship;
        const wasNear = range === undefined ? isTracked(subject) : range <= radius;
        const silent = wasNear && isShip(ship) ? now - ship.heardAt : 0;
        if (silent < LOST_AFTER_MS) return [];
        const text = `in the guard zone when it was last heard, ${Math.floor(silent / 60_000)} min ago`;
        return [{ subject, name, text, place: { range, bearing }, zone: "beyond" }];
      }),
  }),
};
