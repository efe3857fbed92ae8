import { describe, expect, test } from "vitest";
import { createNavigatorReaders, type NavigatorMessage } from "../../../src/core/nav/messages.ts";
import type { NavigationData } from "../../../src/core/nav/navigation-report.ts";
import type { MagneticModel } from "../../../src/core/ports/magnetic-model.ts";
import { dateText } from "../../../src/core/text/date.ts";
import {
  type Boat,
  begin,
  coordinates,
  course,
  createBoat,
  fix,
  gyro,
  log,
  magnetic,
  variation,
  wind,
} from "./boat.ts";

/** A group without its source; members that are undefined do not count. */
const groupOf = <Name extends keyof NavigationData>(data: NavigationData, name: Name): NavigationData[Name] => {
  const { source: _, ...rest } = data[name] ?? {};
  return data[name] && (JSON.parse(JSON.stringify(rest)) as NavigationData[Name]);
};

/** A boat on which these have just spoken. */
const boatWith = (...messages: readonly Parameters<Boat["say"]>[1][]): Boat => {
  const boat = createBoat();
  for (const message of messages) boat.say(3, message);
  return boat;
};

describe("metadata", () => {
  test("says when the report was made and that it is good for two seconds", () => {
    expect(createBoat().report()).toEqual({
      data: {},
      metadata: { rxDate: "2026-11-21T08:14:26.123Z", rxTimestamp: 1795248866, expireAfterSec: 2, configLoaded: false },
    });
  });

  test("configLoaded as soon as settings come from an entry", () => {
    const boat = createBoat();
    boat.settings({ name: "navigation" });
    expect(boat.report().metadata.configLoaded).toBe(true);
    boat.settings(undefined);
    expect(boat.report().metadata.configLoaded).toBe(false);
  });
});

test.each([
  ["speed_course", "rateOfTurn", { pgn: 127251, rateDegPerSec: 2.5 }, 3],
  ["speed_course", "leeway", { pgn: 128000, leewayDeg: 3 }, 3],
  ["speed_course", "headingTrue", gyro(100), 3],
  ["wind_apparent", "speed", wind(2, 10, 90), 3],
  ["wind_true", "speed", wind(4, 10, 90), 3],
  ["date", "time", { pgn: 126992, source: 0, date: 20_778, time: 60 }, 5],
] as const)("%s.%s counts for as long as its device may be silent", (group, member, message, seconds) => {
  const boat = boatWith(message as NavigatorMessage);
  const value = (): unknown => (boat.data()[group] as Readonly<Record<string, unknown>> | undefined)?.[member];
  boat.wait(1000 * seconds);
  expect(value()).toBeDefined();
  boat.wait(1);
  expect(value()).toBeUndefined();
});

test("due at once, then every second without news, at most every 100 ms with", () => {
  const boat = createBoat();
  expect(boat.due()).toBeLessThanOrEqual(boat.now());
  boat.report();
  expect(boat.due() - boat.now()).toBe(1000);
  boat.say(3, log(5));
  expect(boat.due() - boat.now()).toBe(100);
  boat.wait(250);
  expect(boat.due() - boat.now()).toBe(-150);
  boat.report();
  expect(boat.due() - boat.now()).toBe(1000);
});

