/**
 * Vehicle position and direction as SAE J1939 engines and their gateways send them. Parameter numbers (SPN), offsets
 * and resolutions: SAE J1939-71, as several independent open decoders agree on them.
 */

import { pgn } from "../definition.ts";
import { decimal } from "../verbs.ts";
import { j16, j32 } from "../wire.ts";

export const vehicleDirectionSpeed = pgn(65256, "Vehicle Direction/Speed", {
  compassBearing: decimal(j16, { per: 128, unit: "deg", range: [0, 360], note: "SPN 165" }),
  navSpeed:       decimal(j16, { per: 256, unit: "km/h", note: "SPN 517" }),
  pitch:          decimal(j16, { per: 128, offset: -200, unit: "deg", quantity: "deflection", note: "SPN 583" }),
  altitude:       decimal(j16, { per: 8, offset: -2500, unit: "m", note: "SPN 580" }),
}, { origin: "j1939" });

export const vehiclePosition = pgn(65267, "Vehicle Position", {
  latitude:  decimal(j32, { per: 1e7, offset: -210, unit: "deg", range: [-90, 90], quantity: "coordinate", note: "SPN 584" }),
  longitude: decimal(j32, { per: 1e7, offset: -210, unit: "deg", range: [-180, 180], quantity: "coordinate", note: "SPN 585" }),
}, { origin: "j1939" });
