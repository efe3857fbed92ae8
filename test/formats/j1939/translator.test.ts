/** A J1939 network as devices: what is told of frames made by hand, after SAE J1939-71 and -73. */
import { describe, expect, test } from "vitest";
import { EngineStatus1, EngineStatus2, TransmissionStatus } from "../../../src/core/n2k/lookups.ts";
import { MAX_FAULTS, withoutEmptyCodes } from "../../../src/formats/j1939/translator.ts";
import { dataOf, network } from "./heard.ts";

const EEC2 = 61443;
const EEC1 = 61444;
const ETC2 = 61445;
const DM1 = 65226;
const DM2 = 65227;
const HOURS = 65253;
const ET1 = 65262;
const EFL = 65263;
const LFE = 65266;
const IC1 = 65270;
const VEP1 = 65271;
const TRF1 = 65272;

const bit = <Name>(names: readonly Name[], name: Name): number => 1 << names.indexOf(name);

/** Without the bits of faults: the encoder writes zeros for those that are not known. */
function measuredIn(data: Readonly<Record<string, unknown>> | undefined) {
  const { discreteStatus1: _, discreteStatus2: __, ...measured } = data!;
  return measured;
}

/** 1616 rpm, torque 10 %. */
const RUNNING = "ff 82 87 80 32 ff ff ff";
/** Fuel 360 kPa, oil 340 kPa, coolant 120 kPa. */
const PRESSURES = "5a ff ff 55 ff ff 3c ff";

describe("what an engine measures", () => {
  test.each([
    [EEC1, RUNNING, 127488, { engineSpeedRpm: 1616 }],
    [EEC1, RUNNING, 127489, { torquePercent: 10 }],
    [EEC2, "ff 7d 48 ff ff ff ff ff", 127489, { loadPercent: 72 }],
    [IC1, "ff 32 ff ff ff ff ff ff", 127488, { boostPressureKpa: 100 }],
    [ET1, "7b ff c0 2d ff ff ff ff", 127489, { coolantTempC: 83, oilTempC: 93 }],
    [EFL, PRESSURES, 127489, { oilPressureKpa: 340, coolantPressureKpa: 120, fuelPressureKpa: 360 }],
    [LFE, "2e 01 ff ff ff ff ff ff", 127489, { fuelRateLh: 15.1 }],
    [HOURS, "40 e2 01 00 ff ff ff ff", 127489, { engineHours: 6172.8 }],
    [VEP1, "ff ff 20 01 18 01 0e 01", 127489, { alternatorVoltage: 14.4 }],
    [VEP1, "73 ff 20 01 18 01 0e 01", 127508, { voltageV: 14, currentA: -10 }],
    [VEP1, "ff ff ff ff ff ff 0e 01", 127508, { voltageV: 13.5 }],
  ])("%i %s is in %i", (pgn, hex, to, expected) => {
    const {
      engineInstance,
      instance = engineInstance,
      ...measured
    } = measuredIn(dataOf(network().hear(0, pgn, hex), to));
    expect(measured).toEqual(expected);
    expect(instance).toBe(0);
  });

  test("a value in error or not available is absent, also where it was known before", () => {
    const { hear } = network();
    expect(dataOf(hear(0, EFL, PRESSURES), 127489)).toMatchObject({ oilPressureKpa: 340 });
    for (const [index, code] of ["fb", "fe", "ff"].entries())
      expect(measuredIn(dataOf(hear(0, EFL, `5a ff ff ${code} ff ff 3c ff`, 1000 * (index + 1)), 127489))).toEqual({
        engineInstance: 0,
        coolantPressureKpa: 120,
        fuelPressureKpa: 360,
      });
    expect(dataOf(hear(0, EFL, "ff ff ff fa ff ff ff ff", 9000), 127489)).toMatchObject({ oilPressureKpa: 1000 });
  });

  test("one message has the values of several, each for five seconds, and the hours for an hour", () => {
    const { hear } = network();
    hear(0, HOURS, "40 e2 01 00 ff ff ff ff", 0);
    hear(0, ET1, "7b ff ff ff ff ff ff ff", 1000);
    expect(dataOf(hear(0, EFL, PRESSURES, 6000), 127489)).toMatchObject({ coolantTempC: 83, engineHours: 6172.8 });
    const later = dataOf(hear(0, EFL, PRESSURES, 6001), 127489) ?? dataOf(hear(0, EFL, PRESSURES, 7000), 127489)!;
    expect(later).not.toHaveProperty("coolantTempC");
    expect(later).toHaveProperty("engineHours");
    expect(dataOf(hear(0, EFL, PRESSURES, 3_601_000), 127489)).not.toHaveProperty("engineHours");
  });

  test("zero is a value; a message without any is none", () => {
    expect(dataOf(network().hear(0, EEC1, "ff ff ff 00 00 ff ff ff"), 127488)).toMatchObject({ engineSpeedRpm: 0 });
    expect(
      network()
        .hear(0, EEC1, "ff".repeat(8))
        .map(({ pgn }) => pgn),
    ).toEqual([EEC1]);
    expect(
      network()
        .hear(3, ETC2, "ff".repeat(8))
        .map(({ pgn }) => pgn),
    ).toEqual([ETC2]);
  });

  test("ten times a second at most, as NMEA 2000 has it", () => {
    const { hear } = network();
    const told = Array.from({ length: 200 }, (_, at) => dataOf(hear(0, EEC1, RUNNING, at * 10), 127488));
    expect(told.filter((each) => each !== undefined)).toHaveLength(20);
  });
});

