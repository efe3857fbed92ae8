/**
 * Sentences that are read, one row each: the messages of PGNs that they become. Fields are counted from 0 behind the
 * letters. A value that is empty, nonsense or marked as not valid is absent.
 */

import { arrivalOf } from "../../../core/n2k/arrival.ts";
import { actualPressure, humidity, temperature, windData } from "../../../core/n2k/pgns/environment.ts";
import { gnssPositionForReports } from "../../../core/n2k/pgns/for-reports.ts";
import {
  cogSogRapidUpdate,
  gnssDops,
  gnssSatellitesInView,
  localTimeOffset,
  positionRapidUpdate,
  systemTime,
} from "../../../core/n2k/pgns/gnss.ts";
import { engineParametersRapid } from "../../../core/n2k/pgns/propulsion.ts";
import { crossTrackError, navigationData, setDriftRapidUpdate } from "../../../core/n2k/pgns/route.ts";
import { routeWaypointInformation } from "../../../core/n2k/pgns/routes.ts";
import { attitude, magneticVariation, rateOfTurn, rudder, vesselHeading } from "../../../core/n2k/pgns/steering.ts";
import { distanceLog, speedWaterReferenced, waterDepth } from "../../../core/n2k/pgns/water.ts";
import { type Said, say } from "../../../core/n2k/said.ts";
import { DSC, DSE } from "./calls.ts";
import { type Fields, temperatureUnits } from "./fields.ts";
import type { Memory } from "./memory.ts";
import { transducers } from "./transducers.ts";

type Read = (fields: Fields, memory: Memory) => readonly Said[];

const KNOT = 1852 / 3600;
const KMH = 1 / 3.6;
const MILE = 1852;
const FOOT = 0.3048;
const INCH_OF_MERCURY = 3386.389;
const STATUTE_MILE = 1609.344;
/** By the letters of units; some instruments write the unit that their user has chosen at any place. */
const speeds = { N: KNOT, K: KMH, M: 1, S: STATUTE_MILE / 3600 } as const;
const distances = { N: MILE, K: 1000, S: STATUTE_MILE } as const;
const pressures = { B: 1e5, I: INCH_OF_MERCURY } as const;
const eastOrWest = ["E", "W"] as const;

/** Methods of 129029 by the letter of the mode. */
const methods: Readonly<Record<string, number>> = { N: 0, A: 1, D: 2, P: 3, R: 4, F: 5, E: 6, M: 7, S: 8 };
/** Systems of 129029 by the talker; `GN` is several of them. */
const systems: Readonly<Record<string, number>> = { GP: 0, GL: 1, GA: 8 };

/**
 * The integrity of 129029 of a receiver that does not check it. GGA and GNS do not tell another, no code says that, and
 * the satellites are behind it.
 */
const NOT_CHECKED = 0;

/** Whether the mode says that the values are valid; sentences before NMEA 0183 2.3 have none. */
const isValidMode = (fields: Fields, at: number): boolean => !fields.is(at, "N");

const time = (seconds: number | undefined, date: number | undefined): readonly Said[] =>
  seconds === undefined || date === undefined ? [] : say(systemTime, { source: 0, date, time: seconds });

/** A course by true north, or else by magnetic north. */
function course(fields: Fields, trueAt: number, magneticAt: number, sogMs: number | undefined): readonly Said[] {
  const cogDeg = fields.turn(trueAt);
  const magnetic = cogDeg === undefined ? fields.turn(magneticAt) : undefined;
  return magnetic === undefined
    ? say(cogSogRapidUpdate, { cogReference: "True", cogDeg, sogMs })
    : say(cogSogRapidUpdate, { cogReference: "Magnetic", cogDeg: magnetic, sogMs });
}

