/** A bridge whose ports are in memory, for tests of what it publishes. */

import { FrameCounter } from "../../src/formats/recording/frame-counter.ts";
import { type Bridge, createBridge } from "../../src/services/bridge/bridge.ts";
import type { BridgeOptions } from "../../src/services/bridge/options.ts";
import type { PartRow } from "../../src/services/bridge/part.ts";
import { partsOf } from "../../src/services/bridge/parts.ts";
import { type MemoryLog, memoryLog } from "./memory/log.ts";
import { type MemoryPublisher, memoryPublisher } from "./memory/publisher.ts";

export interface MemoryBridge {
  readonly bridge: Bridge;
  readonly publisher: MemoryPublisher;
  readonly log: MemoryLog;
}

export type MemoryBridgeOptions = Partial<Omit<BridgeOptions, "publisher" | "log"> & Pick<MemoryBridge, "publisher">>;

/** A bridge as hub-cand builds it, on a bus without an interface; `change` may replace its parts. */
export function memoryBridge(
  { publisher = memoryPublisher(), ...given }: MemoryBridgeOptions = {},
  change: (rows: readonly PartRow[]) => readonly PartRow[] = (rows) => rows,
): MemoryBridge {
  const log = memoryLog();
  const options = { prefix: "can/can0", monitor: new FrameCounter("replay"), ...given, publisher, log };
  return { bridge: createBridge(options, change(partsOf(options))), publisher, log };
}
