/** The fields of a sentence that is read: text that may be missing, empty or nonsense, in the units of the PGNs. */

import { bearing } from "../../../core/nav/angles.ts";
import { type Position, positionIn } from "../../../core/nav/great-circle.ts";
import { daysOf } from "../../../core/text/date.ts";

/** Years of two digits begin with this one. */
const FIRST_YEAR = 1980;
/** From this one on 129029 has no room for the date. */
const END_YEAR = 2140;

const numeral = /^[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})$/;

/** Letters of units, each with the factor or the function that makes the value one of the wanted unit. */
export type Units = Readonly<Record<string, number | ((value: number) => number)>>;

/** To degrees Celsius. */
export const temperatureUnits: Units = { C: 1, F: (value) => (value - 32) / 1.8, K: (value) => value - 273.15 };

/** A negative number with a sign in its decimals too, as plotters of Navico write the offset of DPT: `-1.-4`, `0.-4`. */
const twiceSigned = /^(?:-|(?=0\.))(\d{1,12}\.)-(\d{1,12})$/;

/** A number in digits; undefined for anything else. */
function numberOf(text: string): number | undefined {
  const plain = text.replace(twiceSigned, "-$1$2");
  return numeral.test(plain) ? Number(plain) : undefined;
}

export class Fields {
  /** The three letters, such as `RMC`; of a proprietary sentence its whole address, `PASHR`. */
  readonly letters: string;
  /** The two letters of a standard sentence; of a proprietary one those of the manufacturer with their `P`. */
  readonly talker: string;
  readonly #values: readonly string[];

  /** `body` is the sentence without its first character and its checksum. */
  constructor(body: string) {
    const [address = "", ...values] = body.split(",");
    const isProprietary = address.startsWith("P");
    this.talker = isProprietary ? address.slice(0, 4) : address.slice(0, -3);
    this.letters = isProprietary ? address : address.slice(-3);
    this.#values = values;
  }

  get count(): number {
    return this.#values.length;
  }

  /** Text without blanks at its ends; empty if it is missing. */
  text(at: number): string {
    return this.#values[at]?.trim() ?? "";
  }

  is(at: number, letter: string): boolean {
    return this.text(at).toUpperCase() === letter;
  }

  /** A number, multiplied; undefined if it is missing or beyond the range. */
  number(at: number, { times = 1, min = Number.NEGATIVE_INFINITY, max = 1e9 } = {}): number | undefined {
    const value = numberOf(this.text(at));
    return value !== undefined && value >= min && value <= max ? value * times : undefined;
  }

  /** A number whose unit follows it, undefined for another unit; without a unit, the first or given one is meant. */
  measure(at: number, units: Units, byDefault = Object.keys(units)[0]!): number | undefined {
    const conversion = units[this.text(at + 1).toUpperCase() || byDefault];
    const value = this.number(at);
    if (value === undefined || conversion === undefined) return undefined;
    return typeof conversion === "number" ? value * conversion : conversion(value);
  }

  /** An amount that has a place for each unit: the first one that is there, by the letter that follows it. */
  amount(units: Units, ...places: readonly (readonly [at: number, unit: string])[]): number | undefined {
    return places.map(([at, unit]) => this.measure(at, units, unit)).find((value) => value !== undefined && value >= 0);
  }

  /** An angle of a full turn, degrees. */
  turn(at: number): number | undefined {
    const value = this.number(at, { min: -360, max: 360 });
    return value === undefined ? undefined : bearing(value);
  }

  /** An amount whose sign is the letter that follows it: the first one is positive. */
  signed(at: number, [positive, negative]: readonly [string, string], max: number): number | undefined {
    const amount = this.number(at, { min: 0, max });
    if (amount === undefined) return undefined;
    if (this.is(at + 1, positive)) return amount;
    return this.is(at + 1, negative) ? -amount : undefined;
  }

  /** Latitude and longitude in degrees, from degrees and minutes with their letters; both or none. */
  position(at: number): Position | undefined {
    const latitude = this.#degrees(at, ["N", "S"], 90);
    const longitude = this.#degrees(at + 2, ["E", "W"], 180);
    return positionIn({ latitude, longitude });
  }

  #degrees(at: number, letters: readonly [string, string], max: number): number | undefined {
    const amount = this.signed(at, letters, max * 100);
    if (amount === undefined) return undefined;
    const degrees = Math.floor(Math.abs(amount) / 100);
    // Fifteen digits restore the decimal number, of which a subtraction would leave noise.
    const minutes = Number((Math.abs(amount) - degrees * 100).toPrecision(12));
    const value = degrees + minutes / 60;
    return minutes >= 60 || value > max ? undefined : Math.sign(amount) * value;
  }

  /** Seconds since midnight, of `hhmmss.ss`; 235960 is a leap second. */
  time(at: number): number | undefined {
    const [, hours, minutes, seconds] = /^(\d\d)(\d\d)(\d\d(?:\.\d{0,9})?)$/.exec(this.text(at)) ?? [];
    if (seconds === undefined) return undefined;
    const isTime = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 61;
    return isTime ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : undefined;
  }

  /** Days since 1970, of `ddmmyy`. */
  date(at: number): number | undefined {
    const [, day, month, year] = /^(\d\d)(\d\d)(\d\d)$/.exec(this.text(at)) ?? [];
    if (year === undefined) return undefined;
    const full = FIRST_YEAR + ((Number(year) - FIRST_YEAR + 10_000) % 100);
    return daysOf(full, Number(month), Number(day));
  }

  /** Days since 1970, of day, month and year in three fields. */
  dateOfThree(at: number): number | undefined {
    const [day, month, year] = [0, 1, 2].map((index) => this.number(at + index));
    if (day === undefined || month === undefined || year === undefined) return undefined;
    return year >= FIRST_YEAR && year < END_YEAR ? daysOf(year, month, day) : undefined;
  }
}
