/** Positions of the simulation, measured. */
import { type Coordinates, lengthOf, minus, ORIGIN, type Vector } from "../../../src/services/simulation/plane.ts";
import type { Ship } from "../../../src/services/simulation/ships.ts";
import { voyageAt } from "../../../src/services/simulation/voyage.ts";

const METRES_PER_DEGREE = 60 * 1852;

/** Metres north and east of the origin. */
export const toPlane = ({ latitude, longitude }: Coordinates): Vector => ({
  north: (latitude - ORIGIN.latitude) * METRES_PER_DEGREE,
  east: (longitude - ORIGIN.longitude) * METRES_PER_DEGREE * Math.cos((ORIGIN.latitude * Math.PI) / 180),
});

/** Metres between the boat and a ship. */
export const rangeAt = (ship: Ship, seconds: number): number =>
  lengthOf(minus(ship.at(seconds).place, voyageAt(seconds).place));
