/** Other ships. */
import { aisAddressedSafetyRelatedMessage, aisSafetyRelatedBroadcastMessage } from "../../n2k/pgns/ais.ts";
import type { Approach } from "../../nav/ais-targets.ts";
import { sentence } from "../../text/sentence.ts";
import { closeApproaches } from "../close-approaches.ts";
import { GUARD_RADIUS } from "../constants.ts";
import { beaconTextIn } from "../distress.ts";
import { ALL_CLEAR, below, type Reading } from "../reading.ts";
import { heardBy } from "../reads.ts";
import { raiseSafetyMessage } from "../safety-messages.ts";
import { isMooredShip, isShip, restIn, type Situation } from "../situation.ts";
import { noticesOf } from "./bus.ts";
import { alarm, type IsTracked, limit, offByDefault, term } from "./hazard.ts";

/**
 * Time without a message after which a ship is lost: class A at anchor and class B without way send every three
 * minutes. Its place is forgotten a minute later.
 */
const LOST_AFTER_MS = 300_000;

const guardRadius = limit(GUARD_RADIUS, [0.05, 20], "NM", "radius of the zone");

/** A text of a beacon is a call of distress, which has an alarm of its own. */
const addressedTexts = heardBy(aisAddressedSafetyRelatedMessage, raiseSafetyMessage);
const broadcastTexts = heardBy(aisSafetyRelatedBroadcastMessage, (memory, message, heard) => {
  if (beaconTextIn(message) === undefined) raiseSafetyMessage(memory, message, heard);
});

/** Whether other ships do not endanger the boat, by the word of the crew: she is at a berth, or wakes at one. */
const liesAtBerth = ({ isAtBerth, wakesAtBerth }: Situation): boolean => isAtBerth || wakesAtBerth;

/** Key of the one alarm that a kind has in a harbour, about the ship that comes closest. */
const HARBOUR = "harbour";
const seeming = sentence`a warning because the boat seems to be in a harbour`;

/** Whether a ship lies as the boat does, in a harbour as it seems. */
const isNeighbour = (ship: Approach, situation: Situation): boolean =>
  restIn(situation) === "harbour" && isMooredShip(ship);

/**
 * The readings of ships. Of a boat that seems to be in a harbour they are warnings, and one alarm for all ships but those
 * that rang before: a crew that has not named its berth is not called for each ferry.
 */
function ofShips(
  situation: Situation,
  isTracked: IsTracked,
  readingsOf: (isTracked: (mmsi: number) => boolean) => readonly Reading[],
): readonly Reading[] {
  if (restIn(situation) !== "harbour") return readingsOf(isTracked);
  const lying = new Set(isTracked(HARBOUR) ? situation.targets.filter(isMooredShip).map(({ mmsi }) => mmsi) : []);
  // One that has come to lie is read once more, because it ends its danger.
  const isOfAll = (mmsi: number): boolean => isTracked(HARBOUR, lying.has(mmsi) ? mmsi : undefined);
  return readingsOf((mmsi) => isTracked(mmsi) || isOfAll(mmsi)).map((reading) => ({
    ...reading,
    ...(!isTracked(reading.subject) && { key: HARBOUR, by: reading.subject }),
    severity: "warning",
    sentences: [...(reading.sentences ?? []), seeming],
  }));
}

export const collisionHazards = {
  cpa: alarm({
    title: "Close approach",
    severity: "alarm",
    unit: "nm",
    delay: 5,
    settings: {
      limit: limit(0.25, [0.01, 10], "NM", { below: "distance at the closest approach" }),
      minutes: limit(10, [1, 60], "min", { below: "time to the closest approach" }),
      term,
    },
    isQuiet: liesAtBerth,
    isLatched: "each",
    readings: (situation, settings, isTracked) => {
      const { ownMmsis = [] } = situation;
      // The boat was heard as a ship before its own transponder named it.
      const own = ownMmsis.flatMap<Reading>((subject) => (isTracked(subject) ? [{ subject, zone: "within" }] : []));
      const ships = ofShips(situation, isTracked, (isTracked) => {
        const readings = closeApproaches(situation, settings, isTracked);
        return readings?.length === 0 ? [ALL_CLEAR] : (readings ?? []);
      });
      return [...own, ...ships];
    },
  }),
  guardZone: alarm({
    title: "Ship in the guard zone",
    severity: "alarm",
    unit: "nm",
    delay: 5,
    settings: { ...offByDefault, radius: guardRadius },
    isQuiet: liesAtBerth,
    readings: (situation, { radius: limit }, isTracked) =>
      ofShips(situation, isTracked, (isTracked) => {
        const ships = situation.targets.filter((ship) => isShip(ship) && ship.range !== undefined);
        const readings = ships.flatMap((ship): Reading[] => {
          const { mmsi: subject, name, range: value, bearing } = ship;
          const zone = isNeighbour(ship, situation) ? "within" : below(value!, limit, limit / 10);
          return zone === "within" && !isTracked(subject)
            ? []
            : [{ subject, name, value, limit, place: { bearing }, zone }];
        });
        return readings.length === 0 && ships.length > 0 ? [ALL_CLEAR] : readings;
      }),
  }),
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
    isQuiet: liesAtBerth,
    isListed: true,
    readings: (situation, { radius }, isTracked) =>
      situation.targets.flatMap((ship): Reading[] => {
        const { mmsi: subject, name, range, bearing, placedAt, heardAt } = ship;
        const wasNear = range === undefined ? isTracked(subject) : range <= radius;
        const silent = wasNear && isShip(ship) ? situation.now - (placedAt ?? heardAt) : 0;
        if (silent < LOST_AFTER_MS) return [];
        if (isNeighbour(ship, situation) && !isTracked(subject)) return [];
        const sentences = [
          sentence`in the guard zone when it was last heard`,
          sentence`${Math.floor(silent / 60_000)} min ago`,
        ];
        return [{ subject, name, sentences, place: { range, bearing }, zone: "beyond" }];
      }),
  }),
};
