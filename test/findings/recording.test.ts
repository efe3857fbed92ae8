/** The findings of a whole recording, and their text. */
import { expect, test } from "vitest";
import { RecordingFindings } from "../../src/findings/recording.ts";
import { textOfReport } from "../../src/findings/recording-report.ts";
import { Packet } from "../../src/ports/packet-batch.ts";
import { noCounts } from "../../src/ports/packet-source.ts";
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
    "4 of 13 packets of several frames by device 7 lacked frames in the last minute",
  ]);
});

test("a recording whose clock was set back has its earliest and its latest time", () => {
  const setBack = seconds(6, (second) => ({ at: second * 1000, stamp: second * 1000 - (second > 3 ? 60_000 : 0) }));
  const { from, to } = recordingOf(setBack).report();
  expect([from, to]).toEqual([new Date(START - 56_000).toISOString(), new Date(START + 3000).toISOString()]);
});

test("a recording without time stamps has neither times nor findings, and its text says so", () => {
  const lost = recordingOf(seconds(9, (second) => ({ at: second * 1000, incomplete: second })));
  const report = lost.report(false);
  expect(report).toMatchObject({ hasTimes: false, packets: 9, findings: [] });
  expect(report).not.toHaveProperty("from");
  expect(textOfReport(report)).toBe(
    "9 messages of 1 device\n\nThe recording has no time stamps, which findings need; candump -L writes them.\n",
  );
});
