/** The messages of the bridge against their public schemas. */

import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { memoryLog } from "../../../src/adapters/memory/log.ts";
import { type MemoryPublisher, memoryPublisher } from "../../../src/adapters/memory/publisher.ts";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { identityPayload } from "../../../src/core/topics/identity.ts";
import { topicSchemas } from "../../../src/core/topics/schemas.ts";
import { FrameCounter } from "../../../src/formats/recording/frame-counter.ts";
import type { RecordingBatch } from "../../../src/formats/recording/record-writer.ts";
import { createBridge } from "../../../src/services/bridge/bridge.ts";
import { simulated } from "../../../src/services/simulation/traffic.ts";
import { present, realRecording } from "../../support/recordings.ts";

const ajv = new Ajv2020.default();
const validators = new Map(topicSchemas.map(({ id, schema }) => [id, ajv.compile(schema)]));

/** `can/can0/device/3/pgn/127250` is `pgn-127250`, `can/can0/ais` is `ais`. */
const idOf = (topic: string): string =>
  topic
    .replace(/^.*\/pgn\//, "pgn-")
    .replace("alarms/history", "alarm-history")
    .replace("devices/known", "known-devices")
    .replace(/^.*\//, "");

const published = async (batches: AsyncIterable<RecordingBatch>): Promise<MemoryPublisher> => {
  const publisher = memoryPublisher();
  const bridge = createBridge({ prefix: "can/can0", publisher, log: memoryLog(), monitor: new FrameCounter("replay") });
  const source = new ReassembledSource({ name: "replay", batches });
  for await (const batch of source.packets(bridge.fastPacketTable)) bridge.take(batch);
  bridge.finish();
  return publisher;
};

/** The faults of messages that are not what their schema says, and how many messages there were by topic. */
const examined = ({ messages }: MemoryPublisher): { faults: string[]; counts: Map<string, number> } => {
  const faults: string[] = [];
  const counts = new Map<string, number>();
  for (const { topic, payload } of messages) {
    if (payload === null) continue;
    const id = idOf(topic);
    counts.set(id, (counts.get(id) ?? 0) + 1);
    const validate = validators.get(id);
    if (validate === undefined) faults.push(`${topic} has no schema`);
    else if (!validate(JSON.parse(payload))) faults.push(`${topic}: ${ajv.errorsText(validate.errors)}: ${payload}`);
    if (/[^ -~]/.test(payload)) faults.push(`${topic} is not ASCII: ${payload}`);
  }
  return { faults, counts };
};

describe("everything that is published is what its schema says", () => {
  test("of the simulated voyage", async () => {
    async function* voyage(): AsyncGenerator<RecordingBatch> {
      yield* simulated(240_000, Date.UTC(2026, 10, 21));
    }
    const { faults, counts } = examined(await published(voyage()));
    expect(faults).toEqual([]);
    for (const report of ["interface", "devices", "infos", "navigation", "ais"])
      expect(counts.get(report), report).toBeGreaterThan(5);
    expect(counts.size).toBeGreaterThan(40);
  });

  const real = present([
    "can0-2.candump.log.gz",
    "can0-3.candump.log.gz",
    "dirona-actisense-serial.raw.gz",
    "susteranna-actisense-serial.raw.gz",
    "sample-single.raw.txt",
    "simulator2.raw",
  ]);
  test.each(real)("of %s", async (name) => {
    const file = new RecordingFile(realRecording(name), { clock: systemClock, log: memoryLog(), speed: 0 });
    const { faults, counts } = examined(await published(file.batches()));
    expect(faults.slice(0, 10)).toEqual([]);
    expect(counts.size).toBeGreaterThan(10);
  });

  test("of the identity", () => {
    const validate = validators.get("info")!;
    const payload = identityPayload({ version: "1.0.0", hostname: "boat", online: true, wall: Date.now() });
    expect(validate(JSON.parse(payload)), ajv.errorsText(validate.errors)).toBe(true);
  });
});
