/**
 * The text of an alarm in the language of the crew. hub-cand sends English: parts between commas, of which some have a
 * number or a name. What no catalogue has, such as the words of a device, stays.
 */
import { numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import type { Text } from "../languages/texts.ts";

/** Parts with a value. */
const withValue = [
  "measured {value}",
  "reported by charger {value}",
  "reported by inverter {value}",
  "reported by the automatic start of generator {value}",
  "falls by {value} m/s",
  "address {value}",
  "in {value} s",
  "{value} min ago",
] as const satisfies readonly Text[];

const patterns = withValue.map((text) => [text, text.split("{value}") as [string, string]] as const);

/** The translation of the whole text, or else what is made of its parts. */
function saidOr(text: string, otherwise: (text: string) => string): string {
  const spoken = said(text);
  return spoken === text ? otherwise(text) : spoken;
}

function partText(part: string): string {
  for (const [text, [before, after]] of patterns) {
    const value = part.slice(before.length, part.length - after.length);
    if (part === `${before}${value}${after}` && /\d/.test(value)) return say(text, { value: numberText(value) });
  }
  const [, head, rest] = /^(.*?): (.*)$/.exec(part) ?? [];
  return head === undefined ? part : `${said(head)}: ${said(rest!)}`;
}

/** @example spokenText("low oil level, reported by the engine") // "Ölstand niedrig, vom Motor gemeldet" */
export const spokenText = (text: string): string =>
  saidOr(text, () =>
    text
      .split(/(, |; )/)
      .map((part, index) => (index % 2 === 0 ? saidOr(part, partText) : part))
      .join(""),
  );
