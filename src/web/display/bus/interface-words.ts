/** The state of an interface or gateway in words. Pure. */
import type { InterfaceStatus } from "../../../core/report/interface-status.ts";
import type { PlainText } from "../languages/texts.ts";

interface StateOfController {
  readonly name: PlainText;
  /** Messages may be lost, or none come. */
  readonly isTroubled?: true;
}

const statesOfController: Readonly<Partial<Record<NonNullable<InterfaceStatus["state"]>, StateOfController>>> = {
  "ERROR-ACTIVE": { name: "All well" },
  "ERROR-WARNING": { name: "Some errors" },
  "ERROR-PASSIVE": { name: "Many errors", isTroubled: true },
  "BUS-OFF": { name: "Off the bus", isTroubled: true },
  STOPPED: { name: "Stopped", isTroubled: true },
  SLEEPING: { name: "Asleep" },
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

/** Whether messages may be lost, by what the interface, its controller or the gateway reports. */
export const isTroubled = ({ state = "UNKNOWN", up }: State): boolean =>
  up === false || (statesOfController[state]?.isTroubled ?? false);

/** The state in a word or two. */
export function stateName(status: State): string {
  const { state = "UNKNOWN", up, gateway } = status;
  if (hasController(status)) return statesOfController[state]?.name ?? state;
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
