/** Settings of views. */
import { expect, test } from "vitest";
import { Draft } from "../../../src/core/project/document.ts";
import { patchSettings } from "../../../src/core/project/views.ts";

test("a patch removes and sets any number of settings", () => {
  const name = "main";
  const draft = new Draft({ view: [{ name, settings: { a: 1, b: 2 } }] } as never);
  const removed = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`s${index}`, null]));
  patchSettings(draft, name, { ...removed, a: null, c: 3, __proto__: null } as never);
  expect((draft.project as unknown as { view: unknown }).view).toMatchObject([{ name, settings: { b: 2, c: 3 } }]);
});
