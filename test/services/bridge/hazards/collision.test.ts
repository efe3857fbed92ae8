/** Other ships: frames of the bus in, alarms out. */
import { describe, expect, test } from "vitest";
import { setUp, topic } from "../alarm-bus.ts";

const MILE = 1 / 60;
const position = { pgn: 129025, latitude: 52, longitude: 4 };
const course = (knots: number) => ({ pgn: 129026, cogReference: "True", cogDeg: 0, sogMs: knots / 1.94384 });
const underWay = [position, course(6)];
/** A ship some miles north and east of the boat, which steers north. */
const ship = (mmsi: number, north: number, more: object = {}, east = 0) => ({
  pgn: 129039,
  mmsi,
  latitude: 52 + north * MILE,
  longitude: 4 + (east * MILE) / Math.cos((52 * Math.PI) / 180),
  ...more,
});
const drifting = { sogMs: 0 };
const setting = (kind: string, value: object) => new Map([["alarms", { name: "alarms", [kind]: value }]]);

describe("a ship that makes no way", () => {
  test.each([
    ["without a course", drifting],
    ["with a course", { sogMs: 0.2, cogDeg: 90 }],
  ])("rings ahead of a boat under way: %s", (_, motion) => {
    expect(setUp().rung(20, ...underWay, ship(244000001, 0.5, motion))).toEqual([
      "cpa-244000001 alarm active makes no way",
    ]);
  });

  test("rings though one other lies beside it: two that fish", () => {
    expect(
      setUp().rung(20, ...underWay, ship(244000001, 0.5, drifting), ship(244000002, 0.5, drifting, 0.1)),
    ).toHaveLength(2);
  });

  test("does not ring in a harbour, whose quays a boat under way passes", () => {
    const neighbours = [0, 0.05, 0.1].map((east, index) => ship(244000001 + index, 0.3, drifting, east));
    expect(setUp().rung(60, position, course(4), ...neighbours)).toEqual([]);
  });

  test.each([
    ["reports to be moored", { pgn: 129038, sogMs: 0, navStatus: "Moored" }],
    ["lies far from the course", { pgn: 129039, longitude: 4.02, sogMs: 0 }],
    ["lies astern", { pgn: 129039, latitude: 52 - 0.3 * MILE, sogMs: 0 }],
    ["is a buoy", { pgn: 129041, atonType: 24 }],
  ])("does not ring where it %s", (_, more) => {
    expect(setUp().rung(60, ...underWay, ship(244000001, 0.5, more))).toEqual([]);
  });

  test.each([
    ["an aircraft of search and rescue that hovers", { pgn: 129798, sogMs: 5, cogDeg: 180 }],
    ["an aircraft of search and rescue that comes", { pgn: 129798, sogMs: 60, cogDeg: 180 }],
    ["a base station", { pgn: 129793, messageId: 4 }],
  ])("does not ring where it is no ship: %s", (_, station) => {
    expect(setUp().rung(60, ...underWay, ship(111244001, 0.3, station))).toEqual([]);
  });

  test.each([
    ["nor a course", {}],
    ["but a course", { cogDeg: 90 }],
  ])("rings where it reports no speed, because it may be anything that floats: %s", (_, motion) => {
    const { sail, ringing } = setUp();
    sail(60, ...underWay, ship(244000001, 0.5, motion));
    expect(ringing()).toEqual(["cpa-244000001 alarm active its speed is not known"]);
  });

  test("does not ring for a boat that lies still", () => {
    const { wait, ringing } = setUp();
    wait(300, position, course(0.3), ship(244000001, 0.1, drifting));
    expect(ringing()).toEqual([]);
  });

  test("ends when the boat has turned away", () => {
    const { sail, rung } = setUp();
    sail(20, ...underWay, ship(244000001, 0.5, drifting));
    expect(rung(10, position, { ...course(6), cogDeg: 90 }, ship(244000001, 0.5, drifting))).toEqual([]);
  });
});

test("a ship that drifts rings although it was moored before its status was switched off", () => {
  const { rung } = setUp();
  const still = ship(244000001, 0.5, { pgn: 129038, sogMs: 0 });
  expect(rung(20, ...underWay, { ...still, navStatus: "Moored" })).toEqual([]);
  expect(rung(20, ...underWay, still)).toEqual(["cpa-244000001 alarm active makes no way"]);
});

