/** The documentation site: hand-written chapters and pages generated from the programs. */
import { openApiDocument } from "../api/openapi.ts";
import { asyncApiDocument } from "../bridge/async-api.ts";
import { topicSchemas } from "../bridge/topic-schemas.ts";
import type { JsonObject } from "../project/json.ts";
import { documentOf, fromMarkdown, type Page } from "./html.ts";
import { commandPage, httpPage, pgnPage, topicPage } from "./reference.ts";

/** The chapters in the order of the navigation, named as in `docs/`. */
export const chapterNames = [
  "index",
  "data",
  "settings",
  "alarms",
  "recordings",
  "projects",
  "security",
  "errors",
  "display",
  "performance",
] as const;

const chapterPage = (name: string, markdown: string): Page => ({
  name,
  title: /^# (.+)$/m.exec(markdown)![1]!,
  body: fromMarkdown(markdown),
});

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Every file of the site by name; `chapters`: Markdown of the chapters by name. */
export function siteFiles(
  chapters: Readonly<Record<(typeof chapterNames)[number], string>>,
  version: string,
): ReadonlyMap<string, string> {
  const pages = [
    ...chapterNames.map((name) => chapterPage(name, chapters[name])),
    pgnPage(),
    topicPage(),
    httpPage(openApiDocument(version) as unknown as JsonObject),
    commandPage(),
  ];
  return new Map([
    ...pages.map((page): [string, string] => [`${page.name}.html`, documentOf(page, pages, version)]),
    ...topicSchemas.map(({ id, schema }): [string, string] => [`${id}.schema.json`, json(schema)]),
    ["asyncapi.json", json(asyncApiDocument(topicSchemas, version, ""))],
  ]);
}
