/** Heading and variation: the reading of a compass in both references. Degrees, variation positive to the east. */
import type { Message } from "../n2k/definition.ts";
import type { vesselHeading } from "../n2k/pgns/steering.ts";
import { bearing } from "./angles.ts";

/** A message of a compass that has a heading and its reference. */
export interface CompassReading {
  readonly reference: "true" | "magnetic";
  readonly heading: number;
  readonly deviation: number | undefined;
  readonly variation: number | undefined;
}

export interface Heading {
  readonly reference: "true" | "magnetic";
  readonly headingTrue: number | undefined;
  readonly headingMagnetic: number | undefined;
  /** Deviation applied; undefined for a true heading. */
  readonly deviation: number | undefined;
}

/** The reading of a message; undefined without a heading or its reference. */
export function compassReading({
  headingDeg,
  deviationDeg,
  variationDeg,
  reference,
}: Message<typeof vesselHeading>): CompassReading | undefined {
  if (headingDeg === undefined || reference === undefined || reference === "Unknown") return undefined;
  return {
    reference: reference === "True" ? "true" : "magnetic",
    heading: headingDeg,
    deviation: deviationDeg,
    variation: variationDeg,
  };
}

/** The heading in both references; the reference that was not measured needs the variation. */
export function headingOf(compass: CompassReading, variation: number | undefined): Heading {
  if (compass.reference === "true") {
    return {
      reference: "true",
      headingTrue: compass.heading,
      headingMagnetic: variation === undefined ? undefined : bearing(compass.heading - variation),
      deviation: undefined,
    };
  }
  const headingMagnetic = bearing(compass.heading + (compass.deviation ?? 0));
  return {
    reference: "magnetic",
    headingTrue: variation === undefined ? undefined : bearing(headingMagnetic + variation),
    headingMagnetic,
    deviation: compass.deviation,
  };
}

/** Codes of 127258 for the source of its variation: 4 to 9 are the World Magnetic Models of 2000 to 2025. */
const MANUAL = 0;
const HIGHEST_KNOWN = 9;

/** Newest model first, then calculation, table, chart, unknown, and manual input. */
export const variationQuality = (source: number | undefined): number => {
  if (source === MANUAL) return HIGHEST_KNOWN + 1;
  return source === undefined || source > HIGHEST_KNOWN ? HIGHEST_KNOWN : HIGHEST_KNOWN - source;
};
