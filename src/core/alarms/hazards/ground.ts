/** The ground below the boat, and the anchor in it. */
import * as z from "zod";
import { type Sentence, sentence } from "../../text/sentence.ts";
import { ANCHOR_RADIUS } from "../constants.ts";
import { depthReferences } from "../depth-watch.ts";
import { ALL_CLEAR, above, below, one, type Reading } from "../reading.ts";
import type { Situation } from "../situation.ts";
import { alarm, isAtBerth, limit, term } from "./hazard.ts";

/** Severity and sentences of a depth: where the boat has stayed, low water is a warning, without a siren at night. */
const atRest = (
  { liesStill }: Pick<Situation, "liesStill">,
  sentences: readonly Sentence[],
): Pick<Reading, "severity" | "sentences"> =>
  liesStill
    ? { severity: "warning", sentences: [...sentences, sentence`a warning because the boat lies still`] }
    : { sentences };

/** Metres per second: 18 m an hour, the least that the text does not round to nothing. */
const SLOW = 0.005;

export const groundHazards = {
  depth: alarm({
    title: "Shallow water",
    severity: "alarm",
    unit: "m",
    delay: 2,
    isOfOneThing: true,
    settings: {
      limit: limit(2, [0.1, 100], "m", { below: "depth" }),
      term,
      reference: z
        .enum(depthReferences, `must be one of ${depthReferences.join(", ")}`)
        .default("installed")
        .describe(
          "from where depth and limit are measured; installed: as the sounder's offset says, as displays show it; surface and keel need that offset",
        ),
    },
    isQuiet: isAtBerth,
    readings: ({ depth, liesStill }, { limit }) => {
      return [depth, ...depth.others].flatMap<Reading>((sounded) => {
        const { name, by, value, isOftenLow, lowest, reference, isOverruled } = sounded;
        if (isOverruled) return [{ by, zone: "within" }];
        return one(value, (depth) => {
          const isTrough = isOftenLow && depth >= limit;
          const told = isTrough ? [sentence`lowest in 10 s`, reference] : [reference];
          const zone = isOftenLow ? "beyond" : below(depth, limit, 0.3);
          return { name, by, value: isTrough ? lowest : depth, limit, zone, ...atRest({ liesStill }, told) };
        });
      });
    },
  }),
  depthLost: alarm({
    title: "Depth lost",
    severity: "alarm",
    unit: "m",
    delay: 10,
    settings: { limit: limit(5, [0.1, 100], "m", { below: "last depth" }), term },
    isQuiet: isAtBerth,
    readings: (situation) => {
      const { value, last, wasLow, reference } = situation.depth;
      if (last === undefined) return [];
      if (value !== undefined || !wasLow) return [ALL_CLEAR];
      return [{ value: last, zone: "beyond", ...atRest(situation, [sentence`when it was lost`, reference]) }];
    },
  }),
  anchor: alarm({
    title: "Anchor dragging",
    severity: "alarm",
    unit: "m",
    delay: 10,
    settings: { radius: limit(40, ANCHOR_RADIUS, "m", "radius of an anchor watch that is set without one"), term },
    readings: ({ anchorWatch, anchorDistance }) =>
      one(anchorDistance, (distance) => {
        const limit = anchorWatch!.radius;
        return { limit, zone: above(distance, limit, limit / 10) };
      }),
  }),
  depthFalling: alarm({
    title: "Depth falls fast",
    severity: "warning",
    unit: "m",
    delay: 3,
    settings: { seconds: limit(20, [5, 300], "s", { below: "time to the limit of the depth alarm" }) },
    isQuiet: isAtBerth,
    readings: ({ depth, depthLimit }, { seconds }) =>
      one(depth.value, (value) => {
        const { falling, reference } = depth;
        // A depth below the limit has an alarm of its own, and a tide does not fall fast.
        if (falling === undefined || falling < SLOW || value < depthLimit) return { zone: "within" };
        const sentences = [reference, sentence`falls by ${Math.round(100 * falling) / 100} m/s`];
        return { sentences, limit: depthLimit, zone: below((value - depthLimit) / falling, seconds, seconds / 2) };
      }),
  }),
};