describe("source", () => {
  test("names the device, its message, and how old that is", () => {
    const boat = createBoat();
    boat.names.set(3, 13868994482250310209n);
    boat.models.set(13868994482250310209n, "GS 25");
    boat.say(3, log(5));
    boat.wait(1234);
    expect(boat.data().speed_course?.source).toEqual({
      name: "13868994482250310209",
      friendlyName: "GS 25",
      pgn: 128259,
      rxTimestamp: 1795248866,
      age: 1.234,
    });
  });

  test("without a NAME it is 0, and nothing is said of a friendly name", () => {
    const { source } = boatWith(log(5)).data().speed_course!;
    expect(JSON.parse(JSON.stringify(source))).toEqual({ name: "0", pgn: 128259, rxTimestamp: 1795248866, age: 0 });
  });

  test("of a course is the true one of a device that says both", () => {
    const boat = createBoat();
    const data = boat.sail(6000, () => {
      boat.say(3, course(10, 5, "Magnetic"));
      boat.say(3, course(12, 5, "True"));
    });
    expect(data.speed_course).toMatchObject({ cog: 12 });
  });

  test("of a measured true wind is the one over water, else over ground, else from a north", () => {
    const boat = createBoat();
    const used = (...references: readonly number[]): unknown =>
      boat.sail(12_000, () => {
        for (const reference of references) boat.say(10 + reference, wind(reference, 10 + reference, 30));
      }).wind_true?.speed;
    expect([used(0, 3, 4), used(0, 3), used(0)]).toEqual([14, 13, 10]);
  });

  test("of a position is the message of its coordinates", () => {
    const boat = boatWith(fix(52, 4));
    boat.wait(400);
    boat.say(3, coordinates(52.1, 4));
    boat.wait(100);
    expect(boat.data().position?.source).toMatchObject({ pgn: 129025, age: 0.1 });
    boat.wait(400);
    // The message has the kind of the fix without its position.
    boat.say(3, { pgn: 129029, method: 1 });
    expect(boat.data().position).toMatchObject({ latitude: 52.1, source: { pgn: 129025, age: 0.5 } });
  });

  test.each([
    ["course", [course(10, 5), magnetic(10), log(5)], 129026],
    ["heading", [magnetic(10), log(5)], 127250],
    ["speed", [log(5), { pgn: 127251, rateDegPerSec: 1 }], 128259],
    ["none of them", [{ pgn: 127251, rateDegPerSec: 1 }], undefined],
  ] as const)("of speed_course is that of %s", (_, messages, pgn) => {
    expect(boatWith(...messages).data().speed_course?.source?.pgn).toBe(pgn);
  });

  test("of depth_water is that of the depth, else of the first member that is there", () => {
    const water = { pgn: 130312, instance: 0, source: "Sea Temperature", actualTempC: 18 } as const;
    const pressure = { pgn: 130314, instance: 0, source: "Atmospheric", pressurePa: 101325 } as const;
    const depth = { pgn: 128267, depthM: 5 } as const;
    expect(boatWith(pressure, water, depth).data().depth_water?.source?.pgn).toBe(128267);
    expect(boatWith(pressure, water).data().depth_water?.source?.pgn).toBe(130312);
    expect(boatWith(pressure).data().depth_water?.source?.pgn).toBe(130314);
  });

  test("a device that tells its NAME, or moves, keeps its place as the one heard first", () => {
    const boat = createBoat();
    boat.say(3, log(5));
    boat.data();
    boat.names.set(3, 9n);
    boat.names.set(4, 8n);
    boat.sail(3000, () => {
      boat.say(3, log(5));
      boat.say(4, log(6));
    });
    boat.names.clear();
    boat.names.set(7, 9n);
    boat.names.set(4, 8n);
    const data = boat.sail(20_000, () => {
      boat.say(7, log(5));
      boat.say(4, log(6));
    });
    expect(data.speed_course).toMatchObject({ speedThroughWater: 5, source: { name: "9" } });
  });
});