describe("a ship at anchor that sends no course", () => {
  const anchored = (knots: number | undefined, north = 0.5) =>
    ship(244000001, north, { pgn: 129038, navStatus: "At anchor", sogMs: knots && knots / 1.94384 });

  test.each([
    ["still", 0, []],
    ["swinging", 0.9, []],
    ["without a speed", undefined, ["its speed is not known"]],
  ])("rings ahead of a boat under way: %s", (_, knots, text) => {
    expect(setUp().rung(20, ...underWay, anchored(knots))).toEqual([["cpa-244000001 alarm active", ...text].join(" ")]);
  });

  test("rings among others: an anchorage is no harbour", () => {
    const others = [0.05, 0.1, 0.15].map((east, index) => ship(244000002 + index, 0.5, { sogMs: 0 }, east));
    expect(setUp().rung(20, ...underWay, anchored(0), ...others)).toEqual(["cpa-244000001 alarm active"]);
  });

  test.each([
    ["astern", 6, anchored(0, -0.3)],
    ["of a boat that lies still", 0, anchored(0, 0.1)],
  ])("does not ring: %s", (_, own, target) => {
    const { wait, ringing } = setUp();
    wait(130, position, course(own), target);
    expect(ringing()).toEqual([]);
  });

  test("does not ring for a boat at an anchor that is watched, which swings beside it", () => {
    const { command, sail, wait, ringing } = setUp();
    sail(5, position, course(0.6));
    command("anchorWatch", "{}");
    wait(130, position, course(0.6), anchored(0, 0.03));
    expect(ringing()).toEqual([]);
  });
});

describe("what is no ship makes no harbour", () => {
  const buoy = { pgn: 129041, atonType: 24 };
  const base = { pgn: 129793, messageId: 4 };

  test.each([
    ["a buoy", buoy],
    ["a base station", base],
    ["an aircraft of search and rescue", { pgn: 129798 }],
  ])("%s beside a boat that is becalmed in a fairway", (_, station) => {
    const { wait, ringing, reports } = setUp();
    const freighter = ship(244000001, 1, { pgn: 129038, sogMs: 6, cogDeg: 180 });
    wait(130, position, course(0.3), ship(992441234, 0.2, station), freighter);
    expect(ringing()).toEqual(["cpa-244000001 alarm active"]);
    expect(reports().at(-1)!.watching.cpa).toBe("on");
  });

  test("base stations beside a ship that drifts", () => {
    const { sail, ringing } = setUp();
    const stations = [0.05, 0.1].map((east, index) => ship(2442001 + index, 0.5, base, east));
    sail(20, ...underWay, ship(244000001, 0.5, drifting), ...stations);
    expect(ringing()).toEqual(["cpa-244000001 alarm active makes no way"]);
  });
});

describe("a ship whose status is still of the berth", () => {
  const towards = (navStatus: string, knots: number, north = 1) =>
    ship(244000001, north, { pgn: 129038, navStatus, sogMs: knots / 1.94384, cogDeg: 180 });

  test.each(["Moored", "Aground"])("rings under way: %s", (navStatus) => {
    expect(setUp().rung(20, ...underWay, towards(navStatus, 12))).toEqual(["cpa-244000001 alarm active"]);
  });

  test("does not ring at the berth, where its receiver reports some tenths of a knot", () => {
    expect(setUp().rung(20, ...underWay, towards("Moored", 0.9))).toEqual([]);
  });

  test("makes no harbour for a boat that is becalmed when it passes", () => {
    const { sail, reports } = setUp();
    sail(20, position, course(0.3), towards("Moored", 12, 0.2));
    expect(reports().at(-1)!.watching.cpa).toBe("on");
  });
});

test("an approach ends when the ship has altered course for half a minute, though it is near in time", () => {
  const { rung } = setUp();
  const towards = { sogMs: 3, cogDeg: 180 };
  expect(rung(20, ...underWay, ship(244000001, 0.5, towards))).toEqual(["cpa-244000001 alarm active"]);
  expect(rung(25, ...underWay, ship(244000001, 0.5, towards, 1.5))).toEqual(["cpa-244000001 alarm active"]);
  expect(rung(10, ...underWay, ship(244000001, 0.5, towards, 1.5))).toEqual([]);
});

