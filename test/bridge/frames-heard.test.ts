import fc from "fast-check";
import { expect, test } from "vitest";
import { FramesHeard, framesOf } from "../../src/bridge/frames-heard.ts";
import { packetsOf } from "../../src/bridge/packet-batch.ts";
import { broadcastFrames, fastPacketFrames } from "../../src/n2k/frames.ts";
import { createBursts } from "./bursts.ts";

const header = { priority: 6, source: 1, destination: 255 };

test("framesOf is the number of frames that carry a packet", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 223 }), fc.integer({ min: 9, max: 1785 }), (fast, isoTp) => {
      expect(framesOf(1, fast)).toBe(fastPacketFrames({ ...header, pgn: 129029 }, new Uint8Array(fast), 0).length);
      expect(framesOf(2, isoTp)).toBe(broadcastFrames({ ...header, pgn: 65240 }, new Uint8Array(isoTp)).length);
    }),
  );
  expect(framesOf(0, 0)).toBe(1);
});

test("FramesHeard stands in for the interface of a recording, with the frames that were heard of it", () => {
  const heard = new FramesHeard("replay");
  expect(heard.read()).toEqual({
    index: 0,
    status: { interface: "replay", state: "UNKNOWN", up: true, stats: { rx_frames: 0, rx_bytes: 0 } },
  });
  const burst = createBursts();
  for (const packet of packetsOf(burst([{ pgn: 59904, hex: "00ee00" }]))) {
    packet.transport = 0;
    heard.hear(packet);
    packet.transport = 1;
    packet.end = packet.at + 134;
    heard.hear(packet);
  }
  expect(heard.read().status.stats).toEqual({ rx_frames: 21, rx_bytes: 163 });
});