describe("position", () => {
  test("with all its members", () => {
    const boat = boatWith(
      fix(52.123456789, -4.00000004, {
        method: 2,
        altitude: 2.345,
        hdop: 0.8,
        pdop: 1.1,
        geoidalSeparation: 45.25,
        integrity: 1,
      }),
      { pgn: 129044, localDatum: "W84" },
    );
    expect(groupOf(boat.data(), "position")).toEqual({
      hasFix: true,
      fixType: "dgnss",
      method: 2,
      numSatellites: 9,
      latitude: 52.1234568,
      longitude: -4,
      altitude: 2.35,
      hdop: 0.8,
      pdop: 1.1,
      geoidalSeparation: 45.25,
      integrity: 1,
      datum: "W84",
    });
  });

  test("two receivers: coordinates are never mixed", () => {
    const boat = createBoat();
    boat.sail(30_000, (elapsed) => {
      if (elapsed % 1000 === 0) boat.say(3, fix(52, 4));
      boat.say(8, coordinates(10, 20));
      expect(boat.data().position).toMatchObject({ latitude: 52, longitude: 4, fixType: "gnss" });
    });
  });

  test("a receiver that loses its fix is left at once and taken back after five seconds, though preferred", () => {
    const boat = createBoat();
    boat.names.set(3, 33n);
    boat.names.set(8, 88n);
    boat.settings({ friendlyNames: { "33": "GPS bow" }, priority: { position: ["GPS bow"] } });
    const used: string[] = [];
    boat.sail(30_000, (elapsed) => {
      if (elapsed % 1000 !== 0) return;
      boat.say(8, fix(52, 4, { method: 2 }));
      boat.say(3, fix(52, 4, { method: elapsed >= 10_000 && elapsed < 15_000 ? 0 : 1 }));
      const name = boat.data().position!.source!.name;
      if (used.at(-2) !== name) used.push(name, String(elapsed));
    });
    // 88 was the first to be heard; 33 waits five seconds at the beginning too.
    expect(used).toEqual(["88", "0", "33", "5000", "88", "10000", "33", "20000"]);
  });

  test("a receiver whose position stands still while another one moves is left, though preferred", () => {
    const boat = createBoat();
    boat.names.set(3, 33n);
    boat.settings({ priority: { position: ["33"], course: ["33"] } });
    const sources: string[] = [];
    boat.sail(300_000, (elapsed) => {
      if (elapsed % 1000 !== 0) return;
      // Six knots; the preferred one stops after a minute, and is well again after four.
      const [north, frozen] = [52 + elapsed / 36e6, elapsed >= 60_000 && elapsed < 240_000];
      boat.say(4, fix(north, 4));
      boat.say(4, course(0, 6));
      boat.say(3, fix(frozen ? 52 + 60_000 / 36e6 : north, 4.000001));
      boat.say(3, course(0, frozen ? 5 : 6));
      const { position, speed_course } = boat.data();
      const name = `${position?.source?.name} ${speed_course?.source?.name}`;
      if (sources.at(-2) !== name) sources.push(name, String(elapsed));
    });
    expect(sources).toEqual(["0 0", "0", "33 33", "5000", "0 0", "93000", "33 33", "245000"]);
  });

  test.each([
    ["the boat lies still", 52, 0.2],
    ["the other one jumps", 52.01, 0],
  ])("a receiver whose position stands still while %s stays in use", (_, latitude, sog) => {
    const boat = createBoat();
    const data = boat.sail(180_000, (elapsed) => {
      if (elapsed % 1000 !== 0) return;
      boat.say(3, fix(52, 4));
      boat.say(4, fix(elapsed > 90_000 ? latitude : 52.0001, 4));
      boat.say(4, course(0, sog));
    });
    expect(data.position?.latitude).toBe(52);
  });

  test("a datum is that of the receiver in use, as long as it is repeated", () => {
    const boat = boatWith(fix(52, 4));
    boat.say(8, { pgn: 129044, localDatum: "ED50" });
    expect(boat.data().position?.datum).toBeUndefined();
    boat.say(3, { pgn: 129044, localDatum: "W84" });
    boat.sail(30_100, () => boat.say(3, fix(52, 4)), 1000);
    expect(boat.data().position?.datum).toBeUndefined();
  });
});

