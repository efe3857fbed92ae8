/**
 * Measurements of XDR: groups of type, value, unit and name. The names of engines, tanks and batteries are those of
 * NMEA 0183 4.11; air temperature, air pressure, pitch and roll have the names by which chart programs know them.
 */
import { placeOfTemperature } from "../../core/n2k/lookups.ts";
import {
  celsius,
  choice,
  constant,
  decimal,
  type Field,
  framed,
  type Lookup,
  MAX_SENTENCE_LENGTH,
  type Member,
  plain,
  type Source,
} from "./sentence.ts";

/** Types with their unit. */
const types = {
  temperature: ["C", "C"],
  pascals: ["P", "P"],
  bars: ["P", "B"],
  voltage: ["U", "V"],
  current: ["I", "A"],
  rpm: ["T", "R"],
  level: ["E", "P"],
  angle: ["A", "D"],
  humidity: ["H", "P"],
  // The name says what the type means.
  hours: ["G", ""],
} as const;

interface Transducer {
  readonly type: keyof typeof types;
  readonly source: Source;
  readonly value: Field;
  readonly name: Field;
  /** Added after the crew's name if the type does not distinguish the measurement from others of the same thing. */
  readonly part: string | undefined;
}

/** The transducers of a message, and their interval. */
export interface TransducerGroup {
  readonly on: "navigation" | number;
  /** A second if absent. */
  readonly everyMs?: number;
  readonly transducers: readonly Transducer[];
  /** Measurements of the boat itself, which apps recognize by their names. */
  readonly isOfBoat?: true;
}

function measured(
  type: Transducer["type"],
  source: Source,
  transducerName: Field,
  { decimals = 1, times = 1, part }: { decimals?: number; times?: number; part?: string } = {},
): Transducer {
  const value = decimal(decimals, type === "temperature" ? celsius(source) : source, { times });
  return { type, source, name: transducerName, value, part };
}

const numbered = (transducerName: string, instance: Member): Field =>
  choice([instance], (number) => `${transducerName}#${countOf(number)}`);

/** An instance; 0 if none is given. */
const countOf = (value: unknown): number => (typeof value === "number" && value >= 0 && value < 256 ? value | 0 : 0);

export const fluids = [
  ["FUEL", "Fuel"],
  ["FRESHWATER", "Water"],
  ["WASTEWATER", "Gray water"],
  ["LIVEWELLWATER", "Live well"],
  ["OIL", "Oil"],
  ["BLACKWATER", "Black water"],
] as const;
const tankNames = new Map<unknown, string>([
  ...fluids.map(([name, fluid]) => [fluid, name] as const),
  ["Gasoline", "FUEL"],
]);
const tank = choice(
  ["127505 fluidType", "127505 instance"],
  (type, instance) => `${tankNames.get(type) ?? "TANK"}#${countOf(instance)}`,
);

/** `ENGINEROOM` for the source `Engine Room Temperature`. */
export const placeName = (source: string): string => placeOfTemperature(source).replaceAll(" ", "").toUpperCase();

/** `ENGINEROOM#0` for the source `Engine Room Temperature`. */
const placeOf = (pgn: number): Field =>
  choice([`${pgn} source`, `${pgn} instance`], (source, instance) => {
    return `${plain(placeName(String(source ?? ""))).slice(0, 20)}#${countOf(instance)}`;
  });

/** A temperature other than those of the sea and the outside air, which the navigation report has. */
const otherTemperature = (pgn: number): Source => ({
  members: [`${pgn} source`, `${pgn} actualTempC`],
  compute(find) {
    const value = find(`${pgn} actualTempC`);
    const isReported = ["Sea Temperature", "Outside Temperature"].includes(String(find(`${pgn} source`)));
    return typeof value === "number" && !isReported ? value : undefined;
  },
});

const engine = "127489 engineInstance";
const battery = "127508 instance";

