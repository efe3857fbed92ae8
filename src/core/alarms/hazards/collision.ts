/** Other ships. */
import { aisAddressedSafetyRelatedMessage, aisSafetyRelatedBroadcastMessage } from "../../n2k/pgns/ais.ts";
import { sentence } from "../../text/sentence.ts";
import { closeApproaches } from "../close-approaches.ts";
import { GUARD_RADIUS } from "../constants.ts";
import { beaconTextIn } from "../distress.ts";
import { ALL_CLEAR, below, type Reading } from "../reading.ts";
import { heardBy } from "../reads.ts";
import { raiseSafetyMessage } from "../safety-messages.ts";
import { isInHarbour, isShip } from "../situation.ts";
import { noticesOf } from "./bus.ts";
import { alarm, limit, offByDefault, term } from "./hazard.ts";

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
    isQuiet: isInHarbour,
    isLatched: "each",
    readings: (situation, settings, isTracked) => {
      const { ownMmsis = [] } = situation;
      // The boat was heard as a ship before its own transponder named it.
      const own = ownMmsis.flatMap<Reading>((subject) => (isTracked(subject) ? [{ subject, zone: "within" }] : []));
      const readings = closeApproaches(situation, settings, isTracked);
      return readings?.length === 0 ? [...own, ALL_CLEAR] : [...own, ...(readings ?? [])];
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
        const { mmsi: subject, name, range, bearing, placedAt, heardAt } = ship;
        const wasNear = range === undefined ? isTracked(subject) : range <= radius;
        const silent = wasNear && isShip(ship) ? now - (placedAt ?? heardAt) : 0;
        if (silent < LOST_AFTER_MS) return [];
        const sentences = [
          sentence`in the guard zone when it was last heard`,
          sentence`${Math.floor(silent / 60_000)} min ago`,
        ];
        return [{ subject, name, sentences, place: { range, bearing }, zone: "beyond" }];
      }),
  }),
};