const RMC: Read = (fields, memory) => {
  const isValid = fields.is(1, "A") && isValidMode(fields, 11);
  const position = isValid ? fields.position(2) : undefined;
  const seconds = fields.time(0);
  memory.dated(fields.date(8), seconds);
  const days = memory.dayOf(seconds);
  const method = isValid ? (methods[fields.text(11) || "A"] ?? 1) : 0;
  const variation = fields.signed(9, eastOrWest, 180);
  const sogMs = isValid ? fields.number(6, { times: KNOT, min: 0 }) : undefined;
  return [
    ...time(seconds, days),
    ...(memory.prefers("fix", 2) ? say(gnssPositionForReports, { days, time: seconds, ...position, method }) : []),
    ...say(positionRapidUpdate, { ...position }),
    ...(isValid && memory.prefers("course", 1)
      ? say(cogSogRapidUpdate, { cogReference: "True", cogDeg: fields.turn(7), sogMs })
      : []),
    ...say(magneticVariation, { variation }),
  ];
};

/** The fix of GGA and GNS, whose fields behind the method are the same. */
function fix(fields: Fields, memory: Memory, method: number | undefined): readonly Said[] {
  if (!memory.prefers("fix", 1)) return [];
  const position = method === 0 ? undefined : fields.position(1);
  const seconds = fields.time(0);
  return say(gnssPositionForReports, {
    days: memory.dayOf(seconds),
    time: seconds,
    ...position,
    method,
    gnssType: systems[fields.talker],
    integrity: NOT_CHECKED,
    numberOfSatellites: fields.number(6, { min: 0, max: 99 }),
    hdop: fields.number(7, { min: 0, max: 99.9 }),
    ...(position && altitudeOf(fields)),
  });
}

const lengths = { M: 1, F: FOOT };

function altitudeOf(fields: Fields): { readonly altitude?: number; readonly geoidalSeparation?: number } {
  // In GGA a unit follows either number, in GNS none.
  const [altitude, geoidalSeparation] =
    fields.letters === "GGA"
      ? [fields.measure(8, lengths), fields.measure(10, lengths)]
      : [fields.number(8), fields.number(9)];
  return {
    ...(altitude !== undefined && { altitude }),
    ...(geoidalSeparation !== undefined && { geoidalSeparation }),
  };
}

/** The mode of GNS has a letter for each system: the best of them. */
const methodOfAll = (letters: string): number | undefined =>
  ["R", "F", "P", "D", "A", "E", "M", "S", "N"].flatMap((letter) =>
    letters.includes(letter) ? methods[letter]! : [],
  )[0];

const GLL: Read = (fields) => {
  const isValid = !fields.is(5, "V") && isValidMode(fields, 6);
  return isValid ? say(positionRapidUpdate, { ...fields.position(0) }) : [];
};

const GSA: Read = (fields) => {
  const mode = fields.number(1);
  return say(gnssDops, {
    // 1 is no fix.
    mode: mode === 2 || mode === 3 ? mode - 1 : undefined,
    hdop: fields.number(15, { min: 0, max: 99.9 }),
    vdop: fields.number(16, { min: 0, max: 99.9 }),
  });
};

const VTG: Read = (fields, memory) => {
  if (!isValidMode(fields, 8) || !memory.prefers("course", 1)) return [];
  // Before version 2 of the standard no letters follow the numbers.
  return fields.count === 4
    ? course(fields, 0, 1, fields.number(2, { times: KNOT, min: 0 }) ?? fields.number(3, { times: KMH, min: 0 }))
    : course(fields, 0, 2, fields.amount(speeds, [4, "N"], [6, "K"]));
};

const ZDA: Read = (fields, memory) => {
  const seconds = fields.time(0);
  memory.dated(fields.dateOfThree(1), seconds);
  const days = memory.dayOf(seconds);
  const [hours, minutes = 0] = [fields.number(4, { min: -13, max: 13 }), fields.number(5, { min: -59, max: 59 })];
  // Hours and minutes to be added to the local time for UTC.
  const localOffset = hours === undefined ? undefined : -(hours * 60 + Math.abs(minutes) * (Math.sign(hours) || 1)) + 0;
  return [
    ...time(seconds, days),
    ...(localOffset === undefined ? [] : say(localTimeOffset, { days, time: seconds, localOffset })),
  ];
};

