/** Wind and pressure. */
import { sentence } from "../../text/sentence.ts";
import { above, one } from "../reading.ts";
import { alarm, limit } from "./hazard.ts";

/** Steps of a fall, as factors of the limit; the last one is an alarm. By default 3, 6 and 10 hPa. */
const FALLS = [1, 2, 10 / 3] as const;

export const weatherHazards = {
  wind: alarm({
    title: "Strong wind",
    severity: "warning",
    unit: "kn",
    delay: 10,
    settings: { limit: limit(30, [5, 100], "kn", { above: "true wind, else apparent wind," }) },
    readings: ({ wind: { speed, isOftenStrong, isGust } }, { limit }) =>
      one(speed, (speed) => ({
        limit,
        seconds: isGust ? 0 : undefined,
        zone: isOftenStrong || isGust ? "beyond" : above(speed, limit, 3),
      })),
  }),
  pressure: alarm({
    title: "Barometer falls",
    severity: "each",
    unit: "hPa",
    delay: 60,
    settings: { limit: limit(3, [1, 20], "hPa", { above: "fall of the pressure in three hours" }) },
    readings: ({ pressureFall }, { limit: least }) =>
      one(pressureFall, (fall) => {
        const steps = FALLS.map((factor) => factor * least).filter((step) => fall >= step);
        const limit = steps.at(-1) ?? least;
        return {
          limit,
          level: steps.length,
          severity: steps.length === FALLS.length ? "alarm" : "warning",
          sentences: [sentence`in three hours`],
          zone: steps.length > 0 ? "beyond" : above(fall, least, least / 4),
        };
      }),
  }),
};
