/**
 * Values and things with an alarm are marked, and the bar leads to them; only the boat's watch makes a ship dangerous.
 */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ActiveAlarm } from "../../../../src/core/alarms/report.ts";
import { useBoat, withoutDisplay } from "../boat.ts";
import { publishBoat, sourceOf } from "../published-boats.ts";
import { depth, reportAlarms } from "./reports.ts";

const alarmOf = (kind: ActiveAlarm["kind"], subject?: number): ActiveAlarm => {
  const { value: _, limit: __, unit: ___, ...rest } = depth;
  return {
    ...rest,
    id: `${kind}-${subject}`,
    kind,
    title: `The alarm ${kind}`,
    ...(subject !== undefined && { subject }),
  };
};

const SHIP = 244_000_001;
const ship = (mmsi: number, more: object) => ({ mmsi, class: "A", range: 1, bearing: 40, cog: 220, sog: 9, ...more });

const boatNow = {
  friendlyName: "",
  navigation: { depth_water: { depth: 1.7, source: sourceOf("", 128267) } },
  messages: [
    { address: 16, pgn: 127488, engineInstance: 1, engineSpeedRpm: 1800 },
    { address: 16, pgn: 127489, engineInstance: 1, oilPressureKpa: 60, coolantTempC: 104 },
    { address: 20, pgn: 127508, instance: 0, voltageV: 11.2, currentA: -3 },
    { address: 20, pgn: 127506, instance: 0, stateOfChargePercent: 12 },
  ],
  targets: [ship(SHIP, { name: "ALARMING", cpa: 3, tcpa: 30 }), ship(2, { name: "NEAR", cpa: 0, tcpa: 1 })],
} as const;

/** The marked places, and the page to which the bar leads. */
const places = [
  [alarmOf("depth"), "#/value/depth", "[data-id=depth].alarming"],
  [alarmOf("engineTemperature", 1), "#/systems/engine-1", "[data-id=engine-1] .facts .alarming:has-text('104')"],
  [alarmOf("engine", 1), "#/systems/engine-1", "[data-id=engine-1].alarming"],
  [alarmOf("batteryCharge", 0), "#/systems/battery-0", "[data-id=battery-0] .facts .alarming:has-text('12')"],
  [alarmOf("cpa", SHIP), `#/ships/${SHIP}`, ".details .warn-mark:has-text('close')"],
] as const;

describe.skipIf(withoutDisplay !== undefined)(`marks of alarms in Chromium ${withoutDisplay ?? ""}`, () => {
  const boat = useBoat({ keepsPages: true });
  let beat: ReturnType<typeof setInterval>;
  let page: Page;
  beforeAll(async () => {
    beat = setInterval(() => void publishBoat(boat.client, boatNow), 500);
    ({ page } = await boat.open("route"));
  });
  afterEach(() => reportAlarms(boat.client, {}));
  afterAll(() => clearInterval(beat));

  test.each(places.map(([alarm, hash, marked]) => ({ kind: alarm.kind, hash, alarm, marked })))(
    "$kind leads to $hash, and is marked there",
    async ({ alarm, hash, marked }) => {
      await page.evaluate("location.hash = '#/route'");
      await reportAlarms(boat.client, { alarms: [alarm] });
      const bar = page.locator("[data-id=alarm-bar] a", { hasText: alarm.title });
      await bar.click();
      expect(new URL(page.url()).hash).toBe(hash);
      await page.locator(marked).waitFor();
      if (alarm.kind !== "cpa") await page.locator(`[data-id="mark-${alarm.id}"]`).waitFor();
      // The next tap leads from the value to the list.
      await page.locator("[data-id=alarm-bar] a[href='#/alarms']").click();
      await page.locator(`[data-id="alarm-${alarm.id}"]`).waitFor();
    },
  );

  test("a ship is close where the boat's watch says so, at any distance, and nowhere else", async () => {
    await page.evaluate("location.hash = '#/ships'");
    await reportAlarms(boat.client, { alarms: [alarmOf("cpa", SHIP)] });
    await page.locator(`[data-ship="${SHIP}"].danger`, { hasText: "close" }).waitFor();
    await page.locator(`[data-mmsi="${SHIP}"].danger .danger-ring`).waitFor();
    await expect.poll(() => page.locator(".ship.danger").count()).toBe(1);
    await reportAlarms(boat.client, {});
    await page.locator(".ship.danger").waitFor({ state: "detached" });
  });
});
