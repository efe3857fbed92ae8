/** Floods: where lists are bounded, what endangers is not left out, and what is left out is counted. */
import { describe, expect, test } from "vitest";
import { setUp, topic } from "./alarm-bus.ts";

const MILE = 1 / 60;
const position = { pgn: 129025, latitude: 52, longitude: 4 };
const course = { pgn: 129026, cogReference: "True", cogDeg: 0, sogMs: 0 };
const distress = (mmsi: number) => ({
  ...{ pgn: 129808, format: "Distress", category: "Distress", natureOfDistress: "Fire" },
  address: `${mmsi}0`,
});
const ship = (mmsi: number, north: number, knots = 12) => ({
  ...{ pgn: 129038, mmsi, latitude: 52 + north * MILE, longitude: 4, cogDeg: 180, sogMs: knots / 1.94384 },
});
const beacon = (mmsi: number) => ({
  ...{ pgn: 129038, mmsi, latitude: 52.01, longitude: 4, navStatus: "AIS-SART", sogMs: 0 },
});
const ids = (ringing: readonly string[]) => ringing.map((each) => each.split(" ")[0]);

test("sixty calls of distress in a second and in an hour: the sixty-first rings, and the others are counted", () => {
  const { sail, ringing, reports } = setUp();
  sail(3, position, course, ...Array.from({ length: 60 }, (_, n) => distress(244_000_000 + n)));
  expect(reports().at(-1)!.leftOut).toEqual({ distress: 10 });
  sail(3, position, course, distress(211_000_001));
  expect(ringing()).toContain("distress-211000001 emergency active DSC call: Fire");
  expect(reports().at(-1)!.leftOut).toEqual({ distress: 11 });
});

test("of more calls than are remembered each is counted, and once however often it is repeated", () => {
  const { sail, reports } = setUp();
  const calls = Array.from({ length: 230 }, (_, n) => distress(244_000_000 + n));
  for (let repeated = 0; repeated < 4; repeated++) {
    sail(3, position, course, ...calls);
    expect(reports().at(-1)!.leftOut).toEqual({ distress: 230 - 50 });
  }
});

test("of more beacons than are remembered each is counted, and those that are remembered stay", () => {
  const { sail, reports, alarms } = setUp();
  const beacons = Array.from({ length: 230 }, (_, n) => beacon(972_000_000 + n));
  sail(3, position, course, ...beacons);
  const ids = alarms().map(({ id }) => id);
  sail(20, position, course, beacon(972_000_000));
  expect(alarms().map(({ id }) => id)).toEqual(ids);
  expect(reports().at(-1)!.leftOut).toEqual({ manOverboard: 230 - 50 });
});

test("answered calls make room for one without an answer", () => {
  const { bridge, sail, rung } = setUp();
  const calls = Array.from({ length: 60 }, (_, n) => distress(244_000_000 + n));
  sail(2, position, course, distress(211_000_001));
  sail(2, position, course, ...calls);
  for (let n = 0; n < 60; n++) bridge.command(`${topic}/distress-${244_000_000 + n}/set`, "acknowledge");
  expect(rung(2, position, course, ...calls)).toContain("distress-211000001 emergency active DSC call: Fire");
});

test("a call by radio without an MMSI rings though ten such calls were answered", () => {
  const { bridge, sail, ringing } = setUp();
  const call = (n: number, natureOfDistress: string) => ({
    ...{ pgn: 129808, format: "Distress", category: "Distress", natureOfDistress },
    ...{ latitude: 50 + n / 4, longitude: 4 },
  });
  for (let n = 0; n < 10; n++) sail(2, position, course, call(n, "Flooding"));
  expect(ringing()).toHaveLength(10);
  for (const id of ids(ringing())) bridge.command(`${topic}/${id}/set`, "acknowledge");
  sail(2, position, course);
  expect(ringing().filter((each) => each.includes(" active "))).toEqual([]);
  sail(2, position, course, call(30, "Sinking"));
  expect(ringing().filter((each) => each.includes(" active "))).toEqual([expect.stringContaining("DSC call: Sinking")]);
});

describe("seventy ghost ships", () => {
  const ghosts = Array.from({ length: 70 }, (_, n) => ship(244_000_000 + n, 1.4 + n / 1000));

  test("the real one that is nearer rings, and other kinds have their share", () => {
    const { sail, ringing, reports } = setUp();
    sail(10, position, course, ...ghosts, distress(211_000_002));
    sail(10, position, course, ...ghosts, ship(211_000_001, 1), distress(211_000_002));
    expect(ids(ringing())).toEqual(expect.arrayContaining(["cpa-211000001", "distress-211000002"]));
    expect(reports().at(-1)!.leftOut).toEqual({ cpa: 22 });
    expect(ringing()).toHaveLength(50);
  });

  test("the real one rings though it is farther, once the ghosts are acknowledged", () => {
    const { bridge, sail, rung } = setUp();
    sail(10, position, course, ...ghosts);
    bridge.command(`${topic}/all/set`, "acknowledge");
    expect(rung(10, position, course, ...ghosts, ship(211_000_001, 1.9))).toContain("cpa-211000001 alarm active");
  });
});

test("more targets than have room: those that are near stay, however seldom they send", () => {
  const { sail, ringing } = setUp();
  sail(1, position, course, ship(211_000_001, 1.5));
  for (let n = 0; n < 12; n++)
    sail(1, position, course, ...Array.from({ length: 100 }, (_, m) => ship(244_000_000 + n * 100 + m, 40)));
  expect(ids(ringing())).toContain("cpa-211000001");
});

test("instances that a device invents do not keep out the engine", () => {
  const { sail, ringing } = setUp();
  for (let n = 0; n < 6; n++)
    sail(
      1,
      ...[position, course],
      ...Array.from({ length: 250 }, (_, engineInstance) => ({
        ...{ pgn: 127489, from: 40 + n, engineInstance, coolantTempC: 60 },
      })),
    );
  sail(8, position, course, { pgn: 127489, engineInstance: 0, coolantTempC: 110 });
  expect(ids(ringing())).toContain("engineTemperature-0");
});
