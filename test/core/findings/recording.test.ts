/** The findings of a whole recording, and their text. */
import { expect, test } from "vitest";
import { RecordingFindings } from "../../../src/core/findings/recording.ts";
import { textOfReport } from "../../../src/core/findings/recording-report.ts";
import { Packet } from "../../../src/core/ports/packet-batch.ts";
import { noCounts } from "../../../src/core/ports/packet-source.ts";
import { START } from "./synthetic-bus.ts";

interface Heard {
  readonly at: number;
  /** Milliseconds from the start by the stamp of the recording, if it is not `at`. */
  readonly stamp?: number;
  readonly incomplete?: number;
}

/** A recording of a device that sends a packet of several frames at each time. */
function recordingOf(heard: readonly Heard[]): RecordingFindings {
  const findings = new RecordingFindings(() => noCounts);
  const packet = new Packet();
  for (const { at, stamp = at, incomplete = 0 } of heard) {
    packet.arrived = at;
    packet.received = START + stamp;
    packet.pgn = 129029;
    packet.source = 7;
    packet.destination = 255;
    packet.transport = 1;
    packet.incomplete = incomplete;
    packet.bytes = new Uint8Array(43);
    // With a fix.
    packet.bytes[31] = 0x10;
    packet.at = 0;
    packet.end = 43;
    findings.hear(packet);
  }
  return findings;
}

const seconds = (count: number, each: (second: number) => Heard = (second) => ({ at: second * 1000 })) =>
  Array.from({ length: count }, (_, second) => each(second));

test("packets that a device loses in its first seconds count", () => {
  const lost = seconds(9, (second) => ({ at: second * 1000, incomplete: Math.min(second, 4) }));
  const { findings, devices } = recordingOf(lost).report();
  expect(devices).toMatchObject([{ addr: 7, packets: 9, incomplete: 4 }]);
  expect(findings.map(({ measured }) => measured)).toEqual([
    "4 of 13 packets of several frames by device 7 lacked frames in a minute",
  ]);
});

test("a recording whose clock was set back has its earliest and its latest time", () => {
  const setBack = seconds(6, (second) => ({ at: second * 1000, stamp: second * 1000 - (second > 3 ? 60_000 : 0) }));
  const { from, to } = recordingOf(setBack).report();
  expect([from, to]).toEqual([new Date(START - 56_000).toISOString(), new Date(START + 3000).toISOString()]);
});

test("a finding that is over has its worst measurement, and ends when it was last the case", () => {
  // Four packets are lost in the seconds 20 to 23, and again a quarter of an hour later.
  const lost = (second: number): number =>
    Math.min(Math.max(second - 19, 0), 4) + Math.max(Math.min(second - 999, 5), 0);
  const heard = seconds(1400, (second) => ({ at: second * 1000, incomplete: lost(second) }));
  const [finding] = recordingOf(heard).report().findings;
  expect(finding).toMatchObject({ kind: "incomplete", times: 2 });
  expect((Date.parse(finding!.since) - START) / 1000).toBeCloseTo(20, -1.2);
  expect((Date.parse(finding!.until!) - START) / 1000).toBeCloseTo(1004, -1.2);
  expect(finding!.measured).toMatch(/^5 of \d+ packets/);
  const text = textOfReport(recordingOf(heard).report());
  expect(text).toMatch(/^WARNING {2}Incomplete packets, over, 2026-\S+ to 2026-\S+, 2 times$/m);
});

test("what is over and begins again is one finding, and current", () => {
  const again = seconds(400, (second) => ({
    at: second * 1000,
    incomplete: second < 6 ? second : Math.max(6, second - 380),
  }));
  const { findings } = recordingOf(again).report();
  expect(findings).toMatchObject([{ kind: "incomplete", times: 2 }]);
  expect(findings[0]).not.toHaveProperty("until");
});

test("jumps of the time stamps are told, and late stamps are none", () => {
  const HOUR = 3_600_000;
  const forward = seconds(60, (second) => ({ at: second * 1000, stamp: second * 1000 + (second > 30 ? 3 * HOUR : 0) }));
  const report = recordingOf(forward).report();
  expect(report.clockJumps).toEqual({ count: 1, at: new Date(START + 30_000).toISOString(), seconds: 10_800 });
  expect(report.findings).toEqual([]);
  expect(textOfReport(report)).toMatch(/^The time stamps jump 3 h forward at 2026-\S+; the jump counts as no time\.$/m);
  const back = seconds(60, (second) => ({ at: second * 1000, stamp: second * 1000 - (second > 30 ? 90_000 : 0) }));
  expect(recordingOf(back).report().clockJumps).toMatchObject({ at: report.clockJumps!.at, seconds: -90 });
  const late = seconds(60, (second) => ({ at: second * 1000, stamp: second * 1000 - (second % 2) * 50_000 }));
  expect(recordingOf(late).report()).not.toHaveProperty("clockJumps");
});

test("a recording whose time stamps have no dates says that the dates are made from that of the file", () => {
  const report = recordingOf(seconds(9, (second) => ({ at: second * 1000 }))).report("undated");
  expect(report).toMatchObject({ hasTimes: true, datedByFile: true, from: new Date(START).toISOString() });
  expect(textOfReport(report)).toMatch(/^Its time stamps have no dates; the dates are made from that of the file\.$/m);
  expect(recordingOf(seconds(9, (second) => ({ at: second * 1000 }))).report()).not.toHaveProperty("datedByFile");
});

test("a recording without time stamps has neither times nor findings, and its text says so", () => {
  const lost = recordingOf(seconds(9, (second) => ({ at: second * 1000, incomplete: second })));
  const report = lost.report("none");
  expect(report).toMatchObject({ hasTimes: false, packets: 9, findings: [] });
  expect(report).not.toHaveProperty("from");
  expect(textOfReport(report)).toBe(
    "9 messages of 1 device\n\nThe recording has no time stamps, which findings need; candump -L writes them.\n",
  );
});
