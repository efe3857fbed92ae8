/** Distance on the ellipsoid WGS 84. */
import { radians } from "../nav/angles.ts";
import { greatCircle, METRES_PER_MILE, type Position } from "../nav/great-circle.ts";

const EQUATOR_METRES = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const POLE_METRES = EQUATOR_METRES * (1 - FLATTENING);
/** Radians of the auxiliary sphere: a tenth of a micrometre. */
const CONVERGED = 1e-14;
const MAX_ROUNDS = 50;

/**
 * Metres between two positions by the inverse formula (T. Vincenty, "Direct and inverse solutions of geodesics on the
 * ellipsoid", Survey Review 23, 1975). Near the antipode, where it does not converge, the great circle.
 */
export function geodesicMetres(from: Position, to: Position): number {
  if (from.latitude === to.latitude && from.longitude === to.longitude) return 0;
  const reduced = ({ latitude }: Position): number => Math.atan((1 - FLATTENING) * Math.tan(radians(latitude)));
  const [u1, u2] = [reduced(from), reduced(to)];
  const [sin1, cos1, sin2, cos2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)];
  const turned = to.longitude - from.longitude;
  const eastward = radians(turned - 360 * Math.round(turned / 360));
  let lambda = eastward;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [sinLambda, cosLambda] = [Math.sin(lambda), Math.cos(lambda)];
    const sinSigma = Math.hypot(cos2 * sinLambda, cos1 * sin2 - sin1 * cos2 * cosLambda);
    if (sinSigma === 0) return 0;
    const cosSigma = sin1 * sin2 + cos1 * cos2 * cosLambda;
    const sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (cos1 * cos2 * sinLambda) / sinSigma;
    const squaredCosAlpha = 1 - sinAlpha ** 2;
    const cosTwiceMiddle = squaredCosAlpha === 0 ? 0 : cosSigma - (2 * sin1 * sin2) / squaredCosAlpha;
    const c = (FLATTENING / 16) * squaredCosAlpha * (4 + FLATTENING * (4 - 3 * squaredCosAlpha));
    const before = lambda;
    lambda =
      eastward +
      (1 - c) *
        FLATTENING *
        sinAlpha *
        (sigma + c * sinSigma * (cosTwiceMiddle + c * cosSigma * (2 * cosTwiceMiddle ** 2 - 1)));
    if (Math.abs(lambda) > Math.PI) break;
    if (Math.abs(lambda - before) < CONVERGED)
      return lengthOf({ sigma, sinSigma, cosSigma, cosTwiceMiddle, squaredCosAlpha });
  }
  return greatCircle(from, to).range * METRES_PER_MILE;
}

interface Arc {
  readonly sigma: number;
  readonly sinSigma: number;
  readonly cosSigma: number;
  readonly cosTwiceMiddle: number;
  readonly squaredCosAlpha: number;
}

function lengthOf({ sigma, sinSigma, cosSigma, cosTwiceMiddle, squaredCosAlpha }: Arc): number {
  const squared = (squaredCosAlpha * (EQUATOR_METRES ** 2 - POLE_METRES ** 2)) / POLE_METRES ** 2;
  const a = 1 + (squared / 16_384) * (4096 + squared * (-768 + squared * (320 - 175 * squared)));
  const b = (squared / 1024) * (256 + squared * (-128 + squared * (74 - 47 * squared)));
  const twice = 2 * cosTwiceMiddle ** 2 - 1;
  const inner = (b / 6) * cosTwiceMiddle * (4 * sinSigma ** 2 - 3) * (4 * cosTwiceMiddle ** 2 - 3);
  const deltaSigma = b * sinSigma * (cosTwiceMiddle + (b / 4) * (cosSigma * twice - inner));
  return POLE_METRES * a * (sigma - deltaSigma);
}
