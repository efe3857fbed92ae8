/** What the page of the voyages shows while hub-history does not answer. */
import { afterEach, expect, test, vi } from "vitest";
import { list, loadList, loadVoyage, shown } from "../../../../src/web/display/voyages/voyage-api.ts";

afterEach(() => vi.unstubAllGlobals());

const answers = (value: object): void => vi.stubGlobal("fetch", async () => Response.json(value)) as never;
const isAway = (): void => vi.stubGlobal("fetch", () => Promise.reject(new TypeError())) as never;
const failure = "hub-history does not answer";

test("a voyage, and the list, that were read stay while hub-history is away, and what is missing is said", async () => {
  isAway();
  await Promise.all([loadList(), loadVoyage("one")]);
  expect([list.value, shown.value]).toEqual([failure, failure]);
  answers({ voyages: [] });
  await Promise.all([loadList(), loadVoyage("one")]);
  isAway();
  await Promise.all([loadList(), loadVoyage("one")]);
  const voyage = { voyages: [] };
  expect([list.value, shown.value]).toEqual([
    { voyages: [], failure },
    { name: "one", voyage, failure },
  ]);
  await loadVoyage("two");
  expect(shown.value).toBe(failure);
  answers(voyage);
  await loadVoyage("one");
  expect(shown.value).toEqual({ name: "one", voyage });
});
