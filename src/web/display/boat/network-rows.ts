/** The networks that the boat hears and those that the project names, as one list. Pure. */
import { networkOf } from "../../../core/can/networks.ts";
import { networkSettings, OWN_BROKER } from "../../../core/settings/networks.ts";
import type { DataOf } from "../../../core/topics/read-message.ts";
import { isTroubled, stateName, substituteName } from "../bus/interface-words.ts";

export type Mood = "good" | "waiting" | "bad";

export interface NetworkRow {
  /** As the settings or the command line name it; the first network has its interface or its gateway. */
  readonly network: string;
  /** Its number among the networks that are open; undefined: it is not open. */
  readonly number: number | undefined;
  readonly mood: Mood;
  /** The state in a word or two. */
  readonly state: string;
  /** Why, or what to do. */
  readonly reasons: readonly string[];
  /** Whether the edited project names it, so that it can be removed there. */
  readonly isNamed: boolean;
}

interface Known {
  /** The report of hub-cand about its networks; undefined while none has come. */
  readonly status: DataOf<"interface"> | undefined;
  /** The entries `networks` of the edited project and of what is deployed. */
  readonly edited: unknown;
  readonly deployed: unknown;
  /** Whether sensors are deployed: a broker is connected to for them alone. */
  readonly hasSensors: boolean;
  /** Parts of the deployed settings that hub-cand cannot use. */
  readonly ignored: readonly Ignored[];
}

/** A part of the deployed settings that hub-cand, perhaps of another version, cannot use. */
export type Ignored = NonNullable<DataOf<"health">["ignoredSettings"]>[number];

export const namedIn = (entry: unknown): readonly string[] => networkSettings.read(entry).settings.also;

type Status = Pick<DataOf<"interface">, "interface" | "state" | "up" | "gateway">;

const brokerState = (isUp: boolean | undefined): string => (isUp === true ? "Connected" : "Not connected");

function rowOf(status: Status, number: number, network = status.interface ?? ""): Omit<NetworkRow, "isNamed"> {
  const { up, gateway } = status;
  const isSubstitute = substituteName(status) !== undefined;
  return {
    ...{ network, number, state: network.startsWith(OWN_BROKER) ? brokerState(up) : stateName(status) },
    mood: isSubstitute || !isTroubled(status) ? "good" : "bad",
    reasons: isSubstitute
      ? ["networks of the settings are not listened to beside it"]
      : gateway?.reason === undefined
        ? []
        : [gateway.reason],
  };
}

export function networkRows({ status, edited, deployed, hasSensors, ignored }: Known): readonly NetworkRow[] {
  const [named, inForce] = [namedIn(edited), namedIn(deployed)];
  const open = (status?.networks ?? []).map((each) => {
    const { interface: network = "", firstAddr = 0 } = each;
    const isNamed = named.includes(network);
    const waits = { mood: "waiting", state: "Waits for sensors", reasons: ["add one below, and deploy it"] } as const;
    const isWaiting = network.startsWith(OWN_BROKER) && !hasSensors;
    const row = { ...rowOf(each, networkOf(firstAddr)), ...(isWaiting && waits), isNamed };
    if (isNamed) return row;
    const isRemoved = inForce.includes(network);
    const why = isRemoved ? "removed: deploy the change" : "an option of hub-cand, not one of the settings";
    return { ...row, reasons: [...row.reasons, why] };
  });
  const isOpen = (network: string): boolean => open.some((row) => row.network === network);
  const isSubstitute = status !== undefined && substituteName(status) !== undefined;
  const rest = named
    .filter((network) => !isOpen(network))
    .map((network): NetworkRow => {
      const row = { network, number: undefined, isNamed: true };
      if (!inForce.includes(network))
        return { ...row, mood: "waiting", state: "Not in force yet", reasons: ["deploy it"] };
      const refusal = ignored.find(({ entry, path }) => entry === networkSettings.name && path?.[1] === network);
      if (refusal !== undefined)
        return { ...row, mood: "bad", state: "Refused", reasons: [refusal.problem ?? refusal.reason] };
      if (isSubstitute)
        return {
          ...row,
          mood: "waiting",
          state: "Not listened to",
          reasons: ["not beside a simulation or a recording"],
        };
      if (status === undefined)
        return { ...row, mood: "waiting", state: "Not known", reasons: ["hub-cand is not heard"] };
      return { ...row, mood: "waiting", state: "Not open", reasons: ["hub-cand's log says why, if it stays so"] };
    });
  const first = status && { ...rowOf(status, 0, status.gateway?.source), isNamed: false };
  return [...(first === undefined ? [] : [first]), ...open, ...rest];
}
