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

export const acSources: readonly AcSource[] = [
  {
    name: "Shore power",
    lines: [
      { name: "Phase A", quantities: 65014, power: 65013 },
      { name: "Phase B", quantities: 65011, power: 65010 },
      { name: "Phase C", quantities: 65008, power: 65007 },
      { name: "In all", quantities: 65017, power: 65016 },
    ],
    energy: 65005,
  },
  {
    name: "Generator",
    lines: [
      { name: "Phase A", quantities: 65027, power: 65026 },
      { name: "Phase B", quantities: 65024, power: 65023 },
      { name: "Phase C", quantities: 65021, power: 65020 },
      { name: "In all", quantities: 65030, power: 65029 },
    ],
    energy: 65018,
  },
  {
    name: "AC bus",
    lines: [
      { name: "Phase A", quantities: 65003 },
      { name: "Phase B", quantities: 65002 },
      { name: "Phase C", quantities: 65001 },
      { name: "In all", quantities: 65004 },
    ],
  },
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
