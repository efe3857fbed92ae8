/** The man-overboard button of the display. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { alarmCommandOf } from "../../../../src/core/alarms/commands.ts";
import type { ActiveAlarm } from "../../../../src/core/alarms/report.ts";
import { layoutFindings, useBoat, withoutDisplay } from "../boat.ts";
import { goodIdentity } from "../malformed.ts";
import { pages } from "../pages.ts";
import { fix, heardAt, person, reportAlarms, sail } from "./reports.ts";

const TOPIC = "can/can0/alarms/manOverboard/set";

describe.skipIf(withoutDisplay !== undefined)(`man overboard in Chromium ${withoutDisplay ?? ""}`, () => {
  const boat = useBoat();

  const button = (page: Page) => page.getByRole("button", { name: "MOB, man overboard" });
  const yes = (page: Page) => page.getByRole("button", { name: "Yes, mark the place" });

  const callOf = (payload: string) => {
    const command = alarmCommandOf("manOverboard", payload);
    if (command?.kind !== "pressManOverboard") throw new Error(`no call: ${payload}`);
    return command.persons[0]!;
  };

  test("two presses on any page tell the place of the first and how long ago it was, and a press that was a mistake tells nothing", async () => {
    await reportAlarms(boat.client, {});
    sail(boat.client, { position: fix });
    const heard = await heardAt(boat, TOPIC);
    const { page } = await boat.open("sail");
    await page.locator('[data-id=place][data-kind="live"]').waitFor();
    for (const { name } of pages) {
      await page.evaluate(`location.hash = "#/${name}"`);
      await button(page).click();
      await yes(page).waitFor();
      await page.getByRole("button", { name: "No", exact: true }).click();
      await yes(page).waitFor({ state: "detached" });
    }
    const before = Date.now();
    await button(page).click();
    await yes(page).waitFor();
    const between = Date.now();
    await yes(page).click();
    const { payload } = await heard.until(({ topic }) => topic === TOPIC);
    const call = callOf(payload);
    expect(call).toMatchObject({ latitude: 52, longitude: 4 });
    const at = Date.now() - 1000 * call.ago!;
    expect(at).toBeGreaterThanOrEqual(before - 1);
    expect(at).toBeLessThanOrEqual(between + 1000);
    await page.locator("[data-id^=call-unsent]").getByText("hub-cand has not confirmed it yet").waitFor();
  });

  test("a second press of the button itself is the second press, with place and time of the first", async () => {
    await reportAlarms(boat.client, {});
    sail(boat.client, { position: fix });
    const heard = await heardAt(boat, TOPIC);
    const { page } = await boat.open("sail");
    await page.locator('[data-id=place][data-kind="live"]').waitFor();
    await button(page).click();
    await yes(page).waitFor();
    await page.waitForTimeout(3000);
    await button(page).click();
    const { payload } = await heard.until(({ topic }) => topic === TOPIC);
    expect(callOf(payload).ago).toBeGreaterThanOrEqual(2.9);
    await page.locator("[data-id^=call-unsent]").waitFor();
  });

  /** A person who fell so many seconds ago. */
  const fallen = (number: number, seconds: number, latitude: number): ActiveAlarm =>
    person(number, {
      ...{ position: { latitude, longitude: 4 }, range: 9, bearing: 9, text: "man-overboard button" },
      first: { at: new Date(Date.now() - 1000 * seconds).toISOString() },
    });

  test("a press while a person is marked asks about another one, who is released alone", async () => {
    const [one, two] = [fallen(1, 62, 52.001), fallen(2, 12, 52.0003)];
    await reportAlarms(boat.client, { alarms: [one] });
    sail(boat.client, { position: fix });
    const heard = await heardAt(boat, "can/can0/alarms/+/set");
    const { page } = await boat.open("sail");
    await page.locator('[data-id=mob][aria-pressed="true"]').click();
    await page.getByText("Another person overboard?").waitFor();
    await page.locator("[data-id=call-manOverboard-0]").waitFor();
    await yes(page).click();
    await page.locator("[data-id^=call-unsent]").waitFor();
    const { payload } = await heard.until(({ topic }) => topic === TOPIC);
    await reportAlarms(boat.client, { alarms: [one, { ...two, press: callOf(payload).press! }] });
    await page.locator("[data-id^=call-unsent]").waitFor({ state: "detached" });
    const call = page.locator("[data-id=call-manOverboard-0-2]");
    await call.locator("h2", { hasText: "2" }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate("location.hash = '#/ships'");
    for (const number of ["1", "2"])
      await page.locator(".call-mark", { hasText: new RegExp(`^${number}$`) }).waitFor({ state: "attached" });
    expect(await page.evaluate(layoutFindings)).toEqual([]);
    await page.evaluate("location.hash = '#/distress'");
    await call.getByRole("button", { name: "Person is back on board" }).click();
    await call.getByRole("button", { name: "Yes, this person is on board" }).click();
    const isRelease = (text: string): boolean => text === JSON.stringify({ press: callOf(payload).press, back: true });
    await heard.until((message) => message.topic === TOPIC && isRelease(message.payload));
    await heard.until(
      (message) => message.topic.endsWith("/manOverboard-0-2/set") && message.payload === "acknowledge",
    );
  });

  test("whatever a second tap at the place of the first meets, it releases nobody else", async () => {
    const persons = [1, 2, 3].map((number) => fallen(number, 80 - 20 * number, 52 + number / 1000));
    await reportAlarms(boat.client, { alarms: persons });
    sail(boat.client, { position: fix });
    const commands: string[] = [];
    boat.client.on("message", (topic, payload) => void (topic === TOPIC && commands.push(String(payload))));
    await boat.client.subscribeAsync(TOPIC);
    const { page } = await boat.open("distress");
    await page.setViewportSize({ width: 390, height: 844 });
    // It moves what is below it.
    await page.locator("[data-id=search-plot]").waitFor();
    const yes = page.getByRole("button", { name: /^Yes, / });
    const releaseOf = ({ press }: ActiveAlarm) => JSON.stringify({ press, back: true });
    for (const [index, { id }] of persons.entries()) {
      const call = page.locator(`[data-id=call-${id}]`);
      await call.getByRole("button", { name: "Person is back on board" }).click();
      const answer = call.getByRole("button", { name: "Yes, this person is on board" });
      await answer.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await answer.boundingBox())!;
      const tap = () => page.mouse.click(x + width / 2, y + height / 2);
      await tap();
      await call.getByText("on board: waiting for hub-cand").waitFor();
      await yes.waitFor({ state: "detached" });
      await tap();
      // hub-cand has it, and then the next person in her place.
      persons[index] = { ...persons[index]!, state: "acknowledged" };
      await reportAlarms(boat.client, { alarms: persons });
      await page.waitForTimeout(300);
      await tap();
      await reportAlarms(boat.client, {
        alarms: persons.slice(index + 1).map((one, place) => ({ ...one, id: persons[index + place]!.id })),
      });
      await page.waitForTimeout(300);
      await tap();
      expect(commands).toEqual(persons.slice(0, index + 1).map(releaseOf));
      await reportAlarms(boat.client, { alarms: persons.slice(index + 1) });
      await call.waitFor({ state: "detached" });
    }
  });

  test("all are released by a question of its own, which closes when another person is marked", async () => {
    const persons = [fallen(1, 62, 52.001), fallen(2, 12, 52.002)];
    await reportAlarms(boat.client, { alarms: persons });
    sail(boat.client, { position: fix });
    const heard = await heardAt(boat, TOPIC);
    const { page } = await boat.open("distress");
    const all = page.getByRole("button", { name: "All are back on board" });
    const yes = page.getByRole("button", { name: "Yes, all are on board" });
    await all.click();
    await yes.waitFor();
    persons.push(fallen(3, 2, 52.003));
    await reportAlarms(boat.client, { alarms: persons });
    await yes.waitFor({ state: "detached" });
    await all.click();
    await yes.click();
    for (const { press } of persons) {
      const release = JSON.stringify({ press, back: true });
      await heard.until(({ payload }) => payload === release);
    }
    expect(await page.getByText("on board: waiting for hub-cand").count()).toBe(persons.length);
  });

  test("the page steers to the person, and the search is ended by two presses", async () => {
    await reportAlarms(boat.client, { alarms: [fallen(1, 62, 52.001)] });
    sail(boat.client, { position: fix, speed_course: { headingTrue: 330, cog: 330, sog: 5 } });
    const heard = await heardAt(boat, "can/can0/alarms/+/set");
    const { page } = await boat.open("sail");
    await page.locator('[data-id=mob][aria-pressed="true"]').click();
    const call = page.locator("[data-id=call-manOverboard-0]");
    // A thousandth of a degree of latitude is 111 m; the place of the boat is newer than the report.
    for (const text of ["Bearing000 °T", "Distance111 m", /Elapsed[1-9]:\d\d/, "30° to starboard"])
      await call.filter({ hasText: text }).waitFor();
    const back = call.getByRole("button", { name: "Person is back on board" });
    const bridge = async (online: boolean): Promise<void> => {
      await boat.client.publishAsync("app/can-can0/info", JSON.stringify({ ...goodIdentity, online }), {
        retain: true,
      });
    };
    await bridge(false);
    await call.getByText("Not possible now: the program that reads the instruments, hub-cand, is off.").waitFor();
    await back.waitFor({ state: "detached" });
    await bridge(true);
    await back.click();
    await call.getByRole("button", { name: "Yes, this person is on board" }).click();
    await heard.until(({ topic, payload }) => topic === TOPIC && payload.endsWith('"back":true}'));
    await heard.until(({ topic, payload }) => topic.endsWith("/manOverboard-0/set") && payload === "acknowledge");
    await reportAlarms(boat.client, {});
    await page.getByText("Nobody is reported overboard").waitFor();
  });
});