describe("speed_course", () => {
  test("with all its members", () => {
    const boat = boatWith(
      course(359.96, 6.543),
      magnetic(357.25, { deviationDeg: -1.25, variationDeg: 4.04 }),
      log(6.1),
      { pgn: 127251, rateDegPerSec: -1.23456 },
      { pgn: 128000, leewayDeg: 3.21 },
    );
    expect(groupOf(boat.data(), "speed_course")).toEqual({
      cog: 0,
      sog: 6.54,
      headingReference: "magnetic",
      headingTrue: 0,
      headingMagnetic: 356,
      speedThroughWater: 6.1,
      rateOfTurn: -1.235,
      deviation: -1.2,
      variation: 4,
      leeway: 3.2,
    });
  });

  test("a magnetic course needs a variation", () => {
    expect(groupOf(boatWith(course(10, 5, "Magnetic")).data(), "speed_course")).toEqual({ cog: null, sog: 5 });
    expect(boatWith(course(359, 5, "Magnetic"), variation(3)).data().speed_course).toMatchObject({
      cog: 2,
      variation: 3,
    });
  });

  test("a magnetic course that no variation makes a true one gives way to one that is true", () => {
    const cog = (...more: readonly Parameters<Boat["say"]>[1][]) => {
      const boat = createBoat();
      const data = boat.sail(6000, () => {
        boat.say(3, course(10, 5, "Magnetic"));
        boat.say(4, course(20, 6));
        for (const message of more) boat.say(5, message);
      });
      return data.speed_course?.cog;
    };
    expect([cog(), cog(variation(2)), cog(magnetic(100, { variationDeg: 2 }))]).toEqual([20, 12, 12]);
  });

  test("the variation of the compass in use comes before that of 127258, for the course too", () => {
    const data = boatWith(course(10, 5, "Magnetic"), variation(3), magnetic(100, { variationDeg: -2 })).data();
    expect(data.speed_course).toMatchObject({ cog: 8, headingTrue: 98, variation: -2 });
  });

  test("a compass of unknown reference gives no heading and no variation", () => {
    const data = boatWith({ pgn: 127250, headingDeg: 10, variationDeg: 3, reference: "Unknown" }).data();
    expect(data.speed_course).toBeUndefined();
  });

  test("of two tables the newer model is used, manual input last", () => {
    const boat = createBoat();
    boat.say(3, variation(1, 0));
    boat.say(4, variation(2, 7));
    boat.say(5, variation(3, 9));
    boat.data();
    boat.wait(5000);
    boat.say(5, variation(3, 9));
    expect(boat.data().speed_course?.variation).toBe(3);
    boat.wait(5000);
    boat.say(4, variation(2, 7));
    boat.wait(115_001);
    expect(boat.data().speed_course?.variation).toBe(2);
  });

  test("a variation is good for two minutes, a course for three seconds", () => {
    const boat = boatWith(variation(3), course(10, 5));
    boat.wait(3000);
    expect(boat.data().speed_course).toMatchObject({ cog: 10, sog: 5 });
    boat.wait(1);
    expect(groupOf(boat.data(), "speed_course")).toEqual({ cog: null, sog: null, variation: 3 });
    boat.wait(116_999);
    expect(boat.data().speed_course?.variation).toBe(3);
    boat.wait(1);
    expect(boat.data().speed_course).toBeUndefined();
  });

  test("a device that sends both norths does not make the heading jump", () => {
    const boat = createBoat();
    boat.sail(10_000, (elapsed) => {
      boat.say(3, elapsed % 200 === 0 ? magnetic(100) : gyro(105));
      expect(boat.data().speed_course?.headingReference).toBe(elapsed > 0 ? "true" : "magnetic");
    });
    expect(boat.data().speed_course).toMatchObject({ headingTrue: 105, headingMagnetic: 100 });
  });

  test("a compass whose heading no variation makes a true one gives way to one that has it, unless preferred", () => {
    const headingTrue = (settings: unknown, ...more: readonly Parameters<Boat["say"]>[1][]) => {
      const boat = createBoat();
      boat.names.set(3, 33n);
      boat.settings(settings);
      const data = boat.sail(6000, () => {
        boat.say(3, magnetic(100));
        boat.say(4, gyro(110));
        for (const message of more) boat.say(5, message);
      });
      return data.speed_course?.headingTrue;
    };
    expect(headingTrue({})).toBe(110);
    expect(headingTrue({}, variation(2))).toBe(102);
    expect(headingTrue({ priority: { heading: ["33"] } })).toBeUndefined();
  });

  test("no course below a speed is left out", () => {
    expect(boatWith(course(123, 0)).data().speed_course).toMatchObject({ cog: 123, sog: 0 });
  });

  test("a course without a speed, and a speed without a course", () => {
    expect(groupOf(boatWith({ pgn: 129026, sogKnots: 0.1 }).data(), "speed_course")).toEqual({ cog: null, sog: 0.1 });
    expect(groupOf(boatWith({ pgn: 129026, cogDeg: 5, cogReference: "True" }).data(), "speed_course")).toEqual({
      cog: 5,
      sog: null,
    });
  });
});

describe("a magnetic model", () => {
  const magneticModel: MagneticModel = (latitude, longitude, wall) =>
    wall === begin && latitude === 52 && longitude === 4 ? { degrees: 2.5, model: "WMM 2025" } : undefined;

  test("is asked only when the settings say so, and is named", () => {
    const boat = createBoat({ magneticModel });
    for (const message of [fix(52, 4), magnetic(100, { variationDeg: 1 })]) boat.say(3, message);
    expect(groupOf(boat.data(), "speed_course")).toMatchObject({ headingTrue: 101, variation: 1 });
    expect(boat.data().speed_course?.variationSource).toBeUndefined();
    boat.settings({ variation: "model" });
    expect(boat.data().speed_course).toMatchObject({ headingTrue: 102.5, variation: 2.5, variationSource: "WMM 2025" });
  });

  test("makes the heading of a magnetic compass a true one", () => {
    const boat = createBoat({ magneticModel: () => ({ degrees: 3, model: "WMM" }) });
    boat.settings({ variation: "model" });
    const data = boat.sail(12_000, () => {
      boat.say(3, fix(52, 4));
      boat.say(3, magnetic(100));
      boat.say(4, gyro(110));
    });
    expect(data.speed_course?.headingTrue).toBe(103);
  });

  test("without a place, or outside of the model, the bus is believed", () => {
    const boat = createBoat({ magneticModel });
    boat.settings({ variation: "model" });
    boat.say(3, magnetic(100, { variationDeg: 1 }));
    expect(boat.data().speed_course?.variation).toBe(1);
    boat.say(3, fix(53, 4));
    expect(boat.data().speed_course?.variation).toBe(1);
  });
});

