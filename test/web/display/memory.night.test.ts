/** A page that is left is let go: a display at the helm is switched hundreds of times a day, for years. */
import type { CDPSession, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { useBoat, withoutDisplay } from "./boat.ts";
import { pages } from "./pages.ts";

const names = pages.map(({ name }) =>
  name === "value" ? "value/depth" : name === "trend" ? "trend/battery/20/0/voltageV" : name,
);
/** Changes of the page: as many as in a day at the helm. */
const ROUNDS = 12;

describe.skipIf(withoutDisplay !== undefined)(`memory${withoutDisplay ? ` (${withoutDisplay})` : ""}`, () => {
  const boat = useBoat({ keepsPages: true });
  let page: Page;
  let session: CDPSession;
  beforeAll(async () => {
    boat.bridge();
    ({ page } = await boat.open("sail"));
    session = await page.context().newCDPSession(page);
    await page.locator('[data-id=depth][data-kind="live"]').waitFor();
  });

  /** Shows a page for as long as it takes to draw what it hears. */
  async function show(name: string, milliseconds: number): Promise<void> {
    await page.evaluate(`location.hash = "#/${name}"`);
    await page.waitForTimeout(milliseconds);
  }

  /** Nodes of the page and bytes, without what waits for the garbage collector. */
  async function used(): Promise<{ readonly nodes: number; readonly bytes: number }> {
    await session.send("HeapProfiler.collectGarbage");
    const { nodes } = await session.send("Memory.getDOMCounters");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return { nodes, bytes: usedSize };
  }

  test("each page is let go when another one is shown", async () => {
    await page.evaluate("globalThis.shown = []");
    for (const name of names) {
      await show(name, 700);
      await page.evaluate(`shown.push(["${name}", new WeakRef(document.querySelector("main > *"))])`);
    }
    await show("more", 700);
    const held = (): Promise<unknown> =>
      page.evaluate(
        `shown.filter(([name, page]) => name !== "more" && page.deref() !== undefined).map(([name]) => name)`,
      );
    await expect
      .poll(
        async () => {
          await session.send("HeapProfiler.collectGarbage");
          return await held();
        },
        { timeout: 60_000 },
      )
      .toEqual([]);
  }, 120_000);

  test("changes of the page leave nothing behind", async () => {
    const round = async (): Promise<void> => {
      for (const name of names) await show(name, 250);
    };
    // Data that is loaded or drawn only once does not count.
    await round();
    await show("more", 2000);
    const before = await used();
    for (let rounds = 0; rounds < ROUNDS; rounds++) await round();
    await show("more", 2000);
    const after = await used();
    expect(after.nodes - before.nodes).toBeLessThan(100);
    expect(after.bytes - before.bytes).toBeLessThan(4e6);
  }, 600_000);
});
