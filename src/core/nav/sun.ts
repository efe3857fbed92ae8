/**
 * Day and night by the sun. The formulas are those of "General Solar Position Calculations" of NOAA's Global Monitoring
 * Division: Fourier series of the equation of time and of the declination, good for about a minute.
 */

const DAY_MS = 86_400_000;
const RADIANS = Math.PI / 180;
/** Elevation of the sun's centre at sunrise and sunset: refraction at the horizon and the radius of the disc. */
const HORIZON_SINE = Math.sin(-0.833 * RADIANS);

/** Whether the sun is down at a place, degrees, and a time, milliseconds since 1970. */
export function isNight(latitude: number, longitude: number, time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  const [newYear, nextYear] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
  /** The fraction of the year, radians. */
  const g = (2 * Math.PI * (time - newYear - DAY_MS / 2)) / (nextYear - newYear);
  const minutesAhead =
    229.18 *
    (0.000075 +
      0.001868 * Math.cos(g) -
      0.032077 * Math.sin(g) -
      0.014615 * Math.cos(2 * g) -
      0.040849 * Math.sin(2 * g));
  const declination =
    0.006918 -
    0.399912 * Math.cos(g) +
    0.070257 * Math.sin(g) -
    0.006758 * Math.cos(2 * g) +
    0.000907 * Math.sin(2 * g) -
    0.002697 * Math.cos(3 * g) +
    0.00148 * Math.sin(3 * g);
  const solarDegrees = ((time % DAY_MS) / DAY_MS) * 360 + minutesAhead / 4 + longitude;
  const hourAngle = (solarDegrees - 180) * RADIANS;
  const north = latitude * RADIANS;
  const sine = Math.sin(north) * Math.sin(declination) + Math.cos(north) * Math.cos(declination) * Math.cos(hourAngle);
  return sine < HORIZON_SINE;
}

const HOUR_MS = 3_600_000;

/**
 * Whether the sun has risen or set between two times, or a day has passed, which at the poles has neither. The second
 * time may be a little earlier, by another clock.
 */
export function hasTurned(latitude: number, longitude: number, from: number, to: number): boolean {
  if (to - from > DAY_MS || from - to > HOUR_MS) return true;
  const now = isNight(latitude, longitude, to);
  for (let time = from; time < to; time += HOUR_MS / 4) if (isNight(latitude, longitude, time) !== now) return true;
  return false;
}