describe("wind", () => {
  test("apparent wind from port is negative, and astern is 180", () => {
    expect(groupOf(boatWith(wind(2, 10, 300)).data(), "wind_apparent")).toEqual({ speed: 10, angle: -60 });
    expect(groupOf(boatWith(wind(2, 10, 180)).data(), "wind_apparent")).toEqual({ speed: 10, angle: 180 });
  });

  test("true wind is computed from the apparent one, and is there whenever that is", () => {
    expect(groupOf(boatWith(wind(2, 10, 90)).data(), "wind_true")).toEqual({
      speed: null,
      angle: null,
      direction: null,
      reference: "water",
      computed: true,
    });
    const data = boatWith(wind(2, 10, 90), log(10), gyro(350)).data();
    expect(groupOf(data, "wind_true")).toEqual({
      speed: 14.14,
      angle: 135,
      direction: 125,
      reference: "water",
      computed: true,
    });
    expect(data.wind_true?.source).toEqual(data.wind_apparent?.source);
  });

  test("measured true wind comes before computed", () => {
    const data = boatWith(wind(2, 10, 90), log(10), gyro(350), wind(4, 15, 140)).data();
    expect(groupOf(data, "wind_true")).toEqual({
      speed: 15,
      angle: 140,
      direction: 130,
      reference: "water",
      computed: false,
    });
  });

  test.each([
    ["without a speed", { pgn: 130306, reference: 4, windAngleDeg: 60 }],
    ["without an angle", { pgn: 130306, reference: 4, windSpeedKnots: 15 }],
    ["from a north that is not known", wind(1, 15, 20)],
  ] as const)("half of a measured true wind, %s, gives way to a computed one", (_, half) => {
    const measured = { computed: false };
    expect(boatWith(half, wind(2, 10, 90), gyro(350)).data().wind_true).toMatchObject(measured);
    const data = boatWith(half, wind(2, 10, 90), log(10), gyro(350)).data();
    expect(data.wind_true).toMatchObject({ speed: 14.14, angle: 135, direction: 125, computed: true });
  });

  test("measured over ground, and without any apparent wind", () => {
    const data = boatWith(gyro(350), wind(0, 15, 20)).data();
    expect(groupOf(data, "wind_true")).toEqual({
      speed: 15,
      angle: 30,
      direction: 20,
      reference: "ground",
      computed: false,
    });
    expect(data.wind_apparent).toBeUndefined();
  });

  test("damps by the time constant of the settings", () => {
    const boat = createBoat();
    boat.settings({ windDamping: 0 });
    boat.say(3, wind(2, 10, 0));
    boat.data();
    boat.wait(100);
    boat.say(3, wind(2, 20, 0));
    expect(boat.data().wind_apparent?.speed).toBe(20);
    boat.settings({ windDamping: 10 });
    boat.wait(1000);
    boat.say(3, wind(2, 10, 0));
    expect(boat.data().wind_apparent?.speed).toBeCloseTo(20 - 10 * (1 - Math.exp(-0.1)), 2);
  });

  test("a wind without an angle has a speed", () => {
    const data = boatWith({ pgn: 130306, reference: 2, windSpeedKnots: 10 }, log(4), gyro(0)).data();
    expect(groupOf(data, "wind_apparent")).toEqual({ speed: 10, angle: null });
    expect(groupOf(data, "wind_true")).toMatchObject({ speed: null, angle: null, direction: null });
  });

  test("the deprecated group says the same in m/s, absent instead of null", () => {
    const pressure = { pgn: 130314, instance: 0, source: "Atmospheric", pressurePa: 101325.5 } as const;
    expect(groupOf(boatWith(wind(2, 9.72, 300), pressure).data(), "wind")).toEqual({
      apparentSpeed: 5,
      apparentAngle: -60,
      atmosphericPressure: 101325.5,
    });
    expect(groupOf(boatWith(wind(2, 10, 90), log(10), gyro(350)).data(), "wind")).toEqual({
      apparentSpeed: 5.14,
      apparentAngle: 90,
      trueSpeed: 7.28,
      trueAngle: 135,
      trueDirection: 125,
    });
    expect(boatWith(pressure).data().wind).toBeUndefined();
  });
});

