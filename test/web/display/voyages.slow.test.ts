/**
 * The page Voyages as its user has it: yesterday's voyage is found, corrected, given a picture and printed, a day a page
 * in two languages, its GPX is downloaded, and it is removed.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { voyageStore } from "../../../src/adapters/node/files/voyage-store.ts";
import { serveHttp } from "../../../src/adapters/node/http/server.ts";
import { VoyageKeeper } from "../../../src/core/voyages/keeper.ts";
import type { KeptLine } from "../../../src/core/voyages/lines.ts";
import type { Observation } from "../../../src/core/voyages/observation.ts";
import { voyagesInGpx } from "../../../src/formats/tracks/gpx-voyages.ts";
import { nameAt, Voyages } from "../../../src/services/history/voyages.ts";
import { voyagesApp } from "../../../src/services/history/voyages-app.ts";
import { type Stage, sailing } from "../../core/voyages/boat.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { freePort } from "../../support/ports.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type Boat, openBoat, withoutDisplay } from "./boat.ts";

const HOUR = 3_600_000;
/** An evening whose morning is over by now: the voyage has a night and two days in every time zone of Europe. */
const STARTS = new Date(Date.now() - 36 * HOUR).setUTCHours(14, 0, 0, 0);

const plan: readonly Stage[] = [
  { seconds: 900, knots: 4, engine: true, course: 20 },
  { seconds: 3600, knots: 6, course: 60, wind: 14 },
  { seconds: 3600, knots: 6.5, course: 330, wind: 19 },
  { seconds: 10 * 3600, knots: 0, mooring: "anchor" },
  { seconds: 3600, knots: 5, course: 90, wind: 12 },
  { seconds: 60, knots: 0, mooring: "berth" },
];

function keptLines(): readonly KeptLine[] {
  const keeper = new VoyageKeeper(HOUR);
  const lines: KeptLine[] = [];
  for (const observation of sailing(plan, STARTS)) {
    const heard = (): Observation => {
      if (observation.of === "engine") return { ...observation, hours: 1000.3 };
      if (observation.of !== "navigation") return observation;
      const { values } = observation;
      return { ...observation, values: { ...values, heading: values.cog!, depth: 2.2, depthOffset: -0.4 } };
    };
    for (const line of keeper.hear(heard())) lines.push(line);
  }
  return lines;
}

