/** The report of the findings: one schema, from which type, text, JSON Schema and reference follow. */
import * as z from "zod";
import { MAX_ADDRESS } from "../can/networks.ts";
import { envelopeOf } from "../report/envelope.ts";
import { sentenceSchema } from "../report/sentence.ts";
import { findingSeverities } from "./finding.ts";

/** Maximum findings of a report: a hostile bus could have one for each address and PGN. */
export const MAX_FINDINGS = 100;

/** The known properties of a device. */
export const device = z.strictObject({
  addr: z.int().min(0).max(MAX_ADDRESS),
  name: z.string().describe("the NAME, all digits").optional(),
  label: z.string().describe("as the crew calls it, else its model, else its manufacturer and function").optional(),
});

const finding = z.strictObject({
  id: z
    .string()
    .describe("kind, a hyphen and what tells findings of the kind apart, and @ and the number of a further network"),
  kind: z.string().describe("as in the table of the documentation, which later versions extend"),
  title: z.string().describe("in English"),
  severity: z
    .enum(findingSeverities)
    .describe(
      "fault: data are lost or wrong; warning: it works, but not well or not for long; information: good to know",
    ),
  devices: z.array(device).describe("that it is about").optional(),
  pgn: z.int().min(0).optional(),
  measured: z.string().describe("what was measured, in English"),
  sentence: sentenceSchema
    .describe("`measured` for translations: a text of the table of its kind, and its values")
    .optional(),
  network: z.string().describe("of a further network: its name").optional(),
  advice: z.string().describe("what to do, in English"),
  since: z.iso.datetime().describe("when it began"),
});

export const findingsData = z.strictObject({
  findings: z.array(finding).max(MAX_FINDINGS).describe("findings that are the case now, the most severe first"),
  leftOut: z.int().min(1).describe("findings for which there is no room").optional(),
  baseline: z.iso.datetime().describe("when the baseline was taken").optional(),
});

export const findingsMessage = envelopeOf(findingsData);

export type FindingsData = z.infer<typeof findingsData>;
export type Finding = z.infer<typeof finding>;
export type ReportedDevice = z.infer<typeof device>;