const trueHeading: Read = (fields, memory) => {
  const headingDeg = fields.turn(0);
  const isPreferred = headingDeg !== undefined && memory.prefers("true heading", 2);
  return isPreferred ? say(vesselHeading, { headingDeg, reference: "True" }) : [];
};

/** With a variation it has the true heading too. */
const HDG: Read = (fields, memory) => {
  const headingDeg = fields.turn(0);
  if (headingDeg === undefined || !memory.prefers("magnetic heading", 1)) return [];
  const [deviationDeg, variationDeg] = [1, 3].map((at) => fields.signed(at, eastOrWest, 180));
  if (variationDeg !== undefined) memory.prefers("true heading", 1);
  return say(vesselHeading, { headingDeg, deviationDeg, variationDeg, reference: "Magnetic" });
};

const HDM: Read = (fields, memory) => {
  const headingDeg = fields.turn(0);
  const isPreferred = headingDeg !== undefined && memory.prefers("magnetic heading", 2);
  return isPreferred ? say(vesselHeading, { headingDeg, reference: "Magnetic" }) : [];
};

const VHW: Read = (fields, memory) => {
  const speedWaterMs = fields.amount(speeds, [4, "N"], [6, "K"]);
  const magnetic = fields.turn(2);
  const headingDeg = magnetic ?? fields.turn(0);
  const [reference, quantity] =
    magnetic === undefined ? (["True", "true heading"] as const) : (["Magnetic", "magnetic heading"] as const);
  return [
    ...say(speedWaterReferenced, { speedWaterMs }),
    // Most logs repeat the heading of a compass.
    ...(headingDeg !== undefined && memory.prefers(quantity, 3) ? say(vesselHeading, { headingDeg, reference }) : []),
  ];
};

/** An angle from the bow by its side, or by its sign where the letter is none of a side. */
function angleFromBow(fields: Fields): number | undefined {
  const isOfSide = fields.is(1, "R") || fields.is(1, "L");
  if (!isOfSide) return fields.turn(0);
  const angle = fields.signed(0, ["R", "L"], 180);
  return angle === undefined ? undefined : (angle + 360) % 360;
}

const WATER = "True (water referenced)";
const NORTH = "True (ground referenced to North)";
const MAGNETIC_NORTH = "Magnetic (ground referenced to Magnetic North)";

interface WindSaid {
  readonly windAngleDeg: number | undefined;
  readonly windSpeedMs: number | undefined;
}

/** The apparent wind, unless a better sentence has it. Half of a wind ranks behind those that have all of it. */
function apparentWind(wind: WindSaid, memory: Memory, rank: number): readonly Said[] {
  const { windAngleDeg, windSpeedMs } = wind;
  const isWhole = windAngleDeg !== undefined && windSpeedMs !== undefined;
  const isPreferred = [
    windAngleDeg !== undefined && memory.prefers("apparent angle", isWhole ? rank : rank + 2),
    windSpeedMs !== undefined && memory.prefers("apparent speed", isWhole ? rank : rank + 2),
  ].includes(true);
  return isPreferred ? say(windData, { ...wind, reference: "Apparent" }) : [];
}

const MWV: Read = (fields, memory) => {
  const isApparent = fields.is(1, "R");
  const isValid = !fields.is(4, "V") && (isApparent || fields.is(1, "T"));
  const wind = { windAngleDeg: fields.turn(0), windSpeedMs: fields.measure(2, speeds) };
  if (!isValid) return [];
  return isApparent ? apparentWind(wind, memory, 1) : say(windData, { ...wind, reference: WATER });
};

/** Angle and speed of VWR and VWT. */
const windOfSides = (fields: Fields): WindSaid => ({
  windAngleDeg: angleFromBow(fields),
  windSpeedMs: fields.amount(speeds, [2, "N"], [4, "M"], [6, "K"]),
});

