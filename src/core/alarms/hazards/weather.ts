/** Wind. */
import { above, alarm, limit, one } from "./hazard.ts";

export const weatherHazards = {
  wind: alarm({
    title: "Strong wind",
    severity: "warning",
    unit: "kn",
    delay: 10,
    settings: { limit: limit(30, [5, 100], "kn", { above: "true wind, else apparent wind," }) },
    readings: ({ navigation }, { limit }) =>
      one(navigation.wind_true?.speed ?? navigation.wind_apparent?.speed, (speed) => ({
        limit,
        zone: above(speed, limit, 3),
      })),
  }),
};
