/** Degrees, and numbers as the report shows them. Angles may come in by any number of turns. */

/** 0 up to, but not including, 360. */
export const bearing = (degrees: number): number => {
  // Nearly all angles are within a turn already, and a remainder of doubles is dear.
  const rest = degrees > -360 && degrees < 360 ? degrees : degrees % 360;
  const turned = rest < 0 ? rest + 360 : rest;
  // A tiny negative rest plus 360 is 360; adding zero makes -0 a zero.
  return turned === 360 ? 0 : turned + 0;
};

/** Above -180, up to 180: off the bow, starboard positive. */
export const relative = (degrees: number): number => {
  const turned = bearing(degrees);
  return turned > 180 ? turned - 360 : turned;
};

/** 10 to the power of so many decimals. */
export const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7] as const;
export type Decimals = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** Rounded to so many decimals; never -0. */
export const rounded = (value: number, decimals: Decimals): number => {
  const power = POWERS[decimals];
  return Math.round(value * power) / power + 0;
};

/** A direction with one decimal, 0 up to 359.9. */
export const roundedBearing = (degrees: number): number => {
  const direction = rounded(bearing(degrees), 1);
  return direction === 360 ? 0 : direction;
};

/** An angle off the bow with one decimal, -179.9 up to 180. */
export const roundedRelative = (degrees: number): number => {
  const angle = rounded(relative(degrees), 1);
  return angle === -180 ? 180 : angle;
};

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;
export const degrees = (radians: number): number => (radians * 180) / Math.PI;
