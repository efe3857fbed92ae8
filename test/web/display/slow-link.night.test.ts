/** The display over a link that is slow, stalls and bursts: "Live" is true, and so are the ages. */
import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type SlowLink, slowLink } from "../../support/slow-link.ts";
import { keepingNothing, useBoat, withoutDisplay } from "./boat.ts";

/** The text of the head, the age of the shown speed, and the age of the last report on arrival. */
interface Look {
  readonly at: number;
  readonly status: string;
  readonly kind: string;
  readonly age: number;
  readonly delay: number;
}

/** Two seconds, half a second until it is certain, and until the next look. */
const LATEST_LIVE_MS = 3300;
/** The age that is shown is of the last second's frame. */
const TOLERANCE_MS = 1000;

describe.skipIf(withoutDisplay !== undefined)(`a slow link${withoutDisplay ? ` (${withoutDisplay})` : ""}`, () => {
  const boat = useBoat();
  let link: SlowLink;
  beforeAll(async () => {
    boat.bridge();
  });
  afterEach(() => link.close());

  /**
   * Opens a page over a link of its own; `heard` has the delay of the last report and the times of all, by this
   * machine's clock.
   */
  async function open(name: string, settings: object = {}) {
    link = await slowLink(boat.webSocketPort);
    const context = await boat.browser.newContext({ ...keepingNothing, viewport: { width: 1024, height: 600 } });
    await context.addInitScript(
      `localStorage["hub-display"] ??= ${JSON.stringify(JSON.stringify({ light: "day", ...settings }))};`,
    );
    const page = await context.newPage();
    const heard = { delay: 0, times: [] as number[] };
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        const text = String(payload);
        for (const [, date] of text.matchAll(/can\/can0\/navigation\{.*?"rxDate":"([^"]+)"/gs)) {
          heard.times.push(Date.now());
          heard.delay = Date.now() - Date.parse(date!);
        }
      }),
    );
    const url = new URL(`./#/${name}`, boat.url);
    url.searchParams.set("broker", `ws://127.0.0.1:${link.port}`);
    await page.goto(url.href);
    return { page, heard };
  }

  const statusOf = (page: Page): Promise<string> => page.locator("[data-id=link]").innerText();

  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 100));
  }

  /** Looks every quarter of a second until it holds. */
  async function watch(
    { page, heard }: Awaited<ReturnType<typeof open>>,
    isEnough: (looks: readonly Look[]) => boolean,
  ): Promise<readonly Look[]> {
    const looks: Look[] = [];
    const begin = Date.now();
    while (!isEnough(looks)) {
      const before = heard.delay;
      const [status, kind, age] = (await page.evaluate(`(() => {
        const cell = document.querySelector("[data-id=sog]");
        const foot = cell.querySelector(".foot").textContent;
        const [, number, unit] = /([0-9.]+) (s|min)( ago)?$/.exec(foot) ?? [];
        return [
          document.querySelector("[data-id=link]").textContent,
          cell.dataset.kind,
          // An age up to two seconds is not shown.
          Number(number ?? 2) * (unit === "min" ? 60 : 1),
        ];
      })()`)) as [string, string, number];
      looks.push({ at: Date.now() - begin, status, kind, age, delay: Math.min(before, heard.delay) });
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    return looks;
  }

  /** No look says "Live" of what was late, or gives an age that is younger than the delay. */
  function expectTruth(looks: readonly Look[]): void {
    const untrue = looks.filter(({ status, age, delay }, index) => {
      const before = Math.min(delay, looks[index - 1]?.delay ?? 0);
      return (status.startsWith("Live") && before > LATEST_LIVE_MS) || age < (before - TOLERANCE_MS) / 1000;
    });
    expect(untrue).toEqual([]);
  }

  test.each([8000, 12_000])(
    "%d bytes a second: what is late is called so, less is asked for, and all again when the link is good",
    async (bytesPerSecond) => {
      const opened = await open("sail");
      await until(async () => (await statusOf(opened.page)) === "Live");
      await until(async () => opened.heard.times.length > 30);
      // Between two looks, too.
      await opened.page.evaluate(`{
        const status = document.querySelector("[data-id=link]");
        globalThis.statuses = [];
        new MutationObserver(() => statuses.push(status.textContent)).observe(status, {
          ...{ characterData: true, childList: true, subtree: true },
        });
      }`);
      link.bytesPerSecond = bytesPerSecond;
      const late = await watch(opened, (looks) => looks.at(-1)?.status === "Live, slow link");
      expectTruth(late);
      expect(await opened.page.evaluate("statuses.some((status) => status.startsWith('Late by'))")).toBe(true);
      expect(late.at(-1)!.at).toBeLessThan(25_000);
      const slow = await watch(opened, (looks) => (looks.at(-1)?.at ?? 0) > 12_000);
      expectTruth(slow);
      const inTime = slow.filter(({ status, kind }) => status === "Live, slow link" && kind === "live");
      // A busy machine delays samples and reports; of those that it has not delayed nearly all are called live.
      const undelayed = slow.filter(({ delay }) => delay < LATEST_LIVE_MS - TOLERANCE_MS);
      expect(inTime.length).toBeGreaterThan(Math.max(0.5 * slow.length, 0.8 * undelayed.length));
      link.bytesPerSecond = Number.POSITIVE_INFINITY;
      const full = await watch(opened, (looks) => looks.at(-1)?.status === "Live");
      expectTruth(full);
      const reports = opened.heard.times.length;
      await until(async () => opened.heard.times.length > reports + 30);
      const [first, last] = [opened.heard.times[reports]!, opened.heard.times[reports + 30]!];
      expect(last - first).toBeLessThan(10_000);
    },
    180_000,
  );
});
