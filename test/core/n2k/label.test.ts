import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/n2k/field.ts";
import { fieldLabel, messageLabel, unitOf } from "../../../src/core/n2k/label.ts";
import { publishedFields } from "../../../src/core/n2k/layout.ts";
import {
  batteryConfigurationStatus,
  binarySwitchBankStatus,
  fluidLevel,
} from "../../../src/core/n2k/pgns/electrical.ts";
import { environmentalParametersDeprecated } from "../../../src/core/n2k/pgns/environment.ts";
import { cogSogRapidUpdate, gnssPositionData, positionRapidUpdate } from "../../../src/core/n2k/pgns/gnss.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  tripParametersVessel,
} from "../../../src/core/n2k/pgns/propulsion.ts";
import { attitude } from "../../../src/core/n2k/pgns/steering.ts";

test.each<[string, Fields, string]>([
  ["engineSpeedRpm", engineParametersRapid.fields, "Engine speed"],
  ["coolantTempC", engineParametersDynamic.fields, "Coolant temp"],
  ["alternatorVoltage", engineParametersDynamic.fields, "Alternator voltage"],
  ["engineHours", engineParametersDynamic.fields, "Engine hours"],
  ["tripRunTimeHours", tripParametersVessel.fields, "Trip run time"],
  ["fuelRemainingL", tripParametersVessel.fields, "Fuel remaining"],
  ["capacityLiters", fluidLevel.fields, "Capacity"],
  ["nominalVoltageV", batteryConfigurationStatus.fields, "Nominal voltage"],
  ["temperatureCoefficientPct", batteryConfigurationStatus.fields, "Temperature coefficient"],
  ["pitchDeg", attitude.fields, "Pitch"],
  ["numberOfSatellites", gnssPositionData.fields, "Number of satellites"],
  ["switches", binarySwitchBankStatus.fields, "Switches"],
])("%s without its unit, in words", (name, fields, label) => {
  expect(fieldLabel(name, fields[name]!)).toBe(label);
});

test("a unit at the end of a name is cut off where it is the unit of the field, and nowhere else", () => {
  const field = { ...attitude.fields.yawDeg, unit: "rpm" };
  expect(fieldLabel("yawDeg", field)).toBe("Yaw deg");
  expect(fieldLabel("levelA", { ...field, unit: undefined })).toBe("Level a");
});

test("a second unit of a field has its own name", () => {
  const { fields } = cogSogRapidUpdate;
  expect([unitOf(fields.sogMs, fields), unitOf(fields.sogKnots, fields)]).toEqual(["m/s", "kn"]);
  expect(unitOf(fields.cogReference, fields)).toBeUndefined();
});

test("every published field has a label", () => {
  for (const definition of definitions)
    for (const { name, field } of publishedFields(definition))
      expect(fieldLabel(name, field), `${definition.pgn} ${name}`).toMatch(/^[A-Z0-9]/);
});

test("a long title is cut to a label", () => {
  const messages = [positionRapidUpdate, cogSogRapidUpdate, engineParametersRapid, environmentalParametersDeprecated];
  expect(messages.map(messageLabel)).toEqual([
    "Position",
    "COG & SOG",
    "Engine Parameters",
    "Environmental Parameters",
  ]);
  expect(messageLabel(attitude)).toBe("Attitude");
});
