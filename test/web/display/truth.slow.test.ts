/** The display against fixed reports: every text, unit, needle and target, and their expiry. */
import { afterEach, describe, expect, test } from "vitest";
import { depth, reportAlarms } from "./alarms/reports.ts";
import { changeSettings, useBoat, withoutDisplay } from "./boat.ts";
import { type HandMadeBoat, publishBoat, sourceOf } from "./published-boats.ts";

const none: HandMadeBoat = { navigation: {}, messages: [], targets: [], friendlyName: "" };

/**
 * A boat in the south and west, with another number for each quantity; a ship abeam to starboard, another ahead to
 * port.
 */
const fixed: HandMadeBoat = {
  friendlyName: "",
  navigation: {
    position: {
      hasFix: true,
      fixType: "dgnss",
      method: 2,
      numSatellites: 11,
      latitude: -33.8568,
      longitude: -70.1234,
      source: sourceOf("Bow receiver", 129029),
    },
    speed_course: {
      cog: 217,
      sog: 6.2,
      headingTrue: 210,
      headingMagnetic: 195,
      speedThroughWater: 5.1,
      rateOfTurn: 0.5,
      variation: 15,
      leeway: -4,
      source: sourceOf("Stern receiver", 129026),
    },
    wind_apparent: { speed: 18.3, angle: -37.4, source: sourceOf("Masthead", 130306) },
    wind_true: {
      speed: 14.6,
      angle: -52.2,
      direction: 157.8,
      reference: "water",
      computed: true,
      source: sourceOf("Masthead", 130306),
    },
    depth_water: {
      depth: 7.4,
      offset: -1.9,
      waterTemperature: 11.2,
      outsideTemperature: 9.7,
      atmosphericPressure: 99_870,
      source: sourceOf("Sounder", 128267),
    },
    date: { date: "2026-11-22", time: "01:02:03", source: sourceOf("Bow receiver", 126992) },
  },
  messages: [
    { address: 50, pgn: 127237, steeringMode: "Track Control", headingToSteerDeg: 208, headingReference: "Magnetic" },
    { address: 50, pgn: 127245, instance: 0, positionDeg: 6.4 },
    { address: 4, pgn: 127257, pitchDeg: 2.3, rollDeg: -12.6 },
    { address: 35, pgn: 128275, tripLogM: 90_007, tripLogNm: 48.6, totalLogM: 4_342_940, totalLogNm: 2345 },
    { address: 2, pgn: 129283, xte: -92.6 },
    {
      address: 2,
      pgn: 129284,
      distanceToWaypoint: 5926.4,
      bearingReference: "Magnetic",
      bearingToWaypoint: 210,
      waypointId: 17,
      waypointClosing: true,
    },
    { address: 2, pgn: 129291, setReference: "Magnetic", setDeg: 95, driftKnots: 1.3 },
    { address: 16, pgn: 127488, engineInstance: 0, engineSpeedRpm: 2400 },
    { address: 16, pgn: 127498, engineInstance: 0, ratedSpeedRpm: 3600 },
    { address: 16, pgn: 127489, engineInstance: 0, oilPressureKpa: 420, coolantTempC: 80, fuelRateLh: 7.6 },
    { address: 20, pgn: 127508, instance: 0, voltageV: 12.34, currentA: -5.6, temperatureC: -273.15 },
    { address: 24, pgn: 127505, instance: 0, fluidType: "Fuel", levelPercent: 25, capacityLiters: 200 },
    { address: 4, pgn: 130312, instance: 3, source: "Exhaust Gas Temperature", actualTempC: 41 },
    { address: 4, pgn: 130312, instance: 4, source: "Main Cabin Temperature", actualTempC: -273.15 },
  ],
  targets: [
    { mmsi: 1, class: "A", name: "ABEAM", range: 1, bearing: 300, cog: 30, sog: 12, cpa: 0.25, tcpa: 7.5 },
    { mmsi: 2, class: "B", name: "AHEAD", range: 1.5, bearing: 200 },
  ],
};