const VWR: Read = (fields, memory) => apparentWind(windOfSides(fields), memory, 2);

const VWT: Read = (fields) => say(windData, { ...windOfSides(fields), reference: WATER });

/** A direction of the wind by true north, or else by magnetic north, and its speed in knots and metres a second. */
function windFrom(fields: Fields, at: number): readonly Said[] {
  const direction = fields.turn(at);
  const windSpeedMs = fields.amount(speeds, [at + 6, "M"], [at + 4, "N"]);
  if (direction !== undefined || fields.turn(at + 2) === undefined)
    return say(windData, { windAngleDeg: direction, windSpeedMs, reference: NORTH });
  return say(windData, { windAngleDeg: fields.turn(at + 2), windSpeedMs, reference: MAGNETIC_NORTH });
}

/** A temperature whose unit follows it; without a unit, degrees Celsius. */
function celsius(fields: Fields, at: number): number | undefined {
  const degrees = fields.measure(at, temperatureUnits);
  return degrees !== undefined && degrees >= -273.15 && degrees <= 300 ? degrees : undefined;
}

const temperatureOf = (
  source: "Sea Temperature" | "Outside Temperature" | "Dew Point Temperature",
  actualTempC: number | undefined,
) => say(temperature, { instance: 0, source, actualTempC });

/** Pressure in bars, or else in inches of mercury. */
const pressure = (fields: Fields): readonly Said[] =>
  say(actualPressure, {
    instance: 0,
    source: "Atmospheric",
    pressurePa: fields.amount(pressures, [2, "B"], [0, "I"]),
  });

const MDA: Read = (fields) => [
  ...pressure(fields),
  ...temperatureOf("Outside Temperature", celsius(fields, 4)),
  ...temperatureOf("Sea Temperature", celsius(fields, 6)),
  ...say(humidity, {
    instance: 0,
    source: "Outside",
    actualHumidityPercent: fields.number(8, { min: 0, max: 100 }),
  }),
  ...temperatureOf("Dew Point Temperature", celsius(fields, 10)),
  ...windFrom(fields, 12),
];

/** Depth in feet, metres and fathoms: the metres are taken. */
const depthOf = (fields: Fields): number | undefined =>
  fields.number(2, { min: 0 }) ??
  fields.number(0, { min: 0, times: FOOT }) ??
  fields.number(4, { min: 0, times: 6 * FOOT });

/** Depth below the transducer (DBT), the keel (DBK) or the surface (DBS), whose offset of the transducer is 0. */
const depth =
  (rank: number, offsetM?: number): Read =>
  (fields, memory) => {
    const depthM = depthOf(fields);
    return depthM !== undefined && memory.prefers("depth", rank) ? say(waterDepth, { depthM, offsetM }) : [];
  };

const DPT: Read = (fields, memory) => {
  const depthM = fields.number(0, { min: 0 });
  if (depthM === undefined || !memory.prefers("depth", 1)) return [];
  return say(waterDepth, {
    depthM,
    offsetM: fields.number(1, { min: -30, max: 30 }),
    rangeM: fields.number(2, { min: 0, max: 2500 }),
  });
};

/** A single rudder, or the starboard one, and the port one. */
const RSA: Read = (fields) =>
  [0, 2].flatMap((at, instance) =>
    fields.is(at + 1, "V") ? [] : say(rudder, { instance, positionDeg: fields.number(at, { min: -180, max: 180 }) }),
  );

/** Engines are numbered from the centre line: odd numbers are to starboard, even ones to port. */
const RPM: Read = (fields) => {
  const number = fields.number(1, { min: 0, max: 20 });
  if (!fields.is(0, "E") || number === undefined || fields.is(4, "V")) return [];
  const engineInstance = number % 2 === 1 ? number : Math.max(0, number - 2);
  return say(engineParametersRapid, { engineInstance, engineSpeedRpm: fields.number(2, { min: 0 }) });
};

