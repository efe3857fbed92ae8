/**
 * Magnetic variation by a model of the Earth's field, at a place and at `wall` milliseconds since 1970: degrees, east
 * positive, and the name of the model ("WMM 2025"). Undefined where no model is valid.
 */
export type MagneticModel = (
  latitude: number,
  longitude: number,
  wall: number,
) => { readonly degrees: number; readonly model: string } | undefined;
