/** AIS by sentences: what hub writes comes back, and another decoder reads the same from messages of the air. */
import { createRequire } from "node:module";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aisPgns } from "../../../../src/formats/nmea0183/ais-messages.ts";
import { VdmEncoder } from "../../../../src/formats/nmea0183/vdm.ts";
import { connection, type Data, framed } from "./heard.ts";

const require = createRequire(import.meta.url);
const { AisDecode, AisEncode } = require("ggencoder") as {
  AisDecode: new (sentence: string, session: object) => Data;
  AisEncode: new (message: Data) => { readonly nmea: string };
};

const said = (text: string): Data[] =>
  connection()
    .hear(text)
    .filter(({ pgn }) => aisPgns.includes(pgn))
    .map(({ data }) => data);

const text = (length: number) =>
  fc
    .string({ unit: fc.constantFrom(..."ABCXYZ 0189"), minLength: 1, maxLength: length })
    .map((each) => each.trim())
    .filter(Boolean);
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** Members of any of the messages; each writes those that it has. */
const anyData = fc.record({
  messageId: some(fc.integer({ min: 1, max: 27 })),
  sequenceNumber: some(fc.integer({ min: 0, max: 3 })),
  destinationMmsi: some(fc.integer({ min: 1, max: 999_999_999 })),
  retransmit: fc.boolean(),
  mmsi: fc.integer({ min: 1, max: 999_999_999 }),
  latitude: some(fc.double({ min: -90, max: 90, noNaN: true })),
  longitude: some(fc.double({ min: -180, max: 180, noNaN: true })),
  sogMs: some(fc.double({ min: 0, max: 50, noNaN: true })),
  cogDeg: some(fc.double({ min: 0, max: 359.94, noNaN: true })),
  headingDeg: some(fc.integer({ min: 0, max: 359 })),
  rateOfTurnDegPerMin: some(fc.integer({ min: -700, max: 700 })),
  timeStamp: some(fc.integer({ min: 0, max: 59 })),
  navStatus: some(fc.constantFrom("At anchor", "Moored")),
  positionAccuracy: some(fc.constantFrom("Low", "High")),
  raim: fc.boolean(),
  name: some(text(20)),
  callsign: some(text(7)),
  destination: some(text(20)),
  vendorId: some(text(7)),
  text: some(text(100)),
  imoNumber: some(fc.integer({ min: 1, max: 2 ** 30 - 1 })),
  shipType: some(fc.integer({ min: 1, max: 99 })),
  lengthM: some(fc.integer({ min: 1, max: 500 })),
  beamM: some(fc.integer({ min: 1, max: 60 })),
  toBowM: some(fc.integer({ min: 0, max: 200 })),
  toNorthM: some(fc.integer({ min: 0, max: 200 })),
  toStarboardM: some(fc.integer({ min: 0, max: 30 })),
  draftM: some(fc.integer({ min: 1, max: 25 })),
  etaDate: some(fc.integer({ min: 20_778 - 150, max: 20_778 + 150 })),
  etaTime: some(fc.integer({ min: 0, max: 1439 }).map((minutes) => minutes * 60)),
  date: some(fc.integer({ min: 15_000, max: 25_000 })),
  time: some(fc.integer({ min: 0, max: 86_399 })),
  altitudeM: some(fc.integer({ min: 0, max: 4000 })),
  transceiver: fc.constantFrom("Channel A VDL reception", "Channel B VDL reception"),
});

test.each(aisPgns)("PGN %i is the same sentences again", (pgn) => {
  fc.assert(
    fc.property(anyData, (data) => {
      const sentences = new VdmEncoder().encode(pgn, { pgn, ...data }, 0);
      const [read, ...more] = said(sentences);
      expect(more).toEqual([]);
      expect(read).toMatchObject({ pgn, mmsi: data.mmsi, transceiver: data.transceiver });
      expect(new VdmEncoder().encode(pgn, read!, 0)).toBe(sentences);
    }),
    { numRuns: 100 },
  );
});

