/**
 * The health of bus and bridge: frames received, lost and discarded with the reasons, load of the bus, state of the process. Pure
 * functions of counters; all counts are since the start.
 */
import * as z from "zod";
import { type BusCounters, discardReasons } from "../ports/packet-source.ts";
import { envelopeOf } from "../report/envelope.ts";
import type { InterfaceStatistics } from "../report/interface-status.ts";
import { decimal } from "../report/number.ts";

const count = z.int().min(0);

/** Members in the order in which they are published. Those that depend on machine and broker are absent in a full-speed replay. */
export const healthData = z.strictObject({
  uptimeSec: count.describe("seconds since the bridge began"),
  frames: count.describe("29-bit data frames taken in"),
  framesIgnored: z
    .strictObject({
      standard: count.describe("frames with an identifier of 11 bits"),
      remote: count.describe("remote frames"),
      error: count.describe("error frames of the controller"),
      noAddress: count.describe("frames of source address 254 or 255, which is no device's"),
      canFd: count.describe("CAN FD frames of a bus; in a recording they are malformed"),
    })
    .describe("frames ignored, by kind"),
  framesLost: z
    .strictObject({
      kernel: count.describe(
        "frames that the kernel had no room for; of a gateway by UDP, datagrams; of a serial port, overruns",
      ),
      ring: count.describe("frames that a busy event loop left no room for"),
    })
    .describe("frames lost before they were read, by place"),
  packets: z
    .strictObject({
      single: count.describe("packets of one frame"),
      fast: count.describe("fast packets"),
      isoTp: count.describe("packets by ISO transport"),
    })
    .describe("finished packets, by transport"),
  packetsDiscarded: z
    .partialRecord(z.enum(discardReasons), count)
    .describe("packets discarded, by reason; reasons that never occurred are absent"),
  malformed: count.describe("lines or records of a recording or a gateway that could not be read"),
  decodeErrors: count.describe("packets that could not be decoded"),
  refused: count.describe("packets that fit none of the layouts their PGN may have"),
  unknown: count.describe("packets of PGNs that are not in the tables"),
  published: count.describe("PGN messages published"),
  ignoredSettings: z
    .array(
      z.strictObject({
        file: z.string(),
        entry: z.string().describe("name of the entry of settings; empty for the whole file"),
        reason: z.string(),
      }),
    )
    .describe("parts of the deployed settings that are not understood; of each the value before it stays in force"),
  busLoadPercent: decimal(1).min(0).describe("percent of the time in which bits were on the bus").optional(),
  dropped: count.describe("messages dropped because the broker was away or too slow").optional(),
  backlogBytes: count.describe("bytes accepted for publishing and not yet taken by the connection").optional(),
  memoryBytes: count.describe("resident memory of the program").optional(),
  laneTopics: count.describe("topics of the slow lanes").optional(),
  laneLeftOut: count.describe("messages that are in no lane because there are too many streams").optional(),
  recorded: count.describe("frames written to the recording").optional(),
  recordDropped: count.describe("frames that the recording had no room for").optional(),
  frameClients: count.describe("clients connected to --serve-frames").optional(),
  frameClientsDropped: z
    .strictObject({
      slow: count.describe("clients that did not read what they were sent"),
      refused: count.describe("clients beyond the greatest number of them"),
    })
    .describe("clients of --serve-frames disconnected, by reason")
    .optional(),
  frameClientBytes: count.describe("bytes that clients of --serve-frames sent, which are discarded").optional(),
  framesNotServed: count.describe("frames that a busy event loop left no room for in --serve-frames").optional(),
});

export type Health = z.infer<typeof healthData>;

export const healthMessage = envelopeOf(healthData);

/** Counters from outside of the bridge. */
export interface Vitals {
  bus(): BusCounters;
  /** Absent in a full-speed replay, whose output must be the same each time. */
  machine?(): MachineVitals;
}

