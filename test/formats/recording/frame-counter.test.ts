import fc from "fast-check";
import { expect, test } from "vitest";
import { broadcastFrames, fastPacketFrames } from "../../../src/core/can/frames.ts";
import { framesOf } from "../../../src/core/can/wire-load.ts";
import { FrameCounter } from "../../../src/formats/recording/frame-counter.ts";

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

test("FrameCounter stands in for the interface of a recording, with the frames of the packets that were taken", () => {
  const counter = new FrameCounter("replay");
  expect(counter.read()).toEqual({
    index: 0,
    status: { interface: "replay", state: "UNKNOWN", up: true, stats: { rx_frames: 0, rx_bytes: 0 } },
  });
  counter.count(0, 3);
  counter.count(1, 134);
  expect(counter.read().status.stats).toEqual({ rx_frames: 21, rx_bytes: 163 });
});
