/** Angles in degrees. Arguments may lie any number of turns away from the ranges of the results. */

/** 0 up to, but not including, 360. */
export const bearing = (degrees: number): number => {
  // Nearly all angles are within a turn already, and a remainder of doubles is slow.
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

/** A direction in tenths of a degree, 0 to 3599. */
export const bearingTenths = (degrees: number): number => Math.round(bearing(degrees) * 10) % 3600;

/** An angle off the bow in tenths of a degree, -1799 to 1800. */
export const relativeTenths = (degrees: number): number => {
  const tenths = Math.round(relative(degrees) * 10);
  return tenths === -1800 ? 1800 : tenths;
};

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;
export const degrees = (radians: number): number => (radians * 180) / Math.PI;
