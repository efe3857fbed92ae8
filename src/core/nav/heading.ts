/** Heading and variation: the reading of a compass in both references. Degrees, variation positive to the east. */
import type { Message } from "../n2k/definition.ts";
import type { vesselHeading } from "../n2k/pgns/steering.ts";
import { bearing } from "./angles.ts";

/** The headings of a compass, of one reference or of both. */
export interface CompassReading {
  readonly headingTrue: number | undefined;
  /** Without deviation. */
  readonly headingMagnetic: number | undefined;
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

/** Heading, deviation and variation of a message of a compass; a heading without its reference is none. */
export const compassReading = ({
  headingDeg,
  deviationDeg,
  variationDeg,
  reference,
}: Message<typeof vesselHeading>): CompassReading => ({
  headingTrue: reference === "True" ? headingDeg : undefined,
  headingMagnetic: reference === "Magnetic" ? headingDeg : undefined,
  deviation: reference === "Magnetic" ? deviationDeg : undefined,
  variation: variationDeg,
});

/** The heading in both references; the reference that was not measured needs the variation. */
export function headingOf(compass: CompassReading, variation: number | undefined): Heading {
  const { headingTrue, deviation } = compass;
  const headingMagnetic =
    compass.headingMagnetic === undefined ? undefined : bearing(compass.headingMagnetic + (deviation ?? 0));
  if (headingTrue !== undefined) {
    return {
      reference: "true",
      headingTrue,
      headingMagnetic: headingMagnetic ?? (variation === undefined ? undefined : bearing(headingTrue - variation)),
      deviation: undefined,
    };
  }
  return {
    reference: "magnetic",
    headingTrue:
      variation === undefined || headingMagnetic === undefined ? undefined : bearing(headingMagnetic + variation),
    headingMagnetic,
    deviation,
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
