/** Warnings about the rows of the crew's own limits. */
import { say } from "../languages/say.ts";

/** A warning of hub-cand about the settings of the alarms, in the words of the form where it is about one of these rows. */
export function limitComplaint(warning: string, rows: unknown): string {
  const [, at, why] = /^limits rows (\d+) (.*?)(?: \(.*\))?$/.exec(warning) ?? [];
  if (at === undefined || !Array.isArray(rows)) return warning;
  const { text: limit = "" } = (rows as readonly { readonly text?: string }[])[Number(at)] ?? {};
  switch (why) {
    case "needs above or below, or is":
      return say("{limit}: type a number above or below which it rings", { limit });
    case "needs above over below":
      return say("{limit}: the number above has to be the greater one", { limit });
    case "has the id of a row above":
      return say("{limit}: remove this row and add it once more", { limit });
    default:
      return warning;
  }
}
