/** A view that throws costs itself: it says so, is counted, can be opened again, and what is beside it lives. */
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../../support/browser.ts";
import { withoutDisplay } from "./boat.ts";

/** A view that counts its updates, beside another one; it throws when `fails` says so. */
const contents = `
  import { signal } from "@preact/signals";
  import { render } from "preact";
  import { useEffect } from "preact/hooks";
  import { failures } from "./src/web/display/data/failures.ts";
  import { Boundary } from "./src/web/display/parts/boundary.tsx";
  const count = signal(0);
  const rest = signal(0);
  function View() {
    const at = count.value;
    if (globalThis.fails.render <= at) throw new Error("planted render");
    useEffect(() => { if (globalThis.fails.effect <= at) throw new Error("planted effect"); }, [at]);
    return <button id="view" onClick={() => { if (globalThis.fails.handler) throw new Error("planted handler"); }}>view {at}</button>;
  }
  const Rest = () => <output id="rest" onClick={() => { if (globalThis.fails.rest) throw new Error("planted rest"); }}>rest {rest.value}</output>;
  globalThis.update = (times) => { for (let i = 0; i < times; i++) { count.value++; rest.value++; } };
  globalThis.failures = failures;
  globalThis.start = () => render(
    <Boundary name="All" within="body"><div><Boundary name="The view" within="#view"><View /></Boundary><Boundary name="The rest" within="#rest"><Rest /></Boundary></div></Boundary>,
    document.body,
  );
`;

describe.skipIf(withoutDisplay !== undefined)(
  `a view that throws${withoutDisplay ? ` (${withoutDisplay})` : ""}`,
  () => {
    let browser: Browser;
    let script: string;
    beforeAll(async () => {
      browser = await openBrowser();
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: process.cwd(), loader: "tsx" },
        ...{ bundle: true, write: false, format: "iife", jsx: "automatic", jsxImportSource: "preact" },
      });
      script = outputFiles[0]!.text;
    });
    afterAll(async () => await browser?.close());

    async function opened(fails: object): Promise<Page> {
      const page = await browser.newPage();
      await page.addScriptTag({ content: `globalThis.fails = ${JSON.stringify(fails)}; ${script} start();` });
      return page;
    }

    const cases: readonly (readonly [name: string, fails: object, provoke: (page: Page) => Promise<unknown>])[] = [
      ["at its first render", { render: 0 }, async () => {}],
      ["at its thousandth update", { render: 1000 }, async (page) => await updateTo(page, 1000)],
      ["in an effect", { effect: 3 }, async (page) => await updateTo(page, 3)],
      ["in an event handler", { handler: true }, async (page) => await page.locator("#view").click()],
    ];
    /** One render for each update. */
    const updateTo = (page: Page, count: number): Promise<unknown> =>
      page.evaluate(
        `(async () => { for (let i = 0; i < ${count}; i++) { update(1); await new Promise((done) => setTimeout(done)); } })()`,
      );
    test.each(cases)("%s: it says so and is opened again; the rest goes on", async (_name, fails, provoke) => {
      const page = await opened(fails);
      await provoke(page);
      const failed = page.locator("[data-id=failed]");
      await failed.waitFor();
      expect(await failed.textContent()).toMatch(/^The view cannot be shown: planted/);
      expect(await page.evaluate("[...failures].map(([part, { count }]) => [part, count])")).toEqual([["The view", 1]]);
      const before = await page.locator("#rest").textContent();
      await page.evaluate("update(1)");
      await expect.poll(() => page.locator("#rest").textContent()).not.toBe(before);
      // It fails again as long as its cause lasts.
      if ("render" in fails) {
        await failed.locator("button").click();
        await expect.poll(() => failed.textContent()).toContain("failed 2 times");
      }
      await page.evaluate("globalThis.fails = {}");
      await failed.locator("button").click();
      await page.locator("#view").waitFor();
      await page.evaluate("update(1)");
      await expect.poll(() => page.locator("#view").textContent()).not.toBe("view 0");
      expect(await failed.count()).toBe(0);
      await page.close();
    });

    test("is opened again by itself after five seconds", async () => {
      const page = await opened({ render: 0 });
      await page.locator("[data-id=failed]").waitFor();
      await page.evaluate("globalThis.fails = {}");
      await page.locator("#view").waitFor();
      await page.close();
    });

    test("a fault outside of any event is nobody's view", async () => {
      const page = await opened({});
      await page.locator("#view").click();
      await page.evaluate("setTimeout(() => { throw new Error('planted elsewhere'); })");
      await page.waitForEvent("pageerror").catch(() => {});
      expect(await page.locator("[data-id=failed]").count()).toBe(0);
      await page.close();
    });
  },
);
