/** Where electrical energy comes from and goes to, by the devices that measure it. */
import type { Definition, Message } from "../../../core/n2k/definition.ts";
import { acInputStatus, acOutputStatus, batteryStatus, dcDetailedStatus } from "../../../core/n2k/pgns/electrical.ts";
import { isImplausible } from "../../../core/n2k/plausible.ts";
import { isDead, messagesOf, messagesOfPgn, type DeviceMessage as Row } from "../data/store.ts";
import { acSources } from "./public-systems.ts";

export interface Flow {
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
}

export interface Energy {
  readonly sources: readonly Flow[];
  readonly batteries: readonly Flow[];
  readonly loads: readonly Flow[];
}

const product = (volts: number | undefined, amperes: number | undefined): number | undefined =>
  volts === undefined || amperes === undefined ? undefined : volts * amperes;

const flowOf = (row: Row<object>, watts: number | undefined, isComputed: boolean, now: number): readonly Flow[] =>
  // Any client of the broker may publish a text for a number.
  watts === undefined || !Number.isFinite(watts)
    ? []
    : [{ row: row as Flow["row"], watts, isComputed, isOld: isDead(row, now) }];

type Line = Message<typeof acInputStatus> | Message<typeof acOutputStatus>;

/** The power of a line, or else its product; an implausible power is not taken. */
function acFlow(row: Row<Line>, now: number): readonly Flow[] {
  const { pgn, line1RealPowerW: watts, line1VoltageV, line1CurrentA } = row.data;
  const isTaken = watts !== undefined && !isImplausible(pgn, "line1RealPowerW", row.data);
  return flowOf(row, isTaken ? watts : product(line1VoltageV, line1CurrentA), !isTaken, now);
}

/** Kinds of direct current that bring energy. */
const generators: ReadonlySet<unknown> = new Set(["Alternator", "Solar cell", "Wind generator"]);

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
      return flowOf((sum ?? ofDevice[0]!).row, watts, isComputed, now).map((flow) => ({ ...flow, name }));
    });
  });
}

export function energyNow(now: number): Energy {
  const direct = messagesOf(batteryStatus).flatMap((row) => {
    const watts = product(row.data.voltageV, row.data.currentA);
    const kind = kindOf(row);
    const isGenerator = generators.has(kind);
    const shown = isGenerator && watts !== undefined ? Math.abs(watts) : watts;
    return flowOf(row, shown, true, now).map((flow) => ({
      flow: isGenerator ? { ...flow, short: `${kind} ${row.data.instance ?? ""}` } : flow,
      isGenerator,
    }));
  });
  const of = (wanted: boolean): readonly Flow[] =>
    direct.filter(({ isGenerator }) => isGenerator === wanted).map(({ flow }) => flow);
  return {
    sources: [...messagesOf(acInputStatus).flatMap((row) => acFlow(row, now)), ...publicSources(now), ...of(true)],
    batteries: of(false),
    loads: messagesOf(acOutputStatus).flatMap((row) => acFlow(row, now)),
  };
}

/** The largest power that flows now, which gives the arrows their scale; 1 W at least. */
export const largestFlow = ({ sources, batteries, loads }: Energy): number =>
  [...sources, ...batteries, ...loads]
    .filter(({ isOld }) => !isOld)
    .reduce((most, { watts }) => Math.max(most, Math.abs(watts)), 1);
