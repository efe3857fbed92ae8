/** Limits that the crew has set itself. */
import * as z from "zod";
import { limitRow } from "../own-limits.ts";
import { alarm } from "./hazard.ts";

const MAX_ROWS = 50;

export const ownHazards = {
  limits: alarm({
    title: "Limit",
    severity: "each",
    delay: 5,
    settings: {
      rows: z
        .array(limitRow, "must be a list")
        .max(MAX_ROWS, `must have ${MAX_ROWS} rows or fewer`)
        .refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length, "must have other ids")
        .default([])
        .describe("limits of the crew's own: each a number of a message, above or below which it rings"),
    },
    // The report names the rows that no value reaches.
    canWatch: () => true,
    readings: ({ ownLimits }) => ownLimits,
  }),
};
