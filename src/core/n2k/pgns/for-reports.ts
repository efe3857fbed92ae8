/**
 * Messages with fields that the reports need and the document does not publish. Not in `index.ts`, because they are not
 * published.
 */

import { type Definition, pgn } from "../definition.ts";
import type { Fields } from "../field.ts";
import { angle, code, counter, days, decimal, hex, integer, latitude, lauText, longitude, reserved, timeOfDay } from "../verbs.ts";
import { s32, u2, u3, u4, u8, u16, u32 } from "../wire.ts";
import { alert, alertText } from "./alerts.ts";
import { windData } from "./environment.ts";
import { gnssPositionData } from "./gnss.ts";
import { magneticVariation } from "./steering.ts";

type Revealed<All extends Fields, Name extends string> = {
  readonly [Key in keyof All as Key extends `_${Name}` ? (Key extends `_${infer Bare}` ? Bare : never) : Key]: All[Key];
};

/** A definition with some of its unpublished fields published: `_integrity` as `integrity`. */
const revealing = <Pgn extends number, All extends Fields, const Name extends string>(
  { pgn: number, title, fields, transport }: Definition<Pgn, All>,
  names: readonly Name[],
) => {
  const hidden = new Set(names.map((name) => `_${name}`));
  const revealed = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [hidden.has(name) ? name.slice(1) : name, field]),
  );
  return pgn(number, title, revealed as Revealed<All, Name>, { transport });
};

/** 129029 with its integrity and the geoidal separation. */
export const gnssPositionForReports = revealing(gnssPositionData, ["integrity", "geoidalSeparation"]);

/** 127258 with the code of its source: the document's texts end at WMM 2020, newer models have higher codes. */
export const magneticVariationForReports = pgn(127258, "Magnetic Variation", {
  ...magneticVariation.fields,
  source: code(u4),
});

/** 130306 with the code of its reference. */
export const windDataForReports = pgn(130306, "Wind Data", {
  ...windData.fields,
  reference: code(u3),
});

/** The fields of a message, with those of `shown` in place of the unpublished fields of the same name. */
const withFields = <All extends Fields, Shown extends Fields>(fields: All, shown: Shown) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const bare = name.replace(/^_/, "");
      return bare in shown ? [bare, shown[bare]!] : [name, field];
    }),
  ) as unknown as All & Shown;

/** Fields that distinguish alerts of one number. */
const sourceOfAlert = {
  alertSystem:        integer(u8),
  alertSubSystem:     integer(u8),
  dataSourceName:     hex({ bytes: 8 }),
  dataSourceInstance: integer(u8),
  dataSourceIndex:    integer(u8),
} as const;

export const alertForReports = pgn(126983, "Alert", withFields(alert.fields, sourceOfAlert), { transport: "fast" });

export const alertTextForReports = pgn(
  126985,
  "Alert Text",
  withFields(alertText.fields, { ...sourceOfAlert, locationText: lauText() }),
  { transport: "fast" },
);

/** 127233, which the document does not have, as the canboat database has it. */
export const manOverboardNotification = pgn(127233, "Man Overboard Notification", {
  sequenceId:      counter(integer(u8)),
  emitterId:       integer(u32),
  status:          code(u3, {}, { note: "0 activated by the emitter, 1 by a button on board, 2 test" }),
  _reserved:       reserved(5),
  activationTime:  timeOfDay(u32),
  positionSource:  code(u3),
  _reserved2:      reserved(5),
  positionDate:    days(u16),
  positionTime:    timeOfDay(u32),
  latitude:        latitude(s32),
  longitude:       longitude(s32),
  cogReference:    code(u2),
  _reserved3:      reserved(6),
  cogDeg:          angle(u16),
  sogMs:           decimal(u16, { per: 100, unit: "m/s" }),
  mmsi:            integer(u32),
  batteryStatus:   code(u3),
  _reserved4:      reserved(5),
}, { transport: "fast" });

/** The public message of 127514, a bank of switches in the document; the codes are those of the canboat database. */
export const generatorStartStatus = pgn(127514, "AGS Status", {
  instance:          integer(u8),
  generatorInstance: integer(u8),
  operatingState:    code(u4, {}, { note: "AGS_OPERATING_STATE" }),
  generatorState:    code(u4, {}, { note: "AGS_GENERATING_STATE" }),
  onReason:          code(u8, {}, { note: "AGS_ON_REASON" }),
  offReason:         code(u8, {}, { note: "AGS_OFF_REASON" }),
}, { transport: "fast" });
