/** Topic filters of MQTT, without `#`: one level is one level, or `+` for any. */

/** Whether a text is a filter for the topics of one sensor. */
export const isTopicFilter = (text: string): boolean =>
  !text.startsWith("$") &&
  !/[#\0]/.test(text) &&
  text.split("/").every((level) => level === "+" || !level.includes("+"));

/** Whether a filter matches a topic; a wildcard at its beginning does not match the broker's own topics, `$SYS/…`. */
export function matchesTopic(filter: string, topic: string): boolean {
  if (filter === topic) return true;
  if (!filter.includes("+") || topic.startsWith("$")) return false;
  const [wanted, levels] = [filter.split("/"), topic.split("/")];
  return wanted.length === levels.length && wanted.every((level, at) => level === "+" || level === levels[at]);
}

/** Whether a topic is hub's own: of hub-cand with this prefix, or an identity. No message comes round. */
export const isOwnTopic = (topic: string, prefix: string): boolean =>
  topic.startsWith(`${prefix}/`) || topic.startsWith("app/");
