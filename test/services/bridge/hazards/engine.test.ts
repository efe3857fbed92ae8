/** Engines and transmissions that report alarms of their own: frames of the bus in, alarms out. */
import { describe, expect, test } from "vitest";
import { engineBits, transmissionBits } from "../../../../src/core/alarms/hazards/engine.ts";
import { EngineStatus1, EngineStatus2, TransmissionStatus } from "../../../../src/core/n2k/lookups.ts";
import { engineParametersDynamic } from "../../../../src/core/n2k/pgns/propulsion.ts";
import { type Said, say } from "../../../../src/core/n2k/said.ts";
import { claim, setUp, topic } from "../alarm-bus.ts";
import { named } from "../named.ts";

const littleEndian = (value: number): string =>
  (value & 0xff).toString(16).padStart(2, "0") + (value >> 8).toString(16).padStart(2, "0");

/**
 * 127489 by hand: 26 bytes, status 1 in bytes 20 and 21, status 2 in 22 and 23, the rest not available but the
 * instance.
 */
const dynamic = (status1: number, status2 = 0, instance = 0) => ({
  pgn: 127489,
  hex: `0${instance}${"ff".repeat(18)}ff${littleEndian(status1)}${littleEndian(status2)}7f7f`,
});
const rpm = (engineSpeedRpm: number, engineInstance = 0) => ({ pgn: 127488, engineInstance, engineSpeedRpm });
/** 127493 by hand: 8 bytes, the status in byte 6. */
const transmission = (status: number) => ({ pgn: 127493, hex: `00fcffffffff${littleEndian(status).slice(0, 2)}ff` });

const inSentence = (name: string): string => name.toLowerCase().replace("egr", "EGR");

const bitsOfEngine = [
  ...EngineStatus1.map((name, bit) => [name, 1 << bit, 0] as const),
  ...EngineStatus2.map((name, bit) => [name, 0, 1 << bit] as const),
];
const meant = bitsOfEngine.filter(([name]) => engineBits[name] !== undefined);