test("a message of own ship is marked as that of its transponder", () => {
  const of = (channel: string) => {
    const data = { mmsi: 244_123_456, latitude: 52, longitude: 4, transceiver: channel };
    return said(new VdmEncoder(244_123_456).encode(129039, { pgn: 129039, ...data }, 0))[0]!.transceiver;
  };
  for (const channel of ["Channel A VDL transmission", "Channel B VDL transmission", "Own information not broadcast"])
    expect(of(channel)).toBe(channel);
});

/** Published examples of the description of AIVDM by E. S. Raymond (gpsd, aivdm.html). */
const published = [
  ["!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C"],
  [
    "!AIVDM,2,1,3,B,55P5TL01VIaAL@7WKO@mBplU@<PDhh000000001S;AJ::4A80?4i@E53,0*3E",
    "!AIVDM,2,2,3,B,1@0000000000000,2*55",
  ],
];

test.each(published)("ggencoder reads the same from a message of the air", (...lines) => {
  const [ours] = said(`${lines.join("\r\n")}\r\n`);
  const session = {};
  const theirs = lines.map((line) => new AisDecode(line, session)).at(-1)!;
  expect(theirs.valid).toBe(true);
  expect(ours).toMatchObject({ mmsi: Number(theirs.mmsi), messageId: theirs.aistype });
  if (theirs.lat !== undefined) {
    expect(ours!.latitude).toBeCloseTo(theirs.lat as number, 5);
    expect(ours!.longitude).toBeCloseTo(theirs.lon as number, 5);
    expect(ours!.cogDeg).toBeCloseTo(theirs.cog as number, 1);
    expect(ours!.headingDeg).toBeCloseTo(theirs.hdg as number, 2);
  } else {
    expect(ours).toMatchObject({ name: theirs.shipname, callsign: theirs.callsign, destination: theirs.destination });
    expect(ours!.lengthM).toBe(theirs.length);
  }
});

/** Types that it does not write. */
test.each([
  [129040, 19, { name: "ANNA", shipType: 36, lengthM: 12, beamM: 4, headingDeg: 95 }],
  [129798, 9, { altitudeM: 303 }],
])("ggencoder reads PGN %i as message %i", (pgn, aistype, more) => {
  const data = { mmsi: 244_123_456, latitude: -52.5, longitude: 4.25, sogMs: 18_520 / 3600, cogDeg: 84.4, ...more };
  const lines = new VdmEncoder()
    .encode(pgn, { pgn, ...data }, 0)
    .split("\r\n")
    .slice(0, -1);
  const session = {};
  const read = lines.map((line) => new AisDecode(line, session)).at(-1)!;
  expect(read).toMatchObject({ aistype, mmsi: "244123456", lat: -52.5, lon: 4.25, sog: 10, cog: 84.4 });
  const others = [read.shipname, read.cargo, read.length, read.width, read.hdg, read.alt];
  const { name, shipType, lengthM, beamM, headingDeg, altitudeM } = more as Data;
  expect(others).toEqual([name, shipType, lengthM, beamM, headingDeg, altitudeM]);
});

test("parts of two messages with one number, on the two channels, are kept apart", () => {
  const [first, second] = published[1]!;
  const onA = (line: string): string => framed(line.replace(",B,", ",A,").replace(/\*..$/, ""));
  const heard = said(`${first}\r\n${onA(first!.replace("55P5TL", "55P5TN"))}${second}\r\n${onA(second!)}`);
  const [own] = said(`${first}\r\n${second}\r\n`);
  expect(heard.map(({ mmsi }) => mmsi)).toEqual([own!.mmsi, expect.not.toBeOneOf([own!.mmsi])]);
  expect(heard.map(({ name }) => name)).toEqual([own!.name, own!.name]);
});

