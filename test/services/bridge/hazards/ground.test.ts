/** The ground: frames of the bus in, alarms out. */
import { describe, expect, test } from "vitest";
import { deviceNameBytes } from "../../../../src/core/n2k/device-name.ts";
import { claim, setUp } from "../alarm-bus.ts";
import { named } from "../named.ts";

const underWay = [
  { pgn: 129025, latitude: 52, longitude: 4 },
  { pgn: 129026, cogReference: "True", cogDeg: 0, sogMs: 3 },
] as const;
const still = [underWay[0], { ...underWay[1], sogMs: 0 }] as const;
const littleEndian = (value: number): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes.toString("hex");
};
/** 128267 by hand: SID, depth in centimetres, offset in millimetres, range. */
const depth = (metres: number, offset = 0) => ({
  pgn: 128267,
  hex: `ff${littleEndian(Math.round(metres * 100))}${littleEndian(Math.round(offset * 1000)).slice(0, 4)}ff`,
});
const setting = (value: object) => new Map([["alarms", { name: "alarms", ...value }]]);

describe("the reference of the depth", () => {
  test.each([
    ["transducer", -1.5, 2.4, []],
    ["transducer", -1.5, 1.9, ["1.9 below the transducer"]],
    ["keel", -1.5, 3.4, ["1.9 below the keel"]],
    ["keel", -1.5, 3.6, []],
    ["surface", 0.5, 1.4, ["1.9 below the surface"]],
    ["surface", 0.5, 1.6, []],
    // As the sounder is installed.
    ["installed", -1.5, 3.4, ["1.9 below the keel"]],
    ["installed", -1.5, 3.6, []],
    ["installed", 0.5, 1.4, ["1.9 below the surface"]],
    ["installed", 0, 1.9, ["1.9 below the transducer"]],
    // The offset is to the other reference.
    ["keel", 0.5, 1.9, ["1.9 below the transducer"]],
    ["surface", -1.5, 1.9, ["1.9 below the transducer"]],
    ["keel", 0, 1.9, ["1.9 below the transducer"]],
  ])("%s, offset %d, depth %d: %j", (reference, offset, metres, expected) => {
    const { bridge, sail, alarms } = setUp();
    bridge.configure(setting({ depth: { reference } }));
    sail(6, ...underWay, depth(metres, offset));
    expect(alarms().map(({ value, text }) => `${value} ${text}`)).toEqual(expected);
  });

  test("another one is refused", () => {
    const { bridge, log } = setUp();
    bridge.configure(setting({ depth: { reference: "waterline" } }));
    expect(log.lines.map(({ fields }) => fields?.reason)).toContain(
      "depth reference: must be one of installed, transducer, surface, keel",
    );
  });
});

describe("two sounders", () => {
  const bow = (metres: number, offset = 0) => ({ ...depth(metres, offset), from: 36 });

  test.each([
    ["the other one is shallower", depth(5), bow(1.2), [1.2, "sounder at address 36", "below the transducer"]],
    ["the one in use is shallower", depth(1.2), bow(5), [1.2, undefined, "below the transducer"]],
    ["both are shallow", depth(1.8), bow(1.2), [1.2, "sounder at address 36", "below the transducer"]],
    ["both speak of the keel", depth(7, -1.8), bow(3.4, -1.8), [1.6, "sounder at address 36", "below the keel"]],
    ["an offset to the keel that the one in use lacks", depth(3.4), bow(3.4, -1.8), undefined],
    ["no offset of the other one", depth(7, -1.8), bow(1.9), [1.9, "sounder at address 36", "below the transducer"]],
    ["an impossible depth of the other one", depth(5), bow(-3), undefined],
  ])("%s", (_, one, other, expected) => {
    const { sail, alarms } = setUp();
    sail(3, ...underWay, one);
    sail(8, ...underWay, one, other);
    const [alarm] = alarms();
    expect(alarm && [alarm.value, alarm.name, alarm.text]).toEqual(expected);
  });

  test("the troughs of the other one count, and it ends when both are deep", () => {
    const { sail, ringing, rung } = setUp();
    for (let second = 0; second < 21; second++) sail(1, ...underWay, depth(5), bow(second % 3 === 0 ? 1.5 : 3));
    expect(ringing()).toEqual(["depth alarm active lowest in 10 s, below the transducer"]);
    expect(rung(12, ...underWay, depth(5), bow(5))).toEqual([]);
  });

  describe("where the crew has named the sounder, another one", () => {
    function setUpNamed() {
      const boat = setUp();
      const settings = { name: "navigation", priority: { depth: [String(named(35))] } };
      boat.bridge.configure(new Map([["navigation", settings]]));
      for (const from of [35, 36]) {
        const hex = Buffer.from(deviceNameBytes(named(from))).toString("hex");
        boat.sail(1, ...underWay, { pgn: 60928, from, hex });
      }
      return boat;
    }
    const keel = { ...depth(5), from: 35 };

    test.each([
      ["is heard later", [keel, bow(1.2)]],
      ["is in use first, because it is heard before the named one", [bow(1.2), keel]],
    ])("does not ring if it %s", (_, messages) => {
      const { sail, reports } = setUpNamed();
      sail(20, ...underWay, ...messages);
      expect(reports().flatMap(({ alarms }) => alarms)).toEqual([]);
    });

    test("that rings falls silent", () => {
      const { bridge, rung } = setUp();
      const claims = [claim(35, named(35)), claim(36, named(36))];
      expect(rung(10, ...underWay, ...claims, keel, bow(1.2))).toEqual(["depth alarm active below the transducer"]);
      bridge.configure(new Map([["navigation", { name: "navigation", priority: { depth: [String(named(35))] } }]]));
      expect(rung(5, ...underWay, keel, bow(1.2))).toEqual([]);
    });

    test("rings while the named one has no depth, and no longer", () => {
      const { sail, rung } = setUpNamed();
      sail(10, ...underWay, keel);
      expect(rung(10, ...underWay, bow(1.2))).toEqual(["depth alarm active below the transducer"]);
      expect(rung(10, ...underWay, bow(1.2), keel)).toEqual([]);
    });
  });
});

