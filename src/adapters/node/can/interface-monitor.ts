/** An interface of this system, as the kernel describes it. */
import type { InterfaceMonitor } from "../../../core/ports/interface-monitor.ts";
import { readInterface } from "./can-bus.ts";

/** Loads the addon at the first reading. */
export const interfaceMonitor = (name: string): InterfaceMonitor => ({
  read() {
    const link = readInterface(name);
    if (link === undefined) return { index: 0, status: { interface: name, state: "UNKNOWN", up: false } };
    const { index, state = "UNKNOWN", up, stats, config } = link;
    return {
      index,
      status: { interface: name, state, up, ...(stats && { stats }), ...(config && { config }) },
    };
  },
});