describe("which engine it is", () => {
  const numberAt = (address: number, options = {}) =>
    dataOf(network(options).hear(address, EEC1, RUNNING), 127488)?.engineInstance;

  test("by the source address", () => {
    expect([0, 1, 2, 3, 17].map((address) => numberAt(address))).toEqual([0, 1, undefined, undefined, undefined]);
  });

  test("by the function and its instance in a NAME at another address", () => {
    const { hear } = network();
    // Function 0, an engine; function instance 2.
    hear(90, 60928, "01 00 00 00 10 00 00 00");
    expect(dataOf(hear(90, EEC1, RUNNING), 127488)).toMatchObject({ engineInstance: 2 });
    // Function 130 of no class.
    hear(91, 60928, "01 00 00 00 10 82 00 00");
    expect(dataOf(hear(91, EEC1, RUNNING), 127488)).toBeUndefined();
  });

  test.each([3, 0])("a transmission at address %i: its own, or that of the engine's controller", (address) => {
    const { hear } = network();
    expect(measuredIn(dataOf(hear(address, TRF1, "ff ff ff 6e 60 2e ff ff"), 127493))).toEqual({
      engineInstance: 0,
      oilPressureKpa: 1760,
      oilTempC: 98,
    });
    const gears = ["7e", "7d", "7c"].map((gear, at) =>
      dataOf(hear(address, ETC2, `ff ff ff ${gear}`, at * 1000 + 1000), 127493),
    );
    expect(gears.map((each) => each?.gear)).toEqual(["Forward", "Neutral", "Reverse"]);
  });

  test("the second transmission is that of engine 1", () => {
    expect(dataOf(network().hear(4, ETC2, "ff ff ff 7e"), 127493)).toMatchObject({ engineInstance: 1 });
  });
});

