/** The ground below the boat, and the anchor in it. */
import * as z from "zod";
import { ANCHOR_RADIUS } from "../constants.ts";
import { depthReferences } from "../depth-watch.ts";
import { ALL_CLEAR, above, alarm, below, isMoored, limit, one } from "./hazard.ts";

export const groundHazards = {
  depth: alarm({
    title: "Shallow water",
    severity: "alarm",
    unit: "m",
    delay: 2,
    settings: {
      limit: limit(2, [0.1, 100], "m", { below: "depth" }),
      reference: z
        .enum(depthReferences, `must be one of ${depthReferences.join(", ")}`)
        .default("transducer")
        .describe(
          "from where depth and limit are measured; another than the transducer needs the offset of the sounder",
        ),
    },
    isQuiet: isMoored,
    readings: ({ depth }, { limit }) =>
      one(depth.value, (value) => {
        const zone = depth.isOftenLow ? "beyond" : below(value, limit, 0.3);
        return { limit, text: depth.reference, zone };
      }),
  }),
  depthLost: alarm({
    title: "Depth lost",
    severity: "alarm",
    unit: "m",
    delay: 10,
    settings: { limit: limit(5, [0.1, 100], "m", { below: "last depth" }) },
    isQuiet: isMoored,
    readings: ({ depth }) =>
      depth.last === undefined
        ? []
        : depth.value === undefined && depth.wasLow
          ? [{ value: depth.last, text: `when it was lost, ${depth.reference}`, zone: "beyond" }]
          : [ALL_CLEAR],
  }),
  anchor: alarm({
    title: "Anchor dragging",
    severity: "alarm",
    unit: "m",
    delay: 10,
    settings: { radius: limit(40, ANCHOR_RADIUS, "m", "radius of an anchor watch that is set without one") },
    readings: ({ anchorWatch, anchorDistance }) =>
      one(anchorDistance, (distance) => {
        const limit = anchorWatch!.radius;
        return { limit, zone: above(distance, limit, limit / 10) };
      }),
  }),
};

export const slopeHazards = {
  depthFalling: alarm({
    title: "Depth falls fast",
    severity: "warning",
    unit: "m",
    delay: 3,
    settings: { seconds: limit(20, [5, 300], "s", { below: "time to the limit of the depth alarm" }) },
    isQuiet: isMoored,
    readings: ({ depth, depthLimit }, { seconds }) =>
      one(depth.value, (value) => {
        const { falling, reference } = depth;
        // A depth below the limit has an alarm of its own.
        if (falling === undefined || value < depthLimit) return { zone: "within" };
        const text = `${reference}, falls by ${falling.toFixed(2)} m/s`;
        return { text, limit: depthLimit, zone: below((value - depthLimit) / falling, seconds, seconds / 2) };
      }),
  }),
};