/** A ship that sails, where it is at a second of a voyage that begins with the boat at 52° north. */
const at = (
  second: number,
  { north, east = 0, knots, cog }: { north: number; east?: number; knots: number; cog: number },
) => {
  const way = (knots * second) / 3600;
  const [n, e] = [Math.cos((cog * Math.PI) / 180) * way, Math.sin((cog * Math.PI) / 180) * way];
  return ship(244000001, north + n, { pgn: 129038, sogMs: knots / 1.94384, cogDeg: cog }, east + e);
};
const boatAt = (second: number, knots: number) => [
  { ...position, latitude: 52 + ((knots * second) / 3600) * MILE },
  course(knots),
];

describe("a boat without way", () => {
  test.each([
    ["without a course", { pgn: 129026, cogReference: "True", sogMs: 0.02 }],
    ["with any course", course(0.4)],
  ])("hears of a ship that comes: %s", (_, motion) => {
    const { sail, ringing, alarms } = setUp();
    for (let second = 0; second < 20; second++)
      sail(1, position, motion, at(second, { north: 2, east: 0.02, knots: 14, cog: 180 }));
    expect(ringing()).toEqual(["cpa-244000001 alarm active"]);
    expect(alarms()[0]).toMatchObject({ value: 0.02, minutes: expect.closeTo(8.3, 0) });
  });

  test("goes on hearing of it after she has stopped for it", () => {
    const { sail, ringing, rung } = setUp();
    const coming = { north: 2, knots: 14, cog: 180 };
    for (let second = 0; second < 60; second++) sail(1, position, course(6), at(second, coming));
    expect(ringing()).toEqual(["cpa-244000001 alarm active"]);
    const stopped = { pgn: 129026, cogReference: "True", sogMs: 0 };
    for (let second = 60; second < 400; second++) {
      expect(rung(1, position, stopped, at(second, coming))).toHaveLength(1);
    }
  });
});

describe("a ship with a speed and no course", () => {
  const ferry = { pgn: 129038, sogMs: 6 };

  test.each([
    ["near", 1.5, ["cpa-244000001 alarm active its course is not known"]],
    ["too far to come within ten minutes", 4, []],
  ])("is where it may be: %s", (_, north, expected) => {
    expect(setUp().rung(10, ...underWay, ship(244000001, north, ferry))).toEqual(expected);
  });

  test("the same of the boat", () => {
    const { sail, ringing } = setUp();
    sail(10, position, { ...course(6), cogDeg: undefined }, ship(244000001, 0.8, { sogMs: 0 }));
    expect(ringing()).toEqual(["cpa-244000001 alarm active makes no way, the course of the boat is not known"]);
  });
});

describe("a ship that is not heard any more", () => {
  const crossing = { north: 0.67, east: 1.555, knots: 14, cog: 270 };
  const boat = () => {
    const { sail, ...rest } = setUp();
    let second = 0;
    return {
      ...rest,
      go(seconds: number, isHeard = true): void {
        for (const end = second + seconds; second < end; second++)
          sail(1, ...boatAt(second, 6), ...(isHeard ? [at(second, crossing)] : []));
      },
    };
  };

  test("rings on as lost, past the approach that was computed, until it is acknowledged", () => {
    const { bridge, go, ringing } = boat();
    go(120);
    expect(ringing()).toEqual(["cpa-244000001 alarm active"]);
    go(20, false);
    expect(ringing()).toEqual(["cpa-244000001 alarm active"]);
    for (let step = 0; step < 30; step++) {
      go(20, false);
      expect(ringing()).toEqual([expect.stringMatching(/^cpa-244000001 alarm active lost: /)]);
    }
    bridge.command(`${topic}/cpa-244000001/set`, "acknowledge");
    go(65, false);
    expect(ringing()).toEqual([]);
  });

  test("its closest approach comes nearer in time while it is silent", () => {
    const { go, alarms } = boat();
    go(120);
    const before = alarms()[0]!.minutes!;
    go(60, false);
    expect(alarms()[0]!.minutes).toBeCloseTo(before - 1, 1);
  });

  test("is not lost when it is heard again, and ends when it has passed", () => {
    const { go, ringing } = boat();
    go(120);
    go(60, false);
    go(20);
    expect(ringing()).toEqual(["cpa-244000001 alarm active"]);
    go(210);
    expect(ringing()).toEqual([]);
  });
});

