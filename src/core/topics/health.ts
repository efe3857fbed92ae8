/**
 * The health of bus and bridge: frames received, lost and discarded, load of the bus, state of the process. Counts are
 * since the start.
 */
import * as z from "zod";
import { discardReasons } from "../ports/packet-source.ts";
import { envelopeOf } from "../report/envelope.ts";
import { inUnit } from "../report/marks.ts";
import { decimal } from "../report/number.ts";

const count = z.int().min(0);
const countsByName = z.record(z.string(), count);

export const networkHealth = z.strictObject({
  interface: z.string().describe("interface or URL"),
  firstAddr: count.describe("address 0 of it in topics and reports"),
  frames: count.describe("29-bit data frames of a further network taken in"),
  framesLost: count.describe("frames of a further network lost before they were read"),
  packets: count.describe("finished packets of a further network"),
  packetsDiscarded: count.describe("packets of a further network discarded"),
  malformed: count.describe("lines or records of a further network that could not be read"),
  unusedTransducers: countsByName
    .describe("measurements of XDR of a further network of which nothing is made, by name")
    .optional(),
});

/**
 * Members in the order in which they are published. Those that depend on machine and broker are absent in a full-speed
 * replay.
 */
export const healthData = z.strictObject({
  uptimeSec: inUnit("s", count, (seconds) => `${seconds} since the bridge began`),
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
    .describe("finished packets, by transport; whole messages of a gateway or a recording, by that of their length"),
  packetsDiscarded: z
    .partialRecord(z.enum(discardReasons), count)
    .describe("packets discarded, by reason; reasons that never occurred are absent"),
  malformed: count.describe("lines or records of a recording or a gateway that could not be read"),
  unusedTransducers: countsByName
    .describe(
      "measurements of XDR of NMEA 0183 of which nothing is made, by name without its number; the names beyond 32 are `others`, and groups without a name `unnamed`; absent if there were none",
    )
    .optional(),
  decodeErrors: count.describe("packets that could not be decoded"),
  refused: count.describe("packets that fit none of the layouts their PGN may have"),
  unknown: count.describe("packets of PGNs that are not in the tables"),
  published: count.describe("PGN messages published"),
  ignoredSettings: z
    .array(
      z.strictObject({
        file: z.string(),
        entry: z.string().describe("name of the entry of settings; empty for the whole file"),
        path: z
          .array(z.union([z.int(), z.string()]))
          .describe("the members that lead to it; an item of a list is its index from 0, or its text"),
        problem: z.string().describe("what is wrong with it"),
        reason: z.string().describe("`path` and `problem` as a text"),
      }),
    )
    .describe("parts of the deployed settings that are not understood; of each the value before it stays in force"),
  busLoadPercent: inUnit(
    "%",
    decimal(1).min(0),
    (percent) => `${percent} of the time in which bits were on the bus`,
  ).optional(),
  clockAheadSec: inUnit(
    "s",
    decimal(1),
    (seconds) =>
      `${seconds} by which the computer's clock is ahead of the time on the bus, negative: behind; absent while they agree within two seconds`,
  ).optional(),
  dropped: count
    .describe("messages dropped because the broker was too slow, or away after the first connection")
    .optional(),
  publishRefused: count
    .describe("states that the broker refused, as its access control list says; by MQTT 5 alone it tells")
    .optional(),
  commandsSkipped: z
    .strictObject({
      tooLong: count.describe("commands longer than 1024 bytes"),
      notUnderstood: count.describe("messages that are no command"),
      withoutEffect: count.describe("commands to alarms that are not raised, or without a position"),
    })
    .describe("messages to the topics of commands that were passed over, by reason")
    .optional(),
  backlogBytes: inUnit(
    "B",
    count,
    (bytes) => `${bytes} accepted for publishing and not yet taken by the connection`,
  ).optional(),
  memoryBytes: inUnit("B", count, "resident memory of the program").optional(),
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
  frameClientBytes: inUnit(
    "B",
    count,
    (bytes) => `${bytes} that clients of --serve-frames sent, which are discarded`,
  ).optional(),
  framesNotServed: count.describe("frames that a busy event loop left no room for in --serve-frames").optional(),
  networks: z
    .array(networkHealth)
    .describe("networks of --also; the counters of frames and packets above are those of the first network")
    .optional(),
  partFaults: z
    .record(z.string(), z.record(z.string(), count))
    .describe("faults of parts of hub-cand, by part and method; the other parts go on; absent if there were none")
    .optional(),
});

export type Health = z.infer<typeof healthData>;

export const healthMessage = envelopeOf(healthData);
