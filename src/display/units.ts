/** Number formats of the instruments: units, decimals, coordinates. Pure. */

export type DepthUnit = "m" | "ft";
export type WindUnit = "kn" | "m/s";

const FEET = 1 / 0.3048;
const METRES_PER_SECOND = 1852 / 3600;

export const depthIn = (unit: DepthUnit, metres: number): number => (unit === "ft" ? metres * FEET : metres);
export const windIn = (unit: WindUnit, knots: number): number => (unit === "m/s" ? knots * METRES_PER_SECOND : knots);

/** One decimal below 100: 4.2, 15.3, 104. */
export const tenths = (value: number): string => (Math.abs(value) < 99.95 ? value.toFixed(1) : value.toFixed(0));

/** Three digits, 000 to 359: 007, 295. */
export const bearingText = (degrees: number): string =>
  String(Math.round(((degrees % 360) + 360) % 360) % 360).padStart(3, "0");

/** An angle off the bow without its side, 0 to 180. */
export const offBow = (degrees: number): string => String(Math.round(Math.abs(degrees)));

/** Side of an angle off the bow; undefined dead ahead and astern. */
export const sideOf = (degrees: number): "port" | "starboard" | undefined => {
  const whole = Math.round(degrees);
  return whole === 0 || Math.abs(whole) === 180 ? undefined : whole < 0 ? "port" : "starboard";
};

/** Degrees and minutes with three decimals (2 m): 53° 18.335′ N. */
export function coordinateText(degrees: number, axis: "latitude" | "longitude"): string {
  // Rounded before it is split, so that 59.9996 minutes become the next degree, not 60.000.
  const thousandths = Math.round(Math.abs(degrees) * 60_000);
  const whole = String(Math.floor(thousandths / 60_000)).padStart(axis === "latitude" ? 2 : 3, "0");
  const minutes = ((thousandths % 60_000) / 1000).toFixed(3).padStart(6, "0");
  const letter = axis === "latitude" ? (degrees < 0 ? "S" : "N") : degrees < 0 ? "W" : "E";
  return `${whole}° ${minutes}′ ${letter}`;
}

/** Minutes as text: 4:30, 1 h 05. */
export function minutesText(minutes: number): string {
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(Math.floor(minutes % 60)).padStart(2, "0")}`;
  const seconds = Math.round(minutes * 60);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Counts with thin spaces between thousands: 18 520 061. */
export const countText = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
