/** Time and distance until a battery or the fuel is empty, computed from what is measured now. */
import { daysText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";

interface Discharge {
  readonly stateOfChargePercent?: number | undefined;
  /** Ampere hours left, by the device. */
  readonly capacityRemainingAh?: number | undefined;
  /** Ampere hours of the full battery. */
  readonly capacityAh?: number | undefined;
  /** Negative while it discharges. */
  readonly currentA?: number | undefined;
}

/** Smaller currents are within the error of a shunt. */
const LEAST_AMPERES = 0.2;

/** Hours until the battery is empty at the present current; undefined while it is charged, or too little is known. */
export function hoursToGo(discharge: Discharge): number | undefined {
  const { stateOfChargePercent, capacityRemainingAh, capacityAh, currentA } = discharge;
  if (currentA === undefined || currentA > -LEAST_AMPERES) return undefined;
  const computed =
    stateOfChargePercent === undefined || capacityAh === undefined
      ? undefined
      : (stateOfChargePercent * capacityAh) / 100;
  const left = capacityRemainingAh ?? computed;
  return left === undefined || !Number.isFinite(left) ? undefined : left / -currentA;
}

/** Charge below which lead-acid batteries suffer, and lithium ones switch off. */
export const RESERVE_PERCENT = 20;

/** Hours until the charge is that of the reserve, 0 below it; undefined while it is charged, or too little is known. */
export function hoursToReserve(discharge: Discharge): number | undefined {
  const { stateOfChargePercent: charge } = discharge;
  const hours = hoursToGo(discharge);
  if (hours === undefined || charge === undefined || charge <= 0) return undefined;
  return (hours * Math.max(0, charge - RESERVE_PERCENT)) / charge;
}

/** A longer time tells nothing: the load will be another one. */
const LONGEST_HOURS = 24 * 30;

/** "6 h 20", "3.5 d"; "more than 30 d". */
export function hoursText(hours: number): string {
  if (hours > LONGEST_HOURS) return say("more than {duration}", { duration: daysText(LONGEST_HOURS / 24) });
  if (hours >= 48) return daysText((hours / 24).toFixed(1));
  const minutes = Math.round(hours * 60);
  return minutes < 60
    ? `${minutes}\u202fmin`
    : `${Math.floor(minutes / 60)}\u202fh ${String(minutes % 60).padStart(2, "0")}`;
}

/** Hours of a day's sail, also beyond two days: "6 h 20", "51 h". */
export const sailHoursText = (hours: number): string =>
  hours < 48 || hours > LONGEST_HOURS ? hoursText(hours) : `${Math.round(hours)}\u202fh`;

interface Consumption {
  readonly litres: number;
  readonly litresAnHour: number;
  /** Speed over ground; undefined while it is not known. */
  readonly knots: number | undefined;
}

/** Smaller rates are those of a standing engine. */
const LEAST_RATE = 0.1;

/** Hours and nautical miles until the tanks are empty at the present rate and speed; undefined while nothing is burnt. */
export function fuelLeft({ litres, litresAnHour, knots }: Consumption) {
  if (litresAnHour < LEAST_RATE || !Number.isFinite(litres + litresAnHour)) return undefined;
  const hours = litres / litresAnHour;
  return { hours, miles: knots === undefined ? undefined : hours * knots };
}
