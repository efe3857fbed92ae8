/** The alarms of the simulated voyage and of real recordings, each explained: another one is a false alarm. */
import { expect, test } from "vitest";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import type { ActiveAlarm, AlarmsData } from "../../../src/core/alarms/report.ts";
import type { RecordingBatch } from "../../../src/formats/recording/record-writer.ts";
import { simulated } from "../../../src/services/simulation/traffic.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { realRecording, realRecordings } from "../../support/recordings.ts";
import { atNight } from "../../support/size.ts";

/** Each alarm as it was first raised; `atBerth`: the crew gives the berth as soon as the boat has a position. */
async function raisedBy(batches: AsyncIterable<RecordingBatch>, atBerth = false): Promise<readonly ActiveAlarm[]> {
  const { bridge, publisher } = memoryBridge();
  const raised = new Map<string, ActiveAlarm>();
  let isGiven = !atBerth;
  const collect = (): void => {
    for (const message of publisher.payloads("can/can0/alarms")) {
      const { alarms, rest } = (message as { readonly data: AlarmsData }).data;
      isGiven ||= rest === "berth";
      for (const alarm of alarms) if (!raised.has(alarm.id)) raised.set(alarm.id, alarm);
    }
    if (!isGiven) bridge.command("can/can0/alarms/berth/set", "{}");
    publisher.clear();
  };
  const source = new ReassembledSource({ name: "replay", batches });
  for await (const batch of source.packets(bridge.fastPacketTable)) {
    bridge.take(batch);
    collect();
  }
  bridge.finish();
  collect();
  return [...raised.values()];
}

/** The ships that come close and the waypoint that is reached, and the second of the voyage at which they ring. */
const events = [
  ["cpa-299001100", 7],
  ["cpa-299002100", 131],
  ["arrival", 303],
] as const;

test("an hour of the simulated voyage raises the alarms of two ships and of a waypoint, and nothing else", async () => {
  const begin = Date.UTC(2026, 10, 21);
  const milliseconds = atNight(900_000, 3_600_000);
  async function* voyage(): AsyncGenerator<RecordingBatch> {
    yield* simulated(milliseconds, begin);
  }
  const raised = await raisedBy(voyage());
  expect(raised.map(({ id, since }) => [id, Math.round((Date.parse(since) - begin) / 1000)])).toEqual(
    events.filter(([, second]) => second * 1000 < milliseconds),
  );
});

/** In harbour, an engine that is switched on and stands: 127489 has status 328. */
const atRest = ["engine-0-lowOilLevel warning", "engine-0-lowCoolantLevel warning", "engine-0-waterInFuel warning"];

/**
 * A berth on a river, in the first minute after the start, which nobody has called a berth: 0.4 and 2.9 m of water below
 * the transducer, and ships on the fairway that pass within a quarter of a mile.
 */
const onTheRiver = [
  ...["cpa-205524290 alarm", "cpa-211512540 alarm", "cpa-244660259 alarm", "cpa-244730299 alarm"],
  "depth alarm",
];

/** Recordings of a minute at a berth, with what rings although the berth is given. */
const berths: Readonly<Record<string, readonly string[]>> = {
  "can0-2.candump.log.gz": [],
  "can0-2.pcap.gz": [],
  "can0-3.candump.log.gz": atRest,
  "can0-3.pcap.gz": atRest,
  "candumpSample3.txt": [],
  "dirona-actisense-serial.raw.gz": [],
};

const explained: Readonly<Record<string, readonly string[]>> = {
  "can0-2.candump.log.gz": onTheRiver,
  "can0-2.pcap.gz": onTheRiver,
  "can0-3.candump.log.gz": [...atRest, ...onTheRiver],
  "can0-3.pcap.gz": [...atRest, ...onTheRiver],
  // Speed 0.0 knots, 1.96 and 1.61 m.
  "candumpSample3.txt": ["depth alarm"],
  // An example of each PGN, among them a person overboard and a distress call.
  "actisense-522.candump.log": ["manOverboard-1026834 emergency", "distress-235076393 emergency"],
  // The button of a chart plotter is pressed, which makes the place its waypoint.
  "simrad_mob_quick.raw.gz": ["manOverboard-device-30 emergency", "arrival warning"],
  // Examples of messages from several years, with nothing between them, in which all that was heard falls silent.
  "sample-single.raw.txt": [
    ...["network alarm", "position alarm", "depthLost alarm", "dataLost-wind warning"],
    ...["engineTemperature-0 alarm", "oilPressure-0 alarm"],
  ],
  // The bus is silent for 29 seconds.
  "ikonvert.log.gz": ["network alarm"],
  // An engine that runs, of 23.2 °C and 158 kPa, reports over temperature and low oil pressure.
  "susteranna-actisense-serial.raw.gz": ["engineTemperature-0 alarm", "oilPressure-0 alarm"],
};

test.each(realRecordings)("%s raises what is explained", async (name) => {
  const file = new RecordingFile(realRecording(name), { clock: systemClock, log: memoryLog(), speed: 0 });
  const raised = (await raisedBy(file.batches())).map(({ id, severity }) => `${id} ${severity}`);
  expect(raised.sort()).toEqual([...(explained[name] ?? [])].sort());
});

test.each(realRecordings.filter((name) => name in berths))("%s is quiet at a berth that was given", async (name) => {
  const file = new RecordingFile(realRecording(name), { clock: systemClock, log: memoryLog(), speed: 0 });
  const raised = (await raisedBy(file.batches(), true)).map(({ id, severity }) => `${id} ${severity}`);
  expect(raised.sort()).toEqual([...berths[name]!].sort());
});