describe("faults", () => {
  /** A trouble code of four bytes: its parameter, what is wrong, and the method of conversion. */
  const code = (spn: number, fmi: number, method = 0): string =>
    Buffer.from([spn & 255, (spn >> 8) & 255, ((spn >> 16) << 5) | fmi, (method << 7) | 3]).toString("hex");
  const status = (hex: string, address = 0, pgn = 127489) => {
    const { discreteStatus1, discreteStatus2 } = dataOf(network().hear(address, DM1, hex), pgn) ?? {};
    return [discreteStatus1, discreteStatus2];
  };

  test("are told in words", () => {
    const [dm1] = network().hear(0, DM1, `44 ff ${code(100, 1)} ${code(520_192, 31)}`);
    expect(dm1!.data).toEqual({
      pgn: DM1,
      protectLamp: "Off",
      amberWarningLamp: "On",
      redStopLamp: "Off",
      malfunctionLamp: "On",
      faults: [
        {
          spn: 100,
          parameter: "Engine oil pressure",
          fmi: 1,
          failure: "data valid but below normal range, most severe",
          occurrences: 3,
          conversionMethod: 0,
        },
        { spn: 520_192, fmi: 31, failure: "condition exists", occurrences: 3, conversionMethod: 0 },
      ],
    });
  });

  test.each([
    ["Low Oil Pressure", 100, [1, 17, 18]],
    ["Low Oil Level", 98, [1, 17, 18]],
    ["Low Fuel Pressure", 94, [1, 17, 18]],
    ["Low System Voltage", 168, [1, 17, 18]],
    ["Low Coolant Level", 111, [1, 17, 18]],
    ["Over Temperature", 110, [0, 15, 16]],
    ["Water In Fuel", 97, [0, 15, 16]],
    ["High Boost Pressure", 102, [0, 15, 16]],
    ["Rev Limit Exceeded", 190, [0, 15, 16]],
  ] as const)("%s: parameter %i on one side of its range, and not a fault of the sensor", (name, spn, fmis) => {
    const setting = Array.from({ length: 32 }, (_, fmi) => fmi).filter((fmi) => {
      const [first] = status(`00 ff ${code(spn, fmi)}`);
      if (first === undefined) return false;
      expect(first).toBe(bit(EngineStatus1, name));
      return true;
    });
    expect(setting).toEqual(fmis);
  });

  test("the code of an older layout, whose parameter may be another, sets no bit", () => {
    expect(status(`00 ff ${code(100, 1, 1)}`)).toEqual([undefined, undefined]);
  });

  test("lamps", () => {
    expect(status(`40 ff ${code(100, 3)}`)).toEqual([bit(EngineStatus1, "Check Engine"), 0]);
    expect(status(`04 ff ${code(100, 3)}`)).toEqual([0, bit(EngineStatus2, "Warning Level 1")]);
    expect(status(`10 ff ${code(100, 3)}`)).toEqual([0, bit(EngineStatus2, "Warning Level 2")]);
    // An error of the lamp, and none.
    expect(status(`20 ff ${code(100, 3)}`)).toEqual([undefined, undefined]);
    expect(status(`30 ff ${code(100, 3)}`)).toEqual([undefined, undefined]);
  });

  test("of a transmission", () => {
    const lowPressure = bit(TransmissionStatus, "Low Oil Pressure");
    expect(status(`04 ff ${code(127, 1)}`, 3, 127493)[0]).toBe(
      bit(TransmissionStatus, "Check Transmission") | lowPressure,
    );
    expect(status(`04 ff ${code(127, 1)}`, 0, 127493)[0]).toBe(lowPressure);
    expect(status(`10 ff ${code(127, 3)}`, 3, 127493)[0]).toBe(bit(TransmissionStatus, "Check Transmission"));
    expect(status(`00 ff ${code(127, 1)}`, 3, 127493)[0]).toBe(lowPressure);
    expect(status(`04 ff ${code(100, 1)}`, 3)).toEqual([undefined, undefined]);
  });

  test("end", () => {
    const { hear } = network();
    expect(dataOf(hear(0, DM1, `10 ff ${code(100, 1)}`, 0), 127489)).toMatchObject({ discreteStatus2: 2 });
    expect(dataOf(hear(0, DM1, "00 ff 00 00 00 00 ff ff", 1000), 127489)).toEqual({
      engineInstance: 0,
      discreteStatus1: 0,
      discreteStatus2: 0,
    });
  });

  test("an engine without faults does not say that it has a transmission", () => {
    expect(
      network()
        .hear(0, DM1, "00 ff 00 00 00 00 ff ff")
        .map(({ pgn }) => pgn),
    ).toEqual([DM1]);
  });

  test("codes that stand for none are left out, and those beyond the maximum", () => {
    const hex = (payload: string): string =>
      Buffer.from(withoutEmptyCodes(Uint8Array.from(Buffer.from(payload, "hex")))).toString("hex");
    expect(hex("00ff00000000ffff")).toBe("00ff");
    expect(hex("00ffffffffffffff")).toBe("00ff");
    expect(hex("04ff640001030000000000")).toBe("04ff64000103");
    // Each of these differs from none in one byte.
    for (const one of ["01000003", "00010003", "00000103", "feffff7f", "fffeff7f", "fffffe7f"])
      expect(hex(`00ff${one}`)).toBe(`00ff${one}`);
    expect(hex("04")).toBe("04");
    expect(hex("")).toBe("");
    const many = Buffer.from(`04ff${code(100, 1).repeat(MAX_FAULTS + 1)}`, "hex");
    expect(withoutEmptyCodes(many)).toHaveLength(2 + 4 * MAX_FAULTS);
  });
});

