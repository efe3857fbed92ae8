/** AIS messages with the codes that stand for no value, and what decoders of positions and names do not show. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { aisFieldsOf, aisPgns } from "../../../src/formats/nmea0183/ais-messages.ts";
import { VdmEncoder } from "../../../src/formats/nmea0183/vdm.ts";

const linesOf = (pgn: number, data: object, encoder = new VdmEncoder(), nowMs = 0): string[] =>
  encoder
    .encode(pgn, { pgn, mmsi: 299_000_001, ...data }, nowMs)
    .split("\r\n")
    .slice(0, -1);

/** The bits of a message in one or several sentences, without fill bits. */
function bitsOf(lines: readonly string[]): string {
  let bits = "";
  for (const line of lines) {
    const [, , , , , payload, rest] = line.split(",") as [string, string, string, string, string, string, string];
    for (const character of payload) {
      const code = character.charCodeAt(0) - 48;
      bits += (code > 40 ? code - 8 : code).toString(2).padStart(6, "0");
    }
    const fill = Number(rest[0]);
    if (fill > 0) bits = bits.slice(0, -fill);
  }
  return bits;
}

const field = (bits: string, at: number, length: number): number => Number.parseInt(bits.slice(at, at + length), 2);

test.each([
  [129038, 1, 168],
  [129793, 4, 168],
  [129794, 5, 424],
  [129798, 9, 168],
  [129802, 14, 40],
  [129039, 18, 168],
  [129040, 19, 312],
  [129041, 21, 272],
  [129809, 24, 160],
  [129810, 24, 168],
])("PGN %i without values is message %i with %i bits", (pgn, type, length) => {
  const bits = bitsOf(linesOf(pgn, {}));
  expect(bits).toHaveLength(length);
  expect(field(bits, 0, 6)).toBe(type);
  expect(field(bits, 8, 30)).toBe(299_000_001);
});

test("all fields of class A without values have the codes that say so", () => {
  const bits = bitsOf(linesOf(129038, {}));
  const status = [38, 4, 15];
  const rate = [42, 8, 128];
  const speed = [50, 10, 1023];
  const longitude = [61, 28, 181 * 600_000];
  const latitude = [89, 27, 91 * 600_000];
  const course = [116, 12, 3600];
  const heading = [128, 9, 511];
  const second = [137, 6, 60];
  for (const [at, length, value] of [status, rate, speed, longitude, latitude, course, heading, second])
    expect(field(bits, at!, length!)).toBe(value);
});

test("the time of arrival of class A is that of the calendar", () => {
  // 2026-11-21, 14:30.
  const bits = bitsOf(linesOf(129794, { etaDate: 20_778, etaTime: 52_200 }));
  const parts = [
    [274, 4],
    [278, 5],
    [283, 5],
    [288, 6],
  ].map(([at, length]) => field(bits, at!, length!));
  expect(parts).toEqual([11, 21, 14, 30]);
});

test.each([
  [0, 0],
  [10, 15],
  [-10, 256 - 15],
  [708, 126],
  [2000, 126],
  [-2000, 256 - 126],
  [126.6, 127],
  [-126.6, 256 - 127],
  [127.5, 128],
])("a rate of turn of %d degrees per minute has the code %i", (rateOfTurnDegPerMin, code) => {
  expect(field(bitsOf(linesOf(129038, { rateOfTurnDegPerMin })), 42, 8)).toBe(code);
});

test.each([
  [129038, 3, 3],
  [129038, 18, 1],
  [129793, 11, 11],
])("PGN %i of message %i is message %i", (pgn, messageId, type) => {
  expect(field(bitsOf(linesOf(pgn, { messageId })), 0, 6)).toBe(type);
});

test.each([
  [{ timeStamp: 59 }, 59],
  [{ timeStampStatus: "Manual input mode" }, 61],
  [{ timeStampStatus: "Positioning system is inoperative" }, 63],
])("%j", (data, code) => {
  expect(field(bitsOf(linesOf(129039, data)), 133, 6)).toBe(code);
});

test("own ship is AIVDO, also in messages that do not say so; others are AIVDM", () => {
  const encoder = new VdmEncoder();
  const start = (pgn: number, data: object): string => linesOf(pgn, data, encoder)[0]!.slice(0, 14);
  expect(start(129038, { transceiver: "Channel B VDL reception" })).toBe("!AIVDM,1,1,,B,");
  expect(start(129038, { transceiver: "Own information not broadcast" })).toBe("!AIVDO,1,1,,,1");
  expect(start(129039, { transceiver: "Channel B VDL transmission", mmsi: 2 })).toBe("!AIVDO,1,1,,B,");
  expect(start(129809, { mmsi: 2 })).toBe("!AIVDO,1,1,,A,");
  expect(start(129809, { mmsi: 3 })).toBe("!AIVDM,1,1,,A,");
});

test("a boat with two transponders has two numbers, whichever was heard last", () => {
  const encoder = new VdmEncoder();
  const start = (address: number, mmsi: number, transceiver: string): string =>
    encoder.encode(129039, { pgn: 129039, mmsi, transceiver }, 0, address).slice(0, 6);
  const own = "Own information not broadcast";
  expect([start(43, 1, own), start(44, 2, own)]).toEqual(["!AIVDO", "!AIVDO"]);
  const heard = "Channel A VDL reception";
  expect(start(44, 1, heard) + start(43, 3, heard)).toBe("!AIVDM");
});

