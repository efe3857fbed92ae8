/**
 * hub's own sentences, which a multiplexer may send back: hub-link marks its output with a sentence of its own. While the
 * mark comes, all sentences that hub-link writes are taken for its own: an echo of the boat's data would be a source
 * that is never wrong and always late, and AIS targets would never expire.
 */
import { navigationSentences } from "../navigation-sentences.ts";
import { pgnSentences } from "../pgn-sentences.ts";
import { framed } from "../sentence.ts";
import type { Fields } from "./fields.ts";

/** The sentence between its first character and its checksum. */
export const OWN_MARK = "PHUBL,1";
export const ownMark = framed("$", OWN_MARK);

const own: ReadonlySet<string> = new Set([
  ...[...navigationSentences, ...pgnSentences].map(({ talker, id }) => talker + id),
  "IIXDR",
  "AIVDM",
  "AIVDO",
]);

/** Whether hub-link writes such sentences. */
export const isOwn = ({ talker, letters }: Fields): boolean => own.has(talker + letters);
