import { expect, test } from "vitest";
import { ownMark } from "../../../src/formats/nmea0183/input/own.ts";
import { Nmea0183Outlet } from "../../../src/services/link/nmea0183-outlet.ts";
import type { Heard } from "../../../src/services/link/outlet.ts";
import { memoryClock } from "../../support/memory/clock.ts";

function open(ownMmsi?: number) {
  const clock = memoryClock();
  const sent: string[] = [];
  const sink = { send: (lines: string) => void sent.push(lines), close: () => void sent.push("closed") };
  return { clock, sent, outlet: new Nmea0183Outlet([{ sink }, { sink }], clock, ownMmsi) };
}

const metadata = { rxDate: "2026-11-24T00:00:00.000Z", expireAfterSec: 60 };

const navigation = (data: object, receivedMs = 0, isRetained = false): Heard => ({
  topic: "navigation",
  message: { data, metadata },
  receivedMs,
  isRetained,
});
const rudder: Heard = {
  topic: "pgn",
  addr: 4,
  pgn: 127245,
  message: { data: { instance: 0, positionDeg: 5 }, metadata },
  receivedMs: 0,
  isRetained: false,
};

test("lines of one moment go together to every sink, a tenth of a second after the first of them", () => {
  const { clock, sent, outlet } = open();
  outlet.hear(navigation({ depth_water: { waterTemperature: 10 } }));
  outlet.hear(rudder);
  clock.advance(99);
  expect(sent).toEqual([]);
  clock.advance(1);
  expect(sent).toHaveLength(2);
  expect(sent[0]).toBe(sent[1]);
  expect(sent[0]!.match(/(?<=\$..)[A-Z]{3}/g)).toEqual(["UBL", "RMC", "GGA", "GLL", "MTW", "RSA"]);
  clock.advance(1000);
  expect(sent).toHaveLength(2);
});

test("a mark of hub's own output comes first and about every second, so that an echo is recognized", () => {
  const { clock, sent, outlet } = open();
  for (let each = 0; each < 120; each++) {
    outlet.hear({ ...rudder, receivedMs: each * 200 });
    clock.advance(200);
  }
  expect(sent[0]).toMatch(/^\$PHUBL,1\*/);
  // For each of the two sinks in 24 seconds.
  const marked = sent.filter((lines) => lines.startsWith(ownMark)).length;
  expect(marked).toBeGreaterThanOrEqual(40);
  expect(marked).toBeLessThanOrEqual(48);
  expect(sent.filter((lines) => lines.includes("PHUB"))).toHaveLength(marked);
});

test("a destination that chooses few sentences gets the mark with them, too", () => {
  const clock = memoryClock();
  const sent: string[] = [];
  const sink = { send: (lines: string) => void sent.push(lines), close: () => {} };
  const all = { sink: { ...sink, send: () => {} } };
  const outlet = new Nmea0183Outlet([all, { sink, sentences: new Set(["RSA"]) }], clock);
  for (let each = 0; each < 120; each++) {
    outlet.hear(each % 7 === 0 ? { ...rudder, receivedMs: each * 200 } : navigation({}, each * 200));
    outlet.hear(navigation({ depth_water: { waterTemperature: each } }, each * 200));
    clock.advance(200);
  }
  const marked = sent.filter((lines) => lines.startsWith(ownMark));
  expect(sent.length).toBeLessThan(30);
  expect(marked.length).toBeGreaterThanOrEqual(1);
  expect(sent.every((lines) => lines.replace(ownMark, "").startsWith("$IIRSA"))).toBe(true);
});

test("a retained message, which may be of any age, gives nothing; nor do topics of other outlets", () => {
  const { clock, sent, outlet } = open();
  outlet.hear(navigation({}, 0, true));
  outlet.hear({ topic: "ais", message: { data: {}, metadata }, receivedMs: 0, isRetained: false });
  clock.advance(1000);
  expect(sent).toEqual([]);
});

test("a message of the MMSI of the boat is of own ship", () => {
  const { clock, sent, outlet } = open(299_000_001);
  const data = { mmsi: 299_000_001, transceiver: "Channel A VDL reception" };
  outlet.hear({ ...rudder, topic: "pgn", pgn: 129039, message: { data, metadata } } as Heard);
  clock.advance(100);
  expect(sent[0]!.replace(ownMark, "")).toMatch(/^!AIVDO,1,1,,A,/);
});

