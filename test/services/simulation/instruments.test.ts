import { describe, expect, test } from "vitest";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition, Message } from "../../../src/core/n2k/definition.ts";
import { windData } from "../../../src/core/n2k/pgns/environment.ts";
import {
  cogSogRapidUpdate,
  gnssPositionData,
  positionRapidUpdate,
  systemTime,
} from "../../../src/core/n2k/pgns/gnss.ts";
import { attitude, rateOfTurn, vesselHeading } from "../../../src/core/n2k/pgns/steering.ts";
import { nauticalLeeway, speedWaterReferenced, waterDepth } from "../../../src/core/n2k/pgns/water.ts";
import {
  compassMessages,
  gnssMessages,
  mastheadMessages,
  satelliteCompassMessages,
  transducerMessages,
} from "../../../src/services/simulation/instruments.ts";
import type { PeriodicMessage } from "../../../src/services/simulation/periodic-message.ts";
import { half, lengthOf, minus, radians } from "../../../src/services/simulation/plane.ts";
import { betterFix, OUTAGE_SECONDS, plainFix, voyageAt } from "../../../src/services/simulation/voyage.ts";
import { toPlane } from "./positions.ts";

const START = Date.UTC(2026, 10, 21, 23, 59, 0);

/** The first of `messages` with this `definition`, encoded and decoded. */
function heard<const One extends Definition>(
  messages: readonly PeriodicMessage[],
  definition: One,
  seconds: number,
): Message<One> {
  const message = messages.find((one) => one.definition.pgn === definition.pgn)!;
  const payload = message.payload({ seconds, wall: START + 1000 * seconds });
  return decoderOf(definition)(payload, 0, payload.length, 1);
}

const times = Array.from({ length: 120 }, (_, index) => index * 10.37);
const better = gnssMessages({ fixAt: betterFix, gnssType: 3, satellitesInSight: 16 });
const plain = gnssMessages({ fixAt: plainFix, gnssType: 0, satellitesInSight: 12 });

/** Steps of the wire: 0.01 m/s, 0.0001 rad. */
const SPEED = 0.0051;
const ANGLE = 0.0035;

test("instruments measure the boat that voyageAt describes", () => {
  for (const seconds of times) {
    const voyage = voyageAt(seconds);
    const wind = heard(mastheadMessages, windData, seconds);
    expect(wind.reference).toBe("Apparent");
    expect(Math.abs(wind.windSpeedMs! - voyage.apparentWind.speed)).toBeLessThan(SPEED);
    expect(Math.abs(half(wind.windAngleDeg! - voyage.apparentWind.angle))).toBeLessThan(ANGLE);
    expect(Math.abs(heard(transducerMessages, waterDepth, seconds).depthM! - voyage.depth)).toBeLessThan(0.0051);
    expect(Math.abs(heard(compassMessages, rateOfTurn, seconds).rateDegPerSec! - voyage.rateOfTurn)).toBeLessThan(1e-5);
    expect(Math.abs(heard(compassMessages, attitude, seconds).rollDeg! - voyage.roll)).toBeLessThan(ANGLE);
    const course = heard(plain, cogSogRapidUpdate, seconds);
    expect(Math.abs(half(course.cogDeg! - voyage.courseOverGround))).toBeLessThan(ANGLE);
    expect(Math.abs(course.sogMs! - voyage.speedOverGround)).toBeLessThan(SPEED);
  }
});

test("both compasses make the same true heading", () => {
  for (const seconds of times) {
    const magnetic = heard(compassMessages, vesselHeading, seconds);
    const satellite = heard(satelliteCompassMessages, vesselHeading, seconds);
    expect([magnetic.reference, satellite.reference]).toEqual(["Magnetic", "True"]);
    const made = magnetic.headingDeg! + magnetic.deviationDeg! + magnetic.variationDeg!;
    expect(Math.abs(half(made - satellite.headingDeg!))).toBeLessThan(4 * ANGLE);
  }
});

test("true wind computed from what is heard is the wind over the water of the voyage", () => {
  for (const seconds of times) {
    const wind = heard(mastheadMessages, windData, seconds);
    const log = heard(transducerMessages, speedWaterReferenced, seconds).speedWaterMs!;
    const leeway = radians(heard(transducerMessages, nauticalLeeway, seconds).leewayDeg!);
    const angle = radians(wind.windAngleDeg!);
    const ahead = wind.windSpeedMs! * Math.cos(angle) - log * Math.cos(leeway);
    const abeam = wind.windSpeedMs! * Math.sin(angle) - log * Math.sin(leeway);
    const { trueWind } = voyageAt(seconds);
    expect(Math.abs(Math.hypot(ahead, abeam) - trueWind.speed)).toBeLessThan(0.015);
    expect(Math.abs(half((Math.atan2(abeam, ahead) * 180) / Math.PI - trueWind.angle))).toBeLessThan(0.2);
  }
});

describe("the receiver with corrections", () => {
  const inside = [
    OUTAGE_SECONDS.from,
    OUTAGE_SECONDS.from + 20,
    OUTAGE_SECONDS.to - 0.1,
    OUTAGE_SECONDS.period + OUTAGE_SECONDS.from + 1,
  ];
  const outside = [0, OUTAGE_SECONDS.from - 0.1, OUTAGE_SECONDS.to + 15, OUTAGE_SECONDS.period + 1];

  test.each(inside)("reports at %d s that it has no fix, with no position and no course", (seconds) => {
    const fix = heard(better, gnssPositionData, seconds);
    expect(fix.method).toBe(0);
    expect(fix).not.toHaveProperty("latitude");
    expect(fix).not.toHaveProperty("altitude");
    expect(heard(better, positionRapidUpdate, seconds)).toEqual({ pgn: 129025 });
    expect(heard(better, cogSogRapidUpdate, seconds)).not.toHaveProperty("cogDeg");
  });

  test.each(outside)("has a corrected fix at %d s, where the boat is", (seconds) => {
    const fix = heard(better, gnssPositionData, seconds);
    expect(fix.method).toBe(2);
    const found = toPlane({ latitude: fix.latitude!, longitude: fix.longitude! });
    expect(lengthOf(minus(found, voyageAt(seconds).place))).toBeLessThan(0.8);
  });
});

test("the plain receiver has a fix at all times, within a few metres", () => {
  for (const seconds of [...times, OUTAGE_SECONDS.from + 1]) {
    expect(heard(plain, gnssPositionData, seconds).method).toBe(1);
    const { latitude, longitude } = heard(plain, positionRapidUpdate, seconds);
    const off = lengthOf(minus(toPlane({ latitude: latitude!, longitude: longitude! }), voyageAt(seconds).place));
    expect(off).toBeLessThan(4);
  }
});

test("system time goes over midnight", () => {
  const day = Math.floor(START / 86_400_000);
  expect(heard(plain, systemTime, 59)).toMatchObject({ date: day, time: 86_399 });
  expect(heard(plain, systemTime, 61)).toMatchObject({ date: day + 1, time: 1 });
});