describe("a bit of 127489", () => {
  test.each(meant)("%s rings after five seconds and ends", (name, status1, status2) => {
    const { severity } = engineBits[name]!;
    const { sail, ringing, rung } = setUp();
    expect(rung(4, rpm(1500), dynamic(status1, status2))).toEqual([]);
    sail(4, rpm(1500), dynamic(status1, status2));
    const [id, ...rest] = ringing()[0]!.split(" ");
    expect(ringing()).toHaveLength(1);
    expect(id).toMatch(/^engine-0-[a-z][a-zA-Z0-9]+$/);
    expect(rest.join(" ")).toBe(`${severity} active ${inSentence(name)}, reported by the engine`);
    expect(rung(5, rpm(1500), dynamic(0))).toEqual([]);
  });

  test.each([...new Set(bitsOfEngine.map(([name]) => name))].filter((name) => engineBits[name] === undefined))(
    "%s is a state, or an alarm of its own",
    (name) => {
      const { sail, ringing } = setUp();
      const [, status1, status2] = bitsOfEngine.find(([each]) => each === name)!;
      sail(20, rpm(1500), dynamic(status1, status2));
      expect(ringing().filter((each) => each.startsWith("engine-"))).toEqual([]);
    },
  );

  test("while the engine stands, levels are warnings, and lamps of the ignition do not ring", () => {
    const { sail, ringing } = setUp();
    sail(20, rpm(0), dynamic(0xfffe, 0xfe), transmission(0x1e));
    const atRest = {
      alarm: ["emergency stop", "warning level 2", "power reduction"],
      warning: [
        ...["low oil level", "low system voltage", "low coolant level", "water in fuel", "high boost pressure"],
        ...["rev limit exceeded", "EGR system", "throttle position sensor", "maintenance needed"],
        ...["engine comm error", "sub or secondary throttle"],
      ],
    };
    const rung = ringing().filter((each) => each.startsWith("engine-"));
    for (const [severity, names] of Object.entries(atRest))
      expect(rung.flatMap((each) => each.match(` ${severity} active (.*), reported`)?.[1] ?? [])).toEqual(names);
    expect(ringing().filter((each) => each.startsWith("transmission-"))).toEqual([
      "transmission-0-overTemperature alarm active over temperature, reported by the transmission",
      "transmission-0-sailDrive alarm active sail drive, reported by the transmission",
      "transmission-0-lowOilLevel warning active low oil level, reported by the transmission",
    ]);
  });

  test("an engine that nothing tells the speed of counts as running", () => {
    expect(setUp().rung(20, dynamic((1 << 2) | (1 << 3) | (1 << 9)))).toEqual([
      "oilPressure-0 alarm active reported by the engine",
      "engine-0-lowOilLevel alarm active low oil level, reported by the engine",
      "engine-0-chargeIndicator warning active charge indicator, reported by the engine",
    ]);
  });

  test("a low level that was acknowledged at rest rings again when the engine is started, and is one alarm", () => {
    const { bridge, sail, ringing, rung } = setUp();
    const level = dynamic(1 << 6);
    const id = "engine-0-lowCoolantLevel";
    const answered = (speed: number): readonly string[] => {
      bridge.command(`${topic}/${id}/set`, "acknowledge");
      sail(5, rpm(speed), level);
      return ringing();
    };
    expect(rung(10, rpm(0), level)).toEqual([`${id} warning active low coolant level, reported by the engine`]);
    expect(answered(0)).toEqual([`${id} warning acknowledged low coolant level, reported by the engine`]);
    expect(rung(5, rpm(900), level)).toEqual([`${id} alarm active low coolant level, reported by the engine`]);
    expect(answered(900)).toEqual([`${id} alarm acknowledged low coolant level, reported by the engine`]);
    expect(rung(5, rpm(0), level)).toEqual([`${id} warning acknowledged low coolant level, reported by the engine`]);
  });

  test("a low level that was silenced at rest sounds at once when the engine is started", () => {
    const { bridge, sail, ringing } = setUp();
    const level = dynamic(1 << 6);
    sail(10, rpm(0), level);
    bridge.command(`${topic}/engine-0-lowCoolantLevel/set`, "silence");
    sail(1, rpm(0), level);
    expect(ringing()[0]).toContain("warning silenced");
    sail(5, rpm(900), level);
    expect(ringing()[0]).toContain("alarm active");
  });

  test("all ones is a device that has none", () => {
    expect(setUp().rung(20, rpm(1500), dynamic(0xffff, 0xffff), transmission(0xff))).toEqual([]);
  });

  test("of each engine for itself", () => {
    const { sail, ringing } = setUp();
    sail(10, rpm(1500), rpm(1500, 1), dynamic(1 << 8), dynamic(1 << 8, 0, 1));
    expect(ringing().map((each) => each.split(" ")[0])).toEqual(["engine-0-waterInFuel", "engine-1-waterInFuel"]);
  });
});

/** 127489 by hand with a coolant temperature in degrees Celsius, and nothing else. */
const coolant = (celsius: number) => ({
  pgn: 127489,
  hex: `00ffffffff${littleEndian(Math.round((celsius + 273.15) * 100))}${"ff".repeat(13)}ffffffff7f7f`,
});
const nothing = { pgn: 127489, hex: `00${"ff".repeat(19)}ffffffff7f7f` };

