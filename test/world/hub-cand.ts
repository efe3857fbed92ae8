/** hub-cand in a world: the bridge with every part that the daemon builds, on the ports of the world. */
import { readFileSync } from "node:fs";
import { worldMagneticModel } from "../../src/adapters/node/magnetic-model.ts";
import { publicPgns } from "../../src/core/n2k/public-pgns.ts";
import type { FrameSender } from "../../src/core/ports/frame-sender.ts";
import type { InterfaceMonitor } from "../../src/core/ports/interface-monitor.ts";
import { noCounts } from "../../src/core/ports/packet-source.ts";
import type { Publisher } from "../../src/core/ports/publisher.ts";
import type { InterfaceStatus } from "../../src/core/report/interface-status.ts";
import { type Bridge, createBridge } from "../../src/services/bridge/bridge.ts";
import { memoryInterface } from "../support/memory/interface-monitor.ts";
import { type MemoryLog, memoryLog } from "../support/memory/log.ts";

export const PREFIX = "can/can0";
export const INTERFACE = "can0";
export const VERSION = "1.0.0";
export const LANE_SECONDS = 5;

const magneticModel = await worldMagneticModel();
const table = publicPgns(readFileSync("dist/public-pgns.txt", "latin1"));

export const statusOf = (name: string, isUp: boolean): InterfaceStatus =>
  isUp
    ? { interface: name, up: true, state: "ERROR-ACTIVE", config: { bitrate: 250_000 } }
    : { interface: name, up: false, state: "BUS-OFF" };

export interface BridgePorts {
  readonly publisher: Publisher;
  readonly monitor: InterfaceMonitor;
  readonly sender: FrameSender;
  readonly log: MemoryLog;
}

/** The one place where a world makes a bridge. */
export const makeBridge = ({ publisher, monitor, sender, log }: BridgePorts): Bridge =>
  createBridge({
    prefix: PREFIX,
    publisher,
    log,
    monitor,
    lanes: [LANE_SECONDS],
    allPgns: true,
    publicPgns: () => table,
    unknown: true,
    disk: () => ({ path: "/", freeBytes: 1e10 }),
    layouts: true,
    findings: true,
    magneticModel,
    notBefore: Date.UTC(2026, 0, 1),
    vitals: {
      bus: () => noCounts,
      machine: () => ({ publishRefused: 0, dropped: publisher.counters().dropped, backlogBytes: 0, memoryBytes: 5e7 }),
    },
    node: { sender, uniqueNumber: 4711, softwareVersion: VERSION },
    homeAssistant: { prefix: "homeassistant", interface: INTERFACE, version: VERSION, hostname: "boat" },
  });

export { memoryInterface, memoryLog };
