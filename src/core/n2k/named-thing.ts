/** The name of a thing as settings and reports have it. */
import * as z from "zod";

/** The longest name: it fits into a cell of the display and into a sentence of NMEA 0183. */
export const MAX_THING_NAME = 40;

export const namedThing = z.strictObject({
  pgn: z.int("must be a PGN").min(0).describe("PGN whose messages are about the thing"),
  key: z
    .record(z.string(), z.union([z.int(), z.string()], "must be an integer or a text"), "must be an object")
    .describe("values of the key fields of the PGN; of a switch of a bank its number too"),
  name: z
    .string("must be a text")
    .min(1, "must not be empty")
    .max(MAX_THING_NAME, `must not be longer than ${MAX_THING_NAME} characters`)
    .regex(/^\P{Cc}*$/u, "must not have control characters"),
});
