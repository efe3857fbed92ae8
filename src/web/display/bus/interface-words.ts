/** The state of an interface or gateway in words. Pure. */
import type { InterfaceStatus } from "../../../core/report/interface-status.ts";

const stateNames: Readonly<Record<string, string>> = {
  "ERROR-ACTIVE": "All well",
  "ERROR-WARNING": "Some errors",
  "ERROR-PASSIVE": "Many errors",
  "BUS-OFF": "Off the bus",
  STOPPED: "Stopped",
  SLEEPING: "Asleep",
};

type State = Pick<InterfaceStatus, "state" | "up"> & { readonly gateway?: unknown };

/** Whether a CAN controller reports its state: only then the bus has counted errors and a bit rate. */
export const hasController = ({ state = "UNKNOWN" }: State): boolean => state !== "UNKNOWN";

/** The state in a word or two. */
export function stateName(status: State): string {
  const { state = "UNKNOWN", up, gateway } = status;
  if (hasController(status)) return stateNames[state] ?? state;
  if (gateway !== undefined) return up === true ? "Connected" : "Not connected";
  return "No controller";
}

/** The state as drivers call it, or the reason why there is no controller; undefined for a gateway. */
export function stateDetail(status: State): string | undefined {
  const { state = "UNKNOWN", up, gateway } = status;
  if (hasController(status)) return `${state} · ${up === true ? "up" : "down"}`;
  if (gateway !== undefined) return undefined;
  return up === true ? "a virtual interface, a recording or a simulation" : "down, or not there";
}
