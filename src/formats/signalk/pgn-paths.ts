/** Paths of PGNs: quantities with instances, such as those of engines, and quantities that no report has. */
import type { Definition } from "../../core/n2k/definition.ts";
import { messageLabel } from "../../core/n2k/label.ts";
import * as electrical from "../../core/n2k/pgns/electrical.ts";
import * as environment from "../../core/n2k/pgns/environment.ts";
import * as gnss from "../../core/n2k/pgns/gnss.ts";
import * as propulsion from "../../core/n2k/pgns/propulsion.ts";
import { setDriftRapidUpdate } from "../../core/n2k/pgns/route.ts";
import { attitude, rudder } from "../../core/n2k/pgns/steering.ts";
import { distanceLog } from "../../core/n2k/pgns/water.ts";
import { coursePaths } from "./course-paths.ts";
import { byChoice, type PgnPaths, pgn } from "./pgn-rows.ts";
import { pilotPaths } from "./pilot-paths.ts";
import { quantity, type Row, row, type Texts } from "./row.ts";

/**
 * The temperatures that are not in the navigation report. Those of the sea and the outside air are in it, from the
 * sensor that hub has chosen.
 */
const temperaturePaths = (room: string): Readonly<Record<string, string>> => ({
  "Inside Temperature": `environment.inside${room}.temperature`,
  "Engine Room Temperature": "environment.inside.engineRoom.temperature",
  "Main Cabin Temperature": "environment.inside.mainCabin.temperature",
  "Refrigeration Temperature": "environment.inside.refrigerator.temperature",
  "Freezer Temperature": "environment.inside.freezer.temperature",
  "Heating System Temperature": "environment.inside.heating.temperature",
  "Dew Point Temperature": "environment.outside.dewPointTemperature",
  "Apparent Wind Chill Temperature": "environment.outside.apparentWindChillTemperature",
  "Theoretical Wind Chill Temperature": "environment.outside.theoreticalWindChillTemperature",
  "Heat Index Temperature": "environment.outside.heatIndexTemperature",
});

const instanceTemperaturePaths: Readonly<Record<string, string>> = {
  ...temperaturePaths(".{instance}"),
  "Live Well Temperature": "tanks.liveWell.{instance}.temperature",
  "Bait Well Temperature": "tanks.baitWell.{instance}.temperature",
  "Exhaust Gas Temperature": "propulsion.{instance}.exhaustTemperature",
};

/** Names of the schema by the code of 129029; it has none for the corrections of SBAS. */
const satelliteSystems: readonly string[] = [
  "GPS",
  "GLONASS",
  "Combined GPS/GLONASS",
  "GPS",
  "Combined GPS/GLONASS",
  "Chayka",
  "Integrated navigation system",
  "Surveyed",
  "Galileo",
];

const batteryTypes: Texts = { Flooded: "FLA", Gel: "Gel", AGM: "AGM" };

const SECONDS_AN_HOUR = 3600;

const chargingModes: Texts = {
  Bulk: "bulk",
  Absorption: "acceptance",
  Overcharge: "overcharge",
  Equalise: "equalize",
  Float: "float",
  "Not charging": "other",
  "No float": "other",
  "Constant VI": "other",
  Disabled: "other",
  Fault: "other",
};

const chargerRoles: Texts = { Standalone: "standalone", Primary: "master", Secondary: "slave", Echo: "slave" };

const inverterModes: Texts = {
  Invert: "inverting",
  "AC passthru": "idle",
  "Load sense": "standby",
  Fault: "faulted",
  Disabled: "disabled",
};

/** Line 1 of the mains; the values of the other lines have no path. */
const mains = {
  line1VoltageV: "lineNeutralVoltage",
  line1CurrentA: "current",
  line1FrequencyHz: "frequency",
  line1RealPowerW: "realPower",
  line1PowerFactor: "powerFactor",
} as const;

const inNorth = (reference: "True" | "Magnetic"): readonly PgnPaths[] => [
  pgn(
    setDriftRapidUpdate,
    "environment",
    {
      setDeg: {
        path: "current",
        description: `Set from ${reference.toLowerCase()} north, radians, and drift, metres a second`,
        value: ({ setDeg, driftMs }) =>
          setDeg === undefined && driftMs === undefined
            ? undefined
            : { [`set${reference}`]: quantity(setDeg, "deg"), drift: driftMs },
      },
    },
    { when: { setReference: reference } },
  ),
];

