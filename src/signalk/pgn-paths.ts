/** Paths of PGNs: quantities with instances, such as those of engines, and quantities that no report has. */
import type { Definition, Message } from "../n2k/definition.ts";
import { fieldLabel, messageLabel, unitOf } from "../n2k/label.ts";
import * as electrical from "../n2k/pgns/electrical.ts";
import * as environment from "../n2k/pgns/environment.ts";
import * as propulsion from "../n2k/pgns/propulsion.ts";
import { crossTrackError, setDriftRapidUpdate, navigationData as waypoint } from "../n2k/pgns/route.ts";
import { attitude, headingTrackControl, rudder } from "../n2k/pgns/steering.ts";
import { distanceLog } from "../n2k/pgns/water.ts";
import { pilotStates } from "../n2k/pilot-states.ts";
import { metaOf, quantity, type Row, row, type Texts, textIn, type Value } from "./row.ts";
import { conversionOf, toSi } from "./si.ts";

/**
 * The path of a field below that of its message, with the texts of Signal K for a choice, or a function of the message.
 */
type Leaf<Data> =
  | string
  | { readonly path: string; readonly texts: Texts }
  | { readonly path: string; readonly description: string; readonly value: Row<Data>["value"] };

type Leaves<One extends Definition> = { readonly [Name in keyof Message<One>]?: Leaf<Message<One>> };

interface PgnOptions<One extends Definition> {
  /** Restricts the paths to messages with these values. */
  readonly when?: Partial<Message<One>>;
  readonly beyondSchema?: true;
}

/** The paths of a PGN. */
export interface PgnPaths {
  readonly definition: Definition;
  readonly when: Readonly<Record<string, unknown>>;
  /** The list whose items have the paths; an item has its members and those of the message. */
  readonly each?: string;
  readonly rows: readonly Row<Readonly<Record<string, unknown>>>[];
}

type AnyData = Readonly<Record<string, unknown>>;

function rowOf(definition: Definition, base: string, name: string, leaf: Leaf<never>): Row<AnyData> {
  const field = definition.fields[name];
  const below = typeof leaf === "string" ? leaf : leaf.path;
  const path = base === "" ? below : `${base}.${below}`;
  if (typeof leaf === "object" && "value" in leaf) {
    const { description } = leaf;
    return { path, member: name, meta: { description }, value: leaf.value as Row<AnyData>["value"] };
  }
  const label = field === undefined ? name : fieldLabel(name, field);
  const description = `${messageLabel(definition)}: ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  if (typeof leaf === "object") {
    const { texts } = leaf;
    return { path, member: name, label, meta: { description }, value: (data) => textIn(texts, data[name]) };
  }
  const unit = unitOf(field ?? lineField(definition, name), definition.fields);
  if (unit === undefined)
    return { path, member: name, label, meta: { description }, value: (data) => data[name] as Value };
  const conversion = conversionOf(unit);
  return {
    path,
    member: name,
    label,
    meta: metaOf(description, conversion.units),
    value: (data) => (typeof data[name] === "number" ? toSi(data[name], conversion) : undefined),
  };
}

/** A field of a repeated group of which one is published, such as a line of the mains. */
const lineField = ({ fields }: Definition, name: string) =>
  Object.values(fields).flatMap((field) => (field.kind === "pick" ? [field.group[name]] : []))[0];

const pgn = <One extends Definition>(
  definition: One,
  base: string,
  leaves: Leaves<One>,
  { when = {}, beyondSchema }: PgnOptions<One> = {},
): PgnPaths => ({
  definition,
  when,
  rows: Object.entries<Leaf<never>>(leaves as Readonly<Record<string, Leaf<never>>>).map(([name, leaf]) => ({
    ...rowOf(definition, base, name, leaf),
    ...(beyondSchema && { beyondSchema }),
  })),
});

/** One entry for each text of a choice that names the measured thing. */
const byChoice = <One extends Definition>(
  definition: One,
  choice: keyof Message<One> & string,
  member: keyof Message<One> & string,
  paths: Readonly<Record<string, string>>,
): readonly PgnPaths[] =>
  Object.entries(paths).map(([text, path]) =>
    pgn(definition, "", { [member]: path } as Leaves<One>, { when: { [choice]: text } as Partial<Message<One>> }),
  );

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

/**
 * Manufacturers whose pilots report heading control while they steer by the wind, which only their own PGNs tell:
 * Lowrance, Navico, B&G and Simrad (65305, 65341), Raymarine (65379). Names and codes are those of the canboat
 * database.
 */
const pilotsByWind: ReadonlySet<number | undefined> = new Set([140, 275, 381, 1857, 1851]);

/**
 * No state is better than a wrong one: the state is left out while such a pilot, or an unknown one, reports heading
 * control.
 */
const pilotState = ({ steeringMode }: Message<typeof headingTrackControl>, manufacturer?: number) => {
  const state = textIn(pilotStates, steeringMode);
  return state === "auto" && (manufacturer === undefined || pilotsByWind.has(manufacturer)) ? undefined : state;
};

/** Line 1 of the mains; the values of the other lines have no path. */
const mains = {
  line1VoltageV: "lineNeutralVoltage",
  line1CurrentA: "current",
  line1FrequencyHz: "frequency",
  line1RealPowerW: "realPower",
  line1PowerFactor: "powerFactor",
} as const;

/** Signal K distinguishes great circle and rhumb line; hub does not publish which, and over a leg both agree. */
const course = "navigation.courseGreatCircle";

const inNorth = (reference: "True" | "Magnetic"): readonly PgnPaths[] => [
  pgn(
    headingTrackControl,
    "steering.autopilot.target",
    { headingToSteerDeg: `heading${reference}` },
    { when: { headingReference: reference } },
  ),
  pgn(
    waypoint,
    `${course}.nextPoint`,
    { bearingToWaypoint: `bearing${reference}` },
    { when: { bearingReference: reference } },
  ),
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
  pgn(headingTrackControl, "steering.autopilot", {
    steeringMode: {
      path: "state",
      description: "Steering mode; not `auto` of pilots that say so while they steer by the wind",
      value: pilotState,
    },
  }),
  pgn(attitude, "navigation", {
    rollDeg: {
      path: "attitude",
      description: "Roll, pitch and yaw, radians",
      value: ({ rollDeg, pitchDeg, yawDeg }) =>
        (rollDeg ?? pitchDeg ?? yawDeg) === undefined
          ? undefined
          : { roll: quantity(rollDeg, "deg"), pitch: quantity(pitchDeg, "deg"), yaw: quantity(yawDeg, "deg") },
    },
  }),
  pgn(distanceLog, "navigation", { totalLogM: "log", tripLogM: "trip.log" }),

  // The active route.
  pgn(crossTrackError, course, { xte: "crossTrackError" }),
  pgn(waypoint, `${course}.nextPoint`, {
    distanceToWaypoint: "distance",
    destinationLatitude: {
      path: "position",
      description: "Position of the waypoint",
      value: ({ destinationLatitude: latitude, destinationLongitude: longitude }) =>
        latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    },
  }),
  ...inNorth("True"),
  ...inNorth("Magnetic"),

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
