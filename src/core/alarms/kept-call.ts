/** A call of distress as hub-cand keeps it for its next start. */
import * as z from "zod";
import { firstReport, place } from "./report.ts";

/** Characters of a name, as an AIS message has them, and of a text. */
export const MAX_NAME = 20;
export const MAX_TEXT = 64;

/** Payload of `calls/{id}/set`; the id is that of the alarm. */
export const keptCall = z.strictObject({
  text: z.string().min(1).max(MAX_TEXT).describe("kind of call, in English, with {1} in the place of its nature"),
  nature: z.string().max(MAX_TEXT).describe("nature of the distress, in English").optional(),
  address: z.int().min(0).describe("address of the device that reports it, when it was last heard").optional(),
  name: z.string().max(MAX_NAME).describe("name of the ship").optional(),
  position: place.describe("where it is, as last reported").optional(),
  first: firstReport,
  heardAt: z.iso.datetime().describe("when hub 1.2 or before had last heard it; not used").optional(),
  acknowledged: z.boolean().optional(),
});
export type KeptCall = z.infer<typeof keptCall>;