/**
 * Paths of PGNs, for which hub does not choose a source: the first device that sends one keeps it until it falls
 * silent.
 */
export const pgnPaths: readonly PgnPaths[] = [
  // Steering.
  pgn(rudder, "steering", { positionDeg: "rudderAngle", angleOrderDeg: "rudderAngleTarget" }),
  ...pilotPaths,
  pgn(attitude, "navigation", {
    rollDeg: {
      path: "attitude",
      description: "Roll, pitch and yaw, radians",
      // The yaw alone, as some compasses tell it, is in the heading.
      value: ({ rollDeg, pitchDeg, yawDeg }) =>
        (rollDeg ?? pitchDeg) === undefined
          ? undefined
          : { roll: quantity(rollDeg, "deg"), pitch: quantity(pitchDeg, "deg"), yaw: quantity(yawDeg, "deg") },
    },
  }),
  pgn(distanceLog, "navigation", { totalLogM: "log", tripLogM: "trip.log" }),

  ...coursePaths,
  ...inNorth("True"),
  ...inNorth("Magnetic"),

  // Satellites.
  pgn(gnss.gnssPositionData, "navigation.gnss", {
    gnssType: {
      path: "type",
      description: "Systems of satellites in use, by the names of the schema",
      value: ({ gnssType }) => (gnssType === undefined ? undefined : satelliteSystems[gnssType]),
    },
  }),
  pgn(
    gnss.gnssSatellitesInView,
    "navigation.gnss",
    {
      numberOfSatellites: {
        path: "satellitesInView",
        description: "Number of satellites in view, as `count`",
        value: ({ numberOfSatellites: count }) => (count === undefined ? undefined : { count }),
      },
    },
    { beyondSchema: true },
  ),

  // Engines.
  pgn(propulsion.engineParametersRapid, "propulsion.{engineInstance}", {
    engineSpeedRpm: "revolutions",
    boostPressureKpa: "boostPressure",
    tiltTrimPercent: "drive.trimState",
  }),
  pgn(propulsion.engineParametersDynamic, "propulsion.{engineInstance}", {
    oilPressureKpa: "oilPressure",
    oilTempC: "oilTemperature",
    coolantTempC: "coolantTemperature",
    alternatorVoltage: "alternatorVoltage",
    fuelRateLh: "fuel.rate",
    engineHours: "runTime",
    coolantPressureKpa: "coolantPressure",
    fuelPressureKpa: "fuel.pressure",
    loadPercent: "engineLoad",
    torquePercent: "engineTorque",
  }),
  // Most displays look for the temperature of the engine, which is that of its coolant.
  pgn(propulsion.engineParametersDynamic, "propulsion.{engineInstance}", { coolantTempC: "temperature" }),
  pgn(propulsion.transmissionParametersDynamic, "propulsion.{engineInstance}.transmission", {
    gear: "gear",
    oilPressureKpa: "oilPressure",
    oilTempC: "oilTemperature",
  }),
  pgn(propulsion.tripParametersEngine, "propulsion.{engineInstance}.fuel", {
    tripFuelUsedL: "used",
    fuelRateAvgLh: "averageRate",
    fuelRateEconomyLh: "economyRate",
  }),

  // Batteries, chargers, inverters, mains.
  pgn(electrical.batteryStatus, "electrical.batteries.{instance}", {
    voltageV: "voltage",
    currentA: "current",
    temperatureC: "temperature",
  }),
  pgn(
    electrical.dcDetailedStatus,
    "electrical.batteries.{instance}.capacity",
    {
      stateOfChargePercent: "stateOfCharge",
      stateOfHealthPercent: "stateOfHealth",
      timeRemainingMin: "timeRemaining",
    },
    { when: { dcType: "Battery" } },
  ),
  pgn(
    electrical.batteryConfigurationStatus,
    "electrical.batteries.{instance}",
    {
      batteryType: { path: "chemistry", texts: batteryTypes },
      capacityAh: {
        path: "capacity.nominal",
        description: "Charge by the maker of the battery at its nominal voltage",
        units: "J",
        value: ({ capacityAh, nominalVoltageV }) =>
          capacityAh === undefined || typeof nominalVoltageV !== "number"
            ? undefined
            : capacityAh * SECONDS_AN_HOUR * nominalVoltageV,
      },
    },
    { isBare: true },
  ),
  pgn(electrical.chargerStatus, "electrical.chargers.{chargerInstance}", {
    operatingState: { path: "chargingMode", texts: chargingModes },
    chargerMode: { path: "chargerRole", texts: chargerRoles },
  }),
  pgn(electrical.inverterStatus, "electrical.inverters.{inverterInstance}", {
    operatingState: { path: "inverterMode", texts: inverterModes },
  }),
  pgn(electrical.acInputStatus, "electrical.ac.{instance}.phase.A", mains),
  pgn(electrical.acOutputStatus, "electrical.inverters.{instance}.ac", mains),

  // Switches.
  {
    definition: electrical.binarySwitchBankStatus,
    when: {},
    each: "switches",
    rows: [
      {
        path: "electrical.switches.bank.{instance}.{switch}.state",
        member: "switches[].status",
        meta: { description: "Binary Switch Bank Status: 1 on, 0 off" },
        value: ({ status }) => (status === "On" ? 1 : status === "Off" ? 0 : undefined),
        beyondSchema: true,
      },
    ],
  },

  // Tanks.
  pgn(electrical.fluidLevel, "tanks.{fluidType}.{instance}", {
    levelPercent: "currentLevel",
    capacityLiters: "capacity",
  }),

  // Temperatures, humidity.
  ...[environment.temperature, environment.temperatureExtendedRange].flatMap((definition) =>
    byChoice(definition, "source", "actualTempC", instanceTemperaturePaths),
  ),
  ...byChoice(environment.environmentalParametersDeprecated, "tempSource", "temperatureC", temperaturePaths("")),
  ...byChoice(environment.environmentalParametersDeprecated, "humiditySource", "humidityPercent", {
    Inside: "environment.inside.relativeHumidity",
    Outside: "environment.outside.relativeHumidity",
  }),
  ...byChoice(environment.humidity, "source", "actualHumidityPercent", {
    Inside: "environment.inside.{instance}.relativeHumidity",
    Outside: "environment.outside.relativeHumidity",
  }),
];

