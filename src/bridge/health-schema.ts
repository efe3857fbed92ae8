/** What the health of bus and bridge promises, for those who read it; members in the order in which they are published. */
import * as z from "zod";
import { discardReasons } from "../ports/packet-source.ts";
import { EXPIRE_AFTER_SECONDS } from "./envelope.ts";

const count = z.int().min(0);

const data = z.strictObject({
  uptimeSec: count.describe("seconds since the bridge began"),
  frames: count.describe("29-bit data frames taken in"),
  framesIgnored: z
    .strictObject({
      standard: count.describe("frames with an identifier of 11 bits"),
      remote: count.describe("remote frames"),
      error: count.describe("error frames of the controller"),
      noAddress: count.describe("frames of nobody's address"),
    })
    .describe("frames left aside, by kind"),
  framesLost: z
    .strictObject({
      kernel: count.describe("frames that the kernel had no room for"),
      ring: count.describe("frames that a busy event loop left no room for"),
    })
    .describe("frames that nobody saw"),
  packets: z
    .strictObject({
      single: count.describe("packets of one frame"),
      fast: count.describe("fast packets"),
      isoTp: count.describe("packets by ISO transport"),
    })
    .describe("finished packets, by transport"),
  packetsDiscarded: z.partialRecord(z.enum(discardReasons), count).describe("packets given up, by reason"),
  malformed: count.describe("lines or records of a recording that could not be read"),
  decodeErrors: count.describe("packets that could not be decoded"),
  refused: count.describe("packets that fit none of the layouts their PGN may have"),
  unknown: count.describe("packets of PGNs that are not in the tables"),
  published: count.describe("PGN messages made"),
  busLoadPercent: z.number().min(0).optional().describe("percent of the time in which bits were on the bus"),
  dropped: count.optional().describe("messages that the broker was away or too slow for"),
  backlogBytes: count.optional().describe("bytes accepted for publishing and not yet taken by the connection"),
  memoryBytes: count.optional().describe("resident memory of the program"),
  recorded: count.optional().describe("frames written to the recording"),
  recordDropped: count.optional().describe("frames that the recording had no room for"),
});

export const healthMessage = z.strictObject({
  data,
  metadata: z.strictObject({
    rxDate: z.iso.datetime(),
    rxTimestamp: z.int(),
    expireAfterSec: z.literal(EXPIRE_AFTER_SECONDS).describe("older than this, nobody is there any more who tells it"),
  }),
});
