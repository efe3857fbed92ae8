/** Patterns of contexts and paths in subscriptions: `*` stands for any text, dots included. */

export interface Pattern {
  readonly text: string;
  readonly hasWildcard: boolean;
  readonly matchesAll: boolean;
  matches(text: string): boolean;
}

export function patternOf(text: string): Pattern {
  const hasWildcard = text.includes("*");
  const matchesAll = text === "*";
  if (matchesAll) return { text, hasWildcard, matchesAll, matches: () => true };
  if (!hasWildcard) return { text, hasWildcard, matchesAll, matches: (other) => other === text };
  const parts = text.split("*");
  return { text, hasWildcard, matchesAll, matches: (other) => matchesParts(parts, other) };
}

/** Takes each part at its first place, which needs no backtracking, unlike a regular expression with many `.*`. */
function matchesParts(parts: readonly string[], text: string): boolean {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
