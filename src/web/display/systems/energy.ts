/** Where electrical energy comes from and goes to, by the devices that measure it. */
import type { Definition, Message } from "../../../core/n2k/definition.ts";
import {
  acInputStatus,
  acOutputStatus,
  batteryConfigurationStatus,
  batteryStatus,
  dcDetailedStatus,
} from "../../../core/n2k/pgns/electrical.ts";
import { isImplausible } from "../../../core/n2k/plausible.ts";
import { ANY_AGE, isCounted, isDead, messagesOf, messagesOfPgn } from "../data/device-messages.ts";
import type { DeviceMessage as Row } from "../data/store.ts";
import { said } from "../languages/say.ts";
import { companionOf } from "./companion.ts";
import { hoursToReserve } from "./endurance.ts";
import { acSources } from "./public-systems.ts";

/** The kind of a flow, which has its own symbol. */
export type FlowKind = "shore" | "generator" | "solar" | "alternator" | "wind" | "battery" | "load";

export interface Flow {
  readonly kind: FlowKind;
  readonly row: Row<Message<Definition>>;
  /** Name of a source whose messages name no thing. */
  readonly name?: string;
  /** Replaces the kind of a thing: "Solar cell 1", not "Battery 1". */
  readonly short?: string;
  /** Into the boat or, for a battery, into the battery; negative out of it. */
  readonly watts: number;
  /** From voltage and current, because no power is sent. */
  readonly isComputed: boolean;
  readonly isOld: boolean;
  /** Of a battery, where it is known and not old. */
  readonly chargePercent?: number;
  /** Hours until the reserve is reached, while it discharges. */
  readonly reserveHours?: number;
}

export interface Energy {
  readonly sources: readonly Flow[];
  readonly batteries: readonly Flow[];
  readonly loads: readonly Flow[];
}

const product = (volts: number | undefined, amperes: number | undefined): number | undefined =>
  volts === undefined || amperes === undefined ? undefined : volts * amperes;

interface Measured {
  readonly kind: FlowKind;
  readonly row: Row<object>;
  readonly watts: number | undefined;
  readonly isComputed: boolean;
}

const flowOf = ({ kind, row, watts, isComputed }: Measured, now: number): readonly Flow[] =>
  // Any client of the broker may publish a text for a number.
  watts === undefined || !Number.isFinite(watts)
    ? []
    : [{ kind, row: row as Flow["row"], watts, isComputed, isOld: isDead(row, now) }];

type Line = Message<typeof acInputStatus> | Message<typeof acOutputStatus>;

/** The power of a line, or else its product; an implausible power is not taken. */
function acFlow(kind: FlowKind, row: Row<Line>, now: number): readonly Flow[] {
  const { pgn, line1RealPowerW: watts, line1VoltageV, line1CurrentA } = row.data;
  const isTaken = watts !== undefined && !isImplausible(pgn, "line1RealPowerW", row.data);
  const taken = isTaken ? watts : product(line1VoltageV, line1CurrentA);
  return flowOf({ kind, row, watts: taken, isComputed: !isTaken }, now);
}

/** Kinds of direct current that bring energy. */
const generators: ReadonlyMap<unknown, FlowKind> = new Map([
  ["Alternator", "alternator"],
  ["Solar cell", "solar"],
  ["Wind generator", "wind"],
]);

/** The kind of an instance at a device, by its detailed status. */
const kindOf = ({ address, data: { instance } }: Row<Message<typeof batteryStatus>>): unknown =>
  messagesOf(dcDetailedStatus).find((row) => row.address === address && row.data.instance === instance)?.data.dcType;

/** Shore and generator as public messages have them: the power of all phases, or else the sum of those sent. */
function publicSources(now: number): readonly Flow[] {
  return acSources.flatMap(({ name, lines }) => {
    const all = lines.flatMap(({ power, name: line }) =>
      (power === undefined ? [] : messagesOfPgn(power)).flatMap((row) => {
        const { realPowerW: watts } = row.data;
        return typeof watts === "number" ? [{ row, watts, isSum: line === "In all" }] : [];
      }),
    );
    return [...new Set(all.map(({ row }) => row.address))].flatMap((address) => {
      const ofDevice = all.filter(({ row }) => row.address === address);
      const sum = ofDevice.find(({ isSum }) => isSum);
      const watts = sum?.watts ?? ofDevice.reduce((total, one) => total + one.watts, 0);
      const isComputed = sum === undefined && ofDevice.length > 1;
      const kind = name === "Generator" ? "generator" : "shore";
      const { row } = sum ?? ofDevice.find((one) => isDead(one.row, now)) ?? ofDevice[0]!;
      return flowOf({ kind, row, watts, isComputed }, now).map((flow) => ({
        ...flow,
        name,
      }));
    });
  });
}

type BatteryRow = Row<Message<typeof batteryStatus>>;

const instanceOf = ({ instance }: { readonly instance?: number | undefined }): unknown => instance;

/** The charge of a battery, and the hours until its reserve. */
function chargeOf(row: BatteryRow, now: number): Pick<Flow, "chargePercent" | "reserveHours"> {
  const all = messagesOf(batteryStatus);
  const detailed = companionOf(row, all, messagesOf(dcDetailedStatus), instanceOf, instanceOf);
  const set = companionOf(row, all, messagesOf(batteryConfigurationStatus, ANY_AGE), instanceOf, instanceOf);
  if (detailed === undefined || isDead(detailed, now) || isDead(row, now)) return {};
  const { currentA } = row.data;
  const { stateOfChargePercent: chargePercent } = detailed.data;
  // Any client of the broker may publish a text for a number.
  if (typeof chargePercent !== "number") return {};
  const isLost = ![row, detailed].every((each) => isCounted(each, now));
  const reserveHours = isLost
    ? undefined
    : hoursToReserve({ ...detailed.data, capacityAh: set?.data.capacityAh, currentA });
  return { chargePercent, ...(reserveHours !== undefined && { reserveHours }) };
}

function directFlows(row: BatteryRow, now: number): readonly Flow[] {
  const watts = product(row.data.voltageV, row.data.currentA);
  const dcType = kindOf(row);
  const kind = generators.get(dcType);
  if (kind === undefined)
    return flowOf({ kind: "battery", row, watts, isComputed: true }, now).map((flow) => ({
      ...flow,
      ...chargeOf(row, now),
    }));
  const given = watts === undefined ? undefined : Math.abs(watts);
  const short = `${said(String(dcType))} ${row.data.instance ?? ""}`;
  return flowOf({ kind, row, watts: given, isComputed: true }, now).map((flow) => ({ ...flow, short }));
}

export function energyNow(now: number): Energy {
  const direct = messagesOf(batteryStatus).flatMap((row) => directFlows(row, now));
  return {
    sources: [
      ...messagesOf(acInputStatus).flatMap((row) => acFlow("shore", row, now)),
      ...publicSources(now),
      ...direct.filter(({ kind }) => kind !== "battery"),
    ],
    batteries: direct.filter(({ kind }) => kind === "battery"),
    loads: messagesOf(acOutputStatus).flatMap((row) => acFlow("load", row, now)),
  };
}

/** The largest power that flows now, which gives the arrows their scale; 1 W at least. */
export const largestFlow = ({ sources, batteries, loads }: Energy): number =>
  [...sources, ...batteries, ...loads]
    .filter(({ isOld }) => !isOld)
    .reduce((most, { watts }) => Math.max(most, Math.abs(watts)), 1);
