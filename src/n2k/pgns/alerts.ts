/** Alerts: what is wrong, what was answered, and in which words. */
import { alsoChoice, choice, code, digits, flag, integer, lauText, lengthOf, pgn, skip, sourceAddress, u2, u4, u8, u16, whole } from "../field.ts";
import { AlertCategory, AlertResponseCommand, AlertState, AlertType, Language, LanguageCode } from "../lookups.ts";

const sender = { note: "the CAN source address; the wire carries the NAME of the data source, which has no address" };

export const alert = pgn(126983, "Alert", {
  alertType:         code(u4, AlertType),
  alertCategory:     code(u4, AlertCategory),
  _alertSystem:      skip(8),
  _alertSubSystem:   skip(8),
  alertId:           integer(u16),
  _dataSourceName:   skip(64),
  _dataSourceInstance: skip(8),
  _dataSourceIndex:  skip(8),
  occurrenceNumber:  integer(u8),
  silenced:          flag(),
  acknowledged:      flag(),
  escalated:         flag(),
  _silenceSupport:   skip(1),
  _acknowledgeSupport: skip(1),
  _escalationSupport: skip(1),
  _reserved:         skip(2),
  _acknowledgeName:  skip(64),
  _triggerCondition: skip(4),
  _thresholdStatus:  skip(4),
  priority:          digits(u8),
  state:             choice(u8, AlertState),
  sourceAddress:     sourceAddress(sender),
}, { order: ["sourceAddress", "alertType", "alertCategory", "alertId", "state", "priority", "silenced", "acknowledged",
             "escalated", "occurrenceNumber"] });

export const alertResponse = pgn(126984, "Alert Response", {
  sourceAddress:     sourceAddress(sender),
  alertType:         code(u4, AlertType),
  alertCategory:     code(u4, AlertCategory),
  _alertSystem:      skip(8),
  _alertSubSystem:   skip(8),
  alertId:           integer(u16),
  _dataSourceName:   skip(64),
  _dataSourceInstance: skip(8),
  _dataSourceIndex:  skip(8),
  _occurrence:       skip(8),
  _acknowledgeName:  skip(64),
  command:           choice(whole(u2), AlertResponseCommand),
  _reserved:         skip(6),
});

export const alertText = pgn(126985, "Alert Text", {
  sourceAddress:     sourceAddress(sender),
  alertType:         code(u4, AlertType),
  alertCategory:     code(u4, AlertCategory),
  _alertSystem:      skip(8),
  _alertSubSystem:   skip(8),
  alertId:           integer(u16),
  _dataSourceName:   skip(64),
  _dataSourceInstance: skip(8),
  _dataSourceIndex:  skip(8),
  _occurrence:       skip(8),
  languageId:        code(u8, Language),
  languageCode:      alsoChoice("languageId", LanguageCode),
  languageName:      alsoChoice("languageId", Language),
  textLength:        lengthOf("text"),
  text:              lauText(),
  _locationText:     lauText(),
});
