/** Text of XML 1.0. */

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text of an element or of an attribute in quotes, also of HTML: characters that XML 1.0 does not have are left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll(/[&<>"]/g, (character) => entities[character]!);

/** An element with its text; nothing without a text. */
export const element = (name: string, text: unknown): string =>
  text === undefined || text === null || text === "" ? "" : `<${name}>${escaped(String(text))}</${name}>`;
