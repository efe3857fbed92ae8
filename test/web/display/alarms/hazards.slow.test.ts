/**
 * Every hazard as people see it: frames through hub-cand's bridge and a broker to the display, its bar, list and
 * places.
 */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { type AlarmKind, alarmKinds } from "../../../../src/core/alarms/words.ts";
import { NOT_WORDS, type Sailed, sailed } from "../../../services/bridge/hazards/voyages.ts";
import { useBoat, withoutDisplay } from "../boat.ts";
import { pages } from "../pages.ts";

/**
 * Kinds whose place shows the mark of the alarm beside a value that the voyage has; the others lead to the list, or to
 * a page of their own.
 */
const marked: readonly AlarmKind[] = [
  ...(["depth", "depthFalling", "wind", "engineTemperature", "oilPressure", "engine", "transmission"] as const),
  ...(["batteryVoltage", "batteryHigh", "batteryCharge", "pressure", "cpa", "guardZone"] as const),
  ...(["position", "positionJump", "positionFrozen", "receivers"] as const),
];

/** The last message of each topic, as if the voyage had ended now. */
function lastMessages({ publisher, alarm, report }: Sailed): ReadonlyMap<string, string> {
  const last = new Map(publisher.messages.map(({ topic, payload }) => [topic, payload ?? ""]));
  const data = JSON.stringify({ ...report, alarms: [alarm] });
  const { metadata } = JSON.parse(last.get("can/can0/alarms")!);
  last.set("can/can0/alarms", `{"data":${data},"metadata":${JSON.stringify(metadata)}}`);
  const shift = Date.now() - Date.parse(metadata.rxDate);
  const later = (text: string): string => new Date(Date.parse(text) + shift).toISOString();
  for (const [topic, payload] of last) {
    const now = payload
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, later)
      .replace(/"rxTimestamp":(\d+)/, (_, at) => `"rxTimestamp":${Math.floor(Number(at) + shift / 1000)}`);
    if (topic.endsWith("/set")) last.delete(topic);
    else last.set(topic, now);
  }
  return last;
}

