/** Calls by digital selective calling on VHF and MF/HF radio. Symbols are those of ITU-R M.493. */

import { pgn } from "../definition.ts";
import { DscCategory, DscExpansion, DscFirstTelecommand, DscFormat, DscNature, DscSecondTelecommand, YesNo } from "../lookups.ts";
import { choice, days, digitPairs, either, integer, latitude, lauText, longitude, repeat, reserved, text, timeOfDay } from "../verbs.ts";
import { s32, u2, u8, u16, u32 } from "../wire.ts";

const DISTRESS = 112;

export const dscCallInformation = pgn(129808, "DSC Call Information", {
  format:              choice(u8, DscFormat),
  category:            choice(u8, DscCategory),
  address:             digitPairs(5, { note: "MMSI and a zero, or an area" }),
  _first:              either("category", DISTRESS, {
    matching:  { natureOfDistress: choice(u8, DscNature) },
    otherwise: { firstTelecommand: choice(u8, DscFirstTelecommand) },
  }),
  secondTelecommand:   choice(u8, DscSecondTelecommand, { note: "or the subsequent communication mode" }),
  proposedRxFrequency: text(6, { note: "or channel" }),
  proposedTxFrequency: text(6, { note: "or channel" }),
  telephoneNumber:     lauText(),
  latitude:            latitude(s32),
  longitude:           longitude(s32),
  timeOfPosition:      timeOfDay(u32),
  mmsiInDistress:      digitPairs(5, { note: "MMSI and a zero" }),
  endOfSequence:       integer(u8, { note: "symbol" }),
  expansionEnabled:    choice(u2, YesNo),
  _reserved:           reserved(6),
  callingRxFrequency:  text(6, { note: "or channel" }),
  callingTxFrequency:  text(6, { note: "or channel" }),
  timeOfReceipt:       timeOfDay(u32),
  dateOfReceipt:       days(u16),
  messageId:           integer(u16, { note: "given by the radio" }),
  expansions:          repeat({ field: choice(u8, DscExpansion), data: lauText() }),
}, { transport: "fast", about: "call", event: true, beyondDocument: "fields" });
