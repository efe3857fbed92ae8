/**
 * Calls by radio (DSC): DSC has the symbols of ITU-R M.493 in two digits, less a hundred, and a position to the minute;
 * DSE, which follows where DSC ends with E, has the expansions of ITU-R M.821. The layout is that of NMEA 0183, as gpsd
 * ("NMEA Revealed") describes it and radios write it:
 *
 *     $CDDSC,12,3380400790,12,06,00,1423108312,2019,,,S,E   format, sender, category, nature or first telecommand,
 *                  second telecommand, position or channels, time or telephone, vessel in distress and the nature of it
 *     $CDDSE,1,1,A,3380400790,00,45894494                   sentences, number, kind, sender; code and data of each
 */
import {
  DscCategory,
  DscExpansion,
  DscFirstTelecommand,
  DscFormat,
  DscNature,
  DscSecondTelecommand,
} from "../../../core/n2k/lookups.ts";
import { dscCallInformation } from "../../../core/n2k/pgns/dsc.ts";
import { type Said, say } from "../../../core/n2k/said.ts";
import type { Fields } from "./fields.ts";
import type { CallData, CallPlace, Memory } from "./memory.ts";

const FIRST_SYMBOL = 100;
const DISTRESS = "Distress";
const ENHANCED_POSITION = 0;
/** Time after a call within which its expansion follows, seconds; the radio writes it at once. */
const EXPANDED_WITHIN_SEC = 30;
/** Expansions of a call, at most; there are seven codes. */
const MAX_EXPANSIONS = 16;

/** Symbols at the end of a call: a request for an acknowledgement, an acknowledgement, and neither. */
const ends: Readonly<Record<string, number>> = { R: 117, B: 122, S: 127 };

/** The text of a symbol in two digits, or in the three of the symbol itself. */
function symbol<Texts extends Readonly<Record<number, string>>>(
  fields: Fields,
  at: number,
  texts: Texts,
): Texts[keyof Texts] | undefined {
  const [, digits] = /^1?(\d\d)$/.exec(fields.text(at)) ?? [];
  return digits === undefined ? undefined : (texts[FIRST_SYMBOL + Number(digits)] as Texts[keyof Texts] | undefined);
}

/** An MMSI with a zero behind it, which some radios leave out; or the area of a call to one. */
function station(fields: Fields, at: number): string | undefined {
  const digits = fields.text(at);
  return /^\d{9,10}$/.test(digits) && !/^0+$/.test(digits) ? digits.padEnd(10, "0") : undefined;
}

/** Quadrant (0 NE, 1 NW, 2 SE, 3 SW), degrees and minutes of both coordinates; nines where they are not known. */
function placeOf(text: string): CallPlace | undefined {
  const [, quadrant, ...parts] = /^([0-3])(\d\d)(\d\d)(\d\d\d)(\d\d)$/.exec(text) ?? [];
  if (quadrant === undefined) return undefined;
  const [north = 0, northMinutes = 0, east = 0, eastMinutes = 0] = parts.map(Number);
  const minutes = [north * 60 + northMinutes, east * 60 + eastMinutes] as const;
  if (northMinutes >= 60 || eastMinutes >= 60 || minutes[0] > 90 * 60 || minutes[1] > 180 * 60) return undefined;
  return { signs: [Number(quadrant) >= 2 ? -1 : 1, Number(quadrant) % 2 === 1 ? -1 : 1], minutes };
}

const PARTS = 10_000;

function coordinates({ signs, minutes }: CallPlace, fractions: readonly [number, number] = [0, 0]) {
  const [latitude, longitude] = [0, 1].map((at) => (signs[at]! * (minutes[at]! + fractions[at]! / PARTS)) / 60);
  return { latitude: latitude!, longitude: longitude! };
}

/** `hhmm` as seconds since midnight; eights where it is not known. */
function timeOf(text: string): number | undefined {
  const [, hours, minutes] = /^(\d\d)(\d\d)$/.exec(text) ?? [];
  return hours !== undefined && Number(hours) < 24 && Number(minutes) < 60
    ? Number(hours) * 3600 + Number(minutes) * 60
    : undefined;
}

