/**
 * The voyages in real recordings, where there are some. A boat at rest, and a minute of one under way, make none; a longer
 * one begins at one of its fixes, and its distance is that of geographiclib along the kept ones.
 */
import geographiclib from "geographiclib-geodesic";
import { describe, expect, test } from "vitest";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { figuresOf, voyageOf } from "../../../src/core/voyages/voyage.ts";
import { linesIn, Voyages } from "../../../src/services/history/voyages.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { memoryVoyageStore } from "../../support/memory/voyage-store.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { realRecording, realRecordings } from "../../support/recordings.ts";

const { WGS84 } = geographiclib.Geodesic;

interface Fix {
  readonly time: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly sog: number;
}

async function sailedIn(name: string) {
  const { bridge, publisher } = memoryBridge();
  const store = memoryVoyageStore();
  let heard = "";
  // A pause of a recording is one, whatever it takes to read it.
  const monotonic = (): number => Date.parse(JSON.parse(heard).metadata.rxDate);
  const voyages = await Voyages.open({ prefix: "can/can0", store, entryEveryMs: 3_600_000, monotonic });
  const encoder = new TextEncoder();
  const fixes: Fix[] = [];
  const collect = (): void => {
    for (const { topic, payload } of publisher.messages) {
      if (payload == null) continue;
      heard = String(payload);
      voyages.hear(topic, encoder.encode(heard));
      if (topic !== "can/can0/navigation") continue;
      const { data, metadata } = JSON.parse(heard);
      const time = Date.parse(metadata.rxDate);
      if (!data.position?.hasFix || time - (fixes.at(-1)?.time ?? 0) < 1000) continue;
      fixes.push({ ...data.position, time, sog: data.speed_course?.sog ?? 0 });
    }
    publisher.clear();
  };
  const file = new RecordingFile(realRecording(name), { clock: systemClock, log: memoryLog(), speed: 0 });
  const source = new ReassembledSource({ name: "replay", batches: file.batches() });
  for await (const batch of source.packets(bridge.fastPacketTable)) {
    bridge.take(batch);
    collect();
  }
  bridge.finish();
  collect();
  await voyages.close();
  return { fixes, kept: [...store.files.values()].map((text) => voyageOf(linesIn(text).lines)!) };
}

/** Below, no boat has left its place by 75 metres. */
const SHORT_SECONDS = 70;

describe.skipIf(realRecordings.length === 0)("real recordings", () => {
  test.each(realRecordings)("%s: its voyages begin at a fix and have the distances of geographiclib", async (name) => {
    const { fixes, kept } = await sailedIn(name);
    const span = ((fixes.at(-1)?.time ?? 0) - (fixes[0]?.time ?? 0)) / 1000;
    if (span < SHORT_SECONDS) expect(kept).toEqual([]);
    for (const voyage of kept) {
      let metres = 0;
      for (const [at, [, latitude, longitude]] of voyage.points.entries()) {
        const before = voyage.points[at - 1];
        if (before !== undefined) metres += WGS84.Inverse(before[1], before[2], latitude, longitude).s12!;
      }
      expect(Math.abs((figuresOf(voyage).groundMiles * 1852) / metres - 1)).toBeLessThan(0.001);
      expect(fixes.map(({ time }) => time)).toContain(voyage.from);
    }
  });
});