describe("depth_water", () => {
  test.each(["Water", "Steam", "Compressed Air", "Hydraulic", "Filter", "Altimeter", "Oil", "Fuel"])(
    "a pressure of %s is not that of the air",
    (source) => {
      const boat = boatWith({ pgn: 130314, instance: 0, source, pressurePa: 400_000 } as NavigatorMessage);
      expect(boat.data().depth_water).toBeUndefined();
    },
  );

  test("with all its members; the offset is not added", () => {
    const boat = boatWith(
      { pgn: 128267, depthM: 5.25, offsetM: -1.234 },
      { pgn: 130312, instance: 0, source: "Sea Temperature", actualTempC: 18.25 },
      { pgn: 130312, instance: 0, source: "Outside Temperature", actualTempC: 21.5 },
      { pgn: 130312, instance: 0, source: "Engine Room Temperature", actualTempC: 60 },
      { pgn: 130314, instance: 0, source: "Oil", pressurePa: 400_000 },
      { pgn: 130314, instance: 0, source: "Atmospheric", pressurePa: 101325 },
    );
    expect(groupOf(boat.data(), "depth_water")).toEqual({
      depth: 5.25,
      offset: -1.23,
      waterTemperature: 18.25,
      outsideTemperature: 21.5,
      atmosphericPressure: 101325,
    });
  });

  test("the better message is used, per member", () => {
    const boat = createBoat();
    const data = boat.sail(6000, () => {
      boat.say(3, { pgn: 130310, waterTempC: 10, outsideTempC: 20, pressurePa: 100_000 });
      boat.say(4, { pgn: 130311, tempSource: "Sea Temperature", temperatureC: 11, pressurePa: 100_100 });
      boat.say(5, { pgn: 130312, instance: 1, source: "Sea Temperature", actualTempC: 12 });
      boat.say(6, { pgn: 130316, instance: 1, source: "Sea Temperature", actualTempC: 13 });
    });
    expect(groupOf(data, "depth_water")).toEqual({
      waterTemperature: 13,
      outsideTemperature: 20,
      atmosphericPressure: 100_100,
    });
  });

  test("a depth is good for 5 seconds, the environment for 15", () => {
    const boat = boatWith({ pgn: 128267, depthM: 5 }, { pgn: 130310, waterTempC: 10 });
    boat.wait(5000);
    expect(boat.data().depth_water?.depth).toBe(5);
    boat.wait(1);
    expect(groupOf(boat.data(), "depth_water")).toEqual({ waterTemperature: 10 });
    boat.wait(9999);
    expect(boat.data().depth_water?.waterTemperature).toBe(10);
    boat.wait(1);
    expect(boat.data().depth_water).toBeUndefined();
  });

  test("an offset alone is no depth", () => {
    expect(boatWith({ pgn: 128267, offsetM: 1 }).data().depth_water).toBeUndefined();
  });
});

test("a receiver with a course comes before one that has had none for longer than its period", () => {
  const boat = createBoat();
  const speedOnly = { pgn: 129026, sogKnots: 0.1, cogReference: "True" } as const;
  boat.say(3, course(10, 5));
  boat.say(4, course(20, 6));
  expect(boat.data().speed_course?.cog).toBe(10);
  boat.wait(1500);
  boat.say(3, speedOnly);
  boat.say(4, course(20, 6));
  expect(groupOf(boat.data(), "speed_course")).toEqual({ cog: 10, sog: 0.1 });
  boat.wait(1);
  boat.say(3, speedOnly);
  expect(groupOf(boat.data(), "speed_course")).toEqual({ cog: 20, sog: 6 });
  boat.wait(3001);
  boat.say(4, speedOnly);
  expect(groupOf(boat.data(), "speed_course")).toEqual({ cog: null, sog: 0.1 });
});