/** Codes of 129283 by the letter of the mode. */
const residualModes: Readonly<Record<string, number>> = { A: 0, D: 1, E: 2, S: 3, M: 4 };

/** The letter is the side to which the boat has to steer: to the left it is right of the track, which is positive. */
function track(
  fields: Fields,
  memory: Memory,
  rank: number,
  at: number,
  modeAt: number,
  unit: number | undefined,
): readonly Said[] {
  const xte = fields.signed(at, ["L", "R"], 10_000);
  if (
    xte === undefined ||
    unit === undefined ||
    fields.is(0, "V") ||
    !isValidMode(fields, modeAt) ||
    !memory.prefers("track", rank)
  )
    return [];
  return say(crossTrackError, { xteMode: residualModes[fields.text(modeAt) || "A"], xte: xte * unit });
}

/** Metres of the unit behind the side of a cross-track error; undefined for one that is unknown. */
const unitOf = (fields: Fields, at: number): number | undefined =>
  (distances as Readonly<Record<string, number>>)[fields.text(at).toUpperCase() || "N"];

const XTE: Read = (fields, memory) => (fields.is(1, "V") ? [] : track(fields, memory, 1, 2, 5, unitOf(fields, 4)));

/** The number of a waypoint in 129284 and 129285, from its name. */
function waypointId(name: string): number | undefined {
  if (name === "") return undefined;
  if (/^\d{1,4}$/.test(name)) return Number(name);
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return 10_000 + (hash % 50_000);
}

function destinationOf(fields: Fields, at: number) {
  const place = fields.position(at);
  return { destinationLatitude: place?.latitude, destinationLongitude: place?.longitude };
}

const RMB: Read = (fields, memory) => {
  if (fields.is(0, "V") || !isValidMode(fields, 13)) return [];
  const closing = fields.number(11);
  return [
    ...track(fields, memory, 2, 1, 13, MILE),
    ...(memory.prefers("destination", 1)
      ? say(navigationData, {
          distanceToWaypoint: fields.number(9, { times: MILE, min: 0 }),
          bearingReference: "True",
          bearingToWaypoint: fields.turn(10),
          arrivalStatus: arrivalOf({ isInCircle: fields.is(12, "A"), isPassed: false }),
          waypointId: waypointId(fields.text(4)),
          ...destinationOf(fields, 5),
          waypointClosing: closing === undefined ? undefined : closing > 0,
        })
      : []),
  ];
};

const BWC: Read = (fields, memory) => {
  if (!isValidMode(fields, 12) || !memory.prefers("destination", 2)) return [];
  const [bearing, magnetic] = [fields.turn(5), fields.turn(7)];
  return say(navigationData, {
    distanceToWaypoint: fields.amount(distances, [9, "N"]),
    ...(bearing === undefined
      ? magnetic !== undefined && { bearingReference: "Magnetic", bearingToWaypoint: magnetic }
      : { bearingReference: "True", bearingToWaypoint: bearing }),
    waypointId: waypointId(fields.text(11)),
    ...destinationOf(fields, 1),
  });
};

const APB: Read = (fields, memory) => {
  if (fields.is(0, "V")) return [];
  return [
    ...(fields.is(1, "V") ? [] : track(fields, memory, 3, 2, 14, unitOf(fields, 4))),
    ...(isValidMode(fields, 14) && memory.prefers("destination", 3)
      ? say(navigationData, {
          bearingReference: fields.is(11, "M") ? "Magnetic" : "True",
          bearingToWaypoint: fields.turn(10),
          arrivalStatus: arrivalOf({ isInCircle: fields.is(5, "A"), isPassed: fields.is(6, "A") }),
          waypointId: waypointId(fields.text(9)),
        })
      : []),
  ];
};

const MAX_NAME = 16;
/** Room for the waypoints of a route in one message. */
const MAX_ROUTE = 60;

const WPL: Read = (fields, memory) => {
  const place = fields.position(0);
  const name = fields.text(4);
  if (place !== undefined && name !== "") memory.place(name, place);
  return [];
};

