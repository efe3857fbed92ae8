/**
 * Implausible values: a sender's unit that is a thousand times too small, all ones in a signed field, a tank of no
 * litres. They are published as received, and readers mark them as implausible. Pure functions.
 */
import { acInputStatus, acOutputStatus, batteryStatus, dcDetailedStatus, fluidLevel } from "./pgns/electrical.ts";
import { temperature, temperatureExtendedRange } from "./pgns/environment.ts";
import { engineParametersDynamic, transmissionParametersDynamic } from "./pgns/propulsion.ts";
import { crossTrackError } from "./pgns/route.ts";

type Data = Readonly<Record<string, unknown>>;

/** Whether the value of a member is implausible, given the other members of its message. */
type CannotBe = (value: number, data: Data) => boolean;

const outside =
  (lowest: number, highest: number): CannotBe =>
  (value) =>
    value < lowest || value > highest;

const isNegative: CannotBe = (value) => value < 0;

/** Limit of power as a multiple of the product of volts and amperes, with room for their rounding. */
const POWER_MARGIN = 1.5;
const POWER_ROUNDING_W = 50;

/** Power is at most the product of voltage and current. */
export const exceedsVoltAmperes = (watts: number, volts: number | undefined, amperes: number | undefined): boolean =>
  volts !== undefined &&
  amperes !== undefined &&
  Math.abs(watts) > POWER_MARGIN * Math.abs(volts * amperes) + POWER_ROUNDING_W;

const numberIn = (data: Data, name: string): number | undefined =>
  typeof data[name] === "number" ? data[name] : undefined;

const lineOne: Readonly<Record<string, CannotBe>> = {
  line1RealPowerW: (watts, data) =>
    exceedsVoltAmperes(watts, numberIn(data, "line1VoltageV"), numberIn(data, "line1CurrentA")),
};

/** Possible temperatures of the water around a boat. */
export const waterCelsius = [-3, 45] as const;
/** The coldest and the hottest air ever measured at sea level, with a margin for the sun. */
export const airCelsius = [-60, 65] as const;

/** Possible degrees Celsius by the place of a sensor. */
const rooms: Readonly<Record<string, readonly [number, number]>> = {
  "Sea Temperature": waterCelsius,
  "Outside Temperature": airCelsius,
  "Inside Temperature": airCelsius,
  "Main Cabin Temperature": airCelsius,
};

const ofRoom: CannotBe = (value, { source }) => {
  const [lowest, highest] = rooms[String(source)] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return value < lowest || value > highest;
};

const HALF_AROUND_THE_EARTH_M = 10_800 * 1852;

const hasNoLitres: CannotBe = (_, { capacityLiters }) => capacityLiters === 0;

/** Rules by PGN and member: values beyond those of any boat, engine, battery or weather. */
const rules: ReadonlyMap<number, Readonly<Record<string, CannotBe>>> = new Map<number, Record<string, CannotBe>>([
  [
    engineParametersDynamic.pgn,
    {
      fuelRateLh: isNegative,
      loadPercent: isNegative,
      coolantTempC: outside(-60, 200),
      oilTempC: outside(-40, 250),
    },
  ],
  [transmissionParametersDynamic.pgn, { oilTempC: outside(-40, 250) }],
  // No battery survives beyond these.
  [batteryStatus.pgn, { voltageV: outside(0, 300), temperatureC: outside(-40, 100) }],
  [dcDetailedStatus.pgn, { stateOfChargePercent: outside(0, 100), stateOfHealthPercent: outside(0, 110) }],
  [
    fluidLevel.pgn,
    { capacityLiters: hasNoLitres, levelPercent: (value, data) => value > 110 || hasNoLitres(value, data) },
  ],
  [acInputStatus.pgn, lineOne],
  [acOutputStatus.pgn, lineOne],
  [temperature.pgn, { actualTempC: ofRoom }],
  [temperatureExtendedRange.pgn, { actualTempC: ofRoom }],
  [crossTrackError.pgn, { xte: outside(-HALF_AROUND_THE_EARTH_M, HALF_AROUND_THE_EARTH_M) }],
]);

/** Whether the value of a member of a message is implausible. */
export function isImplausible(pgn: number, member: string, data: Data): boolean {
  const value = data[member];
  return typeof value === "number" && rules.get(pgn)?.[member]?.(value, data) === true;
}
