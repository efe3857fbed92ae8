/** Assumed layouts against the public messages of the same numbers. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GLOBAL_ADDRESS } from "../../../src/core/can/can-id.ts";
import { fastPacketFrames } from "../../../src/core/can/frames.ts";
import { createCatalogue, type Reader } from "../../../src/core/n2k/catalogue.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { layoutDetectorOf, reservedBits } from "../../../src/core/n2k/layout-detection.ts";
import { payloadOf } from "../../../src/core/n2k/payload.ts";
import {
  acBreakerStatus,
  assumed,
  binarySwitchBankStatusAlternate,
  dcBreakerConfiguration,
  dcBreakerStatus,
  engineTachometer,
  switchBankControl,
} from "../../../src/core/n2k/pgns/assumed.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";
import { messages } from "./messages.ts";

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));

const SOURCE = 17;

/** A reader with marks of its own, and what it makes of hex. */
function listen(pgn: number): { hear(hex: string, at?: number, source?: number): unknown; reader: Reader } {
  const reader = createCatalogue().reader(pgn)!;
  return {
    reader,
    hear: (hex, at = 0, source = SOURCE) => JSON.parse(textOf(reader.write)(payloadOf(bytes(hex), source, at))),
  };
}

test("reservedBits are the bits that a sender fills with ones", () => {
  expect(reservedBits(acBreakerStatus)).toEqual([
    [2, 0xe0],
    [7, 0xff],
  ]);
  expect(reservedBits(switchBankControl)).toEqual([]);
});

const titled = assumed.map((each) => ({ each, title: `${each.definition.pgn} ${each.definition.title}` }));

// If only its shape identifies the public message, a message of the assumed layout may have that shape by chance.
test.each(titled.filter(({ each }) => each.public?.shape === undefined))(
  "$title: every message of the assumed layout is detected as such",
  ({ each }) => {
    const encode = encoderOf(each.definition);
    fc.assert(
      fc.property(messages(each.definition), (message) => {
        const payload = encode(message as never);
        expect(layoutDetectorOf(each)(payloadOf(payload, SOURCE))).toBe("assumed");
      }),
    );
  },
);

describe.each(titled)("$title", ({ each }) => {
  const { definition } = each;
  const encode = encoderOf(definition);
  test("another length is not decoded", () => {
    const payload = encode({ pgn: definition.pgn });
    const detect = layoutDetectorOf(each);
    for (const length of [0, 1, payload.length - 1])
      expect(detect(payloadOf(payload.subarray(0, length), SOURCE))).toBe(
        length === each.public?.bytes ? "public" : "unknown",
      );
  });
});

test.each(titled.filter(({ each }) => each.public?.definition.transport === "fast"))(
  "$title: a public message that a gateway delivers whole is read",
  ({ each }) => {
    const { hear, reader } = listen(each.definition.pgn);
    const whole = new Uint8Array(each.public!.bytes);
    expect(hear(Buffer.from(whole).toString("hex"))).toMatchObject({ pgn: each.definition.pgn });
    expect(reader.unmatched()).toBe(0);
  },
);

describe("the mark rule", () => {
  // 127491 as a fast packet of 15 bytes: its third frame passes for a tachometer.
  const payload = bytes("02 55 1000 a472 9c72 a072 6400 6400 11");
  const frames = fastPacketFrames(
    { priority: 6, pgn: 127491, source: SOURCE, destination: GLOBAL_ADDRESS },
    payload,
    2,
  );
  const [first, second, third] = frames.map(({ data }) => Buffer.from(data).toString("hex"));
  const tachometer = Buffer.from(
    encoderOf(engineTachometer)({ pgn: 127491, engineInstance: 0, engineSpeedRpm: 963.75 }),
  ).toString("hex");

  test("the first frame of a public message marks its source, so that the last is not taken for an engine", () => {
    const { hear } = listen(127491);
    expect(hear(third!)).toHaveProperty("engineInstance");
    expect(hear(first!)).toEqual({ pgn: 127491 });
    expect(hear(second!, 10)).toEqual({ pgn: 127491 });
    expect(hear(third!, 20)).toEqual({ pgn: 127491 });
  });

  test("another source is not marked", () => {
    const { hear } = listen(127491);
    hear(first!);
    expect(hear(tachometer, 1, SOURCE + 1)).toMatchObject({ engineInstance: 0, engineSpeedRpm: 963.8 });
  });

  test("the mark ends when it has been quiet for long enough", () => {
    const { hear } = listen(127491);
    hear(first!, 1000);
    expect(hear(tachometer, 1000 + 10_000 - 1)).toEqual({ pgn: 127491 });
    expect(hear(tachometer, 1000 + 10_000)).toHaveProperty("engineSpeedRpm");
  });

  test("an engine 0 whose second byte is the public length is no sign of a public sender", () => {
    const { hear } = listen(127491);
    // 0x0f0f raw: its second byte is 15, and its reserved bits are ones.
    expect(tachometer.slice(0, 4)).toBe("000f");
    expect(hear(tachometer)).toMatchObject({ engineSpeedRpm: 963.8 });
    expect(hear(tachometer)).toMatchObject({ engineSpeedRpm: 963.8 });
  });
});