const RTE: Read = (fields, memory) => {
  const [total = 0, part = 0] = [fields.number(0, { min: 1, max: 99 }), fields.number(1, { min: 1, max: 99 })];
  const id = fields.text(3).slice(0, MAX_NAME);
  const names = Array.from({ length: Math.max(0, fields.count - 4) }, (_, index) => fields.text(4 + index));
  const all = memory.route(
    id,
    total,
    part,
    names.filter((name) => name !== ""),
  );
  if (all === undefined || all.length === 0) return [];
  const waypoints = all.slice(0, MAX_ROUTE).map((name) => ({
    waypointId: waypointId(name)!,
    name: name.slice(0, MAX_NAME),
    ...memory.waypoint(name),
  }));
  return say(routeWaypointInformation, {
    startRps: 0,
    numberOfItems: waypoints.length,
    databaseId: 0,
    routeId: 0,
    routeName: id === "" ? undefined : id,
    waypoints,
  });
};

/** Sentences by their letters, proprietary ones by their whole address. */
export const sentencesIn: Readonly<Record<string, Read>> = {
  RMC,
  GGA: (fields, memory) => {
    // The method is between the position and the satellites.
    return fix(fields, memory, fields.number(5, { min: 0, max: 8 }));
  },
  GNS: (fields, memory) => fix(fields, memory, methodOfAll(fields.text(5).toUpperCase())),
  GLL,
  GSA,
  // The number of all satellites of a system is in each of the sentences that list them.
  GSV: (fields, memory) => {
    const count = fields.number(1) === 1 ? fields.number(2, { min: 0, max: 99 }) : undefined;
    const numberOfSatellites = count === undefined ? undefined : memory.satellites(fields.talker, count);
    return say(gnssSatellitesInView, { numberOfSatellites });
  },
  VTG,
  ZDA,
  HDG,
  HDM,
  HDT: trueHeading,
  THS: (fields, memory) => (fields.is(1, "V") ? [] : trueHeading(fields, memory)),
  ROT: (fields) =>
    fields.is(1, "V")
      ? []
      : say(rateOfTurn, { rateDegPerSec: fields.number(0, { times: 1 / 60, min: -7200, max: 7200 }) }),
  VHW,
  VLW: (fields) =>
    say(distanceLog, {
      totalLogM: fields.amount(distances, [0, "N"]),
      tripLogM: fields.amount(distances, [2, "N"]),
    }),
  VDR: (fields) => {
    const [setDeg, magnetic] = [fields.turn(0), fields.turn(2)];
    const driftMs = fields.amount(speeds, [4, "N"]);
    return setDeg === undefined && magnetic !== undefined
      ? say(setDriftRapidUpdate, { setReference: "Magnetic", setDeg: magnetic, driftMs })
      : say(setDriftRapidUpdate, { setReference: "True", setDeg, driftMs });
  },
  VWR,
  VWT,
  MWV,
  MWD: (fields) => windFrom(fields, 0),
  MDA,
  MMB: pressure,
  MTA: (fields) => temperatureOf("Outside Temperature", celsius(fields, 0)),
  MTW: (fields) => temperatureOf("Sea Temperature", celsius(fields, 0)),
  DPT,
  DBT: depth(2),
  DBK: depth(3),
  DBS: depth(4, 0),
  XDR: transducers,
  RSA,
  RPM,
  XTE,
  RMB,
  APB,
  BWC,
  // The bearing between two waypoints is in no message that hub publishes.
  BOD: () => [],
  RTE,
  WPL,
  DSC,
  DSE,
  // Compasses with antennas of GNSS, whose heading comes in HDT too. Other sentences of these letters have no T here.
  PASHR: (fields) =>
    fields.is(2, "T")
      ? say(attitude, {
          rollDeg: fields.number(3, { min: -180, max: 180 }),
          pitchDeg: fields.number(4, { min: -90, max: 90 }),
        })
      : [],
};
