/** Names of things: tapped on the page Systems, deployed from the bar, and shown wherever the things are. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { named } from "../../services/bridge/named.ts";
import { type Boat, configurationFolder, openBoat, withoutDisplay } from "./boat.ts";

const SENDER = 24;
const device = named(77);

const tanks = [2, 3, 4, 5, 8, 9, 11, 12];
const names = ["Port aft", "Port", "Starboard", "Starboard aft", "Day tank", "Generator", "Keel", "Réserve"];

/** The frames of a boat of eight fuel tanks, an engine and a bank of switches, for an hour. */
function recording(): string {
  const begin = Date.UTC(2026, 10, 24) / 1000;
  const line = (second: number, pgn: number, bytes: Uint8Array): string => {
    const id = (6 << 26) | (pgn << 8) | (pgn < 0xf000 ? 0xff00 : 0) | SENDER;
    const padded = Uint8Array.from({ length: 8 }, (_, index) => bytes[index] ?? 0xff);
    return `(${begin + second}.000000) can0 ${id.toString(16).toUpperCase().padStart(8, "0")}#${Buffer.from(padded).toString("hex")}`;
  };
  const encoded = (message: { readonly pgn: number; readonly [member: string]: unknown }): [number, Uint8Array] => {
    const definition = definitions.find(({ pgn }) => pgn === message.pgn)!;
    return [message.pgn, encoderOf(definition)(message as never)];
  };
  const messages: readonly [number, Uint8Array][] = [
    [60928, deviceNameBytes(device)],
    ...tanks.map((instance) =>
      encoded({ pgn: 127505, instance, fluidType: "Fuel", levelPercent: 5 * instance + 20, capacityLiters: 400 }),
    ),
    encoded({ pgn: 127488, engineInstance: 0, engineSpeedRpm: 1500 }),
    encoded({ pgn: 127508, instance: 1, voltageV: 12.6, currentA: -4, temperatureC: 128 }),
    encoded({ pgn: 127505, instance: 0, fluidType: "Oil", levelPercent: 0, capacityLiters: 0 }),
    encoded({ pgn: 130312, instance: 0, source: "Refrigeration Temperature", actualTempC: 5 }),
    encoded({ pgn: 127501, instance: 0, switches: [1, 2].map((number) => ({ switch: number, status: "On" })) }),
  ];
  const seconds = Array.from({ length: 3600 }, (_, second) => second);
  return `${seconds.flatMap((second) => messages.map(([pgn, bytes]) => line(second, pgn, bytes))).join("\n")}\n`;
}