test("127744 to 127746: a public message publishes connection and power, and marks its sender", () => {
  const { hear, reader } = listen(127744);
  // SID 5, connection 1, 12.3 A, 2500 W.
  expect(hear("05 01 7b00 c4090000")).toEqual({ pgn: 127744, acInstance: 1, realPowerW: 2500 });
  // -100 W with 25.5 A has ones where the assumed layout has its reserved bits.
  expect(hear("06 01 ff00 9cffffff", 1000)).toEqual({ pgn: 127744, acInstance: 1, realPowerW: -100 });
  expect(reader.unmatched()).toBe(0);
});

test("127744: a breaker is one", () => {
  const { hear } = listen(127744);
  const status = encoderOf(acBreakerStatus)({ pgn: 127744, acInstance: 1, breakerInstance: 2, breakerState: "Closed" });
  expect(hear(Buffer.from(status).toString("hex"))).toEqual({
    pgn: 127744,
    acInstance: 1,
    breakerInstance: 2,
    breakerState: "Closed",
  });
});

test("127747: eight bytes are the public message, fifteen the assumed one, all else is unknown", () => {
  const { hear, reader } = listen(127747);
  // 230.1 V line to neutral, 400 V line to line, 50 Hz.
  expect(hear("05 01 fd08 a00f f401")).toEqual({ pgn: 127747, acInstance: 1, voltageV: 230.1, frequencyHz: 50 });
  expect(hear("01 02 f9 e259 2300 8813 10270000 5f fc")).toMatchObject({ breakerState: "Closed", voltageV: 230.1 });
  expect(reader.unmatched()).toBe(0);
  expect(hear("01 02 01 e259 2300 8813 10270000 5f fc")).toEqual({ pgn: 127747 });
  expect(hear("01 02 f9 e259")).toEqual({ pgn: 127747 });
  expect(reader.unmatched()).toBe(2);
});

test("127748 and 127749: nothing of the public message is a breaker's", () => {
  expect(listen(127748).hear("05 01 fd08 a00f f401")).toEqual({ pgn: 127748 });
  expect(listen(127749).hear("05 01 fd08 a00f f401")).toEqual({ pgn: 127749 });
  const status = encoderOf(dcBreakerStatus)({ pgn: 127748, dcInstance: 1, currentA: 3.5 });
  expect(listen(127748).hear(Buffer.from(status).toString("hex"))).toEqual({
    pgn: 127748,
    dcInstance: 1,
    currentA: 3.5,
  });
});

test("127750: four bytes of ones at the end are a converter", () => {
  const { hear, reader } = listen(127750);
  expect(hear("05 01 02 55 ffffffff")).toEqual({ pgn: 127750 });
  const configuration = encoderOf(dcBreakerConfiguration)({ pgn: 127750, dcInstance: 1, tripTimeMs: 100 });
  expect(hear(Buffer.from(configuration).toString("hex"))).toEqual({ pgn: 127750, dcInstance: 1, tripTimeMs: 100 });
  expect(reader.unmatched()).toBe(0);
  expect(hear("05 01 02 55 00000000")).toEqual({ pgn: 127750 });
  expect(reader.unmatched()).toBe(1);
});

test("127751: eight bytes are volts and amperes", () => {
  // Connection 1, 12.6 V, -4.05 A.
  expect(listen(127751).hear("05 01 7e00 6bfeff ff")).toEqual({
    pgn: 127751,
    dcInstance: 1,
    voltageV: 12.6,
    currentA: -4.05,
  });
});

test("127512: an AGS configuration is told by its shape", () => {
  const { hear } = listen(127512);
  expect(hear("40 03 01 02 f1 ffffff")).toEqual({ pgn: 127512 });
  const bank = encoderOf(switchBankControl)({ pgn: 127512, instance: 0, switches: [{ switch: 1, control: "On" }] });
  expect(hear(Buffer.from(bank).toString("hex"))).toEqual({
    pgn: 127512,
    instance: 0,
    switches: [{ switch: 1, control: "On" }],
  });
});

test("127514: an AGS status is told by its shape", () => {
  const { hear } = listen(127514);
  expect(hear("40 05 01 02 31 05 00 ff")).toEqual({ pgn: 127514 });
  const bank = encoderOf(binarySwitchBankStatusAlternate)({
    pgn: 127514,
    switchBankInstance: 1,
    indicatorBankInstance: 5,
    switches: [{ switch: 24, status: "Off" }],
  });
  expect(hear(Buffer.from(bank).toString("hex"))).toMatchObject({ switches: [{ switch: 24, status: "Off" }] });
});