test("an MMSI that is given decides what own ship is, whatever a transponder marks as its own", () => {
  const encoder = new VdmEncoder(299_000_001);
  const start = (data: object): string => linesOf(129039, data, encoder)[0]!.slice(0, 6);
  expect(start({ transceiver: "Channel A VDL reception" })).toBe("!AIVDO");
  expect(start({ transceiver: "Channel B VDL transmission", mmsi: 2 })).toBe("!AIVDM");
  expect(start({ transceiver: "Channel A VDL reception", sogMs: 1 })).toBe("!AIVDO");
});

test("a message that two receivers heard is sent once; after a second the same bits are another", () => {
  const encoder = new VdmEncoder();
  const count = (nowMs: number, data: object = {}): number =>
    linesOf(129794, { name: "A", ...data }, encoder, nowMs).length;
  expect([count(0), count(300), count(400, { name: "B" }), count(999), count(1000), count(1999)]).toEqual([
    2, 0, 2, 0, 2, 0,
  ]);
});

test("of a flood of messages the latest 256 are remembered", () => {
  const encoder = new VdmEncoder();
  const count = (mmsi: number): number => linesOf(129809, { mmsi }, encoder).length;
  for (let mmsi = 1; mmsi <= 257; mmsi++) expect(count(mmsi)).toBe(1);
  expect([count(257), count(2), count(1)]).toEqual([0, 0, 1]);
});

// Bow, stern, port and starboard.
test.each([
  [{ lengthM: 10, beamM: 3 }, [0, 10, 0, 3]],
  [{ lengthM: 10, beamM: 3, toStarboardM: 1 }, [0, 10, 0, 3]],
  [{ lengthM: 10, beamM: 3, toBowM: 4 }, [4, 6, 0, 3]],
  [{ lengthM: 10, beamM: 3, toBowM: 0, toStarboardM: 0 }, [0, 10, 3, 0]],
  [{ lengthM: 30, beamM: 8.5, toBowM: 12.5, toStarboardM: 4.2 }, [13, 17, 5, 4]],
  [{ lengthM: 2, beamM: 1, toBowM: 5, toStarboardM: 5 }, [5, 0, 0, 5]],
  [{ lengthM: 900, beamM: 100, toBowM: 600, toStarboardM: 70 }, [511, 389, 37, 63]],
])("the dimensions %j are %j", (data, [bow, stern, port, starboard]) => {
  const bits = bitsOf(linesOf(129794, data));
  const read = [240, 249, 258, 264].map((at, index) => field(bits, at, index < 2 ? 9 : 6));
  expect(read).toEqual([bow, stern, port, starboard]);
});

test("messages in several sentences are numbered from 0 to 9", () => {
  const encoder = new VdmEncoder();
  const sequences = Array.from({ length: 11 }, (_, at) =>
    linesOf(129794, {}, encoder, at * 1000).map((line) => line.slice(7, 13)),
  );
  expect(sequences.slice(8)).toEqual([
    ["2,1,8,", "2,2,8,"],
    ["2,1,9,", "2,2,9,"],
    ["2,1,0,", "2,2,0,"],
  ]);
});

test("a tender has the number of its mother ship in place of its size", () => {
  const data = { mothershipMmsi: 299_000_009, lengthM: 5, toBowM: 2 };
  expect(field(bitsOf(linesOf(129810, { ...data, mmsi: 982_990_001 })), 132, 30)).toBe(299_000_009);
  expect(field(bitsOf(linesOf(129810, data)), 132, 9)).toBe(2);
});

test("a long name of an aid to navigation goes on behind the message, to a whole byte", () => {
  const bits = bitsOf(linesOf(129041, { name: "TWENTY CHARACTERS ABCDEFGH" }));
  expect(bits).toHaveLength(272 + 6 * 6 + 4);
  expect(field(bits, 272, 6)).toBe("C".charCodeAt(0) - 64);
});

test("text is in capitals, and question marks in place of what the radio has not", () => {
  const bits = bitsOf(linesOf(129809, { name: "aé~" }));
  expect([0, 1, 2, 3].map((at) => field(bits, 40 + 6 * at, 6))).toEqual([1, 63, 63, 0]);
});

test("a message without the number of a station, or of another PGN, gives nothing", () => {
  expect(linesOf(129038, { mmsi: undefined })).toEqual([]);
  expect(linesOf(129795, {})).toEqual([]);
});

const anything = fc.oneof(fc.double(), fc.string(), fc.boolean(), fc.constant(null), fc.integer());
const members = [
  ...["latitude", "longitude", "sogMs", "cogDeg", "headingDeg", "rateOfTurnDegPerMin", "navStatus", "timeStamp"],
  "name",
  ...["callsign", "destination", "lengthM", "beamM", "toBowM", "toNorthM", "toStarboardM", "draftM", "etaDate"],
  "etaTime",
  ...["date", "time", "transceiver", "shipType", "imoNumber", "communicationState", "messageId", "altitudeM", "text"],
  "raim",
];

test("whatever the values are, sentences are 82 characters at most and have all bits of their message", () => {
  const data = fc.dictionary(fc.constantFrom(...members), anything);
  fc.assert(
    fc.property(fc.constantFrom(...aisPgns), data, (pgn, values) => {
      const lines = linesOf(pgn, values);
      for (const line of lines) {
        expect(line).toMatch(/^!AIVD[MO],\d,\d,\d?,[AB]?,[0-W`-w]{1,60},[0-5]\*[0-9A-F]{2}$/);
        expect(line.length).toBeLessThanOrEqual(80);
      }
      expect(bitsOf(lines).length).toBeGreaterThanOrEqual(
        aisFieldsOf(pgn, values)!.reduce((sum, { bits }) => sum + bits, 0),
      );
    }),
  );
});
