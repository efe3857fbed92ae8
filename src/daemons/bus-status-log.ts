/** Logs the status of a CAN interface: every change of its state, and once the size of the kernel's receive buffer. */
import type { BusStatus } from "../adapters/node/can/can-bus.ts";
import type { Log } from "../core/ports/log.ts";

/** @example openCanBus("can0", table, { onStatus: busStatusLog("can0", log) }) */
export function busStatusLog(interfaceName: string, log: Log): (status: BusStatus) => void {
  let hasLoggedBuffer = false;

  const logBuffer = ({ receiveBufferBytes: bytes, wantedReceiveBufferBytes: wanted = 0 }: BusStatus): void => {
    if (hasLoggedBuffer || bytes === undefined) return;
    hasLoggedBuffer = true;
    if (bytes >= wanted) log.info("the kernel's receive buffer", { interface: interfaceName, bytes });
    else
      log.warn("the kernel's receive buffer is smaller than requested", {
        code: "RECEIVE_BUFFER_SMALL",
        interface: interfaceName,
        bytes,
        wanted,
        limit: "net.core.rmem_max",
      });
  };

  return (status) => {
    const { state, reason = "" } = status;
    if (state === "up") log.info("listening", { interface: interfaceName });
    else if (state === "down")
      log.warn("the interface is down, waiting for it", { code: "INTERFACE_DOWN", interface: interfaceName });
    else if (state === "absent")
      log.warn("cannot listen to the interface, trying every second", {
        code: "INTERFACE_UNUSABLE",
        interface: interfaceName,
        reason,
      });
    logBuffer(status);
  };
}
