/** An hour of the simulated voyage raises the alarms of three ships that come close, and nothing else. */
import { expect, test } from "vitest";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { memoryPublisher } from "../../src/adapters/memory/publisher.ts";
import { ReassembledSource } from "../../src/adapters/node/can/reassembled-source.ts";
import type { AlarmsData } from "../../src/alarms/report.ts";
import { Bridge } from "../../src/bridge/bridge.ts";
import { FrameCounter } from "../../src/recording/frame-counter.ts";
import { simulated } from "../../src/simulation/traffic.ts";
import { size } from "../size.ts";

const closeShips = ["cpa-111299501", "cpa-299001100", "cpa-299002100"];

test("an hour of the simulated voyage", async () => {
  const publisher = memoryPublisher();
  const bridge = new Bridge({
    prefix: "can/can0",
    monitor: new FrameCounter("simulation"),
    publisher,
    log: memoryLog(),
  });
  async function* voyage() {
    yield* simulated(size(900_000, 3_600_000), Date.UTC(2026, 10, 21));
  }
  const raised = new Set<string>();
  const source = new ReassembledSource({ name: "simulation", batches: voyage() });
  for await (const batch of source.packets(bridge.fastPacketTable)) {
    bridge.take(batch);
    for (const message of publisher.payloads("can/can0/alarms"))
      for (const { id, text = "" } of (message as { readonly data: AlarmsData }).data.alarms)
        raised.add(`${id} ${text}`.trim());
    publisher.clear();
  }
  const others = [...raised].filter((each) => !closeShips.includes(each));
  expect(others).toEqual([]);
  expect(raised.size).toBeGreaterThan(0);
});