describe.skipIf(withoutDisplay !== undefined)(`hazards in Chromium ${withoutDisplay ?? ""}`, () => {
  const boat = useBoat({ keepsPages: true });
  let page: Page;
  let complaints: readonly string[];
  beforeAll(async () => {
    ({ page, complaints } = await boat.open("route"));
  });

  const shown: Record<string, string> = {};

  test.each(alarmKinds)("%s is shown with its words, and leads to a page", async (kind) => {
    const voyage = sailed(kind);
    const { id, title, severity } = voyage.alarm;
    await page.evaluate("location.hash = '#/route'");
    const tell = async (): Promise<void> => {
      const messages = [...lastMessages(voyage)];
      await Promise.all(
        messages.map(([topic, payload]) =>
          boat.client.publishAsync(topic, payload, { retain: topic.endsWith("alarms") }),
        ),
      );
    };
    await tell();
    const beat = setInterval(() => void tell(), 500);
    try {
      const bar = page.locator(`[data-id=alarm-bar].${severity}.active`, {
        has: page.getByText(title, { exact: true }),
      });
      const link = bar.locator("a");
      await link.waitFor();
      const words = (await link.innerText()).replaceAll(/\s+/g, " ");
      expect(words).not.toMatch(NOT_WORDS);
      await link.click();
      const { hash } = new URL(page.url());
      shown[kind] = `${severity}: ${words} → ${hash}`;
      expect([...pages.map(({ name }) => name), "value"]).toContain(/^#\/([^/]+)/.exec(hash)![1]);
      if (marked.includes(kind)) await page.locator(`.alarming [data-id="mark-${id}"], .warn-mark`).first().waitFor();
      expect(await page.locator("main").innerText()).not.toMatch(NOT_WORDS);
      if (hash !== "#/alarms") await page.locator("[data-id=alarm-bar] a[href='#/alarms']").click();
      const row = page.locator(`[data-id="alarm-${id}"]`);
      await row.getByText(title).first().waitFor();
      expect(await row.innerText()).not.toMatch(NOT_WORDS);
      await page.locator(`[data-id=watch-${kind}]`).waitFor();
    } finally {
      clearInterval(beat);
    }
  });

  test("these are the words and the pages", () => {
    expect(shown).toMatchInlineSnapshot(`
      {
        "alert": "alarm: Bilge water high alert of a device → #/alarms",
        "anchor": "alarm: Anchor dragging 111 m, limit 30 m → #/anchor",
        "arrival": "warning: Waypoint reached arrival circle entered → #/alarms",
        "batteryCharge": "warning: Low battery charge battery 0 12 %, limit 20 % → #/systems/battery-0",
        "batteryHigh": "warning: High battery voltage battery 0 17.0 V, limit 15.5 V → #/systems/battery-0",
        "batteryVoltage": "warning: Low battery voltage battery 0 11.2 V, limit 11.8 V → #/systems/battery-0",
        "beaconTest": "warning: Distress beacon under test MMSI 970123456 000°, 241 m, AIS search and rescue transmitter → #/ships/970123456",
        "clock": "warning: Time differs 2 h, the computer's clock is ahead of the time of the bus → #/bus",
        "converter": "warning: Charger fault, reported by charger 1 → #/alarms",
        "cpa": "alarm: Close approach MMSI 244000001 0.00 NM in 5:06, makes no way → #/ships/244000001",
        "crossTrack": "warning: Off the leg 0.16 NM, limit 0.10 NM, steer to port → #/alarms",
        "dataLost": "alarm: No longer watched depth is not watched any more: no usable value is received → #/alarms",
        "depth": "alarm: Shallow water 1.5 m, limit 2.0 m, below the transducer → #/value/depth",
        "depthFalling": "warning: Depth falls fast 3.4 m, limit 2.0 m, below the transducer, falls by 0.2 m/s → #/value/depth",
        "depthLost": "alarm: Depth lost 4.0 m, when it was lost, below the transducer → #/value/depth",
        "disk": "warning: Disk full 150 MB, limit 200 MB, free on the disk of /var/lib: no configuration, recording or history is saved when it is full → #/alarms",
        "distress": "emergency: Distress MMSI 244660000 000°, 241 m, DSC call: Sinking → #/distress",
        "engine": "alarm: Engine Engine, port or single low oil level, reported by the engine → #/systems/engine-0",
        "engineTemperature": "alarm: Engine overheating Engine, port or single 105 °C, limit 98.0 °C → #/systems/engine-0",
        "external": "warning: Water in the bilge alarm of a program → #/alarms",
        "fault": "warning: Fault of hub planted: failed, the rest goes on → #/alarms",
        "guardZone": "alarm: Ship in the guard zone MMSI 244000001 000°, 0.80 NM, limit 1.0 NM → #/ships/244000001",
        "limits": "warning: Freezer is warm -3.0 °C, limit -10.0 °C → #/alarms",
        "lostTarget": "warning: Ship lost MMSI 244000001 000°, 0.80 NM, in the guard zone when it was last heard, 5 min ago → #/ships/244000001",
        "manOverboard": "emergency: Man overboard MMSI 972123456 000°, 241 m, AIS man-overboard beacon → #/distress",
        "network": "alarm: Network silent no device is heard, nothing is watched → #/alarms",
        "newDevice": "alarm: New device on the bus Raymarine Atmospheric not in the baseline → #/bus",
        "oilPressure": "alarm: Low oil pressure Engine, starboard 0.6 bar, limit 1.0 bar → #/systems/engine-1",
        "pilot": "alarm: Autopilot off heading, reported by the autopilot → #/alarms",
        "position": "alarm: Position lost → #/sail",
        "positionFrozen": "alarm: Position stands still 0.14 NM, limit 0.10 NM, run by the speed over ground while the position stood still → #/sail",
        "positionJump": "alarm: Position jumps receiver at address 3 6.0 NM, in 1 s → #/sail",
        "pressure": "warning: Barometer falls 3.4 hPa, limit 3.0 hPa, in three hours → #/value/pressure",
        "receivers": "alarm: Positions differ 222 m, limit 109 m, receiver at address 3 and receiver at address 4 → #/sail",
        "safetyMessage": "warning: Safety message MMSI 2442000 BUOY ADRIFT → #/ships/2442000",
        "shorePower": "warning: Shore power lost 60.0 V, limit 90.0 V → #/alarms",
        "transmission": "alarm: Transmission Engine, port or single low oil level, reported by the transmission → #/systems/engine-0",
        "wind": "warning: Strong wind 38.9 kn, limit 30.0 kn → #/value/trueSpeed",
        "windShift": "warning: Wind shift 48°, limit 30°, veers → #/alarms",
      }
    `);
    // The page Alarms asks a configuration service, of which there is none here.
    expect(complaints.filter((complaint) => !complaint.includes("502"))).toEqual([]);
  });
});
