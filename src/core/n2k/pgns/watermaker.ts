/** Fresh water from the sea. */

import { pgn } from "../definition.ts";
import { OkWarning, WatermakerState, YesNo } from "../lookups.ts";
import { celsius, hours, kilopascal } from "../units.ts";
import { choice, decimal, everyday, reserved } from "../verbs.ts";
import { s16, u2, u6, u16, u32 } from "../wire.ts";

export const watermakerInputSettingAndStatus = pgn(130567, "Watermaker Input Setting and Status", {
  operatingState:         everyday(choice(u6, WatermakerState)),
  production:             choice(u2, YesNo),
  rinse:                  choice(u2, YesNo),
  lowPressurePump:        choice(u2, YesNo),
  highPressurePump:       choice(u2, YesNo),
  emergencyStop:          choice(u2, YesNo),
  productSolenoidValve:   choice(u2, OkWarning),
  flushMode:              choice(u2, YesNo),
  salinityStatus:         choice(u2, OkWarning),
  sensorStatus:           choice(u2, OkWarning),
  oilChangeIndicator:     choice(u2, OkWarning),
  filterStatus:           choice(u2, OkWarning),
  systemStatus:           choice(u2, OkWarning),
  _reserved:              reserved(2),
  salinityPpm:            decimal(u16, { unit: "ppm" }),
  productWaterTempC:      decimal(u16, { per: 100, unit: celsius }),
  preFilterPressureKpa:   decimal(u16, { times: 100, unit: kilopascal }),
  postFilterPressureKpa:  decimal(u16, { times: 100, unit: kilopascal }),
  feedPressureKpa:        decimal(s16, { times: 1000, unit: kilopascal }),
  systemHighPressureKpa:  decimal(u16, { times: 1000, unit: kilopascal }),
  productWaterFlowLh:     decimal(s16, { per: 10, unit: "L/h" }),
  brineWaterFlowLh:       decimal(s16, { per: 10, unit: "L/h" }),
  runTimeHours:           everyday(decimal(u32, { unit: hours, quantity: "total" })),
}, { beyondDocument: "fields" });
