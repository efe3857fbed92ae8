/**
 * Places on the page of systems for PGNs beyond the document: mains and lights. Pure. Their values have the names of
 * the reference of public PGNs, because only the bridge has the table of their definitions.
 */

/**
 * The messages of a source of alternating current (Maretron, J1939): of each line, voltages and power; the energy of
 * all.
 */
export interface AcSource {
  readonly name: string;
  readonly lines: readonly { readonly name: string; readonly quantities: number; readonly power?: number }[];
  readonly energy?: number;
}

const lineNames = ["Phase A", "Phase B", "Phase C", "In all"] as const;
const linesOf = (...pgns: readonly (readonly [quantities: number, power?: number])[]): AcSource["lines"] =>
  pgns.map(([quantities, power], at) => ({ name: lineNames[at]!, quantities, ...(power !== undefined && { power }) }));

export const acSources: readonly AcSource[] = [
  {
    name: "Shore power",
    lines: linesOf([65014, 65013], [65011, 65010], [65008, 65007], [65017, 65016]),
    energy: 65005,
  },
  { name: "Generator", lines: linesOf([65027, 65026], [65024, 65023], [65021, 65020], [65030, 65029]), energy: 65018 },
  { name: "AC bus", lines: linesOf([65003], [65002], [65001], [65004]) },
];

/** The PGNs of all messages of a source. */
export const pgnsOf = ({ lines, energy }: AcSource): readonly number[] =>
  [...lines.flatMap(({ quantities, power }) => [quantities, power]), energy].filter((pgn) => pgn !== undefined);

/** Lights by PGN: members that distinguish them, name them, and have the brightness in percent and the switch. */
export const lightPgns = {
  130561: { key: "zoneIndex", name: "zoneName", brightness: "intensity", state: "zoneEnabled" },
  130563: { key: "deviceId", name: "nameOfLightingDevice", brightness: "intensity", state: "enabled" },
  130939: { key: "zoneIndex", name: undefined, brightness: "intensity", state: "onOff" },
} as const;

/** Settings of chargers and inverters. */
export const CHARGER_CONFIGURATION = 127510;
export const INVERTER_CONFIGURATION = 127511;

/** The members that distinguish the messages of a PGN and device. */
export const publicKeys: ReadonlyMap<number, readonly string[]> = new Map([
  ...acSources.flatMap(pgnsOf).map((pgn): [number, readonly string[]] => [pgn, []]),
  ...Object.entries(lightPgns).map(([pgn, { key }]): [number, readonly string[]] => [Number(pgn), [key]]),
  [CHARGER_CONFIGURATION, ["instance", "batteryInstance"]],
  [INVERTER_CONFIGURATION, ["instance", "acInstance", "dcInstance"]],
]);
