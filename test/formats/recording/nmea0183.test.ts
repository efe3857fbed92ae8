import { expect, test } from "vitest";
import { nmea0183Sentences } from "../../../src/formats/recording/formats/nmea0183.ts";
import { framed } from "../nmea0183/input/heard.ts";
import { expectReading, type Message, read, text } from "./reading.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26);
const introduction = new Set([60928, 126996]);

/** PGNs with the milliseconds of their time since `start`, without those by which a talker introduces itself. */
const heard = (...lines: readonly string[]): (readonly [pgn: number, at: number])[] =>
  (read(nmea0183Sentences, [text(...lines)]).records as readonly Message[])
    .filter(({ pgn }) => !introduction.has(pgn))
    .map(({ pgn, wall }) => [pgn, wall / 1000 - start]);

const line = (body: string): string => framed(body).trim();
const depth = line("$SDDPT,4.12,0.50,100");
const heading = line("$HCHDM,183.3,M");
const rmc = (time: string, date = "211126"): string => line(`$GPRMC,${time},V,,,,,,,${date},,`);
const zda = (time: string, talker = "GP"): string => line(`$${talker}ZDA,${time},21,11,2026,,`);
/** A sentence with a tag block of its own. */
const tagged = (tags: string, sentence: string): string => `\\${line(`\\${tags}`).slice(1)}\\${sentence}`;

test("tag blocks have the times, in seconds and milliseconds, and count more than the times in sentences", () => {
  const at = start / 1000;
  expect(
    heard(
      tagged(`c:${at}`, depth),
      tagged(`s:SD0001,c:${at + 1}`, depth),
      heading,
      zda("081500"),
      tagged(`c:${start + 2500},s:x`, heading),
    ),
  ).toEqual([
    [128267, 0],
    [128267, 1000],
    [127250, 1000],
    [126992, 1000],
    [127250, 2500],
  ]);
});

test("without tag blocks RMC and ZDA have the times of what follows; what is before the first has that time", () => {
  const pgns = (at: number) => [126992, 129029].map((pgn) => [pgn, at]);
  expect(heard(depth, heading, rmc("081426"), depth, rmc("081427.50"), zda("081429"), depth)).toEqual([
    [128267, 0],
    [127250, 0],
    ...pgns(0),
    [128267, 0],
    ...pgns(1500),
    [126992, 3000],
    [128267, 3000],
  ]);
});

test("a receiver that is late sets no clock back; a file that begins anew does", () => {
  const times = heard(zda("081430"), zda("081429", "II"), depth, zda("081326"), depth).map(([, at]) => at);
  expect(times).toEqual([4000, 4000, 4000, -60_000, -60_000]);
});

test("years have two digits in RMC: 80 and more are of the last century", () => {
  const years = [rmc("000000", "010180"), rmc("000000", "311279")].map((sentence) => {
    const [, first] = read(nmea0183Sentences, [text(sentence)]).records as readonly Message[];
    return new Date(first!.wall / 1000).getUTCFullYear();
  });
  expect(years).toEqual([1980, 2079]);
});

test("the same records wherever the bytes are cut; what cannot be read is counted", () => {
  const bytes = text(depth, "$SDDPT,1*00", rmc("081426"), "noise", depth, "$SDDPT,9", line("$PGRME,1,M"), "# comment");
  const { records } = read(nmea0183Sentences, [bytes]);
  expect(records).toHaveLength(8);
  expectReading(nmea0183Sentences, bytes, { records, malformed: 3 });
});

test("AIS has its ETA from the day of the recording, and a talker its NAME again after a minute", () => {
  const minute = [rmc("081426"), rmc("081526"), rmc("081626")];
  const { records } = read(nmea0183Sentences, [text(...minute)]);
  expect((records as readonly Message[]).filter(({ pgn }) => pgn === 60928)).toHaveLength(3);
});

test.each([
  ["a file", [depth, heading, line("$GPGLL,5213.1234,N,00454.5678,E,081426,A,A")]],
  ["a long one", Array.from({ length: 10_002 }, () => depth)],
  ["one with a time that is none", [line("$GPZDA,,,,,,"), depth, line("$HCHDM,1.0,M")]],
])("%s without times has a millisecond for each sentence", (_, lines) => {
  const { records } = read(nmea0183Sentences, [text(...lines)]);
  expect(records.length).toBeGreaterThan(1);
  const [first, last] = [records[0]!, records.at(-1)!] as readonly Message[];
  expect(last!.wall - first!.wall).toBeLessThanOrEqual((lines.length - 1) * 1000);
  expect(last!.wall).toBeGreaterThan(first!.wall);
});