test("a heading is rounded once, from the number on the wire", () => {
  const read = createNavigatorReaders().get(127250)!;
  const payload = Uint8Array.of(0, 0, 0, 0xff, 0x7f, 0xff, 0x7f, 0xfc);
  const boat = createBoat();
  // The message has 0.35 degrees for 61, which would become 0.4.
  for (const raw of [61, 253, 445, 31415, 62830]) {
    payload.set([raw & 0xff, raw >> 8], 1);
    boat.say(3, read(payload, 0, 8, 3));
    expect(boat.data().speed_course?.headingTrue).toBe((Math.round((raw / 1e3 / Math.PI) * 180) % 3600) / 10);
  }
});

describe("date", () => {
  const at = { days: 20778, time: 29666.9 };

  test("of each message", () => {
    const expected = { date: "2026-11-21", time: "08:14:26", fraction: 0.9 };
    const system = { pgn: 126992, source: 0, date: at.days, time: at.time } as const;
    expect(groupOf(boatWith(system).data(), "date")).toEqual({ ...expected, timeSource: "GPS" });
    expect(groupOf(boatWith({ pgn: 126992, date: at.days, time: at.time }).data(), "date")).toEqual(expected);
    expect(groupOf(boatWith({ pgn: 129029, ...at }).data(), "date")).toEqual({ ...expected, timeSource: "GNSS" });
    expect(groupOf(boatWith({ pgn: 129033, ...at, localOffset: 60 }).data(), "date")).toEqual({
      ...expected,
      timeSource: "Time & Date",
    });
  });

  test("a whole second has no fraction", () => {
    expect(groupOf(boatWith({ pgn: 129029, days: at.days, time: 29666 }).data(), "date")).not.toHaveProperty(
      "fraction",
    );
  });

  test("system time before GNSS before local time, before the time of a crystal", () => {
    const system = (source: number) => ({ pgn: 126992, source, date: at.days, time: at.time }) as const;
    const messages = [system(5), { pgn: 129033, ...at }, { pgn: 129029, ...at }, system(0)] as const;
    const used = [1, 2, 3, 4].map((count) => {
      const boat = createBoat();
      const data = boat.sail(6000, () => {
        for (const [index, message] of messages.slice(0, count).entries()) boat.say(3 + index, message);
      });
      return data.date?.timeSource;
    });
    expect(used).toEqual(["Local Crystal clock", "Time & Date", "GNSS", "GPS"]);
  });

  test.each([
    [0, 0, undefined],
    [7168, 0, 7168],
    [7168, 100, 7168],
    [2 * 7168, 365, 2 * 7168],
  ])("weeks of GPS that have rolled over: %i days back, %i days after the build", (back, after, correctedDays) => {
    const boat = createBoat({ notBefore: begin });
    boat.say(3, { pgn: 126992, source: 0, date: at.days + after - back, time: 3600 });
    expect(boat.data().date).toMatchObject({ date: dateText(at.days + after), time: "01:00:00" });
    expect(boat.data().date?.source?.correctedDays).toBe(correctedDays);
    expect(boat.timeOnBus()).toBe(Date.UTC(2026, 10, 21, 1) + after * 86_400_000);
  });

  test("a date that cannot be is none, its time of day goes on, and a right date comes before it", () => {
    const boat = createBoat({ notBefore: begin });
    boat.say(3, { pgn: 126992, source: 0, date: at.days - 1000, time: 3600 });
    expect(groupOf(boat.data(), "date")).toEqual({ time: "01:00:00", timeSource: "GPS" });
    expect(boat.timeOnBus()).toBeUndefined();
    boat.say(4, { pgn: 129033, days: at.days, time: 0 });
    expect(boat.data().date).toMatchObject({ date: "2026-11-21", time: "00:00:00" });
  });

  test("a corrected date gives way to one that was sent as it is", () => {
    const boat = createBoat({ notBefore: begin });
    const data = boat.sail(6000, () => {
      boat.say(3, { pgn: 126992, date: at.days - 7168, time: 3600 });
      boat.say(4, { pgn: 129033, days: at.days, time: 0 });
    });
    expect(data.date).toMatchObject({ time: "00:00:00", source: { pgn: 129033 } });
  });
});

test("a wall clock that steps back changes the stamps, not the ages and limits", () => {
  const boat = boatWith(log(5));
  boat.wait(1000);
  boat.setWall(begin - 3_600_000);
  const { data, metadata } = boat.report();
  expect(metadata.rxTimestamp).toBe(1795245266);
  expect(data.speed_course?.source).toMatchObject({ rxTimestamp: 1795248866, age: 1 });
  boat.say(3, log(6));
  expect(boat.data().speed_course?.source).toMatchObject({ rxTimestamp: 1795245266, age: 0 });
  boat.wait(3001);
  expect(boat.data().speed_course).toBeUndefined();
});

