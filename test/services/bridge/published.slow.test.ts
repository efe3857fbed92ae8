/** The messages of the bridge against their public schemas. */

import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { RecordingFile } from "../../../src/adapters/node/recording/recording-file.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { identityPayload } from "../../../src/core/topics/identity.ts";
import { topicSchemas } from "../../../src/core/topics/schemas.ts";
import { type Place, topicReader, topics } from "../../../src/core/topics/topics.ts";
import type { RecordingBatch } from "../../../src/formats/recording/record-writer.ts";
import { simulated } from "../../../src/services/simulation/traffic.ts";
import { memoryLog } from "../../support/memory/log.ts";
import type { MemoryPublisher } from "../../support/memory/publisher.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { present, realRecording } from "../../support/recordings.ts";

const ajv = new Ajv2020.default();
const validators = new Map(topicSchemas.map(({ id, schema }) => [id, ajv.compile(schema)]));

const placeOf = topicReader("can/can0");
const idOf = (place: Place): string =>
  place.topic === "pgn" ? `pgn-${place.pgn}` : place.topic.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const published = async (batches: AsyncIterable<RecordingBatch>): Promise<MemoryPublisher> => {
  const { bridge, publisher } = memoryBridge();
  const source = new ReassembledSource({ name: "replay", batches });
  for await (const batch of source.packets(bridge.fastPacketTable)) bridge.take(batch);
  bridge.finish();
  return publisher;
};

/** The faults of messages that are not what their schema says, and how many messages there were by topic. */
const examined = ({ messages }: MemoryPublisher): { faults: string[]; counts: Map<string, number> } => {
  const faults: string[] = [];
  const counts = new Map<string, number>();
  for (const { topic, payload, retain } of messages) {
    const place = placeOf(topic);
    if (payload === null) continue;
    if (place === undefined) {
      faults.push(`${topic} is no topic of the table`);
      continue;
    }
    const id = idOf(place);
    if (retain !== topics[place.topic].retain) faults.push(`${topic} is ${retain ? "" : "not "}retained`);
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