test.each([
  [2.4, 6, true],
  [2.4, 5, true],
  [2.9, 6, false],
])("in a swell of %d m and a metre up and down, each %d s: %s", (mean, period, rings) => {
  const { sail, reports } = setUp();
  for (let second = 0; second < 60; second++)
    sail(1, ...underWay, depth(mean + Math.sin((2 * Math.PI * second) / period)));
  expect(reports().some(({ alarms }) => alarms.length > 0)).toBe(rings);
});

describe("depth that falls fast", () => {
  test("does not ring of a tide of six metres an hour, before the depth itself", () => {
    const { sail, reports } = setUp();
    for (let second = 0; second < 120; second++) sail(1, ...underWay, depth(2.15 - second / 600));
    expect(new Set(reports().flatMap(({ alarms }) => alarms.map(({ kind }) => kind)))).toEqual(new Set(["depth"]));
  });

  const slope = (
    from: number,
    rate: number,
    seconds: number,
    then: (metres: number) => number = (metres) => metres,
  ) => {
    const { sail, ringing, reports } = setUp();
    for (let second = 0; second < seconds; second++) sail(1, ...underWay, depth(then(from - rate * second)));
    return { ringing, reports };
  };

  test.each([
    ["a bottom that rises slowly", 12, 0.05, 120, undefined],
    ["a swell over flat ground", 4, 0, 120, (metres: number) => metres + Math.sin(metres)],
    ["deep water", 90, 0.5, 60, undefined],
  ])("does not ring for %s", (_, from, rate, seconds, then) => {
    const { ringing } = slope(from, rate, seconds, then);
    expect(ringing()).toEqual([]);
  });

  test.each([9, 16])("does not ring in a swell of %i seconds", (period) => {
    const { sail, reports } = setUp();
    for (let second = 0; second < 180; second++)
      sail(1, ...underWay, depth(4 + 1.5 * Math.sin((2 * Math.PI * second) / period)));
    expect(reports().flatMap(({ alarms }) => alarms)).toEqual([]);
  });
});

describe("depth that is lost", () => {
  test("no sound in water so deep that the sounder loses the bottom, unless it is silent itself", () => {
    const { sail, wait, ringing, rung } = setUp();
    const bottomless = { pgn: 128267, hex: "ffffffffffff7fff" };
    sail(5, ...underWay, depth(150));
    wait(600, ...underWay, bottomless);
    expect(ringing()).toEqual([]);
    expect(rung(40, ...underWay)).toEqual([
      "dataLost-depth alarm active depth is not watched any more: no usable value is received",
    ]);
  });

  test("at the berth a sounder is switched off", () => {
    const { command, wait, ringing } = setUp();
    wait(200, ...still, depth(4));
    command("berth", "{}");
    wait(120, ...still);
    expect(ringing()).toEqual([]);
  });
});