export const transducerGroups: readonly TransducerGroup[] = [
  {
    on: "navigation",
    everyMs: 5000,
    transducers: [
      measured("temperature", "navigation depth_water.outsideTemperature", constant("TempAir")),
      measured("bars", "navigation depth_water.atmosphericPressure", constant("Barometer"), {
        decimals: 5,
        times: 1e-5,
      }),
    ],
  },
  {
    on: 127257,
    isOfBoat: true,
    transducers: [
      measured("angle", "127257 pitchDeg", constant("PITCH")),
      measured("angle", "127257 rollDeg", constant("ROLL")),
    ],
  },
  {
    on: 127488,
    transducers: [
      measured("rpm", "127488 engineSpeedRpm", numbered("ENGINE", "127488 engineInstance"), { decimals: 0 }),
    ],
  },
  {
    on: 127489,
    transducers: [
      measured("pascals", "127489 oilPressureKpa", numbered("ENGINEOIL", engine), {
        ...{ decimals: 0, times: 1000, part: "oil" },
      }),
      measured("temperature", "127489 oilTempC", numbered("ENGINEOIL", engine), { part: "oil" }),
      measured("temperature", "127489 coolantTempC", numbered("ENGINE", engine)),
      measured("voltage", "127489 alternatorVoltage", numbered("ALTERNATOR", engine), {
        ...{ decimals: 2, part: "alternator" },
      }),
      measured("hours", "127489 engineHours", numbered("ENGINE", engine)),
    ],
  },
  { on: 127505, transducers: [measured("level", "127505 levelPercent", tank)] },
  {
    on: 127508,
    transducers: [
      measured("voltage", "127508 voltageV", numbered("BATTERY", battery), { decimals: 2 }),
      measured("current", "127508 currentA", numbered("BATTERY", battery)),
      measured("temperature", "127508 temperatureC", numbered("BATTERY", battery)),
    ],
  },
  ...[130312, 130316].map((pgn) => ({
    on: pgn,
    transducers: [measured("temperature", otherTemperature(pgn), placeOf(pgn))],
  })),
];

/** Maximum characters between talker and checksum. */
const MAX_BODY = MAX_SENTENCE_LENGTH - "$*hh\r\n".length;

/** A name that every app can read: letters without accents, and no character that has a meaning in a sentence. */
const plainName = (name: string): string => plain(name.replaceAll(",", " ")).replaceAll(/ +/g, " ");

/** Whether there is a measurement. */
export const isMeasured = ({ transducers }: TransducerGroup, find: Lookup): boolean =>
  transducers.some(({ value }) => value.write(find) !== "");

/**
 * The measurements under their standard names, and after them those of a thing named by the crew again under that name:
 * apps compare the standard names letter by letter.
 */
export function transducerText(group: TransducerGroup, find: Lookup, thingName?: string): string {
  const { transducers, isOfBoat } = group;
  const measurements = transducers.flatMap(({ type, value, name, part = "" }) => {
    const amount = value.write(find);
    return amount === "" ? [] : [{ type, amount, name: name.write(find), part }];
  });
  const standard = sentencesOf(measurements);
  if (thingName === undefined || isOfBoat) return standard;
  const named = plainName(thingName);
  return standard + sentencesOf(measurements.map((each) => ({ ...each, name: `${named} ${each.part}`.trim() })));
}

interface Measurement {
  readonly type: keyof typeof types;
  readonly amount: string;
  readonly name: string;
}

/** Puts as many measurements into a sentence as fit. */
function sentencesOf(measurements: readonly Measurement[]): string {
  let lines = "";
  let body = "IIXDR";
  for (const { type, amount, name } of measurements) {
    const [letter, unit] = types[type];
    const group = `,${letter},${amount},${unit},${name}`;
    if (body.length + group.length > MAX_BODY) {
      lines += framed("$", body);
      body = "IIXDR";
    }
    body += group;
  }
  return body === "IIXDR" ? lines : lines + framed("$", body);
}