test("after a hub-cand has gone another device speaks at once", () => {
  const { clock, sent, outlet } = open();
  const other = {
    ...rudder,
    addr: 5,
    receivedMs: 1000,
    message: { data: { instance: 0, positionDeg: -5 }, metadata },
  } as Heard;
  const sentences = (): readonly string[] => {
    clock.advance(100);
    return sent
      .splice(0)
      .slice(1)
      .map((lines) => lines.replace(ownMark, "").slice(0, 12));
  };
  outlet.hear(rudder);
  expect(sentences()).toEqual(["$IIRSA,5.0,A"]);
  outlet.hear(other);
  expect(sentences()).toEqual([]);
  outlet.forget();
  outlet.hear(other);
  expect(sentences()).toEqual(["$IIRSA,-5.0,"]);
});

test("its end closes the sinks and sends no more", async () => {
  const { clock, sent, outlet } = open();
  outlet.hear(rudder);
  await outlet.close();
  clock.advance(1000);
  expect(sent).toEqual(["closed", "closed"]);
  expect(clock.timers).toBe(0);
});

/** A station of AIS at a latitude on the boat's longitude; without one it tells its name alone. */
const ship = (mmsi: number, latitude?: number): Heard =>
  ({
    ...rudder,
    pgn: latitude === undefined ? 129810 : 129039,
    message: {
      data: { mmsi, transceiver: "Channel A VDL reception", ...(latitude !== undefined && { latitude, longitude: 4 }) },
      metadata,
    },
  }) as Heard;

test("a destination gets the sentences that it wants, and AIS of the stations within its range", () => {
  const clock = memoryClock();
  const got: Record<string, string[]> = { all: [], ais: [], near: [], wind: [] };
  const sinkOf = (name: string) => ({ send: (lines: string) => void got[name]!.push(lines), close: () => {} });
  const outlet = new Nmea0183Outlet(
    [
      { sink: sinkOf("all") },
      { sink: sinkOf("ais"), sentences: new Set(["VDM"]) },
      { sink: sinkOf("near"), sentences: new Set(["VDM", "MTW"]), range: 10 },
      { sink: sinkOf("wind"), sentences: new Set(["MWV"]) },
    ],
    clock,
  );
  const idsOf = (name: string): readonly string[] =>
    got[name]!.splice(0)
      .join("")
      .split("\r\n")
      .filter(Boolean)
      .map((line) => line.slice(3, 6))
      .filter((id) => id !== "UBL");
  // The boat's position is not known: nothing is left out.
  outlet.hear(ship(299_000_001, 52.5));
  clock.advance(100);
  expect(idsOf("near")).toEqual(["VDM"]);
  for (const name of Object.keys(got)) got[name]!.length = 0;

  outlet.hear(navigation({ position: { latitude: 52, longitude: 4 }, depth_water: { waterTemperature: 10 } }, 1000));
  outlet.hear(ship(299_000_002, 52.15));
  outlet.hear(ship(299_000_003, 52.2));
  outlet.hear(ship(299_000_003));
  outlet.hear(ship(299_000_004));
  outlet.hear(ship(299_000_002));
  clock.advance(1100);
  expect(idsOf("all").filter((id) => id === "VDM")).toHaveLength(5);
  expect(idsOf("ais")).toEqual(["VDM", "VDM", "VDM", "VDM", "VDM"]);
  // 9 nm, and its name; not 12 nm, and not one whose position is unknown.
  expect(idsOf("near")).toEqual(["MTW", "VDM", "VDM"]);
  // Nothing for it: not even an empty datagram.
  expect(got.wind).toEqual([]);
  // The boat's position is not known without a fix, and while hub-cand is away.
  outlet.hear(navigation({}, 3000));
  outlet.hear(ship(299_000_005, 52.3));
  clock.advance(1000);
  expect(idsOf("near")).toEqual(["VDM"]);
  outlet.hear(navigation({ position: { latitude: 52, longitude: 4 } }, 4000));
  outlet.forget();
  outlet.hear(ship(299_000_006, 52.3));
  clock.advance(1000);
  expect(idsOf("near")).toEqual(["VDM"]);
});
