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

interface State extends Pick<InterfaceStatus, "state" | "up"> {
  readonly interface?: string | undefined;
  readonly gateway?: unknown;
}

/** The names that hub-cand gives in place of an interface when it reads no bus. */
const substitutes: Readonly<Record<string, readonly [name: string, detail: string]>> = {
  simulation: ["Simulated boat", "no bus: the values are made up"],
  replay: ["Recording", "no bus: a recording is replayed"],
};

/** Whether a CAN controller reports its state: only then the bus has counted errors and a bit rate. */
export const hasController = ({ state = "UNKNOWN" }: State): boolean => state !== "UNKNOWN";

/** The state in a word or two. */
export function stateName(status: State): string {
  const { state = "UNKNOWN", up, gateway } = status;
  if (hasController(status)) return stateNames[state] ?? state;
  if (gateway !== undefined) return up === true ? "Connected" : "Not connected";
  return substituteOf(status)?.[0] ?? (up === true ? "Virtual interface" : "Not there");
}

/** The name of what hub-cand reads in place of a bus; undefined for a bus. */
export const substituteName = (status: Pick<State, "interface">): string | undefined => substituteOf(status)?.[0];

/** The name of the interface; undefined without a bus: what is read in place of one is the state already. */
export const interfaceName = (status: Pick<State, "interface">): string | undefined =>
  substituteOf(status) === undefined ? status.interface : undefined;

const substituteOf = ({ interface: name = "" }: Pick<State, "interface">) =>
  Object.hasOwn(substitutes, name) ? substitutes[name] : undefined;

/** The state as drivers call it, or the reason why there is no controller; undefined for a gateway. */
export function stateDetail(status: State): string | undefined {
  const { state = "UNKNOWN", up, gateway } = status;
  if (hasController(status)) return `${state} · ${up === true ? "up" : "down"}`;
  if (gateway !== undefined) return undefined;
  return (
    substituteOf(status)?.[1] ??
    (up === true ? "without a controller: no errors are counted" : "the interface is down, or no adapter is plugged in")
  );
}
