/** Numbers that both reports of this layer have. */
import { inUnit, mark } from "../report/marks.ts";
import { decimal } from "../report/number.ts";
import { bearingTenths, relativeTenths } from "./angles.ts";

export const latitude = inUnit("deg", decimal(7).min(-90).max(90));
export const longitude = inUnit("deg", decimal(7).min(-180).max(180));
/** A direction, below 360 also after rounding. */
export const direction = mark(decimal(1, bearingTenths).min(0), { direction: true });
/** An angle off the bow, above -180 also after rounding. */
export const relativeAngle = mark(decimal(1, relativeTenths).min(-180).max(180), { direction: true });
export const knots = inUnit("kn", decimal(2).min(0));
