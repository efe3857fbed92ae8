/** Alerts: their states, responses to them, and their texts. */

import { pgn } from "../definition.ts";
import { AlertCategory, AlertResponseCommand, AlertState, AlertType, Language, LanguageCode } from "../lookups.ts";
import { alsoChoice, choice, code, digits, flag, integer, key, lauText, lengthOf, reserved, skip, sourceAddress } from "../verbs.ts";
import { u2, u4, u8, u16, withoutReservedCodes } from "../wire.ts";

const ofAlert = { about: "alert", event: true } as const;

const sender = { note: "source address of the message; the payload has the NAME of the data source instead of an address" };

/** The alert that a message is about. */
const subject = {
  alertType:           code(u4, AlertType),
  alertCategory:       code(u4, AlertCategory),
  _alertSystem:        key(skip(8)),
  _alertSubSystem:     key(skip(8)),
  alertId:             key(integer(u16)),
  _dataSourceName:     key(skip(64)),
  _dataSourceInstance: key(skip(8)),
  _dataSourceIndex:    key(skip(8)),
} as const;

export const alert = pgn(126983, "Alert", {
  ...subject,
  occurrenceNumber:  integer(u8),
  silenced:          flag(),
  acknowledged:      flag(),
  escalated:         flag(),
  _silenceSupport:   skip(1),
  _acknowledgeSupport: skip(1),
  _escalationSupport: skip(1),
  _reserved:         reserved(2),
  _acknowledgeName:  skip(64),
  _triggerCondition: skip(4),
  _thresholdStatus:  skip(4),
  priority:          digits(u8),
  state:             choice(u8, AlertState),
  sourceAddress:     sourceAddress(sender),
}, { ...ofAlert, order: ["sourceAddress", "alertType", "alertCategory", "alertId", "state", "priority", "silenced",
                         "acknowledged", "escalated", "occurrenceNumber"] });

export const alertResponse = pgn(126984, "Alert Response", {
  sourceAddress:     sourceAddress(sender),
  ...subject,
  _occurrence:       skip(8),
  _acknowledgeName:  skip(64),
  command:           choice(withoutReservedCodes(u2), AlertResponseCommand),
  _reserved:         reserved(6),
}, ofAlert);

export const alertText = pgn(126985, "Alert Text", {
  sourceAddress:     sourceAddress(sender),
  ...subject,
  _occurrence:       skip(8),
  languageId:        key(code(u8, Language)),
  languageCode:      alsoChoice("languageId", LanguageCode),
  languageName:      alsoChoice("languageId", Language),
  textLength:        lengthOf("text"),
  text:              lauText(),
  _locationText:     lauText(),
}, ofAlert);
