/** An interface that is what it is told to be. */
import type { InterfaceMonitor } from "../../ports/interface-monitor.ts";
import type { InterfaceStatus } from "../../report/interface-status.ts";

export interface MemoryInterface extends InterfaceMonitor {
  /** Takes on a status; `index` as before unless given. */
  become(status: InterfaceStatus, index?: number): void;
  /** From now on every reading throws this; undefined: no longer. */
  fail(error: Error | undefined): void;
}

/** At first as given, with index 1. */
export function memoryInterface(status: InterfaceStatus): MemoryInterface {
  let now = { index: 1, status };
  let failure: Error | undefined;
  return {
    read() {
      if (failure) throw failure;
      return now;
    },
    become(next, index = now.index) {
      now = { index, status: next };
    },
    fail(error) {
      failure = error;
    },
  };
}
