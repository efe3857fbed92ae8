/** The units of reports and settings, with the words of their descriptions. */
export const unitWords = {
  "%": "percent",
  B: "bytes",
  MB: "megabytes",
  NM: "nautical miles",
  Pa: "Pa",
  V: "volts",
  "bit/s": "bits per second",
  deg: "degrees",
  "deg/min": "degrees per minute",
  "deg/s": "degrees per second",
  hPa: "hectopascals",
  kPa: "kilopascals",
  kn: "knots",
  m: "metres",
  "m/s": "m/s",
  min: "minutes",
  ms: "milliseconds",
  ns: "nanoseconds",
  s: "seconds",
  "°C": "degrees Celsius",
  "‰": "permille",
} as const;

export type ReportUnit = keyof typeof unitWords;
