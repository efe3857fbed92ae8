/** The documentation: complete, without broken links, and true. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { jsonSchemaOf } from "../../../src/core/report/json-schema.ts";
import { settingsEntries } from "../../../src/core/settings/entries.ts";
import { topicSchemas } from "../../../src/core/topics/schemas.ts";
import { hubCandOptions } from "../../../src/daemons/hub-cand-options.ts";
import { openApiDocument } from "../../../src/services/api/openapi.ts";
import { escaped } from "../../../src/web/docs/html.ts";
import { openBrowser, withoutChromium } from "../../support/browser.ts";
import { type ServedFolder, serveSite } from "./site.ts";

let site: ServedFolder;
let browser: Browser | undefined;
beforeAll(async () => {
  site = await serveSite();
  if (withoutChromium === undefined) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await site.close();
});

const page = (name: string): string => readFileSync(join(site.folder, "docs", name), "utf8");
const pages = (): readonly string[] => readdirSync(join(site.folder, "docs")).filter((name) => name.endsWith(".html"));

test("every link and every anchor of every page leads somewhere, and to no other host but this machine", () => {
  const { paths } = openApiDocument("1") as unknown as {
    paths: Record<string, Record<string, { tags: string[]; operationId: string }>>;
  };
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ tags, operationId }) => `/${tags[0]}/${operationId}`),
  );
  let count = 0;
  for (const name of [...pages(), "../index.html"]) {
    for (const [, link] of page(name).matchAll(/\b(?:href|src)="([^"]*)"/g)) {
      count += 1;
      if (/^https?:/.test(link!)) {
        expect(link, name).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
        continue;
      }
      const [path, anchor] = link!.split("#") as [string, string?];
      const target = path === "" ? name : posix.join(posix.dirname(name), path);
      const text = page(target);
      if (anchor === undefined) continue;
      if (anchor.startsWith("/")) expect(operations, link).toContain(anchor);
      else expect(text.includes(` id="${anchor}"`), `${name}: ${link}`).toBe(true);
    }
  }
  expect(count).toBeGreaterThan(500);
});

test("the search has every section of every page, with its text and without markup", () => {
  const index = JSON.parse(page("search.json")) as readonly (readonly [string, string, string, string])[];
  const addresses = pages().flatMap((name) => [
    name,
    ...[...page(name).matchAll(/<h[23] id="([^"]+)"/g)].map(([, id]) => `${name}#${id}`),
  ]);
  expect(index.map(([address]) => address).toSorted()).toEqual(addresses.toSorted());
  expect(index.find(([address]) => address === "settings.html#polar")?.[3]).toMatch(
    /^The page Boat of the display, Settings/,
  );
  expect(
    index.filter(([, , , text]) => /<\/?(td|tr|a|h2)\b|&(amp|lt);/.test(text)).map(([address]) => address),
  ).toEqual([]);
});

test("an identifier stands once on a page", () => {
  for (const name of pages()) {
    const identifiers = [...page(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(
      identifiers.filter((id, at) => identifiers.indexOf(id) !== at),
      name,
    ).toEqual([]);
  }
});

test("the reference has every PGN, topic, endpoint and option", () => {
  const missing = (name: string, texts: readonly string[]): readonly string[] => {
    const text = page(name);
    return texts.filter((each) => !text.includes(each));
  };
  const paths = Object.keys(openApiDocument("1").paths as object);
  expect(
    missing(
      "pgns.html",
      definitions.map(({ pgn, title }) => `>${pgn} ${escaped(title)}<`),
    ),
  ).toEqual([]);
  expect(
    missing(
      "topics.html",
      topicSchemas.map(({ address }) => `<code>${address}</code>`),
    ),
  ).toEqual([]);
  expect(
    missing(
      "http.html",
      paths.map((path) => `<code>${path}</code>`),
    ),
  ).toEqual([]);
  expect(
    missing(
      "commands.html",
      hubCandOptions.options.map(({ long }) => `--${long}`),
    ),
  ).toEqual([]);
});

test("the page of topics gives every speed, angle, temperature and time of the reports its unit", () => {
  const rows = [...page("topics.html").matchAll(/^(?:<tr>|.*<tbody><tr>)<td><code>([\w.[\]]+)<\/code>(.*)<\/tr>/gm)];
  const meanings = new Map(rows.map(([, member, cells]) => [member!, cells!.split("<td>").at(-1)!]));
  for (const [member, unit] of [
    ["data.speed_course.sog", "kn"],
    ["data.speed_course.speedThroughWater", "kn"],
    ["data.speed_course.cog", "degrees"],
    ["data.wind_apparent.speed", "kn"],
    ["data.wind_true.speed", "kn"],
    ["data.wind_true.angle", "degrees"],
    ["data.depth_water.depth", "m"],
    ["data.depth_water.waterTemperature", "°C"],
  ] as const)
    expect(meanings.get(member), member).toContain(unit);
});

test("the reference has every member of the settings with its default", () => {
  const text = page("settings-members.html");
  for (const { name, schema, title } of settingsEntries) {
    expect(text).toContain(`>${title}: ${name}<`);
    for (const [member, { properties = {}, default: standard }] of Object.entries(jsonSchemaOf(schema).properties!)) {
      expect(text).toContain(`<code>${member}</code>`);
      if (standard !== undefined && Object.keys(properties).length === 0)
        expect(text).toMatch(new RegExp(`<code>${member}</code>.*<code>${escaped(JSON.stringify(standard))}</code>`));
      for (const one of Object.keys(properties)) expect(text).toContain(`<code>${member}.${one}</code>`);
    }
  }
  expect(text).toMatch(/<code>cpa\.limit<\/code><\/td><td>number, 0\.01 to 10<\/td><td><code>0\.25<\/code>/);
});

const options = { skip: withoutChromium !== undefined };

test("pages ask no other host, say nothing to the console, and fit a phone", options, async () => {
  const context = await browser!.newContext({ viewport: { width: 390, height: 844 } });
  for (const name of pages()) {
    const tab = await context.newPage();
    const said: string[] = [];
    tab.on("console", (message) => said.push(message.text()));
    tab.on("pageerror", (error) => said.push(error.message));
    tab.on("request", (request) => request.url().startsWith(site.address) || said.push(request.url()));
    await tab.goto(`${site.address}/docs/${name}`);
    const overflow = await tab.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect(overflow, `${name} is wider than a phone`).toBeLessThanOrEqual(0);
    expect(said, name).toEqual([]);
    await tab.close();
  }
});

test("the filter finds PGNs by number, name and field, and a link to a hidden one shows it", options, async () => {
  const tab = await browser!.newPage();
  await tab.goto(`${site.address}/docs/pgns.html`);
  const shown = (): Promise<string[]> => tab.locator("h3:visible").allTextContents();
  const all = (await shown()).length;
  expect(all).toBeGreaterThanOrEqual(definitions.length);
  await tab.fill("#filter", "127250");
  expect(await shown()).toContain("127250 Vessel Heading");
  await tab.fill("#filter", "wind data");
  expect(await shown()).toContain("130306 Wind Data");
  await tab.fill("#filter", "commandedRudderDeg");
  expect(await shown()).toEqual(["127237 Heading/Track Control"]);
  expect(new URL(tab.url()).searchParams.get("q")).toBe("commandedRudderDeg");
  await tab.reload();
  expect(await shown()).toEqual(["127237 Heading/Track Control"]);
  await tab.evaluate("location.hash = '#127250'");
  await tab.locator("[id='127250']").waitFor({ state: "visible" });
  expect((await shown()).length).toBe(all);
  await tab.close();
  const plain = await browser!.newContext({ javaScriptEnabled: false });
  const page = await plain.newPage();
  await page.goto(`${site.address}/docs/pgns.html`);
  expect((await page.locator("h3:visible").allTextContents()).length).toBe(all);
});

test("the console leads to the documentation", options, async () => {
  const tab = await browser!.newPage();
  await tab.goto(`${site.address}/`);
  await tab.getByRole("link", { name: "Documentation" }).click();
  await tab.getByRole("heading", { level: 1, name: "hub" }).waitFor();
});

test("the search finds a section by words of its text, and leads there", options, async () => {
  const tab = await browser!.newPage();
  await tab.goto(`${site.address}/docs/index.html`);
  await tab.getByRole("searchbox", { name: "Search all pages" }).fill("WIND polar knots");
  await tab.locator(".search li a").first().click();
  await tab.waitForURL(/settings\.html#polar$/);
  await tab.getByRole("searchbox", { name: "Search all pages" }).fill("xyzzy");
  await tab.getByText("Nothing found").waitFor();
});
