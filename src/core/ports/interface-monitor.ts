/** Reads the status of a CAN interface at a moment. */
import type { InterfaceStatus } from "../report/interface-status.ts";

export interface InterfaceReading {
  /**
   * Number of the interface in the system; a changed number means another interface of the same name. 0 if there is
   * none.
   */
  readonly index: number;
  readonly status: InterfaceStatus;
}

export interface InterfaceMonitor {
  /** An absent interface is not up. Throws when the system does not answer. */
  read(): InterfaceReading;
  /**
   * Counts a packet that the bridge takes, by transport (`ports/packet-batch.ts`) and length; present if no interface
   * counts frames.
   */
  count?(transport: number, length: number): void;
}
