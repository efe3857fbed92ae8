/** Calls by radio as sentences: the alarm that they raise, the expansion that is late, and what hub-link writes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AlarmsData } from "../../../../src/core/alarms/report.ts";
import { DscNature } from "../../../../src/core/n2k/lookups.ts";
import { nmea0183 } from "../../../../src/formats/gateway/nmea0183.ts";
import { Nmea0183Encoder } from "../../../../src/formats/nmea0183/encoder.ts";
import { RecordWriter } from "../../../../src/formats/recording/record-writer.ts";
import { memoryInterface } from "../../../support/memory/interface-monitor.ts";
import { memoryBridge } from "../../../support/memory-bridge.ts";
import { connection, type Data, framed } from "./heard.ts";

const alert = framed("$CDDSC,12,3380400790,12,06,00,1423108312,2019,,,S,E");
const expansion = framed("$CDDSE,1,1,A,3380400790,00,45894494");

test("an alert rings at once, and its expansion moves it", () => {
  const monitor = memoryInterface({ interface: "x", state: "UNKNOWN", up: true });
  const { bridge, publisher } = memoryBridge({ prefix: "b", monitor });
  const session = nmea0183.open({ send: () => {}, url: "x" });
  const writer = new RecordWriter();
  const begin = Date.UTC(2026, 10, 21, 20, 20);
  /** Hears a line at a second; gives the alarms. */
  const alarmsAfter = (line: string, second: number): AlarmsData["alarms"] => {
    session.read(Buffer.from(line), false, writer);
    for (const { packets } of writer.drain()) bridge.take(packets!);
    bridge.advance(second * 1000, begin + second * 1000);
    return (publisher.payloads("b/alarms").at(-1) as { data: AlarmsData }).data.alarms;
  };
  const [coarse] = alarmsAfter(alert, 1);
  expect(coarse).toMatchObject({
    ...{ id: "distress-338040079", severity: "emergency", state: "active" },
    ...{ text: "DSC call: Disabled and adrift", position: { latitude: 42.5166667, longitude: -83.2 } },
  });
  const [fine, ...more] = alarmsAfter(expansion, 2);
  expect(fine).toMatchObject({ id: coarse!.id, position: { latitude: 42.524315, longitude: -83.20749 } });
  expect(more).toEqual([]);
});

test("an expansion half a minute later is not that of the call", () => {
  for (const [seconds, messages] of [
    [30, 1],
    [31, 0],
  ] as const) {
    const { session, hear } = connection();
    hear(alert);
    for (let second = 0; second < seconds; second++) session.advance!(0);
    expect(hear(expansion), `${seconds} s`).toHaveLength(messages);
    expect(session.malformed).toBe(0);
  }
});

test("the expansion of another vessel's call is not used, nor one that asks", () => {
  const { hear } = connection();
  hear(alert);
  expect(hear(framed("$CDDSE,1,1,A,3380400800,00,45894494"))).toEqual([]);
  expect(hear(framed("$CDDSE,1,1,Q,3380400790,00,45894494"))).toEqual([]);
  expect(hear(expansion)).toHaveLength(1);
});

test("expansions of a call are bounded", () => {
  const { hear } = connection();
  hear(alert);
  const many = framed(`$CDDSE,1,1,A,3380400790${",02,0054".repeat(10)}`);
  const said = [many, many, many].map((line) => hear(line).at(-1)?.data.expansions as unknown[] | undefined);
  expect(said.map((each) => each?.length)).toEqual([10, 16, undefined]);
});

const mmsi = fc.integer({ min: 1, max: 999_999_999 }).map((number) => `${String(number).padStart(9, "0")}0`);
/** 110 and 112 are also telecommands of a relay, which has no nature then. */
const natures = Object.entries(DscNature).flatMap(([code, text]) => (["110", "112"].includes(code) ? [] : [text]));
const call = fc.record({
  format: fc.constantFrom("Distress", "All ships", "Individual stations"),
  category: fc.constant("Distress"),
  natureOfDistress: fc.constantFrom(...natures),
  secondTelecommand: fc.constantFrom("No information", "No reason given", "Busy"),
  address: mmsi,
  mmsiInDistress: mmsi,
  latitude: fc.double({ min: -89.9, max: 89.9, noNaN: true }),
  longitude: fc.double({ min: -179.9, max: 179.9, noNaN: true }),
  timeOfPosition: fc.integer({ min: 0, max: 1439 }).map((minutes) => minutes * 60),
  endOfSequence: fc.constantFrom(117, 122, 127),
});

test("what hub-link writes is the call that it was", () => {
  fc.assert(
    fc.property(call, (data) => {
      const text = new Nmea0183Encoder().pgn(129808, 3, { pgn: 129808, ...data }, 0);
      const read = connection()
        .hear(text)
        .filter(({ pgn }) => pgn === 129808)
        .at(-1)!.data as Data;
      const { latitude, longitude, address, mmsiInDistress, ...same } = data;
      expect(read).toMatchObject(same);
      const isAlert = data.format === "Distress";
      expect(read.address).toBe(isAlert ? mmsiInDistress : address);
      expect(read.mmsiInDistress).toBe(isAlert ? undefined : mmsiInDistress);
      for (const [name, value] of Object.entries({ latitude, longitude }))
        expect(Math.abs((read[name] as number) - value)).toBeLessThanOrEqual(0.5001 / 600_000 + 1e-7);
    }),
    { numRuns: 300 },
  );
});
