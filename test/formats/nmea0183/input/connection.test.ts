/** A connection of NMEA 0183: lines cut anywhere, checksums, tag blocks, talkers as devices, floods, its own echo. */
import { describe, expect, test } from "vitest";
import { describeName, readDeviceName } from "../../../../src/core/n2k/device-name.ts";
import { gpsd } from "../../../../src/formats/gateway/gpsd.ts";
import { nmea0183 } from "../../../../src/formats/gateway/nmea0183.ts";
import { readGatewayUrl } from "../../../../src/formats/gateway/table.ts";
import { Nmea0183Encoder } from "../../../../src/formats/nmea0183/encoder.ts";
import { ownMark } from "../../../../src/formats/nmea0183/input/own.ts";
import { MAX_TALKERS } from "../../../../src/formats/nmea0183/input/talkers.ts";
import { RecordWriter } from "../../../../src/formats/recording/record-writer.ts";
import { memoryInterface } from "../../../support/memory/interface-monitor.ts";
import { memoryBridge } from "../../../support/memory-bridge.ts";
import { connection, framed, type HeardPacket } from "./heard.ts";

const depth = framed("$SDDBT,13.5,f,4.12,M,2.2,F");
const heading = framed("$HCHDM,183.3,M");

const pgns = (packets: readonly HeardPacket[]): number[] => packets.map(({ pgn }) => pgn);
const measured = (packets: readonly HeardPacket[]): number[] =>
  pgns(packets).filter((pgn) => pgn !== 60928 && pgn !== 126996);

describe("lines", () => {
  test("are the same wherever the bytes are cut", () => {
    const all = `noise$GPR${depth}${framed("$PGRME,15.0,M,45.0,M,25.0,M")}$SDDBT,1*00\r\n${heading}\\s:x*00\\${depth}$`;
    const whole = connection();
    const expected = whole.hear(all);
    expect(measured(expected)).toEqual([128267, 127250]);
    for (let cut = 0; cut <= all.length; cut++) {
      const { session, hear } = connection();
      expect([...hear(all.slice(0, cut)), ...hear(all.slice(cut))], `cut at ${cut}`).toEqual(expected);
      expect([session.malformed, session.answers]).toEqual([whole.session.malformed, whole.session.answers]);
    }
    expect(whole.session.malformed).toBe(2);
    expect(whole.session.answers).toBe(1);
  });

  test("an old instrument has no checksums; after the first checksum each sentence needs one", () => {
    const { session, hear } = connection();
    expect(measured(hear("$SDDBT,13.5,f,4.12,M,2.2,F\r\n"))).toEqual([128267]);
    expect(measured(hear(heading))).toEqual([127250]);
    expect(hear("$SDDBT,13.5,f,4.12,M,2.2,F\r\n")).toEqual([]);
    expect(session.malformed).toBe(1);
    // Its content cannot be checked otherwise.
    expect(connection().hear("!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0\r\n")).toEqual([]);
  });

  test("by UDP, the checksums of one sender are not asked of another", () => {
    const { session, hear } = connection();
    const bare = "$SDDBT,13.5,f,4.12,M,2.2,F\r\n";
    expect(measured(hear(heading, "192.0.2.1"))).toEqual([127250]);
    expect(measured(hear(bare, "192.0.2.2"))).toEqual([128267]);
    expect(hear(bare, "192.0.2.1")).toEqual([]);
    expect(session.malformed).toBe(1);
    // Senders are bounded.
    for (let host = 0; host < 300; host++) hear(heading, `198.51.100.${host}`);
    expect(hear(bare, "198.51.100.299")).toEqual([]);
    expect(measured(hear(bare, "192.0.2.1"))).toEqual([128267]);
  });

  test("a flood is read as far as its bound, and anew in the next second", () => {
    const { session, hear } = connection();
    expect(measured(hear(heading.repeat(5000)))).toHaveLength(1000);
    expect(session.malformed).toBe(4000);
    session.advance!(0);
    expect(measured(hear(heading))).toEqual([127250]);
  });

  test("sentences that mean nothing here prove that somebody speaks", () => {
    const { session, hear } = connection();
    expect(hear(framed("$GPTXT,01,01,02,hello") + framed("$CCGPQ,GGA") + framed("$PGRME,1,M"))).toEqual([]);
    expect([session.answers, session.malformed]).toEqual([3, 0]);
  });
});