test("a yacht that sails beside the boat is one alarm, however both yaw", () => {
  const { sail, alarms } = setUp();
  const raised = new Set<string>();
  for (let second = 0; second < 1200; second++) {
    const yaw = Math.sin(second / 9);
    const [own, other] = [6 + 0.4 * yaw, 6 + 0.4 * Math.sin(second / 13)];
    const north = ((6 * second) / 3600) * MILE;
    sail(
      1,
      { ...position, latitude: 52 + north },
      { ...course(own), cogDeg: (360 + 4 * yaw) % 360 },
      ship(
        244000001,
        (north + 0.0001) / MILE,
        { sogMs: other / 1.94384, cogDeg: (360 + 4 * Math.cos(second / 11)) % 360 },
        0.097,
      ),
    );
    for (const { since } of alarms()) raised.add(since);
  }
  expect(raised.size).toBe(1);
});

test("a ship that was inside the guard zone and is not heard any more is told, until it is heard again", () => {
  const { bridge, sail, wait, ringing, rung } = setUp();
  bridge.configure(setting("lostTarget", { enabled: true }));
  const away = ship(244000001, 0.8, { sogMs: 6, cogDeg: 0 });
  sail(5, ...underWay, away);
  wait(290, ...underWay);
  expect(ringing()).toEqual([]);
  expect(rung(15, ...underWay)).toEqual([
    "lostTarget-244000001 warning active in the guard zone when it was last heard, 5 min ago",
  ]);
  wait(120, ...underWay);
  expect(ringing()).toHaveLength(1);
  expect(rung(6, ...underWay, away)).toEqual([]);
});

describe("a ship in the guard zone, while the computer's clock is set", () => {
  const hours = 3_600_000;
  const heard = () => {
    const boat = setUp();
    boat.bridge.configure(setting("lostTarget", { enabled: true }));
    boat.sail(5, ...underWay, ship(244000001, 0.8, { sogMs: 6, cogDeg: 0 }));
    return boat;
  };

  test("is not lost by the hours that the clock leaps", () => {
    const { stepClock, rung } = heard();
    stepClock(2 * hours);
    expect(rung(10, ...underWay)).toEqual([]);
  });

  test("is lost after five minutes though the clock has gone back", () => {
    const { wait, stepClock, ringing } = heard();
    stepClock(-2 * hours);
    wait(305, ...underWay);
    expect(ringing()).toEqual([
      "lostTarget-244000001 warning active in the guard zone when it was last heard, 5 min ago",
    ]);
  });
});

describe("safety messages", () => {
  const broadcast = (text: string) => ({ pgn: 129802, messageId: 14, mmsi: 2442000, text });

  test("to all and to one are warnings with their text, for ten minutes", () => {
    const { wait, ringing, rung } = setUp();
    const toOne = { pgn: 129801, messageId: 12, mmsi: 2442001, destinationMmsi: 244000009, text: "ALTER COURSE" };
    expect(rung(2, ...underWay, broadcast("MISSILE FIRING AREA A"), toOne)).toEqual([
      expect.stringMatching(/^safetyMessage-2442000-\w+ warning active MISSILE FIRING AREA A$/),
      expect.stringMatching(/^safetyMessage-2442001-\w+ warning active ALTER COURSE$/),
    ]);
    wait(590, ...underWay);
    expect(ringing()).toHaveLength(2);
    expect(rung(20, ...underWay)).toEqual([]);
  });

  test("another text of a station rings although the first was acknowledged, the same one does not", () => {
    const { bridge, sail, alarms, rung } = setUp();
    sail(2, ...underWay, broadcast("BUOY ADRIFT"));
    bridge.command(`${topic}/${alarms()[0]!.id}/set`, "acknowledge");
    expect(rung(2, ...underWay, broadcast("BUOY ADRIFT"))).toHaveLength(1);
    sail(2, ...underWay, broadcast("WRECK"));
    expect(alarms()).toMatchObject([
      { state: "acknowledged", text: "BUOY ADRIFT", subject: 2442000 },
      { state: "active", text: "WRECK" },
    ]);
  });
});
