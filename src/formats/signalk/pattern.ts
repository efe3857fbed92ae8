/** Patterns of contexts and paths in subscriptions: `*` stands for any text, dots included. */

export interface Pattern {
  readonly text: string;
  readonly hasWildcard: boolean;
  matches(text: string): boolean;
}

export function patternOf(text: string): Pattern {
  const hasWildcard = text.includes("*");
  if (text === "*") return { text, hasWildcard, matches: () => true };
  if (!hasWildcard) return { text, hasWildcard, matches: (other) => other === text };
  const parts = text.split("*");
  const [first, last, between] = [parts[0]!, parts.at(-1)!, parts.slice(1, -1)];
  return { text, hasWildcard, matches: (other) => matchesParts(first, between, last, other) };
}

/** Matches each part at its first place, without the backtracking of a regular expression with many `.*`. */
function matchesParts(first: string, between: readonly string[], last: string, text: string): boolean {
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of between) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
