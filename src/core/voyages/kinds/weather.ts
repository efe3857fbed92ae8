/** The strongest wind of a voyage so far, and changes of the barometer. */
import type { Kind } from "./kind.ts";

/** Beaufort 5. */
const LEAST_WIND = 17;
const WIND_STEP = 3;
const WIND_EVERY_MS = 600_000;

export const strongestWind: Kind = {
  name: "wind",
  title: "Strongest wind so far",
  watch: () => {
    let [strongest, at] = [LEAST_WIND - WIND_STEP, Number.NEGATIVE_INFINITY];
    return {
      recall({ kind, time, details }) {
        if (kind === "wind") [strongest, at] = [Number(details?.knots), time];
      },
      hear: ({ time, conditions: { windSpeed = 0 } }) =>
        windSpeed >= strongest + WIND_STEP && time - at >= WIND_EVERY_MS ? [{ details: { knots: windSpeed } }] : [],
    };
  },
  words: ({ knots }) => ["{wind}", { wind: { measure: "wind", value: Number(knots) } }],
};

const BAROMETER_STEP = 300;

export const barometer: Kind = {
  name: "barometer",
  title: "Barometer",
  watch: () => {
    let kept: number | undefined;
    return {
      recall({ kind, details, conditions }) {
        if (kind === "barometer") kept = Number(details?.pascals);
        else kept ??= conditions?.pressure;
      },
      hear: ({ conditions: { pressure } }) =>
        pressure !== undefined && kept !== undefined && Math.abs(pressure - kept) >= BAROMETER_STEP
          ? [{ details: { pascals: pressure, before: kept } }]
          : [],
    };
  },
  words: ({ pascals, before }) => [
    Number(pascals) < Number(before) ? "falls to {pressure}" : "rises to {pressure}",
    { pressure: { measure: "airPressure", value: Number(pascals) } },
  ],
};
