/** An interface of this system, as the kernel describes it. */
import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import type { InterfaceMonitor } from "../../../core/ports/interface-monitor.ts";
import { attempt } from "../../../core/util/attempt.ts";
import { readInterface } from "./can-bus.ts";

/** Drivers without a restart after BUS-OFF: kernels since 2025 refuse any other restart-ms than 0. */
const withoutRestart: readonly string[] = ["gs_usb"];

function canRestart(name: string): boolean {
  const driver = attempt(() => readlinkSync(`/sys/class/net/${name}/device/driver`));
  return driver === undefined || !withoutRestart.includes(basename(driver));
}

/** Loads the addon at the first reading. */
export const interfaceMonitor = (name: string): InterfaceMonitor => ({
  read() {
    const link = readInterface(name);
    if (link === undefined) return { index: 0, status: { interface: name, state: "UNKNOWN", up: false } };
    const { index, state = "UNKNOWN", up, stats } = link;
    const { restart_ms: _none, ...withoutIt } = link.config ?? {};
    const config = link.config?.restart_ms === 0 && !canRestart(name) ? withoutIt : link.config;
    return {
      index,
      status: { interface: name, state, up, ...(stats && { stats }), ...(config && { config }) },
    };
  },
});
