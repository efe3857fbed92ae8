import { expect, test } from "vitest";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition, Message } from "../../../src/core/n2k/definition.ts";
import { windData } from "../../../src/core/n2k/pgns/environment.ts";
import { cogSogRapidUpdate, systemTime } from "../../../src/core/n2k/pgns/gnss.ts";
import { attitude, rateOfTurn } from "../../../src/core/n2k/pgns/steering.ts";
import { waterDepth } from "../../../src/core/n2k/pgns/water.ts";
import {
  compassMessages,
  gnssMessages,
  mastheadMessages,
  transducerMessages,
} from "../../../src/services/simulation/instruments.ts";
import type { PeriodicMessage } from "../../../src/services/simulation/periodic-message.ts";
import { half } from "../../../src/services/simulation/plane.ts";
import { plainFix, voyageAt } from "../../../src/services/simulation/voyage.ts";

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

test("system time goes over midnight", () => {
  const day = Math.floor(START / 86_400_000);
  expect(heard(plain, systemTime, 59)).toMatchObject({ date: day, time: 86_399 });
  expect(heard(plain, systemTime, 61)).toMatchObject({ date: day + 1, time: 1 });
});