test("parts of messages with one number, of two receivers by UDP, are kept apart", () => {
  const [first, second] = published[1]!.map((line) => `${line}\r\n`) as [string, string];
  const { hear } = connection();
  const received = (text: string, sender: string) =>
    hear(text, sender).filter(({ pgn }) => aisPgns.includes(pgn)).length;
  expect(received(first, "192.0.2.1")).toBe(0);
  expect(received(first, "192.0.2.2")).toBe(0);
  expect(received(second, "192.0.2.1")).toBe(1);
  expect(received(second, "192.0.2.2")).toBe(1);
  expect(received(second, "192.0.2.1")).toBe(0);
});

/** Numbers in steps; an exponent would not be understood there. */
const steps = (step: number, min: number, max: number) =>
  fc.integer({ min: Math.ceil(min * step), max: Math.floor(max * step) }).map((each) => each / step);
const place = { lat: steps(10_000, -89, 89), lon: steps(10_000, -179, 179) };
const moving = { ...place, sog: steps(10, 0, 50), cog: steps(10, 0, 359), hdg: fc.integer({ min: 0, max: 359 }) };
const dimensions = {
  dimA: fc.integer({ min: 1, max: 300 }),
  dimB: fc.integer({ min: 1, max: 100 }),
  dimC: fc.integer({ min: 1, max: 20 }),
  dimD: fc.integer({ min: 1, max: 20 }),
};
const sent = (aistype: number | fc.Arbitrary<number>, members: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record({
    aistype: typeof aistype === "number" ? fc.constant(aistype) : aistype,
    repeat: fc.constant(0),
    mmsi: fc.integer({ min: 201_000_000, max: 775_000_000 }),
    ...members,
  });

/** Messages as ggencoder writes them: it cuts digits off, so that a value may be a step less. */
const sentByOthers: Readonly<Record<string, fc.Arbitrary<Data>>> = {
  "1, 2 and 3": sent(fc.constantFrom(1, 2, 3), { ...moving, navstatus: fc.constantFrom(0, 1, 5), rot: fc.constant(0) }),
  18: sent(18, { ...moving, accuracy: fc.constantFrom(0, 1) }),
  5: sent(5, {
    ...dimensions,
    ...{ shipname: text(20), callsign: text(7), destination: text(20), cargo: fc.constantFrom(36, 37, 70) },
    ...{ imo: fc.integer({ min: 1_000_000, max: 9_999_999 }), draught: fc.integer({ min: 1, max: 20 }) },
    ...{ etaMo: fc.constant(11), etaDay: fc.constant(24), etaHr: fc.integer({ min: 0, max: 23 }) },
    etaMin: fc.integer({ min: 0, max: 59 }),
  }),
  21: sent(21, {
    ...{ ...place, ...dimensions, atonname: text(20), aid_type: fc.integer({ min: 1, max: 31 }) },
    ...{ accuracy: fc.constantFrom(0, 1), off_position: fc.constant(0), virtual_aid: fc.constantFrom(0, 1) },
  }),
  "24 A": sent(24, { part: fc.constant(0), shipname: text(20) }),
  "24 B": sent(24, { part: fc.constant(1), callsign: text(7), cargo: fc.constantFrom(36, 37), ...dimensions }),
};

test.each(Object.entries(sentByOthers))("message %s of ggencoder is what it was", (_, message) => {
  const step = (ours: unknown, theirs: unknown, least: number, name: string): void => {
    if (theirs !== undefined)
      expect(Math.abs((ours as number) - (theirs as number)), name).toBeLessThan(least * 1.01 + 1e-7);
  };
  fc.assert(
    fc.property(message, (data) => {
      const [ours, ...more] = said(`${new AisEncode(data).nmea}\r\n`);
      expect(more).toEqual([]);
      expect(ours).toMatchObject({ mmsi: data.mmsi, messageId: data.aistype });
      for (const [name, theirs] of [
        ...([["name", data.shipname ?? data.atonname]] as const),
        ...([["callsign", data.callsign]] as const),
        ...([["destination", data.destination]] as const),
        ...([["imoNumber", data.imo]] as const),
      ])
        if (theirs !== undefined) expect(ours![name], name).toBe(theirs);
      step(ours!.latitude, data.lat, 1 / 600_000, "latitude");
      step(ours!.longitude, data.lon, 1 / 600_000, "longitude");
      step(ours!.sogMs, data.sog && (data.sog as number) * (1852 / 3600), 0.06, "sogMs");
      step(ours!.cogDeg, data.cog, 0.11, "cogDeg");
      step(ours!.headingDeg, data.hdg, 0.01, "headingDeg");
      if (data.dimA === undefined) return;
      expect(ours!.lengthM).toBe((data.dimA as number) + (data.dimB as number));
      expect(ours!.beamM).toBe((data.dimC as number) + (data.dimD as number));
    }),
    { numRuns: 100 },
  );
});

test("parts that are missing, come out of order or never end are dropped; those of others go on", () => {
  const long = new VdmEncoder()
    .encode(129794, { pgn: 129794, mmsi: 1, name: "ONE", destination: "TWO" }, 0)
    .split("\r\n")
    .filter(Boolean);
  const other = new VdmEncoder().encode(129038, { pgn: 129038, mmsi: 2 }, 0);
  const [first, second] = long as [string, string];
  expect(said(`${first}\r\n${other}${second}\r\n`).map(({ mmsi }) => mmsi)).toEqual([2, 1]);
  expect(said(`${second}\r\n${first}\r\n`)).toEqual([]);
  expect(said(`${first}\r\n${other.repeat(101)}${second}\r\n`).map(({ mmsi }) => mmsi)).not.toContain(1);
  const { session, hear } = connection();
  for (let sequence = 0; sequence < 300; sequence++)
    hear(framed(`!AIVDM,9,1,${sequence % 10},${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[sequence % 26]},${"0".repeat(60)},0`));
  expect(session.malformed).toBe(0);
});

test("a station far away and a message to this boat are read", () => {
  expect(said(framed("!AIVDM,1,1,,B,KC5E2b@U19PFdLbMuc5=ROv62<7m,0"))).toMatchObject([
    { pgn: 129038, messageId: 27, mmsi: 206_914_217, navStatus: "Not under command", cogDeg: 167, sogKnots: 56.99 },
  ]);
  const [far] = said(framed("!AIVDM,1,1,,B,KC5E2b@U19PFdLbMuc5=ROv62<7m,0"));
  expect([far!.longitude, far!.latitude]).toEqual([expect.closeTo(137.0233, 3), expect.closeTo(4.84, 3)]);
  expect(said(framed("!AIVDM,1,1,,A,<5?SIj1;GbD07??4,0"))).toMatchObject([
    { pgn: 129801, mmsi: 351_853_000, destinationMmsi: 316_123_456, text: "GOOD" },
  ]);
});

test("messages of other types, too short ones, and payloads of other characters say nothing", () => {
  for (const payload of ["B52K", "", "177KQJ5000G?tO", "1~~~~~~~~~~~~~~~~~~~~~~~~~~~", "8".repeat(28), "L".repeat(28)])
    expect(said(framed(`!AIVDM,1,1,,A,${payload},0`)), payload).toEqual([]);
  // The station has no number.
  expect(said(framed(`!AIVDM,1,1,,A,1${"0".repeat(27)},0`))).toEqual([]);
  const { session, hear } = connection();
  for (const fields of ["1,2,,A,1,0", "0,0,,A,1,0", "1,1,,A,1,6", "1,1", `1,1,,A,${"1".repeat(83)},0`])
    hear(framed(`!AIVDM,${fields}`));
  expect(session.malformed).toBe(5);
});
