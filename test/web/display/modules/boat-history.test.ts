/** Requests to the history of the boat, without a browser. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pastPoints, pastState } from "../../../../src/web/display/trend/boat-history.ts";

beforeEach(() => {
  // Nothing is rendered.
  vi.stubGlobal("document", { hidden: true });
  pastState.value = "there";
});
afterEach(() => {
  pastState.value = "none";
  vi.unstubAllGlobals();
});

test.each([
  [400, "there"],
  [500, "away"],
] as const)("a query that is answered with %d leaves the history %s", async (status, state) => {
  const fetched = vi.fn(async () => new Response("", { status }));
  vi.stubGlobal("fetch", fetched);
  expect(pastPoints({ metric: `of_${status}` }, "minutes")).toEqual([]);
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pastState.peek()).toBe(state);
});