describe("two devices that send one instance", () => {
  test.each([
    ["has nothing to say", { ...nothing, from: 4 }],
    ["measures less", { ...coolant(80), from: 4 }],
    ["reports that all is well", { ...dynamic(0), from: 4 }],
  ])("an alarm rings and goes on while the other one %s", (_, other) => {
    const { rung } = setUp();
    expect(rung(10, rpm(1500), other, coolant(110), other)).toEqual(["engineTemperature-0 alarm active address 3"]);
    expect(rung(60, rpm(1500), coolant(110), other)).toHaveLength(1);
    expect(rung(5, rpm(1500), coolant(80), other)).toEqual([]);
  });

  test("an alarm has the addresses of those that raise it", () => {
    const { sail, alarms } = setUp();
    const addresses = () => alarms().map((alarm) => alarm.addresses);
    sail(10, rpm(1500), coolant(110), { ...coolant(80), from: 4 });
    expect(addresses()).toEqual([[3]]);
    sail(5, rpm(1500), coolant(110), { ...coolant(105), from: 4 });
    expect(addresses()).toEqual([[3, 4]]);
    sail(2, rpm(1500), coolant(110), { ...coolant(80), from: 4 });
    sail(2, rpm(1500), coolant(80), { ...coolant(80), from: 4 });
    expect(addresses()).toEqual([[3]]);
  });

  test.each(["acknowledge", "silence"])("%s for one of them is none for the other one", (answer) => {
    const { sail, ringing, command, rung } = setUp();
    const [hot, cool] = [coolant(110), coolant(80)];
    sail(10, rpm(1500), hot, { ...cool, from: 4 });
    command("engineTemperature-0", answer);
    sail(10, rpm(1500), hot, { ...cool, from: 4 });
    expect(ringing()[0]).not.toContain("active");
    sail(4, rpm(1500), hot, { ...hot, from: 4 });
    expect(ringing()[0]).not.toContain("active");
    expect(rung(4, rpm(1500), cool, { ...hot, from: 4 })).toEqual(["engineTemperature-0 alarm active address 4"]);
    command("engineTemperature-0", answer);
    sail(4, rpm(1500), cool, { ...hot, from: 4 });
    expect(ringing()[0]).not.toContain("active");
    // One that has cooled down is in danger anew.
    sail(7, rpm(1500), hot, { ...hot, from: 4 });
    expect(ringing()[0]).toContain("active");
  });

  test("one that is silent in danger rings on when another one takes its address", () => {
    const { sail, rung } = setUp();
    const cool = coolant(80);
    sail(1, claim(3, named(3)), claim(4, named(4)));
    sail(10, rpm(1500), cool, { ...coolant(110), from: 4 });
    sail(1, claim(4, named(3)));
    expect(rung(60, { ...rpm(1500), from: 4 }, { ...cool, from: 4 })).toHaveLength(1);
    sail(1, claim(9, named(4)));
    expect(rung(8, { ...cool, from: 9 }, { ...cool, from: 4 })).toEqual([]);
  });

  test("one that is silent in danger rings on when a higher NAME takes its address, which speaks before it has it", () => {
    const { sail, rung } = setUp();
    const cool = { ...coolant(80), from: 4 };
    sail(1, claim(4, named(4)));
    sail(10, rpm(1500), { ...coolant(110), from: 4 });
    sail(1, claim(4, named(9)), cool);
    expect(rung(60, rpm(1500), cool)).toHaveLength(1);
    sail(1, claim(7, named(4)));
    expect(rung(8, { ...cool, from: 7 }, cool)).toEqual([]);
  });

  test("one that defends its address ends its alarm itself, whatever was heard from there meanwhile", () => {
    const { sail, rung } = setUp();
    const [hot, cool] = [coolant(110), coolant(80)].map((each) => ({ ...each, from: 4 }));
    sail(1, claim(4, named(4)));
    sail(10, rpm(1500), hot!);
    for (const heard of [cool!, hot!]) {
      sail(1, claim(4, named(9)), heard, claim(4, named(4)));
      expect(rung(10, rpm(1500), hot!)).toHaveLength(1);
    }
    expect(rung(5, rpm(1500), cool!)).toEqual([]);
  });

  test.each([
    ["a limit of hub", {}],
    [
      "a limit of the crew",
      { limits: { rows: [{ id: "own", pgn: 127489, member: "coolantTempC", above: 90, text: "Hot" }] } },
    ],
  ])("what was heard in dispute holds no alarm up when the address is defended: %s", (_, settings) => {
    const { bridge, sail, ringing } = setUp();
    bridge.configure(new Map([["alarms", { name: "alarms", ...settings }]]));
    const [hot, cool] = [coolant(110), coolant(80)].map((each) => ({ ...each, from: 4 }));
    sail(1, claim(4, named(4)));
    sail(10, rpm(1500), hot!);
    sail(1, claim(4, named(9)), hot!, claim(4, named(4)));
    sail(5, rpm(1500), cool!);
    expect(ringing()).toEqual([]);
  });

  test("one that moves takes its alarm with it", () => {
    const { sail, alarms, rung } = setUp();
    const last = () => alarms().map(({ addresses }) => addresses);
    sail(1, claim(3, named(3)), claim(4, named(4)));
    sail(10, rpm(1500), coolant(80), { ...coolant(110), from: 4 });
    sail(1, claim(40, named(4)));
    sail(3, rpm(1500), coolant(80), { ...coolant(110), from: 40 });
    expect(last()).toEqual([[40]]);
    expect(rung(8, rpm(1500), coolant(80), { ...coolant(80), from: 40 })).toEqual([]);
  });

  test("the bits of each count", () => {
    const { sail, ringing } = setUp();
    sail(8, rpm(1500), dynamic(1 << 7), { ...dynamic(1 << 8), from: 4 }, { ...nothing, from: 5 });
    expect(ringing().map((each) => each.split(" ")[0])).toEqual(["engine-0-waterFlow", "engine-0-waterInFuel"]);
  });

  test("lamps of one that stands do not ring because the other one runs", () => {
    expect(setUp().rung(20, { ...rpm(1500), from: 4 }, { ...dynamic(0), from: 4 }, rpm(0), dynamic(1 << 7))).toEqual(
      [],
    );
  });
});