/** Two engines, and two batteries of one instance. */
const second: HandMadeBoat = {
  ...none,
  messages: [
    { address: 16, pgn: 127488, engineInstance: 0, engineSpeedRpm: 1800 },
    { address: 16, pgn: 127489, engineInstance: 0, oilPressureKpa: 310, coolantTempC: 76 },
    { address: 16, pgn: 127493, engineInstance: 0, gear: "Forward" },
    { address: 16, pgn: 127498, engineInstance: 0, ratedSpeedRpm: 3400 },
    { address: 16, pgn: 127488, engineInstance: 1, engineSpeedRpm: 2600 },
    { address: 16, pgn: 127489, engineInstance: 1, oilPressureKpa: 450, coolantTempC: 88 },
    { address: 16, pgn: 127493, engineInstance: 1, gear: "Reverse" },
    { address: 16, pgn: 127498, engineInstance: 1, ratedSpeedRpm: 3800 },
    { address: 20, pgn: 127508, instance: 0, voltageV: 12.61, currentA: -3.5 },
    { address: 20, pgn: 127506, instance: 0, dcType: "Battery", stateOfChargePercent: 84 },
    { address: 24, pgn: 127508, instance: 0, voltageV: 13.82, currentA: 7.5 },
    { address: 24, pgn: 127506, instance: 0, dcType: "Battery", stateOfChargePercent: 37 },
    { address: 20, pgn: 127507, chargerInstance: 0, batteryInstance: 0, operatingState: "Bulk" },
    { address: 24, pgn: 127507, chargerInstance: 0, batteryInstance: 0, operatingState: "Float" },
    { address: 24, pgn: 127510, instance: 0, batteryInstance: 0, chargeCurrentLimitPercent: 70 },
    // A message of an instrument that has only the voltage.
    { address: 25, pgn: 127508, instance: 0, voltageV: 12.22 },
  ],
};

/** Text, unit and side of each instrument in the units of the reports, and in others. */
const expected = {
  sail: {
    depth: ["5.5", "m", "18.0", "ft"],
    sog: ["6.2", "kn", "11.5", "km/h"],
    cog: ["217", "°T", "217", "°T"],
    stw: ["5.1", "kn", "9.4", "km/h"],
    apparentSpeed: ["18.3", "kn", "9.4", "m/s"],
    apparentAngle: ["37 port", "°", "37 port", "°"],
    trueSpeed: ["14.6", "kn", "7.5", "m/s"],
    trueAngle: ["52 port", "°", "52 port", "°"],
    trueDirection: ["158", "°T", "158", "°T"],
    vmgWind: ["3.1", "kn", "5.8", "km/h"],
    waterTemperature: ["11.2", "°C", "52.2", "°F"],
    outsideTemperature: ["9.7", "°C", "49.5", "°F"],
    pressure: ["999", "hPa", "29.49", "inHg"],
  },
  route: {
    waypointDistance: ["3.2", "NM", "5.9", "km"],
    waypointBearing: ["210", "°M", "210", "°M"],
    crossTrack: ["-0.05", "NM", "-0.09", "km"],
    vmgWaypoint: ["6.1", "kn", "11.4", "km/h"],
    timeToGo: ["31:16", "", "31:16", ""],
    headingToSteer: ["208", "°M", "208", "°M"],
    rudder: ["6 starboard", "°", "6 starboard", "°"],
    heel: ["13 port", "°", "13 port", "°"],
    rateOfTurn: ["30 starboard", "°/min", "30 starboard", "°/min"],
    currentSet: ["095", "°M", "095", "°M"],
    currentDrift: ["1.3", "kn", "2.4", "km/h"],
    trip: ["48.6", "NM", "90.0", "km"],
    log: ["2345", "NM", "4343", "km"],
  },
} as const;

const otherUnits = {
  depth: "ft",
  speed: "km/h",
  wind: "m/s",
  distance: "km",
  temperature: "°F",
  airPressure: "inHg",
  enginePressure: "psi",
  volume: "gal",
};

