/** The page Boat: a boat is commissioned with clicks and names alone, against hub-configd and hub-cand. */
import type { ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { appTopics, linkAnswer } from "../../../src/core/topics/topics.ts";
import { killed } from "../../support/ends-with-test.ts";
import { until } from "../../support/mosquitto.ts";
import { type Boat, configurationFolder, type Display, openBoat, withoutDisplay } from "./boat.ts";

describe.skipIf(withoutDisplay !== undefined)(`the page Boat in Chromium ${withoutDisplay ?? ""}`, () => {
  let boat: Boat;
  let folder: string;
  let simulation: ChildProcess;
  beforeAll(async () => {
    folder = configurationFolder();
    mkdirSync(join(folder, "backup"));
    const yesterday = { uid: "u", name: "Yesterday", settings: [{ name: "navigation", windDamping: 7 }] };
    writeFileSync(join(folder, "backup", "deploy.json-2026-11-21_08-14-26"), JSON.stringify(yesterday));
    boat = await openBoat({ configuration: folder });
    simulation = boat.bridge(["--simulate", "--config", join(folder, "deploy.json")]);
  });
  afterEach(async () => await boat.closePages());
  afterAll(async () => {
    await boat?.close();
  });

  /** The button of the bar: the steps of a new boat have one too. */
  const deployButton = (page: Display["page"]) =>
    page.locator("[data-id=pending]").getByRole("button", { name: "Deploy" });

  interface Deployed {
    readonly uid?: string;
    readonly settings: readonly {
      readonly name: string;
      readonly friendlyNames?: Readonly<Record<string, string>>;
      readonly priority?: Readonly<Record<string, readonly string[]>>;
      readonly windDamping?: unknown;
    }[];
  }
  const deployed = (): Deployed => JSON.parse(readFileSync(join(folder, "deploy.json"), "utf8")) as Deployed;
  const navigation = () => deployed().settings.find(({ name }) => name === "navigation")!;

  test("an app that asks for access is allowed, and its access is taken back, by its name", async () => {
    const app = {
      id: "00000000-0000-4000-a000-000000000001",
      clientId: "1234-45653-343453",
      description: "Tablet in the cockpit",
      permissions: "readwrite",
      at: "2026-11-24T12:00:00.000Z",
    };
    const heard: string[] = [];
    boat.client.on("message", (topic, payload) => heard.push(`${topic} ${payload}`));
    await boat.client.subscribeAsync(linkAnswer("+"));
    const report = (requests: readonly object[], holders: readonly object[]): Promise<unknown> =>
      boat.client.publishAsync(appTopics.linkAccess, JSON.stringify({ requests, holders }), { retain: true });
    await report([{ ...app, address: "192.168.4.20" }], []);
    const { page, complaints } = await boat.open("boat/apps");
    await page.getByText("from 192.168.4.20").waitFor();
    await page.getByRole("button", { name: "Allow Tablet in the cockpit" }).click();
    await until(() => heard.includes(`${linkAnswer(app.id)} approve`));
    await report([], [app]);
    await page.getByText("No app asks.").waitFor();
    const second = { ...app, id: "00000000-0000-4000-a000-000000000002", address: "192.168.4.21" };
    await report([second], [app]);
    await page.getByText("asks again: Allow ends the access that it has").waitFor();
    await report([{ ...second, clientId: "other" }], [app]);
    await page.getByText("asks again, or is another app of that name").waitFor();
    await report([{ ...second, clientId: "other", description: "Other" }], [app]);
    await page.getByText("asks again").waitFor({ state: "detached" });
    await report([], [app]);
    await page.getByRole("button", { name: "Take back Tablet in the cockpit" }).click();
    await until(() => heard.includes(`${linkAnswer(app.id)} revoke`));
    await boat.client.publishAsync(appTopics.linkAccess, "{}", { retain: true });
    await page.getByText("hub-link is off, or keeps no access.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a sensor is named, a receiver preferred, and both are deployed with the difference in words", async () => {
    const { page, complaints } = await boat.open("boat");
    const name = page.getByLabel("Name of device 3", { exact: true });
    await name.fill("GPS bow");
    await name.press("Enter");
    await page.getByText("Named GPS bow.").waitFor();
    const other = page.getByLabel("Name of device 35", { exact: true });
    await other.fill("GPS bow");
    await other.press("Enter");
    await page.getByText("Another device is named GPS bow.").waitFor();
    await page.getByRole("button", { name: "Prefer GPS bow for Position" }).click();
    await page.getByText("Position: GPS bow first.").waitFor();
    const pending = page.locator("[data-id=pending]");
    await pending.getByText(/^Name of .* \(3\): GPS bow, new$/).waitFor();
    await deployButton(page).click();
    await page.getByText("Everything is deployed.").waitFor();
    const [[device, friendly]] = Object.entries(navigation().friendlyNames!) as [[string, string]];
    expect(friendly).toBe("GPS bow");
    expect(navigation().priority!.position![0]).toBe(device);
    // The bridge has taken it over.
    await page.goto(page.url().replace("#/boat", "#/sail"));
    await page.getByText("GPS bow").first().waitFor();
    expect(complaints).toEqual([]);
  });

  test("a limit stands beside its watch on the page Alarms, is changed and deployed there, and rings", async () => {
    const { page, complaints } = await boat.open("alarms");
    const watch = page.locator("[data-id=watch-depth]");
    await watch.getByText("below 2\u202fm · below surface · for 2\u202fs").waitFor();
    await page.getByRole("button", { name: "Change limits: Depth", exact: true }).click();
    await watch.getByLabel("Depth below which it rings, metres").fill("900");
    await watch.getByText(/must be \d+ or less/).waitFor();
    await watch.getByLabel("Depth below which it rings, metres").fill("90");
    await watch.getByRole("button", { name: "Save" }).click();
    const pending = page.locator("[data-id=pending]");
    await pending.getByText(/^Alarm "Depth", limit: .*90/).waitFor();
    await deployButton(page).click();
    await watch.getByText("below 90\u202fm · below surface").waitFor();
    await page.locator("[data-id=alarm-depth]").getByText("limit 90.0\u202fm").waitFor();
    expect(complaints).toEqual([]);
  });

  test("maintenance of the crew's own is deployed, and its engine says when it is due", async () => {
    const { page, complaints } = await boat.open("boat/settings/maintenance");
    const section = page.locator("[data-id=settings-maintenance]");
    await section.getByLabel("What is done").fill("Oil and filter");
    await section.getByLabel("Interval in engine hours").fill("200");
    await section.getByLabel("Last done at engine hours").fill("40");
    await section.getByRole("button", { name: "Add" }).click();
    const pending = page.locator("[data-id=pending]");
    await pending
      .getByText("Maintenance: Oil and filter, Engine, port or single: every 200 h · done at 40 h, new")
      .waitFor();
    await deployButton(page).click();
    await page.getByText("Everything is deployed.").waitFor();
    await page.goto(page.url().replace("#/boat/settings/maintenance", "#/systems"));
    // The simulated engine has 1240 hours.
    await page.locator('[data-id="due-Oil and filter"].due', { hasText: "due since 1000\u202fh" }).waitFor();
    await page.evaluate('location.hash = "#/boat/settings/maintenance"');
    await page.reload();
    await section.getByRole("button", { name: "Done now" }).click();
    await page.getByText("Oil and filter: done at 1240 h.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a source is dragged into order", async () => {
    const { page } = await boat.open("boat");
    const sources = page.locator("[data-id=sources-heading] li");
    const isFirst = (name: string): Promise<void> => sources.first().getByText(name).waitFor();
    // Named by their product information, which may come after their first heading.
    for (const name of ["Satellite Compass", "Magnetic Compass"]) await sources.getByText(name).waitFor();
    const [former] = (await sources.first().locator(".device-name").innerText()).split("\n");
    const other = former === "Magnetic Compass" ? "Satellite Compass" : "Magnetic Compass";
    const isMoved = page.getByText(/^Heading: .+ first\.$/);
    // A drag of a mouse that comes while the list is drawn anew starts nothing; a user tries again.
    for (let attempt = 0; attempt < 5 && !(await isMoved.isVisible()); attempt++) {
      await sources.nth(1).dragTo(sources.first());
      await isMoved.waitFor({ timeout: 3000 }).catch(() => {});
    }
    await isMoved.waitFor();
    await isFirst(other);
    await page
      .locator("[data-id=pending]")
      .getByText(/^Sources of heading/)
      .waitFor();
    // Dropped before the page has drawn that it is dragged, as on a busy computer.
    await page.evaluate(`{
      const [first, second] = document.querySelectorAll("[data-id=sources-heading] li");
      const dataTransfer = new DataTransfer();
      const tell = (item, type) => item.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      tell(second, "dragstart");
      tell(first, "drop");
      tell(second, "dragend");
    }`);
    await isFirst(former!);
  });

  test("a preferred source that is off stays in the order", async () => {
    const { page, complaints } = await boat.open("boat");
    await page.evaluate(`(async () => {
      const project = "/api/config/project/boat";
      const { settings } = await (await fetch(project + "/backup")).json();
      const entry = settings.find(({ name }) => name === "navigation");
      const priority = { ...entry.priority, depth: ["Forward sounder"] };
      const body = JSON.stringify({ ...entry, priority });
      await fetch(project + "/settings/navigation", { method: "PUT", body });
    })()`);
    const sources = page.locator("[data-id=sources-depth] li");
    await sources.nth(1).waitFor();
    await expect.poll(() => sources.first().innerText()).toMatch(/1\s+Forward sounder\s+not heard/);
    await page.getByRole("button", { name: /^Prefer .* for Depth$/ }).click();
    await sources.nth(1).getByText("Forward sounder").waitFor();
    await page.locator("[data-id=sources-depth]").getByRole("button", { name: "No preference" }).click();
    await page.getByText("Depth: no preference.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("the MMSI that the transponder sends as its own is offered", async () => {
    const { page } = await boat.open("boat");
    await page.getByText("This boat").waitFor();
    await expect.poll(() => page.getByRole("button", { name: /as the transponder tells/ }).count()).toBe(0);
    const data = { pgn: 129794, mmsi: 244_123_456, transceiver: "Own information not broadcast" };
    const metadata = { rxDate: new Date().toISOString(), rxTimestamp: 0, expireAfterSec: 60 };
    // Again and again, as a transponder does: the page may not have subscribed yet.
    const transponder = setInterval(
      () => boat.client.publish("can/can0/device/43/pgn/129794", JSON.stringify({ data, metadata })),
      500,
    );
    await page
      .getByRole("button", { name: "Use 244123456, as the transponder tells" })
      .click()
      .finally(() => clearInterval(transponder));
    await page.getByText("Own MMSI 244123456.").waitFor();
    await page
      .locator("[data-id=pending]")
      .getByText(/^MMSI of this boat: 244123456, new$/)
      .waitFor();
  });

  test("an MMSI of nine zeros, and one of eight digits, cannot be saved", async () => {
    const { page } = await boat.open("boat");
    const save = page.locator(".own-mmsi").getByRole("button", { name: "Save" });
    for (const wrong of ["000000000", "24412345", "2441234567", "24412345x"]) {
      await page.getByLabel("Own MMSI, nine digits").fill(wrong);
      await expect.poll(() => save.isDisabled(), { message: wrong }).toBe(true);
    }
    await page.getByLabel("Own MMSI, nine digits").fill("244123457");
    await expect.poll(() => save.isDisabled()).toBe(false);
  });

  test("the form refuses what hub-cand would refuse, in its words, and saves the rest", async () => {
    const { page, complaints } = await boat.open("boat/settings/navigation");
    const form = page.locator("[data-id=settings-navigation]");
    const damping = form.getByLabel(/damping/);
    await damping.fill("fast");
    await form.getByText("wind damping: not usable (must be a number of seconds)").waitFor();
    await expect.poll(() => form.getByRole("button").isDisabled()).toBe(true);
    await damping.fill("3.5");
    await form.getByRole("button", { name: "Save" }).click();
    await page.locator("[data-id=pending]").getByText("Navigation, wind damping: 3.5\u202fs, new").waitFor();
    expect(complaints).toEqual([]);
  });

  test("settings are found by their index and by words, those of other pages too", async () => {
    const { page, complaints } = await boat.open("boat/settings");
    const index = page.locator("[data-id=settings-index]");
    await index.getByRole("link", { name: "Navigation" }).click();
    await page
      .locator("[data-id=settings-navigation]")
      .getByLabel(/damping/)
      .waitFor();
    const search = page.getByLabel("Search in the settings");
    await search.fill("wind damp");
    await page.locator("[data-id=settings-navigation]").waitFor();
    await expect.poll(() => index.getByRole("link").allInnerTexts()).toEqual(["Navigation\nWind damping"]);
    await search.fill("oil change");
    await expect.poll(() => index.getByRole("link").allInnerTexts()).toEqual(["Maintenance"]);
    await search.fill("chart");
    await expect.poll(() => index.getByRole("link").first().innerText()).toBe("Charts →");
    await search.fill("flux capacitor");
    await page.getByText("Nothing has these words.").waitFor();
    await search.fill("shallow");
    // Limits stand beside their watches alone; an alarm leads to its form.
    await expect.poll(() => page.locator("[data-id=settings-alarms]").count()).toBe(0);
    await index.getByRole("link", { name: 'Alarm "Depth" →', exact: true }).click();
    await page.locator("[data-id=limit-depth]").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a network is added by a ready form, has its state, and is removed", async () => {
    const { page, complaints } = await boat.open("boat/networks");
    const row = (network: string) => page.locator(`[data-id="network-${network}"]`);
    await row("simulation")
      .getByText(/Simulated boat/)
      .waitFor();
    const forms = page.locator("[data-id=new-network]");
    await forms.getByRole("button", { name: "NMEA 0183 over TCP" }).click();
    const add = forms.getByRole("button", { name: "Add", exact: true });
    await expect.poll(() => add.isDisabled()).toBe(true);
    // Without a touch of the field.
    await page.keyboard.type("192.168.4.9/x");
    await forms.getByText("an address such as 192.168.4.1, or a name").waitFor();
    await forms.getByLabel(/^Address of it/).fill("192.168.4.9");
    await add.click();
    const ais = row("nmea0183+tcp://192.168.4.9:10110");
    await ais.getByText("Not in force yet: deploy it").waitFor();
    await page.getByText("Deploy lets hub connect to 192.168.4.9:10110.").waitFor();
    await deployButton(page).click();
    await ais.getByText(/^Not listened to: not beside a simulation/).waitFor();
    await ais.getByRole("button", { name: /^Remove/ }).click();
    await ais.waitFor({ state: "detached" });
    await deployButton(page).click();
    await page.getByText("Everything is deployed.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("limits of the crew's own are added, refused and removed, a row each", async () => {
    const { page, complaints } = await boat.open("alarms");
    await page.getByRole("button", { name: "Change limits: Limits of your own", exact: true }).click();
    const form = page.locator("[data-id=limit-limits]");
    const save = form.getByRole("button", { name: /^Saved?$/ });
    await form.getByRole("button", { name: "Add a limit" }).click();
    await form.getByRole("searchbox").fill("water 1 level");
    await form.getByRole("button", { name: /^Level \d/ }).click();
    await form.getByText(/^Level, Water 1 · Tank Senders: \d.*%$/).waitFor();
    await form.getByText("Level: not usable (type a number above or below which it rings)").waitFor();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await form.getByLabel("It rings below, %").fill("12.5");
    await save.click();
    const bar = page.locator("[data-id=pending]");
    await bar.getByText("Limits of your own: Level: Level, Water 1, below 12.5\u202f% · warning, new").waitFor();
    await form.getByRole("button", { name: "Remove" }).click();
    await save.click();
    await expect.poll(() => bar.getByText(/limits/i).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("what is typed while a form is saved stays, and is saved by the next press", async () => {
    const { page } = await boat.open("boat/settings/navigation");
    const form = page.locator("[data-id=settings-navigation]");
    const damping = form.getByLabel(/damping/);
    await damping.fill("4");
    boat.service!.kill("SIGSTOP");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Waiting for the configuration service").waitFor();
    await damping.fill("4.5");
    boat.service!.kill("SIGCONT");
    const bar = page.locator("[data-id=pending]");
    await bar.getByText(/wind damping: .*\b4(\u202fs)?(,|$)/).waitFor();
    await expect.poll(() => damping.inputValue()).toBe("4.5");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await bar.getByText(/wind damping: .*\b4\.5\u202fs(,|$)/).waitFor();
  });

  test("dead bands are added, refused and removed, a row each", async () => {
    const { page, complaints } = await boat.open("boat/settings/lanes");
    const form = page.locator("[data-id=settings-lanes]");
    const field = (what: "Name" | "Value", row: number) =>
      form.getByLabel(`${what} ${row} of smallest changes that count`);
    // Text that is typed and removed again leaves nothing to save.
    await field("Name", 1).fill("x");
    await form.getByRole("button", { name: "Save", exact: true }).waitFor();
    await field("Name", 1).fill("");
    await form.getByRole("button", { name: "Saved" }).waitFor();
    await field("Name", 1).fill("127508.voltage");
    await field("Value", 1).fill("0.05");
    await form.getByText("127508.voltage: not usable (is no number of a PGN or of the navigation report)").waitFor();
    await expect.poll(() => form.getByRole("button").isDisabled()).toBe(true);
    await field("Name", 1).fill("127508.voltageV");
    await field("Name", 2).fill("navigation.depth_water.depth");
    await field("Value", 2).fill("0");
    await form.getByText(/smallest changes that count, navigation.depth_water.depth: not usable \(.*>0/).waitFor();
    await field("Value", 2).fill("");
    // Digit by digit, as people type: what is not a number yet keeps its text and its row.
    await field("Value", 2).pressSequentially("0,1");
    await expect.poll(() => field("Value", 2).inputValue()).toBe("0,1");
    await form.getByRole("button", { name: "Save" }).click();
    const pending = page.locator("[data-id=pending]");
    await pending.getByText(/127508\.voltageV.*0\.05.*navigation\.depth_water\.depth.*0\.1/).waitFor();
    await field("Name", 2).fill("");
    await field("Value", 2).fill("");
    await form.getByRole("button", { name: "Save" }).click();
    await pending.getByText("navigation.depth_water.depth").waitFor({ state: "detached" });
    await expect.poll(() => field("Name", 1).inputValue()).toBe("127508.voltageV");
    expect(complaints).toEqual([]);
  });

  test("deployed settings that hub-cand does not understand are shown in red", async () => {
    writeFileSync(
      join(folder, "deploy.json"),
      JSON.stringify({ settings: [{ name: "navigation", windDamping: "fast" }] }),
    );
    const { page } = await boat.open("boat");
    const ignored = page.locator("[data-id=ignored-settings]");
    await ignored.getByText("wind damping: not usable (must be a number of seconds)").waitFor();
  });

  test("a deployment by others is noticed, and the file is read again only then", async () => {
    const { page } = await boat.open("boat");
    const changes = page.locator("[data-id=pending]");
    const answers: number[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith("/deploy")) answers.push(response.status());
    });
    const entry = { name: "navigation", windDamping: 11 };
    await expect.poll(() => answers).toContain(304);
    expect(answers.slice(answers.indexOf(304))).not.toContain(200);
    answers.length = 0;
    writeFileSync(join(folder, "deploy.json"), JSON.stringify({ settings: [entry] }));
    await changes.getByText(/wind damping: 11\u202fs → /).waitFor();
    expect(answers).toContain(200);
  });

  test("before a deploy, the hosts and paths that are new are named", async () => {
    const { page } = await boat.open("boat");
    const set = async (method: string, body?: object): Promise<void> => {
      const url = new URL("/api/config/project/boat/settings/networks", boat.url);
      const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
      expect(response.ok, `${method} ${response.status}`).toBe(true);
    };
    await set("PUT", { also: ["nmea0183+tcp://203.0.113.9:10110", "nmea0183+serial:///dev/ttyUSB0"] });
    await page.getByText("Deploy lets hub connect to 203.0.113.9:10110, /dev/ttyUSB0.").waitFor();
    await set("DELETE");
    await page.locator("[data-id=connections]").waitFor({ state: "detached" });
  });

  test("two editors: nothing of the other is undone, and nothing is deployed that was not shown", async () => {
    const { page: one } = await boat.open("boat");
    const { page: other } = await boat.open("boat");
    const named = (page: typeof one, address: number) => page.getByLabel(`Name of device ${address}`, { exact: true });
    const name = async (page: typeof one, address: number, text: string): Promise<void> => {
      await named(page, address).fill(text);
      await named(page, address).press("Enter");
      await page.getByText(`Named ${text}.`).waitFor();
    };
    // Both have read the project before either changes it.
    await Promise.all([named(one, 2).waitFor(), named(other, 2).waitFor()]);
    // Both name one device: the later one is told, and may save again.
    await named(other, 2).fill("Flux gate");
    await name(one, 2, "Fluxgate");
    await named(other, 2).press("Enter");
    await other.getByText("Another screen has changed the name meanwhile, to Fluxgate").waitFor();
    await name(other, 2, "Flux gate");
    await expect.poll(() => named(one, 2).inputValue()).toBe("Flux gate");
    await name(one, 2, "Compass");
    // It looks at the project every few seconds, and would show what the other has named.
    let isLooking = true;
    await one.route(/\/project\/boat$/, (route) => (isLooking ? route.abort() : route.continue()));
    // A deployment reads the list of the projects first.
    one.on("request", (request) => {
      if (request.url().endsWith("/api/config/project")) isLooking = false;
    });
    await name(other, 16, "Sounder");
    const stored = (): string => readFileSync(join(folder, "configuration", "boat.json"), "utf8");
    expect(stored()).toContain("Compass");
    expect(stored()).toContain("Sounder");
    const before = readFileSync(join(folder, "deploy.json"), "utf8");
    await deployButton(one).click();
    await one.getByText(/Others have changed the project meanwhile/).waitFor();
    expect(readFileSync(join(folder, "deploy.json"), "utf8")).toBe(before);
    await one
      .locator("[data-id=pending]")
      .getByText(/Sounder, new/)
      .waitFor();
    await deployButton(one).click();
    await one.getByText("Everything is deployed.").waitFor();
    expect(Object.values(navigation().friendlyNames!)).toEqual(expect.arrayContaining(["Compass", "Sounder"]));
  });

  test("a service that has ended is told, and what was typed stays", async () => {
    const { page } = await boat.open("boat");
    const field = page.getByLabel("Name of device 4", { exact: true });
    await field.waitFor();
    await page.route("**/api/config/**", (route) => route.fulfill({ status: 502, body: "<html>Bad Gateway</html>" }));
    await field.fill("Mast");
    await expect.poll(() => field.inputValue()).toBe("Mast");
    await field.press("Enter");
    await page.getByText("The configuration service is not running.").waitFor();
    await expect.poll(() => field.inputValue()).toBe("Mast");
  });

  test("a former configuration is compared and restored", async () => {
    const { page } = await boat.open("boat");
    const name = page.getByLabel("Name of device 4", { exact: true });
    for (const text of ["Vane", "Mast"]) {
      await name.fill(text);
      await name.press("Enter");
      await page.getByText(`Named ${text}.`).waitFor();
      await deployButton(page).click();
      await page.getByText("Everything is deployed.").waitFor();
    }
    await page.evaluate('location.hash = "#/boat/projects"');
    // Each deployment made a copy; the oldest is that of before the first.
    const oldest = page.locator("[data-id^=backup]").last();
    await page.locator("[data-id^=backup] .copy-changes", { hasText: "Vane" }).first().waitFor();
    await oldest.getByRole("button", { name: "Compare" }).click();
    await oldest.getByText(/wind damping: .*\b7\b/).waitFor();
    await oldest.getByRole("button", { name: "Restore this" }).click();
    await page.getByText("is in force again").waitFor();
    await oldest.getByText("The same as what is deployed.").waitFor();
    expect([deployed().uid, navigation().windDamping]).toEqual(["u", 7]);
  });

  test("a project is downloaded as it is, and uploaded under the name of its file", async () => {
    const { page } = await boat.open("boat/projects");
    await page.getByRole("button", { name: "New project" }).click();
    await page.getByLabel(/^Id/).fill("harbour");
    await page.getByRole("button", { name: "Make" }).click();
    const saving = page.waitForEvent("download");
    await page.locator("[data-id=project-harbour]").getByRole("button", { name: "Download" }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe("harbour.json");
    const copy = join(folder, "for sea.json");
    await file.saveAs(copy);
    const saved = JSON.parse(readFileSync(copy, "utf8")) as Deployed;
    const settings = [{ name: "navigation", windDamping: 9 }];
    writeFileSync(copy, JSON.stringify({ ...saved, settings }));
    await page.setInputFiles("input[type=file]", copy);
    await page.getByText("Uploaded as for-sea.").waitFor();
    const uploaded = page.locator("[data-id=project-for-sea]");
    await uploaded.getByRole("button", { name: "Edit this one" }).click();
    await uploaded.getByText("edited here").waitFor();
    await page
      .locator("[data-id=pending]")
      .getByText(/wind damping: .*9/)
      .waitFor();
  });

  test("a project is made, copied, renamed, protected and deleted", async () => {
    const { page } = await boat.open("boat/projects");
    const one = (id: string) => page.locator(`[data-id=project-${id}]`);
    const answer = async (id: string, action: string, label: RegExp, text: string, button: string): Promise<void> => {
      await one(id).getByRole("button", { name: action, exact: true }).click();
      await one(id).getByLabel(label).fill(text);
      await one(id).locator(".ask").getByRole("button", { name: button, exact: true }).click();
    };
    await page.getByRole("button", { name: "New project" }).click();
    await page.getByLabel(/^Id/).fill("winter");
    await page.getByRole("button", { name: "Make" }).click();
    await one("winter").waitFor();
    await answer("winter", "Copy", /^Id/, "summer", "Copy");
    await one("summer").waitFor();
    await answer("summer", "Rename", /^Id/, "spring", "Rename");
    await one("spring").waitFor();
    await one("summer").waitFor({ state: "detached" });
    await answer("spring", "Password", /password/, "anchor", "Save");
    await one("spring").getByText("password", { exact: true }).waitFor();
    await page.reload();
    await one("spring").getByRole("button", { name: "Edit this one" }).click();
    // A password that was forgotten locks nothing but its project.
    await page.getByLabel("Password of spring").waitFor();
    await one("winter").getByRole("button", { name: "Edit this one" }).waitFor();
    await page.getByLabel("Password of spring").fill("ancor");
    await page.getByRole("button", { name: "Unlock" }).click();
    await page.getByText("The password is wrong.").waitFor();
    await page.getByLabel("Password of spring").fill("anchor");
    await page.getByRole("button", { name: "Unlock" }).click();
    await one("spring").getByText("edited here").waitFor();
    await one("winter").getByRole("button", { name: "Delete" }).click();
    await one("winter").locator(".ask").getByRole("button", { name: "Delete" }).click();
    await one("winter").waitFor({ state: "detached" });
  });

  test("a polar is uploaded and deployed, and gives the rose its target and laylines", async () => {
    const { page, complaints } = await boat.open("boat/settings/polar");
    const part = page.locator("[data-id=settings-polar]");
    await part.getByText("None. With the polar").waitFor();
    const file = join(folder, "sloop.csv");
    writeFileSync(file, "a sloop");
    await part.locator("input[type=file]").setInputFiles(file);
    await page.getByText(/^sloop.csv is not uploaded: it has no speeds by wind speed and angle/).waitFor();
    // In any wind of the simulated boat it is best at 45 degrees upwind, and at 150 downwind.
    writeFileSync(file, "twa/tws;6;40\n45;6;6\n90;6.1;6.1\n150;6.1;6.1\n");
    await part.locator("input[type=file]").setInputFiles(file);
    await part.getByText("sloop.csv: 2 wind speeds, 6 to 40 kn.").waitFor();
    const pending = page.locator("[data-id=pending]");
    await pending.getByText("Polar: of 2 wind speeds, new").waitFor();
    await deployButton(page).click();
    await page.getByText("Everything is deployed.").waitFor();
    await page.evaluate('location.hash = "#/sail"');
    await page.locator("[data-id=target]", { hasText: /^Target\s*(45|150)°\s*6.[01] kn$/ }).waitFor();
    const headings = (await page.evaluate(
      "['port', 'starboard'].map((tack) => Number(document.querySelector('[data-mark=layline-' + tack + ']').dataset.heading))",
    )) as readonly [number, number];
    const upwind = (await page.locator("[data-id=target]").innerText()).includes("45°");
    expect((headings[0] - headings[1] + 720) % 360).toBeCloseTo(upwind ? 90 : 300, 0);
    expect(complaints).toEqual([]);
  });

  // The last one: a replay does not start beside a simulation that publishes the same topics, which ends.
  test("messages of assumed layout are shown as each layout reads them", async () => {
    const { page } = await boat.open("boat/settings/can");
    await page.getByText("none of them").waitFor();
    const recording = join(folder, "ac.log");
    const line = (second: number): string => `(${1_795_248_866 + second}.000000) can0 19F30005#05017B00C4090000\n`;
    writeFileSync(recording, Array.from({ length: 60 }, (_, second) => line(second)).join(""));
    await killed(simulation, "SIGTERM");
    boat.bridge(["--replay", recording, "--speed", "1", "-i", "can0", "--config", "/nonexistent"]);
    const row = page.locator("[data-id=layouts-127744]");
    await row.getByText(/^public: .*power/i).waitFor();
    await expect.poll(() => row.innerText()).toContain("05017b00c4090000");
    await row.getByText(/^assumed: /).waitFor();
  });
});
