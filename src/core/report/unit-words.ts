/** The units that the descriptions of reports name in words: "degrees per second, starboard positive". */

/** Words with which a description or one of its parts begins; longer ones first. */
const words = [
  ["degrees per second", "deg/s"],
  ["degrees per minute", "deg/min"],
  ["degrees", "deg"],
  ["nautical miles", "NM"],
  ["metres", "m"],
  ["knots", "kn"],
  ["m/s", "m/s"],
  ["Pa", "Pa"],
  ["°C", "°C"],
  ["Unix time in seconds", "s"],
  ["seconds", "s"],
  ["minutes", "min"],
  ["milliseconds", "ms"],
  ["nanoseconds", "ns"],
  ["percent", "%"],
  ["permille", "‰"],
  ["bits per second", "bit/s"],
  ["bytes", "B"],
] as const;

export type WordedUnit = (typeof words)[number][1];

/** The unit in a description; undefined if it names none. */
export function unitInWords(description: string): WordedUnit | undefined {
  const parts = description.split(/[,;] /);
  return words.find(([text]) => parts.some((part) => part === text || part.startsWith(`${text} `)))?.[1];
}
