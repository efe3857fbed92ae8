/** The settings of this browser, in several tabs. */
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("a change in another tab is taken, is not written back, and outlasts the next change here", async () => {
  const kept = new Map<string, string>();
  const writes = vi.fn<(key: string, text: string) => void>((key, text) => void kept.set(key, text));
  let tell: (event: { readonly key: string }) => void = () => {};
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: writes });
  vi.stubGlobal("addEventListener", (name: string, listener: typeof tell) => {
    if (name === "storage") tell = listener;
  });
  vi.resetModules();
  const { settings, changeSettings } = await import("../../../../src/web/display/data/settings.ts");
  changeSettings({ light: "night" });
  const other = { ...(JSON.parse(kept.get("hub-display")!) as object), language: "fr", newer: 1 };
  kept.set("hub-display", JSON.stringify(other));
  writes.mockClear();
  tell({ key: "hub-other" });
  expect(settings.peek().language).toBe("browser");
  tell({ key: "hub-display" });
  expect(settings.peek()).toMatchObject({ language: "fr", light: "night" });
  expect(writes).not.toHaveBeenCalled();
  changeSettings({ lamp: 40 });
  expect(JSON.parse(kept.get("hub-display")!)).toMatchObject({ language: "fr", light: "night", lamp: 40 });
});