describe("talkers", () => {
  const nameOf = (packets: readonly HeardPacket[]): bigint =>
    readDeviceName(packets.find(({ pgn }) => pgn === 60928)!.payload, 0, 8)!;

  test("introduce themselves once a minute, with a NAME that is the same after a restart", () => {
    const { session, hear } = connection();
    const first = hear(depth);
    expect(pgns(first)).toEqual([60928, 126996, 128267]);
    expect(pgns(hear(depth))).toEqual([128267]);
    for (let second = 0; second < 60; second++) session.advance!(0);
    expect(pgns(hear(depth))).toEqual([60928, 126996, 128267]);
    expect(connection().hear(depth)).toEqual(first);
    expect(describeName(nameOf(first))).toMatchObject({
      functionName: "Bottom Depth",
      industryGroup: "Marine Industry",
    });
    expect(first[1]!.data).toMatchObject({ modelId: "NMEA 0183 SD" });
  });

  test("differ by their letters, by the source in the tag block, and by the network", () => {
    const tagged = (source: string): string => {
      const block = framed(`\\s:${source}`).trim();
      return `${block}\\${depth}`;
    };
    const { hear } = connection();
    const all = [depth, heading, tagged("SD0001"), tagged("SD0002"), `UdPbC\0${tagged("SD0003")}`].map((text) =>
      hear(text),
    );
    const names = all.map(nameOf);
    expect(new Set(names).size).toBe(5);
    expect(new Set(all.map(([packet]) => packet!.source)).size).toBe(5);
    expect(nameOf(connection("nmea0183+tcp://10.0.0.2:10110").hear(depth))).not.toBe(names[0]);
  });

  test("of one GNSS receiver are one device, with the NAME of the first, and count its satellites together", () => {
    const letters = ["GP", "GN", "GL", "GA", "GB", "BD", "GI", "GQ"];
    const { hear } = connection();
    const rmc = letters.flatMap((each) =>
      hear(framed(`$${each}RMC,120000.00,A,5213.0000,N,00454.0000,E,5.4,010.0,211126,,,A`)),
    );
    expect(new Set(rmc.map(({ source }) => source)).size).toBe(1);
    expect(rmc.filter(({ pgn }) => pgn === 60928)).toHaveLength(1);
    expect(nameOf(rmc)).toBe(nameOf(connection().hear(framed("$GPVTG,010.0,T,,M,5.4,N,10.0,K,A"))));
    const seen = (talker: string, count: number) => hear(framed(`$${talker}GSV,1,1,${count},01,40,083,46`))[0]?.data;
    expect(seen("GP", 9)).toMatchObject({ numberOfSatellites: 9 });
    expect(seen("GL", 7)).toMatchObject({ numberOfSatellites: 16 });
    expect(seen("GP", 8)).toMatchObject({ numberOfSatellites: 15 });
  });

  test("of one GNSS receiver have the same NAME wherever the connection begins", () => {
    const second = [
      ...["$GNRMC,120000.00,A,5213.0000,N,00454.0000,E,5.4,010.0,211126,,,A", "$GNVTG,010.0,T,,M,5.4,N,10.0,K,A"],
      ...["$GPGSA,A,3,01,,,,,,,,,,,,1.5,0.9,1.2", "$GPGSV,1,1,1,01,40,083,46", "$GLGSV,1,1,1,65,40,083,46"],
    ].map(framed);
    const names = second.map((_, at) => nameOf(connection().hear([...second.slice(at), ...second].join(""))));
    expect(new Set(names)).toEqual(new Set([names[0]]));
    const { session, hear } = connection();
    expect(hear(second[4]!)).toEqual([]);
    expect([session.answers, session.malformed]).toEqual([1, 0]);
  });

  test("are bounded; further ones are counted", () => {
    const { session, hear } = connection();
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const talkers = letters
      .flatMap((one) => letters.map((other) => one + other))
      .filter((each) => !/^P|^G[PNLABIQ]$|^BD$/.test(each));
    const sources = new Set(
      talkers.flatMap((talker) => hear(framed(`$${talker}HDM,1.0,M`))).map(({ source }) => source),
    );
    expect(sources.size).toBe(MAX_TALKERS);
    expect([...sources].every((source) => source < 252)).toBe(true);
    expect(session.malformed).toBe(talkers.length - MAX_TALKERS);
  });
});

describe("hub's own sentences", () => {
  test("are dropped while their mark comes; other talkers go on", () => {
    const { session, hear } = connection();
    const own = framed("$GPGLL,5213.1234,N,00454.5678,E,081426,A,A");
    expect(measured(hear(own))).toEqual([129025]);
    expect(measured(hear(ownMark + own + depth))).toEqual([128267]);
    expect(session.malformed).toBe(0);
    for (let second = 0; second < 30; second++) session.advance!(0);
    expect(measured(hear(own))).toEqual([129025]);
  });

  test("of one sender of datagrams do not silence the others", () => {
    const { hear } = connection();
    const own = framed("$GPGLL,5213.1234,N,00454.5678,E,081426,A,A");
    expect(measured(hear(ownMark + own, "127.0.0.1"))).toEqual([]);
    expect(measured(hear(own, "192.0.2.7"))).toEqual([129025]);
    // However many return them.
    for (let host = 0; host < 300; host++) hear(ownMark, `192.0.2.${host}`);
    expect(measured(hear(own, "192.0.2.299"))).toEqual([]);
    expect(measured(hear(own, "127.0.0.1"))).toEqual([129025]);
  });
});

