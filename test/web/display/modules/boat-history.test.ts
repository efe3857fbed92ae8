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
  ["there", 400, "there"],
  ["there", 500, "away"],
  ["none", 404, "none"],
  ["none", 502, "away"],
] as const)("a history that is %s and answers %d is %s then", async (before, status, state) => {
  const fetched = vi.fn(async () => {
    pastState.value = before;
    return new Response("", { status });
  });
  vi.stubGlobal("fetch", fetched);
  expect(pastPoints({ metric: `of_${status}` }, "minutes")).toEqual([]);
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pastState.peek()).toBe(state);
});
