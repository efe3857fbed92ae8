/** The report of the boat's computer about new versions of hub, which hub-configd serves in `GET /update`. */
import * as z from "zod";
import { jsonIn } from "../util/json-in.ts";

export const updateReport = z.strictObject({
  phase: z.enum(["idle", "checking", "installing", "watching", "returning"]).describe("what it does now"),
  installed: z.string().describe("version that is installed"),
  available: z.string().describe("newer version whose packages are at hand").optional(),
  news: z.array(z.string()).describe("what is new in it, and what to do with it").optional(),
  before: z.string().describe("former version whose packages are kept").optional(),
  isNightly: z.boolean().describe("whether a newer version is installed at night"),
  result: z
    .enum(["unchanged", "found", "installed", "returned", "failed"])
    .describe("outcome of the last request; returned: the version of before is in force again")
    .optional(),
  reason: z.string().describe("why it failed, or why the version of before was taken again").optional(),
  at: z.iso.datetime().describe("time of the outcome").optional(),
});

type Parsed = z.infer<typeof updateReport>;

/** Members are absent, never undefined, so that it is JSON as it is. */
export type UpdateReport = { readonly [Name in keyof Parsed]: Exclude<Parsed[Name], undefined> };

/**
 * Requests, as the names of files in the folder that the updating program looks at: look for a newer version, install it,
 * take the former one again, and install newer ones at night or not.
 */
export const updateRequests = ["check", "install", "back", "nightly", "asked"] as const;
export type UpdateRequest = (typeof updateRequests)[number];

/** The report in the text of a file; undefined for anything else. */
export const parseUpdateReport = (text: string): UpdateReport | undefined =>
  updateReport.safeParse(jsonIn(text)).data as UpdateReport | undefined;
