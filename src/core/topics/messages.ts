/**
 * Messages of the topics as JavaScript reads them: a NAME is the text of its digits, because a double does not hold 64
 * bits.
 */
import { quoteNames } from "../text/quote-names.ts";
import { type TopicName, topics } from "./topics.ts";

const utf8 = new TextDecoder();

/** The value of a payload. Throws SyntaxError for a payload that is not JSON. */
export function readJson(topic: TopicName, payload: Uint8Array): unknown {
  const text = utf8.decode(payload);
  return JSON.parse("hasNames" in topics[topic] ? quoteNames(text) : text);
}
