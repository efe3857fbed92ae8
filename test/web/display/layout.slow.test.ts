/**
 * No page breaks: on all sizes, by day and by night, with values that live, are missing, lost, negative or long, no
 * text lies over another or is cut off, and nothing is beside the screen.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ActiveAlarm } from "../../../src/core/alarms/report.ts";
import { appTopics } from "../../../src/core/topics/topics.ts";
import { defaultUnits } from "../../../src/web/display/instruments/units.ts";
import { languageNames } from "../../../src/web/display/languages/languages.ts";
import { secondsOf } from "../../../src/web/display/trend/ranges.ts";
import { freePort } from "../../support/ports.ts";
import { atNight } from "../../support/size.ts";
import { person, reportAlarms } from "./alarms/reports.ts";
import { sizes as allSizes, type Boat, changeSettings, layoutFindings, openBoat, withoutDisplay } from "./boat.ts";
import { restPages } from "./pages.ts";
import { type HandMadeBoat, publishBoat, sourceOf } from "./published-boats.ts";

const pages = [
  "sail",
  "route",
  ...["mine", "mine/2", "mine/3", "mine/4"],
  "ships",
  "systems",
  "boat",
  "more",
  "value/depth",
  "value/apparentAngle",
  "trend/battery/20/0/voltageV",
  "distress",
  "anchor",
  ...restPages.map(({ name }) => name).filter((name) => name !== "messages"),
];

const sizes = atNight(allSizes.slice(0, 4), allSizes);
/** The words of German are the longest. */
const languages = atNight(
  ["de"] as const,
  languageNames.filter((name) => name !== "en"),
);

/** Screens of the crew's own. */
const mine = [
  ["depth", "sog", "apparentSpeed", "headingTrue", "waypointDistance", "pressure"],
  ["depth", "trueAngle", "gauge/sog"],
  ["rose/winds", "rose/route", "gauge/apparentAngle", "gauge/crossTrack"],
  ["gauge/depth", "gauge/pressure", "gauge/cog", "log", "rateOfTurn", "rose/winds", "heel", "timeToGo", "trueSpeed"],
];

/** The text of the function, without its call. */
const definition = layoutFindings.replace(/^findings\(\);$/m, "");

const LONG_NAME = "The receiver on the stern rail, portside";

type Numbers = typeof usual & { readonly offset?: number };

/** A boat whose values are all of one kind. */
function boatOf(n: Numbers, friendlyName: string): HandMadeBoat {
  const faults = [
    {
      spn: 107,
      parameter: "Air filter differential pressure",
      failure: "data valid but above normal range, moderately severe",
      occurrences: 126,
    },
    { spn: 520_192, fmi: 22 },
  ];
  const pgn = (address: number, number: number, fields: object) => ({ address, pgn: number, ...fields });
  return {
    friendlyName,
    navigation: {
      position: {
        hasFix: true,
        fixType: "precise_gnss",
        method: 3,
        numSatellites: 12,
        latitude: n.latitude,
        longitude: n.longitude,
        hdop: 0.8,
        source: sourceOf(friendlyName, 129029),
      },
      speed_course: {
        cog: n.degrees,
        sog: n.speed,
        headingTrue: n.degrees,
        headingMagnetic: n.degrees,
        speedThroughWater: n.speed,
        rateOfTurn: n.angle / 60,
        variation: 2,
        leeway: n.angle / 10,
        source: sourceOf(friendlyName, 129026),
      },
      wind_apparent: { speed: n.speed, angle: n.angle, source: sourceOf(friendlyName, 130306) },
      wind_true: {
        speed: n.speed,
        angle: n.angle,
        direction: n.degrees,
        reference: "water",
        computed: true,
        source: sourceOf(friendlyName, 130306),
      },
      depth_water: {
        depth: n.depth,
        ...(n.offset !== undefined && { offset: n.offset }),
        waterTemperature: n.temperature,
        outsideTemperature: n.temperature,
        atmosphericPressure: n.pascal,
        source: sourceOf(friendlyName, 128267),
      },
      date: { date: "2026-11-22", time: "23:59:59", source: sourceOf(friendlyName, 126992) },
    },
    messages: [
      pgn(50, 127237, { steeringMode: "Heading Control", headingToSteerDeg: n.degrees, headingReference: "Magnetic" }),
      pgn(50, 127245, { instance: 0, positionDeg: n.angle / 4 }),
      pgn(4, 127257, { yawDeg: 0, pitchDeg: n.angle / 10, rollDeg: n.angle / 3 }),
      pgn(35, 128275, { tripLogM: 1852 * n.miles, tripLogNm: n.miles, totalLogM: 1852 * n.miles, totalLogNm: n.miles }),
      pgn(2, 129283, { xte: n.angle * 100 }),
      pgn(2, 129284, {
        distanceToWaypoint: 1852 * n.miles,
        bearingReference: "True",
        bearingToWaypoint: n.degrees,
        waypointId: Math.round(n.miles),
        waypointClosing: false,
      }),
      pgn(2, 129291, { setReference: "True", setDeg: n.degrees, driftMs: 1, driftKnots: n.speed / 10 }),
      pgn(16, 127488, { engineInstance: 0, engineSpeedRpm: n.rpm }),
      pgn(16, 127488, { engineInstance: 1, engineSpeedRpm: n.rpm }),
      pgn(16, 127489, {
        engineInstance: 0,
        oilPressureKpa: 421.8,
        coolantTempC: n.temperature,
        oilTempC: n.temperature,
        alternatorVoltage: 14.1,
        fuelRateLh: 103.5,
        loadPercent: 63,
        engineHours: 21_240.1,
      }),
      pgn(16, 127493, { engineInstance: 0, gear: "Forward" }),
      pgn(16, 65226, { redStopLamp: "On", amberWarningLamp: "On", faults }),
      pgn(259, 65226, { protectLamp: "On", faults }),
      ...[0, 1, 11].flatMap((instance) => [
        pgn(20, 127508, { instance, voltageV: 12.66, currentA: -207.9, temperatureC: n.temperature }),
        pgn(20, 127506, { instance, stateOfChargePercent: 81, timeRemainingMin: 99_999 }),
        pgn(20, 127507, { chargerInstance: instance, batteryInstance: instance, operatingState: "Constant current" }),
      ]),
      ...["Fuel", "Water", "Black water"].map((fluidType, instance) =>
        pgn(24, 127505, { instance, fluidType, levelPercent: 88.8, capacityLiters: 12_345 }),
      ),
      pgn(25, 127501, {
        instance: 0,
        switches: Array.from({ length: 28 }, (_, at) => ({ switch: at + 1, status: at % 3 === 0 ? "Error" : "Off" })),
      }),
      ...["Sea Temperature", "Exhaust Gas Temperature", "Refrigeration Temperature"].map((source, instance) =>
        pgn(4, 130312, { instance, source, actualTempC: n.temperature }),
      ),
      pgn(4, 130312, { instance: 24, actualTempC: n.temperature }),
    ],
    targets: Array.from({ length: 40 }, (_, index) => ({
      mmsi: 244_000_000 + index,
      class: index % 2 === 0 ? "A" : "B",
      name: index % 3 === 0 ? "VOLHARDING VAN DELFZIJL" : "ELLA",
      cog: (index * 37) % 360,
      sog: n.speed,
      range: 0.05 + (index % 8) * 0.25,
      bearing: (index * 53) % 360,
      cpa: index / 10,
      tcpa: index * 3,
    })),
  };
}

