/** Numbers that both reports of this layer have. */
import { mark } from "../report/marks.ts";
import { decimal } from "../report/number.ts";
import { bearingTenths, relativeTenths } from "./angles.ts";

export const latitude = decimal(7).min(-90).max(90).describe("degrees");
export const longitude = decimal(7).min(-180).max(180).describe("degrees");
/** A direction, below 360 also after rounding. */
export const direction = mark(decimal(1, bearingTenths).min(0), { direction: true });
/** An angle off the bow, above -180 also after rounding. */
export const relativeAngle = mark(decimal(1, relativeTenths).min(-180).max(180), { direction: true });
export const knots = decimal(2).min(0).describe("knots");
