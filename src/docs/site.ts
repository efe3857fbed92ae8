/** The documentation as files: hand-written chapters and what is read from the programs. */
import { consoleDocument } from "../api/console-document.ts";
import { topicSchemas } from "../bridge/topic-schemas.ts";
import { asyncApiDocument } from "../n2k/async-api.ts";
import { documentOf, fromMarkdown, type Page } from "./html.ts";
import { commandPage, httpPage, pgnPage, topicPage } from "./reference.ts";

/** The chapters in the order of the navigation, as they are named in `docs/`. */
export const chapterNames = [
  "index",
  "data",
  "settings",
  "recordings",
  "projects",
  "security",
  "display",
  "performance",
] as const;

const chapterPage = (name: string, markdown: string): Page => ({
  name,
  title: /^# (.+)$/m.exec(markdown)![1]!,
  body: fromMarkdown(markdown),
});

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Every file of the site by its name; `chapters` is the Markdown of the chapters by theirs. */
export function siteFiles(
  chapters: Readonly<Record<(typeof chapterNames)[number], string>>,
  version: string,
): ReadonlyMap<string, string> {
  const pages = [
    ...chapterNames.map((name) => chapterPage(name, chapters[name])),
    pgnPage(),
    topicPage(),
    httpPage(consoleDocument(version)),
    commandPage(),
  ];
  return new Map([
    ...pages.map((page): [string, string] => [`${page.name}.html`, documentOf(page, pages, version)]),
    ...topicSchemas.map(({ id, schema }): [string, string] => [`${id}.schema.json`, json(schema)]),
    ["asyncapi.json", json(asyncApiDocument(topicSchemas, version))],
  ]);
}
