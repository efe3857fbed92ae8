import { expect, test } from "vitest";
import { detectFormat, formats } from "../../../src/formats/recording/detect-format.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { text } from "./reading.ts";

const pcapHead = Uint8Array.from([
  0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0xe3, 0, 0, 0,
]);
const pcapngHead = Uint8Array.from([0x0a, 0x0d, 0x0d, 0x0a, 0x1c, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a]);
const canHead = Buffer.concat([Uint8Array.of(0, 0x38, 0, 0, 0xff, 0xff, 0xff, 0xff), text("YDVR v05")]);
const eblHead = Uint8Array.from([0x1b, 1, 3, 0x90, 0xe3, 0xc8, 0x3a, 4, 0xb6, 0xdb, 1, 0x1b, 10]);
const examples: readonly [string, Uint8Array][] = [
  ["pcap", pcapHead],
  ["pcapng", pcapngHead],
  ["Yacht Devices CAN", canHead],
  ["Actisense EBL", eblHead],
  ["Yacht Devices DAT", Buffer.from("00000512f10901102700000000fd".repeat(8), "hex")],
  ["candump -L", text("(1436509052.249713) vcan0 044#2A366C2BBA", "")],
  ["candump", text("  can0  09F8027F   [8]  00 FC FF FF 00 00 FF FF", "")],
  ["candump", text(" (1675349980.504289)  can0  18EEFF16   [1]  F1", "")],
  ["candump", text("<0x18eeff01> [8] 05 a0 be 1c 00 a0 a0 c0 ", "")],
  ["candump -t d", text(" (000.250126)  can0  123   [0]", " (000.000001)  can0  123   [0]", "")],
  ["canboat FAST", text("2016-04-09T16:41:09.078Z,2,129029,1,255,9,ff,de,48,48,af,94,32,70,eb", "")],
  ["canboat PLAIN", text("# format=PLAIN", "2016-04-09T16:41:09.078Z,3,127257,17,255,1,00", "")],
  [
    "canboat PLAIN_MIX_FAST",
    text("# format=PLAIN_MIX_FAST", "2016-04-09T16:41:09.078Z,2,129029,1,255,9,ff,de,48,48,af,94,32,70,eb", ""),
  ],
  ["Yacht Devices RAW", text("17:33:21.107 R 19F51323 01 2F 30 70 00 2F 30 70", "")],
  ["Actisense N2K ASCII", text("A173321.107 23FF7 1F513 012F3070002F30709F", "")],
  ["iKonvert", text("!PDGY,127250,2,3,255,481.734,2C20AAAAAAE=", "")],
  [
    "Signal K server log",
    text("1646237338450;A;2022-03-02T16:08:58.450Z,2,127250,4,255,8,00,10,3f,00,00,ff,7f,fd", ""),
  ],
  ["Airmar", text("20:11:00 - 130306 09FD020D FF 8B 72 FF FF FF FF FF", "")],
  ["SeaSmart", text("$PCDIN,01F119,00000000,0F,2AAF00D1067414FF*59", "")],
  ["NMEA 0183", text("$GPRMC,081426.12,A,5213.1234,N,00454.5678,E,5.4,084.4,211126,2.1,E,D*3F", "")],
  ["NMEA 0183", text("$IIMWV,314.9,R,6.1,M,A", "")],
  ["Garmin CSV", text("0,486942,127508,Battery Status,Garmin,6,255,2,1,8,0x017505FF7FFFFFFF", "")],
];

test("every format is detected by its content, and has an example here", () => {
  expect(new Set(examples.map(([name]) => name))).toEqual(new Set(formats.map(({ name }) => name)));
});

test.each(examples)("detectFormat knows %s, also when more is still to come", (name, head) => {
  expect(detectFormat(head, false)?.name).toBe(name);
  expect(detectFormat(head, true)?.name).toBe(name);
});

const undated = ["Yacht Devices CAN", "Yacht Devices DAT", "candump -t d", "Yacht Devices RAW", "Actisense N2K ASCII"];
const alsoUndated = ["iKonvert", "Airmar", "SeaSmart", "Garmin CSV"];

test.each(examples)("%s says whether its time stamps have dates", (name, head) => {
  const reader = detectFormat(head, true)!.createReader({ modified: 0 });
  reader.read(head, true, new RecordWriter());
  const isBare = head[0] === "<".charCodeAt(0) || (head[0] === " ".charCodeAt(0) && head[1] !== "(".charCodeAt(0));
  const hasNone = isBare || (name === "NMEA 0183" && !new TextDecoder().decode(head).includes("RMC"));
  const expected = [...undated, ...alsoUndated].includes(name) ? "undated" : hasNone ? "none" : "dated";
  expect(reader.times ?? "dated").toBe(name === "Actisense EBL" ? "dated" : expected);
});

test.each(examples)("detectFormat does not take a cut line for %s", (name, head) => {
  for (let length = 0; length < head.length; length++) {
    const format = detectFormat(head.subarray(0, length), false);
    expect(format === undefined || name === format.name || name === "candump -t d", `${length} bytes`).toBe(true);
  }
});

test.each(examples.slice(5))(
  "detectFormat looks behind comments, a byte order mark and the rest of a line for %s",
  (name, head) => {
    const bytes = Buffer.concat([text("\ufeff# comment", "\r", "2A366C2BBA", ""), head]);
    expect(detectFormat(bytes, false)?.name).toBe(name);
  },
);

test("detectFormat knows nothing else", () => {
  const others = [
    text(""),
    text("# only", "# comments"),
    text("nonsense", "more"),
    text("$GPRMC,1,2"),
    pcapngHead.subarray(0, 11),
    pcapHead.subarray(0, 23),
    canHead.subarray(0, 15),
    eblHead.subarray(0, 2),
    Uint8Array.of(0x1b, 1, 6),
  ];
  for (const bytes of others) expect(detectFormat(bytes, true)).toBeUndefined();
});
