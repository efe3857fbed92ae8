/** The documentation site: hand-written chapters and pages generated from the programs. */

import { publicPgns } from "../../core/n2k/public-pgns.ts";
import type { JsonObject } from "../../core/project/json.ts";
import { asyncApiDocument } from "../../core/topics/async-api.ts";
import { publicTopicSchemas, topicSchemas } from "../../core/topics/schemas.ts";
import { unitsTable } from "../../core/topics/units.ts";
import { openApiDocument } from "../../services/api/openapi.ts";
import { documentOf, fromMarkdown, type Page } from "./html.ts";
import { commandPage, httpPage, pgnPage, publicPgnPage, settingsPage, signalKPage, topicPage } from "./reference.ts";
import { searchIndex } from "./search-index.ts";

/** The chapters in the order of the navigation, which is that of `docs/index.md`. */
export const chapterNames = [
  "index",
  "display",
  "alarms",
  "voyages",
  "troubleshooting",
  "words",
  "card",
  "connect",
  "containers",
  "settings",
  "sensors",
  "projects",
  "chart-plotters",
  "signalk",
  "signalk-server",
  "home-assistant",
  "history",
  "clock",
  "security",
  "findings",
  "recordings",
  "errors",
  "performance",
  "fleet",
  "fleet-configuration",
  "data",
  "own-display",
] as const;

const chapterPage = (name: string, markdown: string): Page => ({
  name,
  title: /^# (.+)$/m.exec(markdown)![1]!,
  body: fromMarkdown(markdown),
});

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Every file of the site by name; `chapters`: Markdown of the chapters by name, `table`: the table of the public PGNs.
 */
export function siteFiles(
  chapters: Readonly<Record<(typeof chapterNames)[number], string>>,
  version: string,
  table: string,
): ReadonlyMap<string, string> {
  const others = publicPgns(table);
  const topics = [...topicSchemas, ...publicTopicSchemas(others)];
  const pages = [
    ...chapterNames.map((name) => chapterPage(name, chapters[name])),
    pgnPage(),
    publicPgnPage(others),
    topicPage(topics),
    signalKPage(),
    settingsPage(),
    httpPage(openApiDocument(version) as unknown as JsonObject),
    commandPage(),
  ];
  return new Map([
    ...pages.map((page): [string, string] => [`${page.name}.html`, documentOf(page, pages, version)]),
    ...topics.map(({ id, schema }): [string, string] => [`${id}.schema.json`, json(schema)]),
    ["search.json", JSON.stringify(searchIndex(pages))],
    ["asyncapi.json", json(asyncApiDocument(topics, version, ""))],
    ["units.json", json(unitsTable(topics))],
  ]);
}
