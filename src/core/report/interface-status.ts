/**
 * The status of a CAN interface, as it is read from the system and published; members and their order are the
 * document's.
 */
import * as z from "zod";
import { envelopeOf } from "./envelope.ts";
import { inUnit, mark } from "./marks.ts";
import { decimal } from "./number.ts";

const interfaceStates = [
  "ERROR-ACTIVE",
  "ERROR-WARNING",
  "ERROR-PASSIVE",
  "BUS-OFF",
  "STOPPED",
  "SLEEPING",
  "UNKNOWN",
] as const;

const count = z.int().min(0).optional();

const bytes = mark(z.int().min(0), { unit: "B" }).optional();

const statistics = z
  .strictObject({
    tx_frames: count,
    tx_bytes: bytes,
    rx_frames: count,
    rx_bytes: bytes,
    tx_errors: count,
    rx_errors: count,
    bus_errors: count.describe("of the CAN controller"),
    restarts: count.describe("of the CAN controller"),
  })
  .describe("counters of the system, which may begin at 0 again");

const configuration = z
  .strictObject({
    bitrate: inUnit("bit/s", count),
    sample_point: inUnit("‰", count, (permille) => `place in the bit at which its value is sampled, ${permille}`),
    tq: inUnit("ns", count, (nanoseconds) => `time quantum, ${nanoseconds}`),
    prop_seg: count.describe("time quanta"),
    phase_seg1: count.describe("time quanta"),
    phase_seg2: count.describe("time quanta"),
    sjw: count.describe("time quanta"),
    brp: count.describe("clock ticks of the controller in a time quantum"),
    restart_ms: inUnit(
      "ms",
      count,
      (milliseconds) => `${milliseconds} from BUS-OFF to the restart; 0: no restart; absent where the driver has none`,
    ),
    ctrlmode: count.describe("flags CAN_CTRLMODE_* of linux/can/netlink.h"),
  })
  .describe("setup of the CAN controller; without a bitrate it has no bit timing");

export const gatewayStatus = z
  .strictObject({
    source: z.string().describe("URL of the gateway"),
    since: z.string().describe("when it was connected, or lost, RFC 3339"),
    reason: z.string().describe("why it is not up").optional(),
    connections: z.int().min(0).describe("connections so far"),
    receivedBytes: inUnit("B", z.int().min(0), (bytes) => `${bytes} of all connections`),
    refused: z.int().min(0).describe("lines or messages that could not be read"),
    busLoadPercent: inUnit("%", decimal(1).min(0), "load of the bus, as the gateway reports it").optional(),
    droppedPercent: inUnit(
      "%",
      z.int().min(0),
      (percent) => `messages of the bus that the gateway had no room for, ${percent}, as it reports it`,
    ).optional(),
    receiveErrorCounter: z.int().min(0).describe("of the CAN controller of the gateway, ISO 11898-1").optional(),
    transmitErrorCounter: z.int().min(0).describe("of the CAN controller of the gateway, ISO 11898-1").optional(),
  })
  .describe("the gateway in the place of an interface; beyond the document");

const ofInterface = {
  interface: z.string(),
  state: z
    .enum(interfaceStates)
    .describe("error state of the CAN controller; UNKNOWN where there is none, as for a vcan or a recording")
    .optional(),
  up: z
    .boolean()
    .describe("administratively up; an interface that is BUS-OFF is still up. Of a gateway: connected")
    .optional(),
  stats: statistics.optional(),
  config: configuration.optional(),
  gateway: gatewayStatus.optional(),
};

const furtherNetwork = z
  .strictObject({ ...ofInterface, firstAddr: z.int().min(0).describe("address 0 of it in topics and reports") })
  .describe("a network of --also, with its interface or URL; beyond the document");

export type FurtherNetworkStatus = z.infer<typeof furtherNetwork>;

export const interfaceStatus = z.strictObject({
  ...ofInterface,
  networks: z.array(furtherNetwork).describe("in addition to the first, which this message is about").optional(),
});

export type InterfaceStatus = z.infer<typeof interfaceStatus>;

export const interfaceMessage = envelopeOf(interfaceStatus);
export type InterfaceState = (typeof interfaceStates)[number];
export type InterfaceStatistics = z.infer<typeof statistics>;
export type InterfaceConfiguration = z.infer<typeof configuration>;
