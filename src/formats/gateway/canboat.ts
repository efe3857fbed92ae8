/**
 * Lines of canboat's programs. Lines of frames and lines of messages look alike; a comment at the beginning, `#
 * format=FAST` or `PLAIN_MIX_FAST`, says what they are, else the first line of more than eight bytes that they are
 * messages.
 */
import { canboatFast, canboatMixed, canboatPlain } from "../recording/formats/canboat.ts";
import type { Reader } from "../recording/formats/format.ts";
import type { Gateway, Session } from "./gateway.ts";
import { noDate, textAt } from "./text.ts";

const LINE_FEED = 0x0a;
const HASH = 0x23;
const declaredFormats = new Map([
  ["FAST", canboatFast],
  ["PLAIN_MIX_FAST", canboatMixed],
]);
/** Maximum length of the comments. */
const LONGEST_HEAD = 4096;

/** The bytes of the comments at the beginning of `head`, up to the first other line; -1: that line is not there yet. */
function endOfComments(head: Uint8Array): number {
  let at = 0;
  while (at < head.length && (head[at] === HASH || head[at] === LINE_FEED)) {
    const lineFeed = head.indexOf(LINE_FEED, at);
    if (lineFeed < 0) return -1;
    at = lineFeed + 1;
  }
  return at < head.length ? at : -1;
}

function open(): Session {
  let head = new Uint8Array(0);
  let reader: Reader | undefined;
  return {
    get malformed() {
      return reader?.malformed ?? 0;
    },
    read(chunk, end, writer) {
      if (reader !== undefined) {
        reader.read(chunk, end, writer);
        return;
      }
      const whole = new Uint8Array(head.length + chunk.length);
      whole.set(head);
      whole.set(chunk, head.length);
      head = whole;
      const comments = endOfComments(head);
      if (comments < 0 && head.length < LONGEST_HEAD) return;
      const [, declared = ""] = /format=(\w+)/.exec(textAt(head, 0, comments < 0 ? head.length : comments)) ?? [];
      reader = (declaredFormats.get(declared) ?? canboatPlain).createReader(noDate);
      reader.read(head, end, writer);
      head = new Uint8Array(0);
    },
  };
}

export const canboat: Gateway = {
  title: "canboat PLAIN and FAST",
  endpoints: [{ scheme: "canboat+tcp", transport: "tcp" }],
  carries: "both",
  hasDates: true,
  open,
};
