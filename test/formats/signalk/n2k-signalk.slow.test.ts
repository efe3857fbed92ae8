/**
 * Paths and values compared with `@signalk/n2k-signalk`, which signalk-server uses: each of our values is one that it
 * has made of the same packets in the seconds before, or the difference has its reason here.
 */
import { expect, test } from "vitest";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import type { RecordingBatch } from "../../../src/formats/recording/record-writer.ts";
import type { Value } from "../../../src/formats/signalk/row.ts";
import { canboatParser } from "../../core/n2k/canboat-reading.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { packetsOf } from "../../support/packets.ts";
import { present, realRecording } from "../../support/recordings.ts";
import { boatOf, hear, voyageOf } from "./boats.ts";
import { N2kMapper, theirPath } from "./n2k-mapper.ts";

/** Values of ours that it does not have. */
const without: readonly (readonly [ours: RegExp, reason: string])[] = [
  [/^vessels\.self\.uuid$/, "identity of the boat"],
  [/^vessels\.self\.notifications\./, "alarms of hub"],
  [/\.closestApproach$/, "computed by hub"],
  [/^vessels\.self\.environment\.wind\.(?:speedTrue|angleTrue|direction|speedOverGround)/, "computed by hub"],
  [
    /^vessels\.self\.navigation\.(?:leewayAngle|courseOverGroundMagnetic|headingTrue|headingMagnetic|magneticVariation|magneticDeviation)$/,
    "computed by hub from heading and variation, or of a PGN it does not read",
  ],
  [/\.nextPoint\.(?:velocityMadeGood|timeToGo)$/, "computed by hub, which does not publish those of the plotter"],
  [/^vessels\.self\.electrical\.batteries\.\w+\.capacity\.nominal$/, "joules in the specification, coulombs there"],
  [
    /^vessels\.self\.electrical\.batteries\.\w+\.chemistry$/,
    "the type of the battery, as the specification describes it",
  ],
  [/^vessels\.self\.navigation\.gnss\.type$/, "the specification has no SBAS"],
  [/^vessels\.self\.environment\.depth\.transducerToKeel$/, "negative there; the specification has a height"],
  [/^vessels\.self\.steering\.(?:autopilot\.state|rudderAngleTarget)$/, "it does not read the field"],
  [
    /^vessels\.self\.electrical\.chargers\.\w+\.(?:chargingMode|chargerRole)$/,
    "its paths are not in the specification",
  ],
  [/^vessels\.self\.electrical\.inverters\.\w+\.inverterMode$/, "its path is not in the specification"],
  [
    /^vessels\.self\.propulsion\.\w+\.fuel\.(?:used|averageRate|economyRate)$/,
    "its paths are not in the specification",
  ],
  [
    /^vessels\.self\.propulsion\.\w+\.(?:coolantPressure|fuel\.pressure)$/,
    "it takes the pascals of canboatjs for kilopascals",
  ],
  [/^vessels\.self\.navigation\.course\w+\.crossTrackError$/, "it needs to know that the navigation is not terminated"],
  [/^vessels\..*\.navigation\.state$/, "it has older names of some states than its canboatjs"],
  [/\.navigation\.gnss\.integrity$/, "hub has the code of the last fix"],
];

/** Tolerances: half of the last digit in hub's reports and messages, in SI units. */
const tolerances: readonly (readonly [path: RegExp, tolerance: number])[] = [
  // hub damps the wind.
  [/environment\.wind\.speed/, 4],
  [/environment\.wind\.angle/, 0.4],
  [/[pP]ressure$/, 60],
  [/(?:heading|course|angle|bearing|magnetic|rateOfTurn|Angle|attitude|current|crossTrack)/i, 0.0011],
  [/[tT]emperature$/, 0.0501],
  [/speed/, 0.0051],
  [/(?:latitude|longitude)$/, 2e-7],
  [/(?:runTime|timeRemaining)$/, 1],
];
const toleranceOf = (path: string): number => tolerances.find(([pattern]) => pattern.test(path))?.[1] ?? 0.0061;

const TURN = 2 * Math.PI;

function isClose(path: string, ours: Value | null | undefined, theirs: Value | null | undefined): boolean {
  if (typeof ours === "number" && typeof theirs === "number") {
    const difference = Math.abs(ours - theirs);
    const tolerance = toleranceOf(path) + Math.abs(theirs) * 1e-6;
    return difference <= tolerance || Math.abs(difference - TURN) <= tolerance;
  }
  if (typeof ours === "object" && typeof theirs === "object" && ours !== null && theirs !== null)
    return Object.entries(ours).every(
      ([name, value]) =>
        value === undefined || isClose(`${path}.${name}`, value, (theirs as Readonly<Record<string, Value>>)[name]),
    );
  // The times have different digits of the second.
  if (path.endsWith(".datetime"))
    return String(theirs).slice(0, WHOLE_SECONDS) === String(ours).slice(0, WHOLE_SECONDS);
  return ours === theirs;
}

