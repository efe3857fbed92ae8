/** The list of the boat's own charts, without a browser: a server that is away is asked again. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const list = (): Response => Response.json([{ name: "b.pmtiles" }, { name: "a.pmtiles" }, { name: "notes.txt" }]);
/** What the server answers; undefined: it is away. */
let answers: (Response | undefined)[] = [];
let asked = 0;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked++;
    const answer = answers.shift();
    if (answer === undefined) throw new TypeError("Failed to fetch");
    return answer;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The names that are known some minutes after the plot of ships was shown twice. */
async function namesAfterMinutes(): Promise<readonly string[]> {
  const { askForCharts, chartNames } = await import("../../../../src/web/display/chart/chart-list.ts");
  askForCharts();
  askForCharts();
  await vi.advanceTimersByTimeAsync(300_000);
  return chartNames.peek();
}

test("charts are listed by name as soon as the server is there", async () => {
  answers = [undefined, new Response("", { status: 502 }), list(), undefined];
  expect(await namesAfterMinutes()).toEqual(["a.pmtiles", "b.pmtiles"]);
  expect(asked).toBe(3);
});

test("a server without the folder is asked once", async () => {
  answers = [new Response("", { status: 404 }), list()];
  expect(await namesAfterMinutes()).toEqual([]);
  expect(asked).toBe(1);
});