/** The names that the crew gave to things, where Signal K has a path for them. */
export const thingNamePaths: readonly {
  readonly definition: Definition;
  readonly row: Row<{ readonly name: string | undefined }>;
}[] = (
  [
    [propulsion.engineParametersRapid, "propulsion.{engineInstance}.label"],
    [electrical.batteryStatus, "electrical.batteries.{instance}.name"],
    [electrical.chargerStatus, "electrical.chargers.{chargerInstance}.name"],
    [electrical.inverterStatus, "electrical.inverters.{inverterInstance}.name"],
    [electrical.fluidLevel, "tanks.{fluidType}.{instance}.name"],
  ] as const
).map(([definition, path]) => ({
  definition,
  row: row(path, "names", [`${messageLabel(definition)}: as the crew calls it`], ({ name }) => name),
}));

/** Segments of a path in place of the number of the field: engine 0 is the single or the port one. */
const segments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  engineInstance: { 0: "port", 1: "starboard" },
  fluidType: {
    Fuel: "fuel",
    Water: "freshWater",
    "Gray water": "wasteWater",
    "Live well": "liveWell",
    Oil: "lubrication",
    "Black water": "blackWater",
    Gasoline: "fuel",
  },
};

/**
 * The segment of a path for a member of a message: its name in the table or its number, which is 0 if the message has
 * no instance; undefined if there is no segment, as for a fluid that Signal K does not know.
 */
export function segmentOf(name: string, value: unknown): string | undefined {
  const text = value === undefined && name !== "fluidType" ? "0" : String(value);
  const names = segments[name] ?? {};
  if (Object.hasOwn(names, text)) return names[text];
  return name !== "fluidType" && /^\d+$/.test(text) ? text : undefined;
}
