/** HTML of the documentation site: the layout of every page, and Markdown by marked. Runs when the site is built. */
import { Marked } from "marked";

export interface Page {
  /** File name without `.html`. */
  readonly name: string;
  readonly title: string;
  /** HTML of the content of `main`. */
  readonly body: string;
  /** Whether the page has a filter over its sections. */
  readonly filter?: boolean;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text escaped for HTML and for quoted attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign]!);

/** The fragment of a heading, as GitHub makes it: apostrophes are removed. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("'", "")
    .replace(/&\w+;|[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const inside = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1>${inside}</h1>\n`;
      const id = /^\d{5,6}/.exec(text)?.[0] ?? slug(text);
      return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inside}</a></h${depth}>\n`;
    },
    // Code is focusable, so that it can be scrolled by keyboard.
    code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    link({ href, tokens }) {
      return `<a href="${escaped(href.replace(/^([\w-]+)\.md/, "$1.html"))}">${this.parser.parseInline(tokens)}</a>`;
    },
  },
});

/** Markdown as HTML; links to `other.md` become links to its page. */
export const fromMarkdown = (text: string): string =>
  (marked.parse(text) as string)
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    // The corner of a table is no heading.
    .replaceAll("<th></th>", "<td></td>");

/** The corner of a table is no heading. */
const headCell = (cell: string): string => (cell === "" ? "<td></td>" : `<th>${cell}</th>`);

/** A table of HTML cells. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="wide" tabindex="0"><table><thead><tr>${head.map(headCell).join("")}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
    .join("\n")}</tbody></table></div>`;

/** A page as a whole document; `all` are the pages of the site in the order of its navigation. */
export const documentOf = (page: Page, all: readonly Page[], version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; object-src 'none'">
<title>${escaped(page.title)}${page.name === "index" ? " documentation" : " – hub"}</title>
<link rel="icon" type="image/png" href="../favicon-32x32.png">
<link rel="stylesheet" href="site.css">
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header><nav aria-label="Pages"><ul>
${all
  .map(
    ({ name, title }) =>
      `<li><a href="${name}.html"${name === page.name ? ' aria-current="page"' : ""}>${escaped(title)}</a></li>`,
  )
  .join("\n")}
<li><a href="../index.html">Console</a></li>
</ul></nav></header>
<main id="content">
${page.body}</main>
<footer>hub ${escaped(version)}</footer>
<script type="module" src="search.js"></script>
${page.filter ? '<script type="module" src="filter.js"></script>\n' : ""}</body>
</html>
`;
