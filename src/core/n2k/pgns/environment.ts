/** Wind, temperatures, humidity, pressure. */

import { pgn } from "../definition.ts";
import { HumiditySource, PressureSource, TemperatureSource, WindReference } from "../lookups.ts";
import { celsius, knots } from "../units.ts";
import { also, angle, choice, counter, decimal, everyday, instance, integer, key, reserved } from "../verbs.ts";
import { s16, s32, u2, u3, u6, u8, u16, u24 } from "../wire.ts";

export const windData = pgn(130306, "Wind Data", {
  sequenceId:     counter(integer(u8)),
  windSpeedMs:    decimal(u16, { per: 100, unit: "m/s", quantity: "windSpeed" }),
  windSpeedKnots: also("windSpeedMs", knots),
  windAngleDeg:   angle(u16),
  reference:      key(choice(u3, WindReference)),
  _reserved:      reserved(21),
});

export const environmentalParameters = pgn(130310, "Environmental Parameters", {
  sequenceId:   counter(integer(u8)),
  waterTempC:   decimal(u16, { per: 100, unit: celsius }),
  outsideTempC: decimal(u16, { per: 100, unit: celsius }),
  pressurePa:   decimal(u16, { times: 100, unit: "Pa" }),
  _reserved:    reserved(8),
}, { publicTitle: "Environmental Parameters (obsolete)", deprecated: true });

export const environmentalParametersDeprecated = pgn(130311, "Environmental Parameters (deprecated)", {
  sequenceId:      counter(integer(u8)),
  tempSource:      key(choice(u6, TemperatureSource)),
  humiditySource:  key(choice(u2, HumiditySource)),
  temperatureC:    decimal(u16, { per: 100, unit: celsius }),
  humidityPercent: decimal(s16, { per: 250, unit: "%", quantity: "humidity" }),
  pressurePa:      decimal(u16, { times: 100, unit: "Pa" }),
}, { publicTitle: "Environmental Parameters", label: "Environmental Parameters", deprecated: true });

export const temperature = pgn(130312, "Temperature", {
  sequenceId:  counter(integer(u8)),
  instance:    instance(u8),
  source:      key(choice(u8, TemperatureSource)),
  actualTempC: everyday(decimal(u16, { per: 100, unit: celsius })),
  setTempC:    decimal(u16, { per: 100, unit: celsius }),
  _reserved:   reserved(8),
});

export const humidity = pgn(130313, "Humidity", {
  sequenceId:            counter(integer(u8)),
  instance:              instance(u8),
  source:                key(choice(u8, HumiditySource)),
  actualHumidityPercent: everyday(decimal(s16, { per: 250, unit: "%", quantity: "humidity" })),
  setHumidityPercent:    decimal(s16, { per: 250, unit: "%", quantity: "humidity" }),
  _reserved:             reserved(8),
});

export const actualPressure = pgn(130314, "Actual Pressure", {
  sequenceId: counter(integer(u8)),
  instance:   instance(u8),
  source:     key(choice(u8, PressureSource)),
  pressurePa: decimal(s32, { per: 10, unit: "Pa" }),
  _reserved:  reserved(8),
});

export const temperatureExtendedRange = pgn(130316, "Temperature, Extended Range", {
  sequenceId:  counter(integer(u8)),
  instance:    instance(u8),
  source:      key(choice(u8, TemperatureSource)),
  actualTempC: everyday(decimal(u24, { per: 1000, unit: celsius })),
  setTempC:    decimal(u16, { per: 10, unit: celsius }),
}, { publicTitle: "Temperature Extended Range" });
