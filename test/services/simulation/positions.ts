/** Positions of the simulation, measured. */
import { type Coordinates, ORIGIN, type Vector } from "../../../src/services/simulation/plane.ts";

const METRES_PER_DEGREE = 60 * 1852;

/** Metres north and east of the origin. */
export const toPlane = ({ latitude, longitude }: Coordinates): Vector => ({
  north: (latitude - ORIGIN.latitude) * METRES_PER_DEGREE,
  east: (longitude - ORIGIN.longitude) * METRES_PER_DEGREE * Math.cos((ORIGIN.latitude * Math.PI) / 180),
});