describe.skipIf(withoutDisplay !== undefined)(`fixed reports${withoutDisplay ? ` (${withoutDisplay})` : ""}`, () => {
  const boat = useBoat();
  let beat: ReturnType<typeof setInterval> | undefined;
  let published: Promise<void> = Promise.resolve();
  afterEach(async () => {
    await anchor();
    for (const address of [2, 4, 9, 16, 20, 24, 25, 35, 50])
      await boat.client.publishAsync(`can/can0/device/${address}/infos`, "", { retain: true });
  });

  /** Publishes again and again, as a boat does. */
  const sail = (sailing: HandMadeBoat): void => {
    clearInterval(beat);
    beat = setInterval(() => {
      published = publishBoat(boat.client, sailing);
    }, 400);
  };

  /** Publishes no more. */
  const anchor = async (): Promise<void> => {
    clearInterval(beat);
    await published;
  };

  /** Text and unit of all instruments of the page. */
  const readouts = `Object.fromEntries([...document.querySelectorAll(".readout[data-id]")].map((one) => [one.dataset.id, [
    (one.querySelector(".spoken") ?? one.querySelector(".worth")).textContent,
    (one.querySelector(".unit") ?? one.querySelector("small"))?.textContent ?? "",
  ]]))`;

  test.each([
    ["day", "reports"],
    ["night", "others"],
  ])("every readout by %s, in the units of %s", async (light, kind) => {
    const settings = { light, ...(kind === "others" && { units: otherUnits }) };
    const { page, complaints } = await boat.open("sail", { width: 1280, height: 800 }, settings);
    sail(fixed);
    for (const name of ["sail", "route"] as const) {
      await page.evaluate(`location.hash = "#/${name}"`);
      const ids = Object.keys(expected[name]);
      for (const id of ids) await page.locator(`[data-id="${id}"][data-kind="live"]`).waitFor();
      const shown = (await page.evaluate(readouts)) as Record<string, readonly string[]>;
      const wanted = Object.entries(expected[name]).map(([id, texts]) => [
        id,
        kind === "others" ? texts.slice(2) : texts.slice(0, 2),
      ]);
      expect(Object.fromEntries(ids.map((id) => [id, shown[id]]))).toEqual(Object.fromEntries(wanted));
      const position = await page.locator("[data-id=place] .worth").allInnerTexts();
      expect(position).toEqual(["33° 51.408′ S", "070° 07.404′ W"]);
    }
    await expect.poll(() => page.locator("[data-id=crossTrack] .note").innerText()).toBe("steer right");
    await expect.poll(() => page.locator("[data-id=autopilot] .worth").innerText()).toBe("Track");
    await expect.poll(() => page.locator("[data-id=waypoint] .worth").innerText()).toBe("17");
    await page.evaluate('location.hash = "#/systems"');
    await page.locator("[data-id=temperatures]").waitFor();
    await page.locator("[data-id=engine-0] dl").waitFor();
    const text = (await page.locator(".systems").innerText()).replaceAll("\u202f", " ");
    for (const one of kind === "others"
      ? ["61 psi", "176 °F", "2.0 gal/h", "13 of 53 gal", "106 °F"]
      : ["4.2 bar", "80.0 °C", "7.6 L/h", "50 of 200 L", "41.0 °C"])
      expect(text).toContain(one);
    // Values that stand for "not available" are not shown.
    expect(text).not.toMatch(/-273|-459|Main Cabin/);
    await expect.poll(() => page.locator("[data-id=full-speed]").textContent()).toBe("3600");
    expect(complaints).toEqual([]);
  });

  test("every needle", async () => {
    const { page } = await boat.open("sail", { width: 1280, height: 800 });
    sail(fixed);
    const needle = async (name: string): Promise<number> => {
      const text = await page.locator(`[data-needle=${name}]`).getAttribute("transform");
      return Number(text!.match(/rotate\((-?[\d.]+)/)![1]);
    };
    await expect.poll(() => needle("heading")).toBe(-210);
    await expect.poll(() => needle("cog")).toBe(217);
    await expect.poll(() => needle("apparent-wind")).toBe(-37.4);
    await expect.poll(() => needle("true-wind")).toBe(-52.2);
    await page.evaluate('location.hash = "#/route"');
    await expect.poll(() => needle("heading")).toBe(-210);
    // Magnetic, on a card of true north.
    await expect.poll(() => needle("waypoint")).toBe(225);
    await expect.poll(() => needle("current")).toBe(110);
  });

  test("every target, north up and head up, and its row", async () => {
    const { page } = await boat.open("ships", { width: 1280, height: 800 });
    sail(fixed);
    const place = async (mmsi: number): Promise<readonly number[]> => {
      const radius = Number(await page.locator(".rings circle").last().getAttribute("r"));
      const text = await page.locator(`.target[data-mmsi="${mmsi}"]`).getAttribute("transform");
      const [, x, y] = text!.match(/translate\((\S+) (\S+)\)/)!;
      // Offsets in nautical miles to the right and up; the range is two.
      return [Number(x) / radius, -Number(y) / radius].map((share) => Math.round(share * 200) / 100);
    };
    await page.locator('.target[data-mmsi="1"]').waitFor();
    expect([await place(1), await place(2)]).toEqual([
      [-0.87, 0.5],
      [-0.51, -1.41],
    ]);
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "North up" }).click();
    expect([await place(1), await place(2)]).toEqual([
      [1, 0],
      [-0.26, 1.48],
    ]);
    const row = await page.locator('[data-ship="1"]').innerText();
    expect(row.split(/\s+/)).toEqual("ABEAM class A 0.25 CPA NM 7:30 TCPA 1.0 NM 300 bearing".split(" "));
    await changeSettings(page, { units: otherUnits });
    await page.locator('[data-ship="1"]').waitFor();
    await expect
      .poll(() => page.locator('[data-ship="1"]').innerText())
      .toMatch(/0\.46\s+CPA km\s+7:30\s+TCPA\s+1\.9\s+km/);
    // Only the boat's watch makes a ship dangerous, at any distance.
    expect(await page.locator(".ship.danger").count()).toBe(0);
    await reportAlarms(boat.client, { alarms: [{ ...depth, id: "cpa-1", kind: "cpa", subject: 1 }] });
    await page.locator('[data-ship="1"].danger', { hasText: "close" }).waitFor();
    await page.locator('[data-mmsi="1"].danger .danger-ring').waitFor();
    expect(await page.locator(".ship.danger").count()).toBe(1);
    await reportAlarms(boat.client, {});
    await page.locator(".ship.danger").waitFor({ state: "detached" });
  });

  test("two engines, and two batteries of one instance", async () => {
    const { page, complaints } = await boat.open("systems", { width: 1280, height: 800 });
    sail(second);
    const textsOf = async (id: string): Promise<readonly string[]> => {
      await page.locator(`[data-id=${id}] .facts`).first().waitFor();
      const texts = await page.locator(`[data-id=${id}]`).allInnerTexts();
      return texts.map((text) => text.replace(/\s+/g, " "));
    };
    await expect.poll(() => textsOf("engine-0")).toEqual([expect.stringMatching(/1800.*Forward.*3\.1 bar.*76\.0 °C/i)]);
    await expect.poll(() => textsOf("engine-1")).toEqual([expect.stringMatching(/2600.*Reverse.*4\.5 bar.*88\.0 °C/i)]);
    await expect.poll(() => page.locator("[data-id=full-speed]").allTextContents()).toEqual(["3400", "3800"]);
    await page.locator("[data-id=battery-0]").nth(2).waitFor();
    expect(await textsOf("battery-0")).toEqual([
      expect.stringMatching(/12\.61.*State of charge 84 %.*Discharging 3\.5 A Temperature – Charger Bulk Model 20/),
      expect.stringMatching(
        /13\.82.*State of charge 37 %.*Charging 7\.5 A Temperature – Charger Float Charge limit 70 %.*Model 24/,
      ),
      expect.stringMatching(/12\.22.*State of charge – (?!.*Charge).*Model 25/),
    ]);
    expect(complaints).toEqual([]);
  });

  test("depths name their reference, which the settings choose among what the offset tells", async () => {
    const { page } = await boat.open("sail", { width: 1280, height: 800 });
    for (const [reference, offset, wanted] of [
      ["installed", -1.9, ["below keel", "5.5"]],
      ["installed", 0.6, ["below surface", "8.0"]],
      ["installed", undefined, ["below transducer", "7.4"]],
      ["transducer", -1.9, ["below transducer", "7.4"]],
      ["keel", -1.9, ["below keel", "5.5"]],
      ["keel", 0.6, ["below transducer", "7.4"]],
      ["surface", 0.6, ["below surface", "8.0"]],
      ["surface", undefined, ["below transducer", "7.4"]],
    ] as const) {
      // The page that is loaded must not hear an offset of the round before, which it would keep for a while.
      await anchor();
      await changeSettings(page, { depthReference: reference });
      const { offset: _, ...water } = fixed.navigation.depth_water!;
      sail({ ...none, navigation: { depth_water: { ...water, ...(offset !== undefined && { offset }) } } });
      for (const [at, text] of [".note", ".spoken"].map((each, index) => [each, wanted[index]!] as const))
        await page.locator(`[data-id=depth] ${at}`, { hasText: new RegExp(`^${text}$`) }).waitFor();
    }
    await changeSettings(page, { depthReference: "installed" });
    await page.evaluate('location.hash = "#/value/depth"');
    sail({ ...none, navigation: { depth_water: { ...fixed.navigation.depth_water!, offset: -1.9 } } });
    await page.locator(".detail", { hasText: "offset -1.9\u202fm" }).waitFor();
  });

  test("a value names its own source or none, and never the digits of a NAME", async () => {
    const { page } = await boat.open("sail", { width: 1280, height: 800 });
    sail(fixed);
    await page.locator('[data-id=trueSpeed][data-kind="live"]').waitFor();
    const named = async (id: string): Promise<string> =>
      (await page.locator(`[data-id=${id}] .foot .source-name`).innerText()).trim();
    await expect.poll(() => named("sog")).toBe("Stern receiver");
    // The group's source is the receiver, which has no log: the one device that has it is named.
    await page.locator("[data-id=stw] .foot .source-name", { hasText: /^Model 35$/ }).waitFor();
    await expect.poll(() => named("trueSpeed")).toMatch(/^computed, Masthead/);
    const madeGood = { ...fixed.navigation.speed_course!, computed: true, source: sourceOf("Bow receiver", 129025) };
    sail({ ...fixed, navigation: { ...fixed.navigation, speed_course: madeGood } });
    await page.locator("[data-id=sog] .foot .source-name", { hasText: /^computed, Bow receiver$/ }).waitFor();
    // Without a friendly name the model; the device has told it.
    sail({ ...fixed, navigation: { depth_water: { depth: 3, source: sourceOf("", 128267) } } });
    await page.locator("[data-id=depth] .foot", { hasText: "Model 2" }).waitFor();
    const unheard = { ...sourceOf("", 128267), name: "12345678901234567890" };
    sail({ ...fixed, navigation: { depth_water: { depth: 3, source: unheard } } });
    await page.locator("[data-id=depth] .foot", { hasText: "unnamed device" }).waitFor();
    // A hub-cand that has just been started has heard no NAME; the broker keeps what the devices told the last one.
    const notClaimed = { ...sourceOf("", 128259), name: "0" };
    sail({ ...fixed, navigation: { ...fixed.navigation, wind_apparent: { speed: 18, angle: 2, source: notClaimed } } });
    await page.locator("[data-id=apparentSpeed] .foot", { hasText: "Model 35" }).waitFor();
    await page.evaluate('location.hash = "#/value/headingTrue"');
    sail(fixed);
    await page.locator("[data-id=headingTrue] .source-name", { hasText: /^one of 2 devices$/ }).waitFor();
    // No device says that it sends rates of turn.
    await page.evaluate('location.hash = "#/value/rateOfTurn"');
    await page.locator('[data-id=rateOfTurn][data-kind="live"]').waitFor();
    await expect.poll(() => page.locator("[data-id=rateOfTurn] .source-name").innerText()).toBe("");
    await page.evaluate('location.hash = "#/devices"');
    sail({ ...fixed, friendlyName: "Chart table" });
    await page.locator("[data-id=device-9] .device-name", { hasText: /^Chart table\s*Model 9/ }).waitFor();
    await page.evaluate('location.hash = "#/systems"');
    await page.locator("[data-id=battery-0] .foot", { hasText: "Chart table" }).waitFor();
  });

  test("a value that is no longer sent is struck out after its own period, while others stay live", async () => {
    const { page } = await boat.open("systems", { width: 1280, height: 800 });
    sail(fixed);
    await page.locator("[data-id=temperatures] dd").first().waitFor();
    await page.waitForTimeout(1500);
    await expect.poll(() => page.locator(".systems .dead").count()).toBe(0);
    sail({ ...fixed, messages: fixed.messages.filter(({ pgn }) => pgn === 127488) });
    for (const dead of [
      "[data-id=battery-0].dead",
      "[data-id=tank-Fuel-0].dead",
      "[data-id=temperatures] .dead",
      "[data-id=engine-0] .facts .dead",
    ])
      await page.locator(dead).first().waitFor({ timeout: 60_000 });
    await expect.poll(() => page.locator("[data-id=engine-0].dead").count()).toBe(0);
    await expect.poll(() => page.locator("[data-id=link]").innerText()).toBe("Live");
  });

  test("systems are shown from any PGN that has them, public ones too", async () => {
    const { page, complaints } = await boat.open("systems", { width: 1280, height: 800 });
    sail({
      ...none,
      messages: [
        { address: 16, pgn: 127489, engineInstance: 1, oilPressureKpa: 390 },
        { address: 20, pgn: 127506, instance: 3, stateOfChargePercent: 71 },
        { address: 20, pgn: 127510, instance: 0, batteryInstance: 3, chargeCurrentLimitPercent: 60 },
        { address: 24, pgn: 127503, instance: 0, line1VoltageV: 229.4, line1CurrentA: 3.2, line1RealPowerW: 734 },
        { address: 24, pgn: 127509, inverterInstance: 2, operatingState: "Invert" },
        { address: 24, pgn: 127511, instance: 2, inverterMode: "Standalone" },
        { address: 25, pgn: 65014, lineNeutralAcRmsVoltageV: 231, acFrequencyHz: 50.02, acRmsCurrentA: 5.1 },
        { address: 25, pgn: 65013, realPowerW: 1180, apparentPowerVa: 1200 },
        { address: 25, pgn: 65005, totalEnergyImportKwh: 4321 },
        { address: 25, pgn: 65030, lineLineAcRmsVoltageV: 400 },
        { address: 35, pgn: 130561, zoneIndex: 1, zoneName: "Saloon", intensity: 40, zoneEnabled: "On" },
        { address: 35, pgn: 130561, zoneIndex: 2, zoneName: "Deck", intensity: 100, zoneEnabled: "Off" },
      ],
    });
    const texts = async (id: string): Promise<string> => {
      await page.locator(`[data-id=${id}] :is(.facts, .lights, .flow-column)`).first().waitFor();
      return (await page.locator(`[data-id=${id}]`).innerText()).replace(/\s+/g, " ");
    };
    await expect.poll(() => texts("engine-1")).toMatch(/starboard.*Oil pressure 3\.9 bar/i);
    await expect.poll(() => texts("battery-3")).toMatch(/State of charge 71 %.*Charge limit 60 %/);
    await expect.poll(() => texts("ac-input-0")).toMatch(/Line 1 229\.4 V · 3\.2 A Power 734 W/);
    await expect.poll(() => texts("inverter-2")).toMatch(/State Invert.*Mode Standalone/);
    expect(await texts("shore-power-25")).toMatch(
      /Phase A 231 V · 5\.1 A · 50\.0 Hz · 1\s?180 W Energy 4\s?321 kWh Model 25/,
    );
    await expect.poll(() => texts("generator-25")).toMatch(/In all 400 V/);
    await expect.poll(() => texts("energy")).toMatch(/AC input 0 gives 734 W Shore power gives 1180 W/i);
    await expect.poll(() => texts("lights")).toMatch(/Saloon On · 40 % Deck Off · 100 %/);
    sail({ ...none, messages: [{ address: 35, pgn: 130561, zoneIndex: 1, zoneName: "Saloon", zoneEnabled: "On" }] });
    await page.locator("[data-id=shore-power-25].dead").waitFor({ timeout: 60_000 });
    await page.locator("[data-id=lights] .dead", { hasText: "Deck" }).waitFor();
    await expect.poll(() => page.locator("[data-id=lights].dead").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("faults of an engine on J1939 stand in words with the engine, those of others in a panel of their own", async () => {
    const { page, complaints } = await boat.open("systems", { width: 1280, height: 800 });
    const lowOil = { spn: 100, parameter: "Engine oil pressure", fmi: 1, occurrences: 3 };
    const failure = "data valid but below normal range, most severe";
    const faulty = [
      { address: 256, pgn: 127488, engineInstance: 0, engineSpeedRpm: 1616 },
      {
        address: 256,
        pgn: 65226,
        redStopLamp: "On",
        faults: [
          { ...lowOil, failure },
          { spn: 520_192, fmi: 25 },
        ],
      },
      { address: 259, pgn: 65226, amberWarningLamp: "On", faults: [{ spn: 0, parameter: "no fault", fmi: 0 }] },
      { address: 260, pgn: 65226, amberWarningLamp: "Off", faults: [{ spn: 0, parameter: "no fault", fmi: 0 }] },
    ];
    sail({ ...none, messages: faulty });
    await page.locator("[data-id=faults-259]").waitFor();
    const items = (where: string): Promise<string[]> => page.locator(`${where} li`).allInnerTexts();
    expect(await items("[data-id=engine-0] [data-id=faults-256]")).toEqual([
      "Lamp: stop",
      "Engine oil pressure (SPN 100): data valid but below normal range, most severe, 3 times",
      "SPN 520192: FMI 25",
    ]);
    await expect.poll(() => items("[data-id=faults-259]")).toEqual(["Lamp: warning"]);
    await expect.poll(() => page.locator(".faults").count()).toBe(2);
    // A transmission belongs to its engine.
    sail({ ...none, messages: [...faulty, { address: 259, pgn: 127493, engineInstance: 0, gear: "Forward" }] });
    await page.locator("[data-id=engine-0] [data-id=faults-259]").waitFor();
    await expect.poll(() => page.locator(".faults").count()).toBe(2);
    sail({ ...none, messages: [{ address: 256, pgn: 127488, engineInstance: 0, engineSpeedRpm: 1616 }] });
    await page.locator("[data-id=faults-256].dead").waitFor({ timeout: 60_000 });
    expect(complaints).toEqual([]);
  });

  test("targets are struck out when their own report ends, while the boat lives", async () => {
    const { page } = await boat.open("ships", { width: 1280, height: 800 });
    sail({ ...fixed, aisExpireAfterSec: 3 });
    await page.locator('[data-ship="1"]').waitFor();
    await expect.poll(() => page.locator(".ships .dead, .ships.dead").count()).toBe(0);
    sail({ ...none, targets: undefined });
    await page.locator(".ships .dead, .ships.dead").first().waitFor();
    await expect.poll(() => page.locator("[data-id=link]").innerText()).toBe("Live");
  });

  test("by night the lamp dims everything that is drawn", async () => {
    const { page } = await boat.open("sail", { width: 1280, height: 800 }, { light: "night", lamp: 40 });
    const blank = await boat.browser.newPage();
    /** The greatest part of a colour on the screen. */
    const brightest = async (): Promise<number> => {
      const picture = (await page.screenshot()).toString("base64");
      return (await blank.evaluate(`(async () => {
        const image = new Image();
        image.src = "data:image/png;base64,${picture}";
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        const { data } = canvas.getImageData(0, 0, image.width, image.height);
        let most = 0;
        for (let at = 0; at < data.length; at += 1) if (at % 4 !== 3 && data[at] > most) most = data[at];
        return most;
      })()`)) as number;
    };
    sail(fixed);
    for (const name of ["sail", "route", "ships", "systems", "value/depth", "settings"]) {
      await page.evaluate(`location.hash = "#/${name}"`);
      await page.waitForTimeout(700);
      expect(await brightest(), name).toBeLessThanOrEqual(0.4 * 255 + 1);
    }
    await changeSettings(page, { lamp: 100 });
    await page.waitForTimeout(1000);
    expect(await brightest()).toBeGreaterThan(200);
  });

  const harbour = (): HandMadeBoat => ({
    ...none,
    navigation: fixed.navigation,
    targets: Array.from({ length: 150 }, (_, index) => ({
      mmsi: 1000 + index,
      class: "A",
      name: `SHIP NUMBER ${index}`,
      range: 0.1 + (index % 30) * 0.06,
      bearing: (index * 29) % 360,
    })),
  });

  test.each([
    [1024, 600],
    [390, 844],
  ])("at %d by %d the details of a ship far down the list are in sight and have the focus", async (width, height) => {
    const { page } = await boat.open("ships", { width, height });
    sail(harbour());
    const row = page.locator('[data-ship="1060"]');
    await row.waitFor();
    await row.click();
    const details = page.locator(".details h2");
    await expect.poll(() => details.innerText()).toBe("SHIP NUMBER 60");
    const isInSight = (selector: string): Promise<unknown> =>
      page.evaluate(
        `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
      );
    await expect.poll(() => isInSight(".details h2")).toBe(true);
    await expect.poll(() => page.evaluate("document.activeElement.closest('.details') !== null")).toBe(true);
    await page.keyboard.press("Enter");
    await row.waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.dataset.ship")).toBe("1060");
    await expect.poll(() => isInSight('[data-ship="1060"]')).toBe(true);
  });

  test("in a harbour no name overwrites another, and own ship is drawn above the others", async () => {
    const { page } = await boat.open("ships", { width: 1280, height: 800 });
    sail(harbour());
    await page.locator(".target-name").first().waitFor();
    const overlapping = `(() => {
      const boxes = [...document.querySelectorAll(".target-name")].map((one) => one.getBoundingClientRect());
      return boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) =>
        a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)).length;
    })()`;
    await expect.poll(() => page.locator(".target").count()).toBe(150);
    expect(await page.locator(".target-name").count()).toBeGreaterThan(5);
    await expect.poll(() => page.evaluate(overlapping)).toBe(0);
    await expect
      .poll(() => page.evaluate("document.querySelector('.plot').lastElementChild.className.baseVal"))
      .toBe("own");
  });

  test("a tap shows a value alone, with what it was before the page was loaded again", async () => {
    const { page } = await boat.open("sail", { width: 800, height: 480 });
    const depth = (metres: number): HandMadeBoat => ({
      ...none,
      navigation: { depth_water: { depth: metres, source: sourceOf("", 128267) } },
    });
    sail(depth(5));
    await page.locator('[data-id=depth][data-kind="live"]').click();
    await expect.poll(() => page.evaluate("location.hash")).toBe("#/value/depth");
    const { height } = (await page.locator(".alone .numerals svg").boundingBox())!;
    expect(height).toBeGreaterThan(100);
    await page.locator(".extremes", { hasText: "5.0 – 5.0 m" }).waitFor();
    // A later value of the same two seconds would replace it.
    await page.waitForTimeout(2500);
    sail(depth(9));
    await page.reload();
    await page.locator(".extremes", { hasText: "5.0 – 9.0 m" }).waitFor();
  });

  test("the crew chooses six values, and this browser keeps them", async () => {
    const { page } = await boat.open("mine", { width: 800, height: 480 });
    sail(fixed);
    await page.getByRole("button", { name: "Choose values" }).click();
    await page.locator("select").nth(2).selectOption("heel");
    await page.getByRole("button", { name: "Done" }).click();
    await page.locator('[data-id=heel][data-kind="live"]').waitFor();
    await page.reload();
    await page.locator("[data-id=heel]").waitFor();
    const chosen = "[...document.querySelectorAll('.mine [data-id]')].map((one) => one.dataset.id)";
    expect(await page.evaluate(chosen)).toEqual([
      "depth",
      "sog",
      "heel",
      "headingTrue",
      "waypointDistance",
      "pressure",
    ]);
  });
});
