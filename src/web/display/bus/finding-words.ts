/** The measurements of findings in the language and the units of the crew. */
import type { Sentence } from "../../../core/text/sentence.ts";
import { say } from "../languages/say.ts";
import { sentenceText } from "../languages/sentence-text.ts";

export interface Measured {
  readonly measured: string;
  readonly sentence?: Sentence | undefined;
  readonly network?: string | undefined;
}

/** The measurement as text; a hub-cand of an older version has it in English alone. */
export function measuredText({ measured, sentence, network }: Measured): string {
  if (sentence === undefined) return measured;
  const text = sentenceText(sentence);
  return network === undefined ? text : `${text} (${say("network {name}", { name: network })})`;
}
