/**
 * Faults as SAE J1939-73 has them: lamps, and trouble codes of four bytes with the number of a parameter (SPN), what is
 * wrong with it (FMI) and how often that has happened. The layout is that of conversion method 4, the only one since
 * 1996: the number has its low 16 bits first, and its high three behind the FMI.
 */
import { pgn } from "../definition.ts";
import { OffOnError } from "../lookups.ts";
import { alsoChoice, choice, count, integer, joined, repeat, skip } from "../verbs.ts";
import { u1, u2, u3, u5, u7, u16, withoutReservedCodes } from "../wire.ts";
import { FailureMode } from "./failure-modes.ts";
import { ParameterName } from "./parameters.ts";

const lamp = choice(u2, OffOnError);

const troubleCodes = {
  protectLamp: lamp,
  amberWarningLamp: lamp,
  redStopLamp: lamp,
  malfunctionLamp: lamp,
  _flashing: skip(8),
  faults: repeat({
    spn:              joined(["_spnLow", "_spnHigh"]),
    parameter:        alsoChoice("spn", ParameterName),
    _spnLow:          integer(withoutReservedCodes(u16)),
    fmi:              integer(withoutReservedCodes(u5)),
    failure:          alsoChoice("fmi", FailureMode),
    _spnHigh:         integer(withoutReservedCodes(u3)),
    occurrences:      count({ ...u7, highest: 126 }),
    conversionMethod: integer(u1, { note: "0: this layout; 1: an older one, in which the bits of spn may be others" }),
  }),
} as const;

const ofEngine = {
  origin: "j1939",
  beyondDocument: "message",
  bytes: 2,
  note: "more than one fault comes by transport protocol; none is spn 0",
} as const;

export const activeTroubleCodes = pgn(65226, "Active Diagnostic Trouble Codes", troubleCodes, ofEngine);

export const previousTroubleCodes = pgn(65227, "Previously Active Diagnostic Trouble Codes", troubleCodes, ofEngine);