/** Characters of a date and a time of day without a fraction. */
const WHOLE_SECONDS = 19;

/** A position is current for three seconds, the report of a ship comes ten seconds after the ship at most. */
const MEMORY_MS = 75_000;

/** The values it has given, by context and path. */
class Opinion {
  readonly #mapper = new N2kMapper();
  readonly #parser = canboatParser();
  readonly #values = new Map<string, { readonly at: number; readonly value: Value | null }[]>();

  hear(line: string, at: number): void {
    const message = this.#parser.parseString(line);
    if (message === undefined || message === null) return;
    const delta = this.#mapper.toDelta(message);
    for (const { path, value } of delta?.updates.flatMap(({ values }) => values) ?? [])
      this.#keep(`${delta!.context ?? "vessels.self"}.${path}`, value, at);
  }

  #keep(path: string, value: Value | null, at: number): void {
    const values = this.#values.get(path) ?? [];
    while (values.length > 0 && values[0]!.at < at - MEMORY_MS) values.shift();
    values.push({ at, value });
    this.#values.set(path, values);
  }

  /** Whether it has a value for a path. */
  knows(path: string): boolean {
    return this.#values.has(path);
  }

  /** Whether it has a value like ours. */
  agrees(path: string, value: Value | null): boolean {
    return this.#values.get(path)?.some((told) => isClose(path, value, told.value)) ?? false;
  }
}

/** Paths that only some boats have. */
const exceptions: readonly (readonly [
  ours: RegExp,
  is: (opinion: Opinion, path: string) => boolean,
  reason: string,
])[] = [
  [/\.sensors\.ais\.class$/, (opinion, path) => !opinion.knows(path), "of a ship that has sent static data only"],
  [
    /^vessels\.self\.navigation\.courseOverGroundTrue$/,
    (opinion) => opinion.knows("vessels.self.navigation.courseOverGroundMagnetic"),
    "hub computes it from a magnetic course and the variation",
  ],
];

/** Packets of a recording that are compared: canboatjs reads them slowly. */
const MAX_PACKETS = 12_000;

/** Our values that it contradicts, or does not have, by path; and how many it confirms. */
async function compared(batches: AsyncIterable<RecordingBatch>) {
  const opinion = new Opinion();
  const differences = new Map<string, string>();
  const confirmed = new Map<string, number>();
  const boat = boatOf(({ context, path, value, isPlain }) => {
    if (value === null || isPlain) return;
    const own = `${context === boat.self ? "vessels.self" : context}.${path}`;
    if (without.some(([pattern]) => pattern.test(own))) return;
    const agrees = [theirPath(own), own].some((theirs) => opinion.agrees(theirs, value));
    if (!agrees && exceptions.some(([pattern, isOne]) => pattern.test(own) && isOne(opinion, own))) return;
    const place = own.replace(/\d{9}/, "*");
    if (agrees) confirmed.set(place, (confirmed.get(place) ?? 0) + 1);
    else differences.set(place, `${opinion.knows(own) ? "differs" : "not there"}: ${JSON.stringify(value)}`);
  });
  const { bridge, publisher } = memoryBridge({ prefix: "b" });
  const source = new ReassembledSource({ name: "replay", batches });
  let packets = 0;
  for await (const batch of source.packets(bridge.fastPacketTable)) {
    for (const { received, priority, pgn, source, destination, bytes, at, end } of packetsOf(batch)) {
      packets++;
      const payload = Buffer.from(bytes.subarray(at, end));
      const hex = payload.toString("hex").match(/../g) ?? [];
      const stamp = new Date(received).toISOString();
      opinion.hear([stamp, priority, pgn, source, destination, hex.length, ...hex].join(","), received);
    }
    bridge.take(batch);
    for (const { topic, payload } of publisher.messages)
      if (payload !== null) hear(boat, { topic: topic.replace(/^b\//, ""), payload: String(payload) });
    publisher.clear();
    if (packets >= MAX_PACKETS) break;
  }
  return { differences: Object.fromEntries(differences), confirmed };
}

test("of the simulated voyage", async () => {
  const { differences, confirmed } = await compared(voyageOf(90_000));
  expect(differences).toEqual({});
  expect(confirmed.size).toBeGreaterThan(60);
});

test.each(
  present([
    "candumpSample1.txt.gz",
    "candumpSample3.txt",
    "susteranna-actisense-serial.raw.gz",
    "dirona-actisense-serial.raw.gz",
    "can0-2.candump.log.gz",
    "can0-3.candump.log.gz",
  ]),
)("of %s", async (name) => {
  const file = new RecordingFile(realRecording(name), { clock: systemClock, log: memoryLog(), speed: 0 });
  const { differences, confirmed } = await compared(file.batches());
  expect(differences).toEqual({});
  expect(confirmed.size).toBeGreaterThan(10);
});
