/** Values that cannot be raise no alarm; those that just can be do. */
import { describe, expect, test } from "vitest";
import { setUp } from "../alarm-bus.ts";

const place = { pgn: 129025, latitude: 52, longitude: 4 } as const;
const underWay = [place, { pgn: 129026, cogReference: "True", cogDeg: 0, sogMs: 3 }] as const;
const engine = (coolantTempC: number) => ({ pgn: 127489, engineInstance: 0, coolantTempC, discreteStatus1: 0 });
const wind = (windSpeedMs: number) => ({ pgn: 130306, windSpeedMs, windAngleDeg: 40, reference: "Apparent" });
const offTheLeg = (xte: number) => ({ pgn: 129283, xteMode: "Autonomous", navigationTerminated: "No", xte });

describe.each([
  ["a coolant", "engineTemperature-0", engine(199), engine(380)],
  ["a wind", "wind", wind(110), wind(600)],
  ["a distance from the leg", "crossTrack", offTheLeg(3000), offTheLeg(20_500_000)],
])("%s", (_, id, canBe, cannotBe) => {
  const ids = (message: object): readonly string[] => {
    const { bridge, sail, alarms } = setUp();
    bridge.configure(new Map([["alarms", { name: "alarms", crossTrack: { enabled: true } }]]));
    sail(40, ...underWay, message as { readonly pgn: number });
    return alarms().map((alarm) => alarm.id);
  };
  test("that can be rings", () => expect(ids(canBe)).toContain(id));
  test("that cannot be does not", () => expect(ids(cannotBe)).toEqual([]));
});

test("a speed that cannot be neither brings ships closer nor makes a boat at her berth go", () => {
  const { command, sail, reports } = setUp();
  const ship = {
    pgn: 129038,
    ...{ messageId: 1, mmsi: 211_000_001, latitude: 52.01, longitude: 4, cogDeg: 0, sogMs: 0.1 },
  };
  const still = [place, { ...underWay[1], sogMs: 0 }] as const;
  sail(20, ...still, ship);
  command("berth", "{}");
  sail(60, place, { ...underWay[1], sogMs: 640 }, ship);
  const { alarms, watching } = reports().at(-1)!;
  expect([alarms, watching.depth]).toEqual([[], "quiet"]);
});

test("a voltage that cannot be makes no bank of 48 V of one of 12 V", () => {
  const { sail, rung } = setUp();
  sail(60, { pgn: 127508, instance: 1, voltageV: 320 });
  expect(rung(60, { pgn: 127508, instance: 1, voltageV: 12.7 })).toEqual([]);
});
