/**
 * Distress calls by radio (DSC), as a chart plotter gets them from a VHF radio; codes are the symbols of ITU-R M.493
 * less a hundred:
 *
 *     $CDDSC,12,2446600000,12,05,,0520000400,0814,,,S,E    a call: who, what, where to the minute, when
 *     $CDDSE,1,1,A,2446600000,00,12951236                  the ten-thousandths of the minutes of its position
 */
import { DscCategory, DscFormat, DscNature, DscSecondTelecommand } from "../../core/n2k/lookups.ts";
import {
  choice,
  constant,
  type Field,
  fixed,
  type Lookup,
  type Member,
  numberOf,
  type Sentence,
  scaled,
  sentence,
} from "./sentence.ts";
import { codeOf } from "./six-bit.ts";

type Texts = Parameters<typeof codeOf>[0];

const FIRST_SYMBOL = 100;
const DISTRESS = "Distress";

const format = "129808 format";
const category = "129808 category";
const inDistress = "129808 mmsiInDistress";
const latitude = "129808 latitude";
const longitude = "129808 longitude";

const symbol = (member: Member, texts: Texts): Field =>
  choice([member], (text) => {
    const code = codeOf(texts, text);
    const digits = code === undefined ? "" : fixed(Math.round(code) - FIRST_SYMBOL, 0, 2);
    return /^\d\d$/.test(digits) ? digits : undefined;
  });

/** Not empty for a distress call, a relay of one and an acknowledgement of one. */
const distress = choice([format, category], (...texts) => (texts.includes(DISTRESS) ? DISTRESS : undefined));

const digits = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{9,10}$/.test(value) ? value.padEnd(10, "0") : undefined;

/** The vessel in distress, of which an alert itself tells by its address. */
const vessel = choice([inDistress, "129808 address"], (its, address) => digits(its) ?? digits(address));

/** The station that sends a relay or an acknowledgement, and the vessel in distress. */
const sender = choice([format, "129808 address", inDistress], (kind, address, its) =>
  kind === DISTRESS ? (digits(its) ?? digits(address)) : digits(address),
);
const about = choice([format, inDistress], (kind, its) => (kind === DISTRESS ? undefined : digits(its)));

const PARTS = 10_000;

/** Both coordinates in ten-thousandths of a minute. */
function placeOf(find: Lookup): readonly [latitude: number, longitude: number] | undefined {
  const [north, east] = [numberOf(latitude, find), numberOf(longitude, find)];
  if (north === undefined || east === undefined || Math.abs(north) > 90 || Math.abs(east) > 180) return undefined;
  return [scaled(Math.abs(north) * 60, 4), scaled(Math.abs(east) * 60, 4)];
}

const degreesAndMinutes = (parts: number, degreeDigits: number): string => {
  const minutes = Math.floor(parts / PARTS);
  return fixed(Math.floor(minutes / 60), 0, degreeDigits) + fixed(minutes % 60, 0, 2);
};

/** Quadrant (0 NE, 1 NW, 2 SE, 3 SW), degrees and minutes of both; nines where it is not known. */
const place: Field = {
  members: [latitude, longitude],
  write(find) {
    const parts = placeOf(find);
    if (parts === undefined) return "9999999999";
    const quadrant = (numberOf(latitude, find)! < 0 ? 2 : 0) + (numberOf(longitude, find)! < 0 ? 1 : 0);
    return `${quadrant}${degreesAndMinutes(parts[0], 2)}${degreesAndMinutes(parts[1], 3)}`;
  },
};

const fractions: Field = {
  members: [latitude, longitude],
  write: (find) => (placeOf(find) ?? []).map((parts) => fixed(parts % PARTS, 0, 4)).join(""),
};

const SECONDS_A_MINUTE = 60;

/** `hhmm`; eights where it is not known. */
const timeOfPosition = choice(["129808 timeOfPosition"], (seconds) => {
  if (typeof seconds !== "number") return "8888";
  const minutes = Math.floor(seconds / SECONDS_A_MINUTE);
  return fixed(Math.floor(minutes / 60) % 24, 0, 2) + fixed(minutes % 60, 0, 2);
});

/** Letters of the symbols that end a call: it wants an acknowledgement, is one, or neither. */
const ends: ReadonlyMap<unknown, string> = new Map([
  [117, "R"],
  [122, "B"],
  [127, "S"],
]);

/** E where the sentence below follows: a distress call with a place. */
const expansion: Field = {
  members: [...distress.members, latitude, longitude],
  write: (find) => (distress.write(find) === "" || placeOf(find) === undefined ? "" : "E"),
};

export const callSentences: readonly Sentence[] = [
  sentence("CD", "DSC", { on: 129808, needs: [distress] }, [
    symbol(format, DscFormat),
    sender,
    symbol(category, DscCategory),
    symbol("129808 natureOfDistress", DscNature),
    symbol("129808 secondTelecommand", DscSecondTelecommand),
    place,
    timeOfPosition,
    about,
    // The nature of the distress of a relay is not in the message as hub-cand publishes it.
    constant(""),
    choice(["129808 endOfSequence"], (code) => ends.get(code) ?? "S"),
    expansion,
  ]),
  sentence("CD", "DSE", { on: 129808, needs: [expansion] }, [constant("1,1,A"), vessel, constant("00"), fractions]),
];
