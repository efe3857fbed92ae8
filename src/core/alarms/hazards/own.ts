/** Limits that the crew has set itself. */
import * as z from "zod";
import { limitRow } from "../own-limits.ts";
import { alarm } from "./hazard.ts";

/** Maximum rows that apply. */
export const MAX_LIMIT_ROWS = 50;

export const ownHazards = {
  limits: alarm({
    title: "Limit",
    severity: "each",
    delay: 5,
    settings: {
      rows: z
        .array(limitRow, "must be a list")
        .max(MAX_LIMIT_ROWS, `must have ${MAX_LIMIT_ROWS} rows or fewer`)
        .default([])
        .describe("limits of the crew's own: each a number of a message, above or below which it rings"),
    },
    swings: true,
    // The report names the rows that no value reaches.
    canWatch: () => true,
    readings: ({ ownLimits }) => ownLimits,
  }),
};