describe.skipIf(withoutDisplay !== undefined)(`names in Chromium ${withoutDisplay ?? ""}`, () => {
  let boat: Boat;
  let folder: string;
  beforeAll(async () => {
    folder = configurationFolder();
    writeFileSync(join(folder, "boat.log"), recording());
    boat = await openBoat({ configuration: folder });
    const source = ["--replay", join(folder, "boat.log"), "--speed", "1", "-i", "can0"];
    boat.bridge([...source, "--config", join(folder, "deploy.json")]);
  });
  afterEach(async () => await boat.closePages());
  afterAll(async () => {
    await boat?.close();
  });

  const deployed = (): {
    readonly settings: readonly { readonly name: string; readonly things?: readonly object[] }[];
  } => JSON.parse(readFileSync(join(folder, "deploy.json"), "utf8"));
  const bar = (page: Page) => page.locator(".changes");
  /** Taps a thing by what it is called, and types its name. */
  const name = async (page: Page, called: string, text: string): Promise<void> => {
    await page.getByRole("button", { name: `${called}: name it`, exact: true }).click();
    await bar(page)
      .getByLabel(/^Name of /)
      .fill(text);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `${text}: name it`, exact: true }).waitFor();
  };

  test("an empty boat leads through six steps", async () => {
    const { page, complaints } = await boat.open("boat");
    const steps = page.locator("[data-id=steps]");
    await steps.getByText("there is nothing to deploy yet").waitFor();
    await expect.poll(() => steps.locator("li").count()).toBe(6);
    await page.getByLabel("Own MMSI, nine digits").fill("244123456");
    await page.locator(".own-mmsi").getByRole("button", { name: "Save" }).click();
    await steps.locator("[data-id=step-mmsi]").getByText("done", { exact: true }).waitFor();
    for (const [step, hash] of [
      ["units", "settings"],
      ["alarms", "alarms"],
      ["names", "systems"],
    ] as const) {
      await steps.locator(`[data-id=step-${step}] a`).click();
      await page.waitForURL((url) => url.hash === `#/${hash}`);
      await page.goBack();
      await steps.locator(`[data-id=step-${step}]`).getByText("seen").waitFor();
    }
    await steps.getByRole("button", { name: "Deploy these settings" }).click();
    await steps.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  test("eight tanks become words in eight taps and one deployment, on every display", async () => {
    const before = deployed();
    const { page, complaints } = await boat.open("systems");
    const { page: other } = await boat.open("systems", { width: 390, height: 844 });
    await other.getByText("Fuel 12").waitFor();
    for (const [index, tank] of tanks.entries()) {
      await name(page, `Fuel ${tank}`, names[index]!);
      await bar(page)
        .getByText(`${index === 0 ? "1 change" : `${index + 1} changes`} not in force`)
        .waitFor();
    }
    await expect.poll(() => page.getByText("not in force yet").count()).toBe(8);
    await bar(page).getByRole("button", { name: "Show" }).click();
    await bar(page)
      .getByText(/^Name of Fuel 2, .*: Port aft, new$/)
      .waitFor();
    expect(deployed()).toEqual(before);
    await bar(page).getByRole("button", { name: "Deploy" }).click();
    await other.getByText("Day tank").waitFor();
    await page.getByText("not in force yet").first().waitFor({ state: "detached" });
    await expect.poll(() => bar(page).getByText("not in force").count()).toBe(0);
    expect(deployed().settings.find((entry) => entry.name === "names")!.things).toContainEqual({
      device: String(device),
      pgn: 127505,
      key: { instance: 8, fluidType: "Fuel" },
      name: "Day tank",
    });
    expect(complaints).toEqual([]);
  });

  test("a mark in the head of every page has the bar of what is not in force, also on another display", async () => {
    const { page } = await boat.open("systems");
    const { page: other } = await boat.open("sail");
    await name(page, "Day tank", "Service tank");
    const mark = other.getByRole("button", { name: "1 change not in force" });
    await mark.waitFor();
    for (const hash of ["route", "ships", "devices", "settings"]) {
      await other.goto(other.url().replace(/#.*/, `#/${hash}`));
      await mark.waitFor();
      await expect.poll(() => bar(other).getByText("not in force").count()).toBe(0);
    }
    await other.evaluate('location.hash = "#/alarms"');
    await bar(other).getByText("1 change not in force").waitFor();
    await mark.waitFor({ state: "detached" });
    await other.evaluate('location.hash = "#/sail"');
    await mark.click();
    await bar(other).getByText("1 change not in force").waitFor();
    await bar(other).getByRole("button", { name: "Show" }).click();
    await bar(other)
      .getByText(/^Name of Fuel 8, .*: Day tank → Service tank$/)
      .waitFor();
    await bar(other).getByRole("button", { name: "Deploy" }).click();
    await bar(page).getByText("not in force").waitFor({ state: "detached" });
  });

  test("each deployment is undone, also the second of a day", async () => {
    const { page } = await boat.open("systems");
    const names_ = (): string => JSON.stringify(deployed());
    const [first, second] = ["Second of the day", "Third of the day"];
    await name(page, "Keel", first);
    await bar(page).getByRole("button", { name: "Deploy" }).click();
    await bar(page).getByRole("button", { name: "Undo" }).waitFor();
    const between = names_();
    await name(page, first, second);
    await bar(page).getByRole("button", { name: "Deploy" }).click();
    await bar(page).getByRole("button", { name: "Undo" }).click();
    const restored = bar(page).getByText(/^The configuration of [\d-]{10} [\d:]{8}( UTC)? is in force again\.$/);
    await restored.waitFor();
    expect(JSON.parse(names_()).settings).toEqual(JSON.parse(between).settings);
    // A sentence without a button goes by itself.
    await restored.waitFor({ state: "detached" });
    await page.getByRole("button", { name: `${first}: name it` }).waitFor();
  });

  test("a name is taken away, and naming is left with Escape", async () => {
    const { page } = await boat.open("systems");
    await page.getByRole("button", { name: "Port aft: name it" }).click();
    const field = bar(page).getByLabel(/^Name of /);
    await field.waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Port aft: name it" }).click();
    await field.waitFor();
    await page.evaluate('location.hash = "#/sail"');
    await field.waitFor({ state: "detached" });
    await page.evaluate('location.hash = "#/systems"');
    await page.getByRole("button", { name: "Port aft: name it" }).click();
    await bar(page).getByRole("button", { name: "No name" }).click();
    await page.getByRole("button", { name: "Fuel 2: name it" }).waitFor();
    await bar(page).getByText("1 change not in force").waitFor();
  });

  test("what cannot be is struck out and said so, and is no alarm of its panel", async () => {
    const { page } = await boat.open("systems");
    const tank = page.locator("[data-id=tank-Oil-0]");
    await tank.getByText("implausible").waitFor();
    await expect.poll(() => tank.getAttribute("class")).not.toContain("low");
    const styleOf = (selector: string, part: string, property: string): Promise<unknown> =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}), "${part}").${property}`);
    await expect.poll(() => styleOf("[data-id=tank-Oil-0] .number", "::after", "borderTopWidth")).toBe("4px");
    const fact = "[data-id=battery-1] .facts .implausible";
    await page.locator(fact).getByText("Temperature implausible").waitFor();
    await expect.poll(() => styleOf(`${fact} dd`, "", "textDecorationLine")).toBe("line-through");
  });

  test("a project is made of a template; Make and an upload say why they are refused", async () => {
    const { page } = await boat.open("boat/projects");
    await page.locator("[data-id=project-boat]").waitFor();
    await page.route("**/api/config/project", async (route) => {
      const list = (await (await route.fetch()).json()) as object[];
      const template = { id: "sloop", name: "Sloop", uid: null, template: true, protected: false };
      await route.fulfill({ json: [...list, template] });
    });
    // The page reads the list when it is opened again.
    await page.goto(page.url().replace("#/boat/projects", "#/sail"));
    await page.locator("[data-id=project-boat]").waitFor({ state: "detached" });
    await page.goto(page.url().replace("#/sail", "#/boat/projects"));
    await page.locator("[data-id=project-sloop]").waitFor();
    await page.getByRole("button", { name: "New project" }).click();
    const make = page.getByRole("button", { name: "Make" });
    for (const [text, why] of [
      ["my boat", "An id has no spaces; use a hyphen."],
      ["bâteau", "An id has letters a to z, digits and hyphens only."],
      ["boat", "boat is there already."],
      ["x".repeat(64), "An id has 63 characters at most."],
    ] as const) {
      await page.getByLabel(/^Id/).fill(text);
      await page.getByText(why).waitFor();
      await expect.poll(() => make.isDisabled()).toBe(true);
    }
    await page.getByLabel(/^Id/).fill("hull-7");
    await page.getByLabel("Begin with").selectOption("Sloop");
    const asked = page.waitForRequest((request) => request.method() === "PUT");
    await make.click();
    expect(new URL((await asked).url()).pathname).toBe("/api/config/project/sloop/duplicate/hull-7");
    const file = join(folder, "holiday.json");
    writeFileSync(file, "no JSON");
    await page.setInputFiles("input[type=file]", file);
    await bar(page)
      .getByText("holiday.json is not uploaded: it is no JSON. Choose a project that was saved with Download.")
      .waitFor();
    writeFileSync(file, "[]");
    await page.setInputFiles("input[type=file]", file);
    await bar(page).getByText("holiday.json is not uploaded: body must be an object").waitFor();
  });
});
