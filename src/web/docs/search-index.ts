/** The index of the search: the sections of all pages with their text. Runs when the site is built. */
import type { Page } from "./html.ts";

/** Address, title of the page, heading, and text. */
export type SearchEntry = readonly [address: string, page: string, heading: string, text: string];

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The text of HTML in one line. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/&([\w#]+);/g, (all, name: string) => entities[name] ?? all)
    .replace(/\s+/g, " ")
    .trim();

/** A section begins at a heading with an id; what stands before the first belongs to the page itself. */
const headings = /<h[23] id="([^"]+)">(.*?)<\/h[23]>/g;

function entriesOf({ name, title, body }: Page): readonly SearchEntry[] {
  const [top = "", ...rest] = body.split(/(?=<h[23] id=")/);
  const sections = rest.map((html): SearchEntry => {
    const [heading = "", id = "", text = ""] = [...html.matchAll(headings)][0] ?? [];
    return [`${name}.html#${id}`, title, textOf(text), textOf(html.slice(heading.length))];
  });
  return [[`${name}.html`, title, "", textOf(top.replace(/<h1>.*?<\/h1>/, ""))], ...sections];
}

export const searchIndex = (pages: readonly Page[]): readonly SearchEntry[] => pages.flatMap(entriesOf);