describe("URLs", () => {
  test.each([
    ["nmea0183+tcp://10.0.0.1", { host: "10.0.0.1", port: 10_110 }],
    ["nmea0183+udp://", { host: "", port: 10_110 }],
    ["nmea0183+udp://:2000", { host: "", port: 2000 }],
    ["nmea0183+udp://239.192.0.1:60001", { host: "239.192.0.1", port: 60_001 }],
    ["nmea0183+serial:///dev/ttyUSB0", { path: "/dev/ttyUSB0", baud: 4800 }],
    ["nmea0183+serial:///dev/ttyUSB0?baud=38400", { path: "/dev/ttyUSB0", baud: 38_400 }],
    ["gpsd://localhost", { host: "localhost", port: 2947 }],
  ])("%s", (url, place) => expect(readGatewayUrl(url)).toMatchObject(place));

  test.each(["nmea0183+udp://10.0.0.1:2000", "nmea0183+udp://239.192.0.256:2000", "yd-raw+udp://239.192.0.1:1457"])(
    "%s names no multicast group",
    (url) => expect(readGatewayUrl(url)).toContain("must be"),
  );
});

test("gpsd is asked for sentences, and its JSON is passed over", () => {
  const told: string[] = [];
  const session = gpsd.open({ send: (bytes) => told.push(Buffer.from(bytes).toString()) });
  expect(told).toEqual(['?WATCH={"enable":true,"nmea":true}\n']);
  session.read(Buffer.from('{"class":"VERSION","release":"3.25"}\r\n'), false, new RecordWriter());
  expect([session.answers, session.malformed]).toEqual([1, 0]);
});

test("the report that hub-link writes as sentences is the same report when they are read back", () => {
  const status = { interface: "x", state: "UNKNOWN", up: true } as const;
  const { bridge, publisher } = memoryBridge({ prefix: "b", monitor: memoryInterface(status) });
  const encoder = new Nmea0183Encoder();
  const session = nmea0183.open({ send: () => {}, url: "x" });
  const writer = new RecordWriter();
  const report = {
    date: { date: "2026-11-21", time: "08:14:26", source: { age: 0 } },
    position: {
      ...{ latitude: 52.2187233, longitude: 4.9094633, hasFix: true, fixType: "dgnss" },
      ...{ numSatellites: 11, hdop: 0.9, altitude: 3.5, geoidalSeparation: 45.1, source: { age: 0 } },
    },
    speed_course: {
      ...{ sog: 5.4, cog: 84.4, headingMagnetic: 80.1, headingTrue: 82.2, variation: 2.1 },
      ...{ rateOfTurn: 0.5, speedThroughWater: 5.1 },
    },
    depth_water: { depth: 4.12, offset: 0.5, waterTemperature: 16.2 },
    wind_apparent: { speed: 12.3, angle: -44.6 },
  };
  for (let at = 0; at <= 5000; at += 500) {
    const lines = encoder.navigation({ ...report, date: { ...report.date, time: `08:14:${26 + at / 1000}` } }, at);
    session.read(Buffer.from(lines), false, writer);
    for (const { packets } of writer.drain()) {
      const doubles = new Float64Array(packets!.bytes.buffer, packets!.bytes.byteOffset, packets!.length >> 3);
      // Each record begins with its times; a burst has one.
      for (let begin = 0; begin < packets!.length; ) {
        doubles[begin >> 3] = (Date.UTC(2026, 10, 21, 8, 14, 26) + at) * 1000;
        doubles[(begin >> 3) + 1] = at * 1000;
        const length = new Uint16Array(packets!.bytes.buffer, packets!.bytes.byteOffset + begin + 20, 1)[0]!;
        begin += (32 + length + 7) & ~7;
      }
      bridge.take(packets!);
    }
    bridge.advance(at, Date.UTC(2026, 10, 21, 8, 14, 26) + at);
  }
  const { data } = publisher.payloads("b/navigation").at(-1) as { data: typeof report };
  const { latitude, longitude, hasFix, fixType, numSatellites, hdop, altitude, geoidalSeparation } = data.position;
  expect(latitude).toBeCloseTo(52.2187233, 6);
  expect(longitude).toBeCloseTo(4.9094633, 6);
  expect({ hasFix, fixType, numSatellites, hdop, altitude, geoidalSeparation }).toEqual({
    hasFix: true,
    fixType: "dgnss",
    numSatellites: 11,
    hdop: 0.9,
    altitude: 3.5,
    geoidalSeparation: 45.1,
  });
  for (const name of ["sog", "cog", "headingMagnetic", "variation", "rateOfTurn", "speedThroughWater"] as const)
    expect(Math.abs(data.speed_course[name] - report.speed_course[name]), name).toBeLessThanOrEqual(0.11);
  expect(data.depth_water).toMatchObject({ depth: 4.12, offset: 0.5, waterTemperature: 16.2 });
  expect(data.wind_apparent.speed).toBeCloseTo(12.3, 1);
  expect(data.wind_apparent.angle).toBeCloseTo(-44.6, 1);
});