const usual = {
  ...{ depth: 12.3, speed: 5.6, angle: 42, degrees: 123, latitude: 53.3055904, longitude: 3.617333 },
  ...{ temperature: 14.2, pascal: 101_325, miles: 12.3, rpm: 1916 },
};

const states = {
  live: boatOf(usual, ""),
  long: boatOf(
    {
      ...usual,
      // 36071 ft is the deepest sea.
      ...{ depth: 10_994.4, speed: 102.3, angle: 179, degrees: 358, longitude: 179.999_999 },
      ...{ temperature: 1234.5, pascal: 109_999, miles: 123_456.7, rpm: 16_383 },
    },
    LONG_NAME,
  ),
  negative: boatOf(
    {
      ...usual,
      ...{ depth: 0.3, offset: -1.8, speed: 0, angle: -168.6, degrees: 0, latitude: -53.3055904 },
      ...{ longitude: -179.617333, temperature: -40.04, pascal: 87_000, rpm: 0 },
    },
    "",
  ),
} as const;

/** Near the boat: two persons of the button and a beacon, and a destination that is a place without a name. */
async function callForHelp({ client }: Boat): Promise<void> {
  const at = new Date(Date.now() - 3_700_000).toISOString();
  const fallen = (number: number, more: Partial<ActiveAlarm> = {}): ActiveAlarm =>
    person(number, {
      ...{ position: { latitude: usual.latitude + (number + 1) / 1000, longitude: 179.999 }, range: 0.1, bearing: 209 },
      ...{ since: at, first: { at }, text: "man-overboard button", ...more },
    });
  const beacon = { id: "manOverboard-972123456", subject: 972_123_456, text: "AIS man-overboard beacon" } as const;
  await reportAlarms(client, { alarms: [fallen(1), fallen(2), fallen(3, { ...beacon, person: undefined as never })] });
  const destination = { latitude: -usual.latitude, longitude: 179.9999 };
  await client.publishAsync(appTopics.linkCourse, JSON.stringify({ destination }), { retain: true });
}

/** Takes the place of the engine: every series goes from the lowest to the highest of the numbers. */
const history = createServer(({ url }, response) => {
  const { searchParams } = new URL(url!, "http://boat");
  const step = secondsOf(searchParams.get("step")!);
  const count = secondsOf(searchParams.get("start")!.slice(1)) / step;
  const now = Date.now() / 1000;
  const values = Array.from({ length: count }, (_, at) => [now - (count - at) * step, String((at * 16_383) / count)]);
  const result = ["min", "avg", "max"].map((rollup) => ({ metric: { rollup }, values }));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ status: "success", data: { resultType: "matrix", result } }));
});