describe("what goes on", () => {
  test("messages of J1939 that hub knows, and no others", () => {
    const { hear } = network();
    const own = [EEC1, EEC2, ETC2, DM1, DM2, HOURS, ET1, EFL, LFE, 65269, IC1, VEP1, TRF1, 65276];
    expect(own.every((pgn) => hear(200, pgn, "00".repeat(8)).some((each) => each.pgn === pgn))).toBe(true);
    // Of NMEA 2000, proprietary, a request, a position of a vehicle.
    for (const pgn of [127250, 126992, 65280, 61184, 130816, 59904, 65267])
      expect(hear(0, pgn, "00".repeat(8))).toEqual([]);
  });

  test("nothing from an address that no device has", () => {
    expect(network().hear(254, EEC1, RUNNING)).toEqual([]);
    const { hear } = network();
    // A device that has lost its address says so; its NAME is not one of address 254.
    for (const _ of [1, 2]) expect(hear(254, 60928, "01 00 00 00 00 00 00 00").map(({ pgn }) => pgn)).toEqual([60928]);
  });
});

describe("names", () => {
  const CLAIM = 60928;
  const PRODUCT = 126996;
  const namesAt = (heard: ReturnType<ReturnType<typeof network>["hear"]>) =>
    heard.filter(({ pgn }) => pgn === CLAIM).map(({ source, name }) => [source, name] as const);

  test("a device that does not claim its address within five seconds gets a NAME of its own, once a minute", () => {
    const { hear } = network();
    expect(namesAt(hear(0, EEC1, RUNNING, 7000))).toEqual([]);
    expect(namesAt(hear(0, EEC1, RUNNING, 11_999))).toEqual([]);
    const [[source, name]] = namesAt(hear(0, EEC1, RUNNING, 12_000)) as [readonly [number, bigint]];
    expect(source).toBe(0);
    expect(namesAt(hear(0, EEC1, RUNNING, 71_999))).toEqual([]);
    expect(namesAt(hear(0, EEC1, RUNNING, 72_000))).toEqual([[0, name]]);
  });

  test("is the same after a restart, and another one at another address and on another network", () => {
    const nameOf = (address: number, options = {}) => {
      const { hear } = network(options);
      hear(address, EEC1, RUNNING, 0);
      return namesAt(hear(address, EEC1, RUNNING, 5000))[0]![1];
    };
    expect(nameOf(0)).toBe(nameOf(0));
    expect(new Set([nameOf(0), nameOf(1), nameOf(0, { network: "j1939:can3" })]).size).toBe(3);
  });

  test("the NAME of a claim is kept; one that was made before is given up", () => {
    const claim = "01 00 00 00 00 00 00 00";
    const { hear } = network();
    hear(0, EEC1, RUNNING, 0);
    const [[, made]] = namesAt(hear(0, EEC1, RUNNING, 5000)) as [readonly [number, bigint]];
    expect(namesAt(hear(0, CLAIM, claim, 6000))).toEqual([
      [254, made],
      [0, 1n],
    ]);
    expect(namesAt(hear(0, CLAIM, claim, 7000))).toEqual([[0, 1n]]);
    const next = hear(0, EEC1, RUNNING, 8000);
    expect(namesAt(next)).toEqual([[0, 1n]]);
    expect(dataOf(next, PRODUCT)).toMatchObject({ modelId: "J1939 engine 0", serialNumber: "j1939:can2" });
  });

  test.each([
    [0, "J1939 engine 0"],
    [4, "J1939 transmission 1"],
    [200, "J1939 address 200"],
  ])("address %i is %s", (address, model) => {
    const { hear } = network();
    hear(address, DM1, "00 ff 00 00 00 00 ff ff", 0);
    const heard = hear(address, DM1, "00 ff 00 00 00 00 ff ff", 5000);
    expect(dataOf(heard, PRODUCT)).toMatchObject({ modelId: model });
  });
});