describe.skipIf(withoutDisplay !== undefined)(`page Voyages ${withoutDisplay ?? ""}`, () => {
  let boat: Boat;
  let close: () => Promise<void>;
  const folder = temporaryFolder("voyages");

  beforeAll(async () => {
    const store = await voyageStore(folder);
    const lines = keptLines();
    await store.append(
      nameAt(lines[0]!.time),
      lines.map((line) => JSON.stringify(line)),
    );
    const voyages = await Voyages.open({ prefix: "can/can0", store, entryEveryMs: HOUR, monotonic: () => 0 });
    const port = await freePort();
    const [log, now] = [memoryLog(), () => Date.now()];
    const app = voyagesApp({ voyages, log, now, hostname: () => "boat", rest: async () => {} });
    const server = await serveHttp(port, app.fetch, log);
    close = async () => {
      await server.close(0);
      await voyages.close();
    };
    boat = await openBoat({ voyagesPort: port });
  });
  afterEach(() => boat.closePages());
  afterAll(async () => {
    await boat?.close();
    await close?.();
  });

  const openVoyage = async (size?: { width: number; height: number }, settings?: object): Promise<Page> => {
    const { page } = await boat.open("voyages", size, settings);
    await page.locator(".voyage-list a").click();
    await page.locator(".voyage-day tbody tr").first().waitFor();
    return page;
  };

  test.each([
    ["en", /Signature of the skipper/, /Voyage begins/, [/engine 0, 1000\.3 h/, /1\.8 m\s+below keel/]],
    [
      "fr",
      /Signature du chef de bord/,
      /Début du voyage/,
      [/Moteur en marche\s: moteur 0, 1000,3\u202fh/, /1,8 m\s+sous quille/],
    ],
  ])("in %s it is printed, a page for each day", async (language, signature, begins, values) => {
    const page = await openVoyage({ width: 1280, height: 800 }, { language, light: "night" });
    await page.getByText(begins).first().waitFor();
    await page.locator(".voyage-tools input").fill("Ada, DA1234");
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate("getComputedStyle(document.querySelector('h2')).color")).toBe("rgb(7, 21, 33)");
    for (const head of await page.locator(".voyage-boat").all())
      expect(await head.innerText()).toMatch(/Ada, DA1234\n.*UTC/);
    for (const value of values) expect(await page.locator(".voyage-day").first().innerText()).toMatch(value);
    const days = await page.locator(".voyage-day").count();
    expect(days).toBe(2);
    expect((await page.locator(".voyage-signature").allInnerTexts()).every((text) => signature.test(text))).toBe(true);
    expect(await page.getByRole("button").filter({ visible: true }).count()).toBe(0);
    const pdf = await page.pdf({ format: "A4" });
    expect(pdf.toString("latin1").match(/\/Type ?\/Page\b/g)).toHaveLength(days);
  });

  test("yesterday's voyage is found, an entry corrected, a crew and a picture added", async () => {
    const { page, complaints } = await boat.open("voyages", { width: 390, height: 800 });
    const row = page.locator(".voyage-list a");
    await row.waitFor();
    expect(await row.innerText()).toContain(new Date(STARTS).toISOString().slice(0, 10));
    await page.locator(".polar-rose circle").first().waitFor();
    expect(await page.locator(".voyage-polar").innerText()).toMatch(/Engine on/);
    await row.click();
    const course = page.locator(".voyage-day tr", { hasText: "from 20° to 60°" });
    await course.getByRole("button", { name: "Add a text" }).click();
    for (const [before, after] of [
      ["Add a text", "Full sails"],
      ["Correct", "Full sails, one reef"],
    ]) {
      if (before === "Correct") await course.getByRole("button", { name: before }).click();
      await course.getByLabel("Text").fill(after!);
      await course.getByLabel("Written by").fill("Ada");
      await course.getByRole("button", { name: "Save" }).click();
      await course.locator("p.voyage-text", { hasText: after! }).waitFor();
    }
    // Another display corrects the entry while this one does: both texts are seen before one is kept.
    await course.getByRole("button", { name: "Correct" }).click();
    await course.getByLabel("Text").fill("Full sails again");
    const other = { text: "Two reefs", author: "Bob" };
    const entry = `/api/voyages/${new URL(page.url()).hash.split("/")[2]}/entries/${await course.getAttribute("data-entry")}`;
    expect((await page.request.post(new URL(`${entry}/edits`, page.url()).href, { data: other })).status()).toBe(201);
    await course.getByRole("button", { name: "Save" }).click();
    await course.getByRole("alert").getByText("The entry was corrected meanwhile.").waitFor();
    await course.locator("p.voyage-text", { hasText: "Two reefs" }).waitFor();
    await course.getByRole("button", { name: "Save" }).click();
    await course.locator("p.voyage-text", { hasText: "Full sails again" }).waitFor();
    await course.locator("summary").click();
    await course.locator("del", { hasText: /^Full sails$/ }).waitFor();
    const screen = await page.screenshot();
    await course.locator("input[type=file]").setInputFiles({ name: "a.png", mimeType: "image/png", buffer: screen });
    const picture = course.locator("img");
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(390);
    await page.getByRole("button", { name: "Show on the plot" }).first().click();
    await page.getByRole("button", { name: "Hide on the plot" }).waitFor();
    await page.getByRole("button", { name: "Crew" }).click();
    await page.locator(".voyages > form").getByLabel("Text").fill("Ada, Bob");
    await page.locator(".voyages > form").getByRole("button", { name: "Save" }).click();
    await page.locator(".voyage-day p", { hasText: "Crew: Ada, Bob" }).first().waitFor();
    // The buttons of the map lie in it.
    const [map, tools] = await Promise.all(
      [".voyage-map", ".voyage-map .map-tools"].map((each) => page.locator(each).first().boundingBox()),
    );
    expect(tools!.y + tools!.height).toBeLessThanOrEqual(map!.y + map!.height);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    // The browser itself says that an answer was 409.
    expect(complaints.filter((each) => !each.includes("409"))).toEqual([]);
  });

  test("its GPX is downloaded, and has the track; then it is removed by a press that lasts", async () => {
    const page = await openVoyage();
    const other = await openVoyage(undefined, { language: "de" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByText("GPX", { exact: true }).click(),
    ]);
    const path = join(folder, "downloaded.gpx");
    await download.saveAs(path);
    const { voyages, leftOut } = await voyagesInGpx(readFileSync(path), async () => {});
    expect([voyages.length, leftOut]).toEqual([1, 0]);
    expect(download.suggestedFilename()).toBe(`${nameAt(keptLines()[0]!.time)}.gpx`);
    const remove = page.getByRole("button", { name: /^Remove/ });
    await remove.click();
    await remove.click({ delay: 1500 });
    await page.getByText("No voyage yet").waitFor();
    // Another display has removed it meanwhile: it says so, and leads to the others too.
    await other.getByRole("button", { name: "Notiz" }).click();
    await other.locator("textarea").fill("Hafen");
    await other.getByRole("button", { name: "Speichern" }).click();
    await other.getByText("Diese Reise gibt es nicht.").waitFor();
    await other.getByRole("button", { name: /^Entfernen/ }).focus();
    await other.keyboard.down("Enter");
    await other.getByText("Noch keine Reise").waitFor();
  });
});
