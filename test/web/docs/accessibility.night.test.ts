/** Axe finds nothing on the pages of the documentation and on the console. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../../support/browser.ts";
import { type ServedFolder, serveSite } from "./site.ts";

let site: ServedFolder;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([serveSite(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/**
 * An expression that gives what axe finds. What it passes, and how elements are selected, would take most of its time.
 */
const axeRun = (rules = ""): string =>
  `axe.run({ ${rules} resultTypes: ["violations"], selectors: false }).then(({ violations }) => violations)`;

/**
 * Hides rows that tell axe nothing new: with the same tags, classes and places of text as others of the page. The first
 * two and the last of each form stay, and the first of each table.
 */
const hideRepeatedRows = `{
  const rows = Map.groupBy(document.querySelectorAll("tbody tr"), (row) =>
    row.outerHTML.replace(/>[^<]+/g, ">text").replace(/ (id|href)="[^"]+"/g, ' $1="value"'));
  for (const alike of rows.values())
    for (const row of alike.slice(2, -1)) if (row.previousElementSibling !== null) row.style.display = "none";
}`;

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Axe finds nothing on a page of the documentation, by day and by night. */
async function expectAccessible(tab: Page, name: string): Promise<void> {
  // Axe takes minutes for hundreds of sections of one form: the first of them stand for all.
  await tab.evaluate(
    "document.querySelectorAll(':is(section, h3):nth-of-type(n + 8), h3:nth-of-type(n + 8) ~ *').forEach((one) => one.remove())",
  );
  await tab.evaluate(hideRepeatedRows);
  await tab.addScriptTag({ path: axe });
  // Nothing but the colours differs in the dark.
  for (const [colorScheme, rules] of [["light"], ["dark", "runOnly: ['color-contrast'],"]] as const) {
    await tab.emulateMedia({ colorScheme });
    const findings = await tab.evaluate<Finding[]>(axeRun(rules));
    expect(
      findings.map(({ id, nodes }) => [id, nodes[0]?.html]),
      `${name}, ${colorScheme}`,
    ).toEqual([]);
  }
}

test("pages have no finding of axe, by day and night", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, bypassCSP: true });
  for (const name of readdirSync(join(site.folder, "docs")).filter((each) => each.endsWith(".html"))) {
    const tab = await context.newPage();
    await tab.goto(`${site.address}/docs/${name}`);
    await expectAccessible(tab, name);
    await tab.close();
  }
});

test("the console has no finding of axe: closed, open, tried out, asking for a password", async () => {
  const context = await browser.newContext({ bypassCSP: true });
  const tab = await context.newPage();
  await tab.goto(`${site.address}/`);
  await tab.addScriptTag({ path: axe });
  const findings = async (): Promise<readonly (readonly [string, string | undefined])[]> => {
    const found = await tab.evaluate<Finding[]>(axeRun());
    return found.map(({ id, nodes }) => [id, nodes[0]?.html] as const);
  };
  for (const tag of ["service", "deploy", "project", "settings"]) await tab.locator(`#operations-tag-${tag}`).click();
  await tab.locator(".opblock-delete").first().waitFor();
  expect(await findings()).toEqual([]);
  for (const method of ["get", "put", "delete"])
    await tab.locator(`.opblock-${method} .opblock-summary-control`).last().click();
  await tab.locator(".opblock-body .execute").nth(2).waitFor();
  expect(await findings()).toEqual([]);
  for (const cancel of await tab.locator(".try-out__btn").all()) await cancel.click();
  expect(await findings()).toEqual([]);
  await tab.locator(".btn.authorize").first().click();
  await tab.locator(".dialog-ux .close-modal").waitFor();
  expect(await findings()).toEqual([]);
});
