/** The options that hub-cand makes the bridge with. */
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ReassembledSource } from "../../src/adapters/node/can/reassembled-source.ts";
import { encoderOf } from "../../src/core/n2k/encode.ts";
import { systemTime } from "../../src/core/n2k/pgns/gnss.ts";
import type { NavigationReport } from "../../src/core/nav/navigation-report.ts";
import type { HubCandSettings } from "../../src/daemons/hub-cand-options.ts";
import { type GatewayAddress, readGatewayUrl } from "../../src/formats/gateway/table.ts";
import { createBursts } from "../services/bridge/bursts.ts";
import { memoryLog } from "../support/memory/log.ts";
import { memoryPublisher } from "../support/memory/publisher.ts";

const built = Date.UTC(2026, 10, 21);
// A build writes it in.
// The time of the build is read when its module is loaded, which the tests of another file may have done in this process.
beforeAll(() => {
  process.env.HUB_BUILT = String(built / 1000);
  vi.resetModules();
});
afterAll(() => {
  delete process.env.HUB_BUILT;
  vi.resetModules();
});

test.each<[HubCandSettings["source"], boolean]>([
  [{ kind: "bus" }, false],
  [{ kind: "gateway", address: readGatewayUrl("candump+tcp://127.0.0.1:1") as GatewayAddress }, false],
  [{ kind: "simulation", from: 0 }, true],
  [{ kind: "replay", file: "-", speed: 0 }, true],
])("a date before the build, from %j, is believed as it is: %s", async (source, isBelieved) => {
  const { openBridge } = await import("../../src/daemons/hub-cand-parts.ts");
  const settings = { prefix: "can/can0", interface: "can0", source, publishUnknown: false } as HubCandSettings;
  const publisher = memoryPublisher();
  const packets = new ReassembledSource({ name: "replay", batches: Readable.from([]) });
  const bridge = await openBridge(settings, {
    source: packets,
    publisher,
    recorder: undefined,
    frameServer: undefined,
    disks: undefined,
    log: memoryLog(),
  });
  const payload = encoderOf(systemTime)({ pgn: systemTime.pgn, source: 0, date: 20_778 - 1024 * 7, time: 29_666.9 });
  bridge.take(createBursts(built)([{ pgn: systemTime.pgn, hex: Buffer.from(payload).toString("hex") }]));
  bridge.advance(1000, built + 1000);
  const report = publisher.payloads("can/can0/navigation").at(-1) as NavigationReport;
  expect(report.data.date?.source?.correctedDays === undefined).toBe(isBelieved);
});
