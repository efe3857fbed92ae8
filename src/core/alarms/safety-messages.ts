/** Safety messages of AIS, as notices. */
import { verbatim } from "../text/sentence.ts";
import type { Heard } from "./heard.ts";
import type { Memory } from "./reads.ts";

/** Time for which a safety message is shown; a station repeats a message that is still in force. */
const SHOWN_MS = 600_000;

const hashOf = (text: string): string =>
  Array.from(text)
    .reduce((hash, character) => (hash * 31 + character.codePointAt(0)!) >>> 0, 0)
    .toString(36);

interface SafetyMessage {
  readonly mmsi?: number | undefined;
  readonly text?: string | undefined;
}

export function raiseSafetyMessage({ notices }: Memory, { mmsi, text: sent }: SafetyMessage, { arrived }: Heard): void {
  const text = sent?.trim();
  if (mmsi === undefined || !text) return;
  // Another text of the same station is another message.
  const key = `${mmsi}-${hashOf(text)}`;
  const sentences = [verbatim(text)];
  notices.raise({
    kind: "safetyMessage",
    key,
    severity: "warning",
    subject: mmsi,
    sentences,
    until: arrived + SHOWN_MS,
  });
}