test("the text has its members in the order of the document, in ASCII", () => {
  const boat = createBoat();
  boat.names.set(3, 7n);
  boat.settings({ friendlyNames: { "7": "Mât ⛵" } });
  for (const message of [
    { pgn: 126992, source: 0, date: 20778, time: 29666.9 } as const,
    { pgn: 128267, depthM: 5.25, offsetM: 0.5 } as const,
    wind(2, 10, 90),
    log(10),
    magnetic(346, { variationDeg: 4 }),
    course(10, 5),
    fix(52, 4),
  ]) {
    boat.say(3, message);
  }
  const text = boat.text();
  const source = (pgn: number): string =>
    `"source":{"name":"7","friendlyName":"M\\u00e2t \\u26f5","pgn":${pgn},"rxTimestamp":1795248866,"age":0}`;
  expect(text).toBe(
    `{"data":{"position":{"hasFix":true,"fixType":"gnss","method":1,"numSatellites":9,"latitude":52,"longitude":4,${source(129029)}},` +
      `"speed_course":{"cog":10,"sog":5,"headingReference":"magnetic","headingTrue":350,"headingMagnetic":346,"speedThroughWater":10,"variation":4,${source(129026)}},` +
      `"wind_apparent":{"speed":10,"angle":90,${source(130306)}},` +
      `"wind_true":{"speed":14.14,"angle":135,"direction":125,"reference":"water","computed":true,${source(130306)}},` +
      `"wind":{"apparentSpeed":5.14,"apparentAngle":90,"trueSpeed":7.28,"trueAngle":135,"trueDirection":125,${source(130306)}},` +
      `"depth_water":{"depth":5.25,"offset":0.5,${source(128267)}},` +
      `"date":{"date":"2026-11-21","time":"08:14:26","fraction":0.9,"timeSource":"GPS",${source(126992)}}},` +
      '"metadata":{"rxDate":"2026-11-21T08:14:26.123Z","rxTimestamp":1795248866,"expireAfterSec":2,"configLoaded":true}}',
  );
  expect(boat.report()).toEqual(JSON.parse(text));
});

describe("a change of the settings leaves what they do not concern as it was", () => {
  /** Two receivers, of which the better one starts later, a wind that turns, and a log; reports of ten seconds. */
  const reports = (change: (boat: Boat) => void): NavigationData[] => {
    const boat = createBoat();
    boat.names.set(3, 33n);
    boat.names.set(8, 88n);
    boat.settings({ windDamping: 5 });
    const made: NavigationData[] = [];
    for (let elapsed = 0; elapsed < 10_000; elapsed += 100) {
      if (elapsed === 4000) change(boat);
      boat.say(3, fix(52, 4, { method: 1 }));
      if (elapsed >= 2000) boat.say(8, fix(52, 4, { method: 2 }));
      boat.say(3, wind(2, 5 + elapsed / 1000, (elapsed / 100) % 360));
      boat.say(3, log(4));
      made.push(boat.data());
      boat.wait(100);
    }
    return made;
  };
  const receivers = (made: readonly NavigationData[]) => made.map(({ position }) => position?.source?.name);
  const winds = (made: readonly NavigationData[]) =>
    made.map(({ wind_apparent: { speed, angle } = { speed: null, angle: null } }) => ({ speed, angle }));
  const before = reports(() => {});

  test("sources, and the time for which a better one has been a candidate, survive all changes", () => {
    expect(receivers(before).indexOf("88")).toBe(70);
    for (const entry of [
      { windDamping: 0 },
      { windDamping: 5, variation: "model" },
      { windDamping: 5, friendlyNames: { "33": "Bow" } },
      { windDamping: 5, priority: { wind: ["33"] } },
    ])
      expect(receivers(reports((boat) => boat.settings(entry))), JSON.stringify(entry)).toEqual(receivers(before));
  });

  test("the damped wind, unless its damping changes", () => {
    for (const entry of [
      { windDamping: 5, friendlyNames: { "33": "Bow" } },
      { windDamping: 5, priority: { position: ["33"], wind: ["33"] } },
    ])
      expect(winds(reports((boat) => boat.settings(entry))), JSON.stringify(entry)).toEqual(winds(before));
  });
});
