/** Text of XML 1.0: characters that it does not have are left out. */

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll(/[&<>"]/g, (character) => entities[character]!);

/** An element with its text; nothing without a text. */
export const element = (name: string, text: string): string =>
  text === "" ? "" : `<${name}>${escaped(text)}</${name}>`;

export const isoTime = (time: number): string => new Date(time).toISOString();