/** The subject of a call: the nature of a distress, or the first telecommand of another call. */
function subjectOf(fields: Fields, isDistress: boolean, isAlert: boolean): CallData {
  if (!isDistress) return { firstTelecommand: symbol(fields, 3, DscFirstTelecommand) };
  if (isAlert) return { natureOfDistress: symbol(fields, 3, DscNature) };
  // The telecommand of a relay (112) or an acknowledgement (110) is no nature, though its number is one.
  const own = symbol(fields, 8, DscNature);
  const isTelecommand = /^1?1[02]$/.test(fields.text(3));
  return { natureOfDistress: own ?? (isTelecommand ? undefined : symbol(fields, 3, DscNature)) };
}

export function DSC(fields: Fields, memory: Memory): readonly Said[] {
  memory.call = undefined;
  const format = symbol(fields, 0, DscFormat);
  if (format === undefined) return [];
  const isAlert = format === DISTRESS;
  const category = symbol(fields, 2, DscCategory) ?? (isAlert ? DISTRESS : undefined);
  const isDistress = isAlert || category === DISTRESS;
  const where = fields.text(5);
  const place = placeOf(where);
  const [, rxChannel, txChannel] = /^(\d{6})(\d{6})?$/.exec(where) ?? [];
  const [address, mmsiInDistress] = [station(fields, 1), station(fields, 7)];
  const about = fields.text(6);
  const isExpanded = fields.is(10, "E");
  const data: CallData = {
    format,
    category: isAlert ? DISTRESS : category,
    address,
    ...subjectOf(fields, isDistress, isAlert),
    secondTelecommand: symbol(fields, 4, DscSecondTelecommand),
    proposedRxFrequency: rxChannel,
    proposedTxFrequency: txChannel,
    ...(place && coordinates(place)),
    ...(about.length > 4 && /^\d+$/.test(about) ? { telephoneNumber: about } : { timeOfPosition: timeOf(about) }),
    mmsiInDistress,
    endOfSequence: ends[fields.text(9).toUpperCase()],
    expansionEnabled: isExpanded ? "Yes" : "No",
  };
  if (isExpanded) {
    const stations = [address, mmsiInDistress].flatMap((each) => each ?? []);
    memory.call = { data, place, stations, heardSec: memory.seconds, expansions: [] };
  }
  return say(dscCallInformation, data);
}

/** The call once more, with what the sentence adds to it: a call of distress must not wait for it. */
export function DSE(fields: Fields, memory: Memory): readonly Said[] {
  const { call } = memory;
  const vessel = station(fields, 3);
  const isOfCall = call !== undefined && vessel !== undefined && call.stations.includes(vessel);
  // A query asks for an expansion.
  if (!isOfCall || memory.seconds - call.heardSec > EXPANDED_WITHIN_SEC || fields.is(2, "Q")) return [];
  let isNew = false;
  for (let at = 4; at + 1 < fields.count && call.expansions.length < MAX_EXPANSIONS; at += 2) {
    const [code, text] = [fields.number(at, { min: 0, max: 6 }), fields.text(at + 1)];
    if (code === undefined || text === "") continue;
    if (code !== ENHANCED_POSITION) {
      const field = DscExpansion[(FIRST_SYMBOL + code) as keyof typeof DscExpansion];
      call.expansions = [...call.expansions, { field, data: text }];
    } else {
      const [, latitude, longitude] = /^(\d{4})(\d{4})$/.exec(text) ?? [];
      if (latitude === undefined || call.place === undefined) continue;
      call.fractions = [Number(latitude), Number(longitude)];
    }
    isNew = true;
  }
  if (!isNew) return [];
  const { data, place, fractions, expansions } = call;
  return say(dscCallInformation, {
    ...data,
    ...(place && coordinates(place, fractions)),
    ...(expansions.length > 0 && { expansions }),
  });
}
