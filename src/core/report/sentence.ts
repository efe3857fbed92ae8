/** Sentences as members of a report. */
import * as z from "zod";
import { type Sentence, sentenceKinds, sentenceUnits } from "../text/sentence.ts";
import { decimal } from "./number.ts";

const sentenceValue = z
  .strictObject({
    text: z.string().describe("a name").optional(),
    word: z.string().describe("a word of a table, in English").optional(),
    list: z.array(z.string()).describe("names").optional(),
    date: z.string().describe("a day, as 2026-11-28, or a time").optional(),
    number: decimal(3).optional(),
    unit: z.enum(sentenceUnits).describe("of the number").optional(),
    kind: z.enum(sentenceKinds).describe("of the number: a depth, or the address of a device").optional(),
  })
  .describe("one of text, word, list, date and number");

export const sentenceSchema: z.ZodType<Sentence> = z.strictObject({
  text: z.string().describe("in English, with {1}, {2} … in the places of its values"),
  values: z.array(sentenceValue),
});

export const sentencesSchema: z.ZodType<readonly Sentence[]> = z.array(sentenceSchema);
