/** An interface whose status a test sets. */
import type { InterfaceMonitor } from "../../../src/core/ports/interface-monitor.ts";
import type { InterfaceStatus } from "../../../src/core/report/interface-status.ts";

export interface MemoryInterface extends InterfaceMonitor {
  /** Sets the status; the index stays unless it is given. */
  become(status: InterfaceStatus, index?: number): void;
  /** Makes every reading throw this error from now on; undefined ends that. */
  fail(error: Error | undefined): void;
}

/** `status` is the first status, with index 1. */
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