describe.skipIf(withoutDisplay !== undefined)(`layout${withoutDisplay ? ` (${withoutDisplay})` : ""}`, () => {
  let boat: Boat;
  let page: Page;
  let beginHistory: () => Promise<unknown>;
  beforeAll(async () => {
    const historyPort = await freePort();
    boat = await openBoat({ historyPort });
    beginHistory = () => once(history.listen(historyPort, "127.0.0.1"), "listening");
    ({ page } = await boat.open("sail", sizes[0], { mine }));
  });
  afterAll(async () => {
    await boat?.close();
    history.closeAllConnections();
    history.close();
  });

  /**
   * Two frames, one that renders and one after it, then the findings. Frames that do not come are an error that says
   * what the page was, as a promise that is never kept tells nothing.
   */
  const findings = (lights: readonly string[]): Promise<readonly string[]> =>
    page.evaluate(`${definition}
    new Promise((done, fail) => {
      const late = setTimeout(() => fail(new Error(
        "no frame in 10 s: " + [document.visibilityState, innerWidth, innerHeight, location.hash].join(" "))), 10_000);
      setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => {
        clearTimeout(late);
        done();
      })), 30);
    }).then(() => {
      const { dataset } = document.documentElement;
      return ${JSON.stringify(lights)}.flatMap((light) => {
        dataset.light = light;
        return findings().map((one) => light + ": " + one);
      });
    })`);

  async function lookEverywhere(
    prepare: (name: string) => Promise<unknown> = async () => {},
    screens = sizes,
  ): Promise<readonly string[]> {
    const found: string[] = [];
    for (const name of pages) {
      await page.evaluate(`location.hash = "#/${name}"`);
      await prepare(name);
      for (const screen of screens) {
        await page.setViewportSize(screen);
        // Nothing but colours differs in the dark, so that one size is enough.
        const lights = screen === screens[0] ? ["night", "day"] : ["day"];
        // A page that is just being drawn is not wrong for long.
        let wrong = await findings(lights);
        for (let looks = 0; wrong.length > 0 && looks < 20; looks++) wrong = await findings(lights);
        found.push(...wrong.map((one) => `${name} ${screen.width}x${screen.height} ${one}`));
      }
    }
    return found;
  }

  /** Publishes a boat again and again while it is looked at. */
  async function whileItSails(sailing: HandMadeBoat, look: () => Promise<unknown>): Promise<void> {
    const beat = setInterval(() => void publishBoat(boat.client, sailing), 700);
    await look().finally(() => clearInterval(beat));
  }

  test("without any value, and without a history", async () => {
    expect((await lookEverywhere()).join("\n")).toBe("");
    await beginHistory();
  });

  /** The first message after a page is opened is waited for: pages that do not show a value yet are tested above. */
  const isHeard = (name: string): Promise<unknown> =>
    name === "ships"
      ? page.locator(".ship").first().waitFor()
      : name === "systems"
        ? page.locator("[data-id=temperatures]").waitFor()
        : page.waitForTimeout(50);

  test.each(Object.keys(states) as (keyof typeof states)[])("with %s values, and when they are lost", async (state) => {
    const long = { depth: "ft", temperature: "°F", airPressure: "mmHg", volume: "imp gal", wind: "km/h" };
    await changeSettings(page, { units: state === "long" ? { ...defaultUnits, ...long } : defaultUnits });
    await whileItSails(states[state], async () => {
      await page.evaluate('location.hash = "#/sail"');
      await page.locator('[data-id=depth][data-kind="live"]').waitFor();
      await page.evaluate('location.hash = "#/value/depth"');
      await page.getByRole("button", { name: "90 d" }).click();
      await page.locator("[data-id=extremes]").waitFor();
      expect((await lookEverywhere(isHeard)).join("\n")).toBe("");
      await page.evaluate('location.hash = "#/systems"');
      await isHeard("systems");
      // Two more messages give the period; the values expire after three periods.
      await page.waitForTimeout(1600);
    });
    if (state !== "long") return;
    await page.locator(".tank.dead").first().waitFor();
    expect((await lookEverywhere()).join("\n")).toBe("");
  });

  test("when persons are overboard, on the way to a place without a name", async () => {
    await callForHelp(boat);
    await whileItSails(states.long, async () => {
      await page.evaluate('location.hash = "#/route"');
      await page.locator("[data-id=destination]").waitFor();
      await page.locator("[data-id=call-bar]").waitFor();
      expect((await lookEverywhere(isHeard)).join("\n")).toBe("");
    });
  });

  /** Words are longer than in English: on the narrowest phone, on a tablet, on a chart table. */
  test.each(languages)("in the language %s", async (language) => {
    await changeSettings(page, { language });
    await page.locator(`html[lang=${language}]`).waitFor();
    await whileItSails(states.long, async () => {
      await page.evaluate('location.hash = "#/sail"');
      await page.locator('[data-id=depth][data-kind="live"]').waitFor();
      const screens = [360, 768, 1280].map((width) => ({ width, height: width === 1280 ? 800 : 1024 }));
      expect((await lookEverywhere(isHeard, screens)).join("\n")).toBe("");
    });
  });
});
