/**
 * The report of the traffic: the share of each device and each PGN. Type, text, JSON Schema and reference follow from
 * its schema.
 */
import * as z from "zod";
import { envelopeOf } from "../report/envelope.ts";
import { inUnit } from "../report/marks.ts";
import { decimal } from "../report/number.ts";
import { groupedBy } from "../util/grouped.ts";
import type { Load } from "./bus.ts";
import type { Device } from "./device.ts";
import { device, type ReportedDevice } from "./report.ts";
import type { Stream } from "./stream.ts";

/** Limits the message on a bus that uses every address and PGN. */
const MAX_PGNS = 1000;
/** A device is reported until it has been silent for this time, milliseconds. */
const SILENT_MS = 180_000;

const pgn = z.strictObject({
  pgn: z.int().min(0),
  streams: z.int().min(1).describe("streams of the PGN: instances, or what else tells its messages apart"),
  periodMs: inUnit(
    "ms",
    decimal(0).min(0),
    "measured interval between two messages of a stream, mean of its streams",
  ).optional(),
  jitterMs: inUnit(
    "ms",
    decimal(0).min(0),
    "standard deviation of the interval, of the stream that has the largest",
  ).optional(),
  nominalMs: inUnit("ms", z.int().min(1), "interval by the public database").optional(),
});

const sender = z.strictObject({
  ...device.shape,
  loadPercent: inUnit("%", decimal(2).min(0), "share of the bus in the last ten seconds"),
  packets: z.int().min(0).describe("since hub-cand hears it"),
  incomplete: z
    .int()
    .min(0)
    .describe("packets of several frames of which frames were missing, since hub-cand hears it"),
  silentSec: inUnit("s", decimal(0).min(0), "since its last message"),
  pgns: z.array(pgn),
});

export const trafficData = z.strictObject({
  loadPercent: inUnit(
    "%",
    decimal(1).min(0),
    (percent) => `${percent} of the time in which bits of messages were on the bus, at 250 kbit/s`,
  ),
  devices: z.array(sender).max(254).describe("the one with the greatest share first"),
  leftOut: z.int().min(1).describe("PGNs of devices for which there is no room").optional(),
});

export const trafficMessage = envelopeOf(trafficData);

export type TrafficData = z.infer<typeof trafficData>;
type Sender = TrafficData["devices"][number];
type SentPgn = Sender["pgns"][number];

/** The streams of one PGN of one device. */
function pgnOf(streams: readonly Stream[]): SentPgn {
  const { pgn, nominalMs } = streams[0]!.kind;
  const windows = streams.flatMap(({ windows }) => windows.slice(-1));
  return {
    pgn,
    streams: streams.length,
    ...(windows.length > 0 && {
      periodMs: windows.reduce((sum, { mean }) => sum + mean, 0) / windows.length,
      jitterMs: windows.reduce((most, { jitter }) => Math.max(most, jitter), 0),
    }),
    ...(nominalMs !== undefined && { nominalMs }),
  };
}

const pgnsOf = (streams: readonly Stream[]): readonly SentPgn[] =>
  [...groupedBy(streams, ({ kind }) => kind.pgn).values()].map(pgnOf).sort((one, other) => one.pgn - other.pgn);

/** The traffic of the devices at the monotonic time `now`. */
export function trafficOf(
  { percent, shares }: Load,
  streams: readonly Stream[],
  now: number,
  reported: (device: Device) => ReportedDevice,
): TrafficData {
  const byDevice = groupedBy(streams, ({ device }) => device);
  let [room, leftOut] = [MAX_PGNS, 0];
  const senderOf = ({ device, percent }: Load["shares"][number]): Sender => {
    const all = pgnsOf(byDevice.get(device) ?? []);
    const pgns = all.slice(0, room);
    room -= pgns.length;
    leftOut += all.length - pgns.length;
    return {
      ...reported(device),
      loadPercent: percent,
      packets: device.packets,
      incomplete: (device.incomplete - device.firstIncomplete) >>> 0,
      silentSec: (now - device.last) / 1000,
      pgns,
    };
  };
  const devices = shares.filter(({ device }) => now - device.last < SILENT_MS).map(senderOf);
  return { loadPercent: percent, devices, ...(leftOut > 0 && { leftOut }) };
}
