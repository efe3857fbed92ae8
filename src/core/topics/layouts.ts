/** The report of the PGNs of assumed layout: one schema, from which type, text, JSON Schema and reference follow. */
import * as z from "zod";
import { envelopeOf } from "../report/envelope.ts";

export const layoutsData = z.strictObject({
  messages: z.array(
    z.strictObject({
      addr: z.int().describe("address of the sender"),
      pgn: z.int(),
      raw: z.string().describe("payload in hexadecimal digits"),
      assumed: z.string().describe("data by the assumed layout, as JSON text"),
      public: z.string().describe("data by the public layout, as JSON text").optional(),
    }),
  ),
});

export type Layouts = z.infer<typeof layoutsData>;

export const layoutsMessage = envelopeOf(layoutsData);

export type LayoutsMessage = z.infer<typeof layoutsMessage>;
