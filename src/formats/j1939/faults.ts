/** Bits of NMEA 2000 that faults of SAE J1939 set: those whose meaning is the same beyond doubt. */
import type { Message } from "../../core/n2k/definition.ts";
import type { activeTroubleCodes } from "../../core/n2k/j1939/diagnostics.ts";
import { aboveNormal, belowNormal } from "../../core/n2k/j1939/failure-modes.ts";
import { EngineStatus1, EngineStatus2, TransmissionStatus } from "../../core/n2k/lookups.ts";

type Faults = Message<typeof activeTroubleCodes>;
type Lamp = "amberWarningLamp" | "redStopLamp" | "malfunctionLamp";

/** Sets a bit if a value of these parameters is out of its range on this side. */
interface Rule<Name> {
  readonly bit: Name;
  readonly spns: readonly number[];
  readonly side: ReadonlySet<number>;
}

const low = <Name>(bit: Name, ...spns: number[]): Rule<Name> => ({ bit, spns, side: belowNormal });
const high = <Name>(bit: Name, ...spns: number[]): Rule<Name> => ({ bit, spns, side: aboveNormal });

const engineRules: readonly Rule<(typeof EngineStatus1)[number]>[] = [
  high("Over Temperature", 110),
  low("Low Oil Pressure", 100),
  low("Low Oil Level", 98),
  low("Low Fuel Pressure", 94),
  low("Low System Voltage", 158, 167, 168),
  low("Low Coolant Level", 111),
  high("Water In Fuel", 97),
  high("High Boost Pressure", 102, 1127),
  high("Rev Limit Exceeded", 190),
];

const transmissionRules: readonly Rule<(typeof TransmissionStatus)[number]>[] = [
  high("Over Temperature", 177),
  low("Low Oil Pressure", 127),
  low("Low Oil Level", 124),
];

const isOn = (faults: Faults, lamp: Lamp): boolean => faults[lamp] === "On";

/** The number with the bits of these names. */
const bitsOf = <Name>(names: readonly Name[], set: readonly Name[]): number =>
  set.reduce((bits, name) => bits | (1 << names.indexOf(name)), 0);

/** Numbers of codes of an older layout may be others. */
const namesBy = <Name>(rules: readonly Rule<Name>[], { faults = [] }: Faults): readonly Name[] =>
  rules
    .filter(({ spns, side }) =>
      faults.some(
        ({ spn, fmi, conversionMethod }) =>
          conversionMethod === 0 && spn !== undefined && fmi !== undefined && spns.includes(spn) && side.has(fmi),
      ),
    )
    .map(({ bit }) => bit);

export const engineStatus1 = (faults: Faults): number =>
  bitsOf(EngineStatus1, [
    ...(isOn(faults, "malfunctionLamp") ? (["Check Engine"] as const) : []),
    ...namesBy(engineRules, faults),
  ]);

export const engineStatus2 = (faults: Faults): number =>
  bitsOf(EngineStatus2, [
    ...(isOn(faults, "amberWarningLamp") ? (["Warning Level 1"] as const) : []),
    ...(isOn(faults, "redStopLamp") ? (["Warning Level 2"] as const) : []),
  ]);

/** The lamps of a transmission say only that something is wrong; those of an engine are about the engine. */
export const transmissionStatus = (faults: Faults, isItsOwn: boolean): number =>
  bitsOf(TransmissionStatus, [
    ...(isItsOwn && (isOn(faults, "amberWarningLamp") || isOn(faults, "redStopLamp"))
      ? (["Check Transmission"] as const)
      : []),
    ...namesBy(transmissionRules, faults),
  ]);