/** Members that depend on the machine and on the broker, and not on the bus alone. */
export type MachineVitals = Required<Pick<Health, "dropped" | "backlogBytes" | "memoryBytes">> &
  Pick<
    Health,
    "recorded" | "recordDropped" | "frameClients" | "frameClientsDropped" | "frameClientBytes" | "framesNotServed"
  >;

/** Counters of the bridge itself. */
export interface BridgeVitals {
  readonly published: number;
  readonly failed: number;
  readonly unknown: ReadonlyMap<number, number>;
  readonly refused: ReadonlyMap<number, number>;
  readonly busLoadPercent?: number;
  readonly lanes?: { readonly topics: number; readonly leftOut: number };
}

const sum = (counts: ReadonlyMap<number, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);

/** `uptimeSec` as in `Health`. */
export function healthOf(
  uptimeSec: number,
  bridge: BridgeVitals,
  vitals: Vitals,
  ignoredSettings: Health["ignoredSettings"] = [],
): Health {
  const { frames, ignored, lost, packets, discarded, malformed } = vitals.bus();
  const { published, failed, unknown, refused, busLoadPercent, lanes } = bridge;
  return {
    uptimeSec,
    frames,
    framesIgnored: { ...ignored },
    framesLost: { ...lost },
    packets: { ...packets },
    packetsDiscarded: Object.fromEntries(Object.entries(discarded).filter(([, count]) => count > 0)),
    malformed,
    decodeErrors: failed,
    refused: sum(refused),
    unknown: sum(unknown),
    published,
    ignoredSettings,
    ...(busLoadPercent !== undefined && { busLoadPercent }),
    ...vitals.machine?.(),
    ...(lanes !== undefined && { laneTopics: lanes.topics, laneLeftOut: lanes.leftOut }),
  };
}

/**
 * Bits of an extended data frame besides its data, before stuffing (ISO 11898-1): start 1, identifier 11 + 18, SRR, IDE
 * and RTR 3, reserved 2, length 4, CRC 15 and its delimiter 1, acknowledgement 2, end 7, pause between frames 3.
 */
const OVERHEAD_BITS = 67;
/** Of these, the bits from start to CRC may be stuffed. */
const STUFFED_OVERHEAD_BITS = 54;

/**
 * Bits on the wire of extended data frames with `bytes` of data in all. Stuff bits depend on what is sent:
 * none at the least, (54 + 8n - 1) / 4 in a frame of n bytes at the most. Counters do not say, so the mean of both is
 * taken, which is off by a ninth at most.
 */
export function bitsOnWire(frames: number, bytes: number): number {
  const most = (frames * (STUFFED_OVERHEAD_BITS - 1) + 8 * bytes) / 4;
  return frames * OVERHEAD_BITS + 8 * bytes + most / 2;
}

/**
 * Percent of the time between two readings, `milliseconds` apart, in which bits of data frames were on a bus of `bitrate`
 * bits a second, with one decimal. Undefined where counters are missing or have begun anew.
 */
export function busLoadPercent(
  earlier: InterfaceStatistics,
  later: InterfaceStatistics,
  milliseconds: number,
  bitrate: number,
): number | undefined {
  const grown = (name: "rx_frames" | "tx_frames" | "rx_bytes" | "tx_bytes"): number =>
    (later[name] ?? Number.NaN) - (earlier[name] ?? Number.NaN);
  const growth = [grown("rx_frames"), grown("tx_frames"), grown("rx_bytes"), grown("tx_bytes")];
  // Also false for NaN.
  if (!growth.every((count) => count >= 0) || !(milliseconds > 0) || !(bitrate > 0)) return undefined;
  const [rxFrames, txFrames, rxBytes, txBytes] = growth as [number, number, number, number];
  const bits = bitsOnWire(rxFrames + txFrames, rxBytes + txBytes);
  return Math.round((bits / ((bitrate * milliseconds) / 1000)) * 1000) / 10;
}