test("a device that sends values and nothing in turn rings as one that always sends them", () => {
  const { sail, ringing } = setUp();
  for (let second = 0; second < 10; second++) sail(1, rpm(1500), second % 2 === 0 ? coolant(110) : nothing);
  expect(ringing()).toEqual(["engineTemperature-0 alarm active"]);
});

test("a fault that an engine has reported goes on for a minute without it, and no lamp of the ignition rings then", () => {
  const { sail, rung } = setUp();
  const heartbeat = { pgn: 127250, headingDeg: 1 };
  sail(8, rpm(0), dynamic((1 << 3) | (1 << 7)));
  expect(rung(50, heartbeat)).toEqual(["engine-0-lowOilLevel warning active low oil level, reported by the engine"]);
  expect(rung(20, heartbeat)).toEqual([]);
});

test("what the engine reports stands beside what it measures", () => {
  const { sail, ringing } = setUp();
  sail(10, rpm(1500), { pgn: 127489, engineInstance: 0, coolantTempC: 23.2, oilPressureKpa: 160, discreteStatus1: 6 });
  expect(ringing()).toEqual([
    "engineTemperature-0 alarm active reported by the engine, measured 23.2 °C",
    "oilPressure-0 alarm active reported by the engine, measured 160 kPa",
  ]);
  // Without a speed a pressure has no meaning, and no limit.
  const silent = setUp();
  silent.sail(10, { pgn: 127489, engineInstance: 0, oilPressureKpa: 60, discreteStatus1: 4 });
  expect(silent.ringing()).toEqual(["oilPressure-0 alarm active reported by the engine, measured 60 kPa"]);
});

describe("a bit of 127493", () => {
  test.each(TransmissionStatus.map((name, bit) => [name, bit] as const))("%s rings and ends", (name, bit) => {
    const { ringing, rung } = setUp();
    expect(rung(8, rpm(1500), transmission(1 << bit))).toHaveLength(1);
    expect(ringing()[0]).toContain(`${transmissionBits[name].severity} active ${name.toLowerCase()}, reported by the`);
    expect(rung(5, rpm(1500), transmission(0))).toEqual([]);
  });

  test("with what it measures", () => {
    expect(setUp().rung(8, { pgn: 127493, engineInstance: 1, oilTempC: 63.4, discreteStatus1: 2 })).toEqual([
      "transmission-1-overTemperature alarm active over temperature, reported by the transmission, measured 63.4 °C",
    ]);
  });
});

test.each([
  [{ engineHours: 1200 }, "no data", "no data"],
  [{ alternatorVoltage: 14.1 }, "no data", "no data"],
  [{ coolantTempC: 82 }, "on", "no data"],
  [{ oilPressureKpa: 350 }, "no data", "on"],
])(
  "an engine with a sensor of %j: the temperature is %s, the oil pressure %s",
  (measured, engineTemperature, oilPressure) => {
    const { sail, reports } = setUp();
    const [{ payload }] = say(engineParametersDynamic, { engineInstance: 0, ...measured }) as [Said];
    sail(10, rpm(1500), { pgn: 127489, hex: Buffer.from(payload).toString("hex") });
    expect(reports().at(-1)!.watching).toMatchObject({ engineTemperature, oilPressure });
  },
);
