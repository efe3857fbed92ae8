/**
 * What each instrument of the boat measures, in the words of the table. Intervals are the public ones of each message, where
 * there is one; the heading sensors report as often as an autopilot wants them to.
 */
import { angle, code, decimal, integer, pgn, repeat, s16, skip, u4, u8, u16 } from "../n2k/field.ts";
import {
  batteryConfigurationStatus,
  batteryStatus,
  binarySwitchBankStatus,
  chargerStatus,
  dcDetailedStatus,
  fluidLevel,
} from "../n2k/pgns/electrical.ts";
import {
  actualPressure,
  environmentalParametersDeprecated,
  humidity,
  temperature,
  temperatureExtendedRange,
  windData,
} from "../n2k/pgns/environment.ts";
import {
  cogSogRapidUpdate,
  datum,
  directionData,
  gnssDops,
  gnssPositionData,
  localTimeOffset,
  positionRapidUpdate,
  systemTime,
} from "../n2k/pgns/gnss.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  transmissionParametersDynamic,
  tripParametersVessel,
} from "../n2k/pgns/propulsion.ts";
import { crossTrackError, navigationData, setDriftRapidUpdate } from "../n2k/pgns/route.ts";
import { routeWaypointInformation } from "../n2k/pgns/routes.ts";
import {
  attitude,
  headingTrackControl,
  magneticVariation,
  rateOfTurn,
  rudder,
  vesselHeading,
} from "../n2k/pgns/steering.ts";
import { distanceLog, nauticalLeeway, speedWaterReferenced, waterDepth } from "../n2k/pgns/water.ts";
import {
  BATTERY_CAPACITY,
  chargerStateAt,
  engineAt,
  houseBatteryAt,
  starterBatteryAt,
  switchesAt,
  tanksAt,
} from "./machinery.ts";
import { full, plus, toCoordinates } from "./plane.ts";
import { circle, type Moment, sequenceId, type Talk, talk } from "./talk.ts";
import { type Fix, TRANSDUCER_DEPTH, voyageAt, waypoints, weatherAt } from "./voyage.ts";

const DAY = 86_400_000;
const KNOT = 1852 / 3600;

const date = ({ wall }: Moment) => Math.floor(wall / DAY);
const time = ({ wall }: Moment) => (wall % DAY) / 1000;

/** The wind sensor at the masthead, and the weather station in it. */
export const mastheadTalks: readonly Talk[] = [
  talk(windData, { every: 100, priority: 2 }, (now) => {
    const { speed, angle } = voyageAt(now.seconds).apparentWind;
    return {
      sequenceId: sequenceId(now, 100),
      windSpeedMs: speed,
      windAngleDeg: circle(angle),
      reference: "Apparent",
    };
  }),
  talk(environmentalParametersDeprecated, { every: 500, priority: 5 }, (now) => {
    const { air, humidity, pressure } = weatherAt(now.seconds);
    return {
      sequenceId: sequenceId(now, 500),
      tempSource: "Outside Temperature",
      humiditySource: "Outside",
      temperatureC: air,
      humidityPercent: humidity,
      pressurePa: pressure,
    };
  }),
  talk(temperature, { every: 2000, priority: 5 }, (now) => ({
    sequenceId: sequenceId(now, 2000),
    instance: 1,
    source: "Outside Temperature",
    actualTempC: weatherAt(now.seconds).air,
  })),
  talk(humidity, { every: 2000, priority: 5 }, (now) => ({
    sequenceId: sequenceId(now, 2000),
    instance: 1,
    source: "Outside",
    actualHumidityPercent: weatherAt(now.seconds).humidity,
  })),
  talk(actualPressure, { every: 2000, priority: 5 }, (now) => ({
    sequenceId: sequenceId(now, 2000),
    instance: 0,
    source: "Atmospheric",
    pressurePa: weatherAt(now.seconds).pressure,
  })),
];

const attitudeTalk = (every: number): Talk =>
  talk(attitude, { every, priority: 3 }, (now) => {
    const { pitch, roll, yaw } = voyageAt(now.seconds);
    return { sequenceId: sequenceId(now, every), yawDeg: yaw, pitchDeg: pitch, rollDeg: roll };
  });

const rateOfTurnTalk = (every: number): Talk =>
  talk(rateOfTurn, { every, priority: 2 }, (now) => ({
    sequenceId: sequenceId(now, every),
    rateDegPerSec: voyageAt(now.seconds).rateOfTurn,
  }));

/** The magnetic compass with its gyro: it knows its deviation and is told the variation. */
export const compassTalks: readonly Talk[] = [
  talk(vesselHeading, { every: 50, priority: 2 }, (now) => {
    const { compass, deviation, variation } = voyageAt(now.seconds);
    return {
      sequenceId: sequenceId(now, 50),
      headingDeg: circle(compass),
      deviationDeg: deviation,
      variationDeg: variation,
      reference: "Magnetic" as const,
    };
  }),
  rateOfTurnTalk(50),
  attitudeTalk(100),
];

/** A compass of two antennas: true heading, without any magnet. */
export const satelliteCompassTalks: readonly Talk[] = [
  talk(vesselHeading, { every: 50, priority: 2 }, (now) => ({
    sequenceId: sequenceId(now, 50),
    headingDeg: circle(voyageAt(now.seconds).heading),
    reference: "True" as const,
  })),
  rateOfTurnTalk(50),
  attitudeTalk(100),
];

/** 129540 with its satellites, which the table leaves out: nobody publishes them, but a bus is full of them. */
const satellitesInView = pgn(
  129540,
  "GNSS Satellites in View",
  {
    sequenceId: integer(u8),
    _mode: skip(2),
    _reserved: skip(6),
    numberOfSatellites: integer(u8),
    satellites: repeat({
      prn: integer(u8),
      elevationDeg: angle(s16),
      azimuthDeg: angle(u16),
      snr: decimal(u16, { per: 100, unit: "dB" }),
      _rangeResiduals: skip(32),
      status: code(u4),
      _reserved: skip(4),
    }),
  },
  { transport: "fast" },
);

const USED = 2;
const TRACKED = 1;

/** Satellites that go over in their twelve hours, `used` of them in the fix. */
const sky = (seconds: number, count: number, used: number) =>
  Array.from({ length: count }, (_, index) => {
    const turn = seconds / 43_080 + index / count;
    return {
      prn: 2 + ((index * 7) % 31),
      elevationDeg: 45 + 40 * Math.sin(2 * Math.PI * turn * 1.5 + index),
      azimuthDeg: circle(full(360 * turn + 61 * index)),
      snr: index < used ? 38 + 6 * Math.sin(index + seconds / 60) : 22,
      status: index < used ? USED : TRACKED,
    };
  });

interface Receiver {
  readonly fixAt: (seconds: number) => Fix;
  /** Code of 129029: 0 GPS, 3 GPS with satellite-based corrections. */
  readonly gnssType: number;
  readonly satellitesInSight: number;
}

const positionOf = (fix: Fix, seconds: number) => {
  const { latitude, longitude } = toCoordinates(plus(voyageAt(seconds).place, fix.error));
  return { latitude, longitude };
};

/** A receiver; without a fix it goes on talking, and says that it has none. */
export const gnssTalks = ({ fixAt, gnssType, satellitesInSight }: Receiver): readonly Talk[] => [
  talk(positionRapidUpdate, { every: 100, priority: 2 }, ({ seconds }) => {
    const fix = fixAt(seconds);
    return fix.method === 0 ? {} : positionOf(fix, seconds);
  }),
  talk(cogSogRapidUpdate, { every: 250, priority: 2 }, (now) => {
    const { courseOverGround, speedOverGround } = voyageAt(now.seconds);
    return {
      sequenceId: sequenceId(now, 1000),
      cogReference: "True",
      ...(fixAt(now.seconds).method !== 0 && { cogDeg: circle(courseOverGround), sogMs: speedOverGround }),
    };
  }),
  talk(gnssPositionData, { every: 1000, priority: 3 }, (now) => {
    const fix = fixAt(now.seconds);
    return {
      sequenceId: sequenceId(now, 1000),
      days: date(now),
      time: time(now),
      ...(fix.method !== 0 && { ...positionOf(fix, now.seconds), altitude: voyageAt(now.seconds).altitude }),
      gnssType,
      method: fix.method,
      numberOfSatellites: fix.satellites,
      hdop: fix.hdop,
      pdop: fix.pdop,
    };
  }),
  talk(gnssDops, { every: 1000, priority: 6 }, (now) => {
    const { method, hdop, pdop } = fixAt(now.seconds);
    const vdop = Math.sqrt(pdop ** 2 - hdop ** 2);
    return { sequenceId: sequenceId(now, 1000), ...(method !== 0 && { mode: 2 }), hdop, vdop, tdop: 0.6 * pdop };
  }),
  talk(satellitesInView, { every: 1000, priority: 6 }, (now) => ({
    sequenceId: sequenceId(now, 1000),
    numberOfSatellites: satellitesInSight,
    satellites: sky(now.seconds, satellitesInSight, fixAt(now.seconds).satellites),
  })),
  talk(systemTime, { every: 1000, priority: 3 }, (now) => ({
    sequenceId: sequenceId(now, 1000),
    source: 0,
    date: date(now),
    time: time(now),
  })),
  talk(magneticVariation, { every: 1000, priority: 7 }, (now) => ({
    sequenceId: sequenceId(now, 1000),
    source: "WMM 2020" as const,
    age: date(now),
    variation: voyageAt(now.seconds).variation,
  })),
  talk(datum, { every: 10_000, priority: 6 }, () => ({
    localDatum: "W84",
    deltaLatitude: 0,
    deltaLongitude: 0,
    deltaAltitude: 0,
    referenceDatum: "W84",
  })),
];

/** Depth, speed through the water, leeway, temperature of the sea, log. */
export const transducerTalks: readonly Talk[] = [
  talk(waterDepth, { every: 1000, priority: 3 }, (now) => ({
    sequenceId: sequenceId(now, 1000),
    depthM: voyageAt(now.seconds).depth,
    offsetM: TRANSDUCER_DEPTH,
    rangeM: 100,
  })),
  talk(speedWaterReferenced, { every: 250, priority: 2 }, (now) => ({
    sequenceId: sequenceId(now, 250),
    speedWaterMs: voyageAt(now.seconds).speedThroughWater,
    speedSensorType: "Electro Magnetic",
  })),
  talk(nauticalLeeway, { every: 250, priority: 4 }, (now) => ({
    sequenceId: sequenceId(now, 250),
    leewayDeg: voyageAt(now.seconds).leeway,
  })),
  talk(distanceLog, { every: 1000, priority: 6 }, ({ seconds }) => {
    const { log } = voyageAt(seconds);
    return { totalLogM: 18_520_000 + log, tripLogM: log };
  }),
  talk(temperatureExtendedRange, { every: 2000, priority: 5 }, (now) => ({
    sequenceId: sequenceId(now, 2000),
    instance: 0,
    source: "Sea Temperature",
    actualTempC: weatherAt(now.seconds).sea,
  })),
];

/** The gateway of the engine. */
export const engineTalks: readonly Talk[] = [
  talk(engineParametersRapid, { every: 100, priority: 2 }, ({ seconds }) => {
    const { rpm, boostPressure } = engineAt(seconds);
    return { engineInstance: 0, engineSpeedRpm: rpm, boostPressureKpa: boostPressure };
  }),
  talk(engineParametersDynamic, { every: 500, priority: 2 }, ({ seconds }) => {
    const engine = engineAt(seconds);
    return {
      engineInstance: 0,
      oilPressureKpa: engine.oilPressure,
      oilTempC: engine.oilTemperature,
      coolantTempC: engine.coolantTemperature,
      alternatorVoltage: starterBatteryAt(seconds).voltage,
      fuelRateLh: engine.fuelRate,
      engineHours: engine.hours,
      coolantPressureKpa: engine.coolantPressure,
      fuelPressureKpa: engine.fuelPressure,
      discreteStatus1: 0,
      discreteStatus2: 0,
      loadPercent: Math.round(engine.load),
      torquePercent: Math.round(engine.load),
    };
  }),
  talk(transmissionParametersDynamic, { every: 100, priority: 2 }, ({ seconds }) => {
    const { gear, oilPressure, oilTemperature } = engineAt(seconds);
    return {
      engineInstance: 0,
      gear,
      oilPressureKpa: 3 * oilPressure,
      oilTempC: 0.8 * oilTemperature,
      discreteStatus1: 0,
    };
  }),
  talk(tripParametersVessel, { every: 1000, priority: 5 }, ({ seconds }) => {
    const fuel = tanksAt(seconds)[0]!;
    const litres = (fuel.capacity * fuel.level) / 100;
    return { timeToEmptyHours: litres / 3, distanceToEmptyNm: (litres / 3) * 5.5, fuelRemainingL: litres };
  }),
  talk(temperature, { every: 2000, priority: 5 }, (now) => ({
    sequenceId: sequenceId(now, 2000),
    instance: 2,
    source: "Exhaust Gas Temperature",
    actualTempC: engineAt(now.seconds).exhaustTemperature,
  })),
];

const batteryTalk = (instance: number, batteryAt: typeof houseBatteryAt): Talk =>
  talk(batteryStatus, { every: 1500, priority: 6 }, (now) => {
    const { voltage, current, temperature } = batteryAt(now.seconds);
    return {
      instance,
      voltageV: voltage,
      currentA: current,
      temperatureC: temperature,
      sequenceId: sequenceId(now, 1500),
    };
  });

/** The shunt of the house battery, with a wire to the starter battery. */
export const batteryTalks: readonly Talk[] = [
  batteryTalk(0, houseBatteryAt),
  batteryTalk(1, starterBatteryAt),
  talk(dcDetailedStatus, { every: 1500, priority: 6 }, (now) => {
    const { charge, current } = houseBatteryAt(now.seconds);
    const hours = ((charge / 100) * BATTERY_CAPACITY) / Math.max(1, -current);
    return {
      sequenceId: sequenceId(now, 1500),
      instance: 0,
      dcType: "Battery",
      stateOfChargePercent: charge,
      stateOfHealthPercent: 96,
      ...(current < 0 && { timeRemainingMin: 60 * hours }),
      rippleVoltageV: 0.012,
      capacityRemainingAh: (charge / 100) * BATTERY_CAPACITY,
    };
  }),
  talk(batteryConfigurationStatus, { every: 60_000, priority: 6 }, () => ({
    instance: 0,
    batteryType: "AGM",
    supportsEqualization: "No",
    nominalVoltageV: 12,
    capacityAh: BATTERY_CAPACITY,
    temperatureCoefficientPct: 1,
  })),
];

export const chargerTalks: readonly Talk[] = [
  talk(chargerStatus, { every: 1500, priority: 6 }, ({ seconds }) => ({
    chargerInstance: 0,
    batteryInstance: 0,
    operatingState: chargerStateAt(seconds),
    chargerMode: "Standalone",
    enabled: "On",
    equalizationPending: 0,
  })),
  talk(temperature, { every: 2000, priority: 5 }, (now) => ({
    sequenceId: sequenceId(now, 2000),
    instance: 3,
    source: "Main Cabin Temperature",
    actualTempC: weatherAt(now.seconds).cabin,
  })),
];

/** The senders of the tanks, one behind the other. */
export const tankTalks: readonly Talk[] = tanksAt(0).map((_, index) =>
  talk(fluidLevel, { every: 2500, first: 600 * index, priority: 6 }, ({ seconds }) => {
    const { instance, type, level, capacity } = tanksAt(seconds)[index]!;
    return { instance, fluidType: type, levelPercent: level, capacityLiters: capacity };
  }),
);

export const switchTalks: readonly Talk[] = [
  talk(binarySwitchBankStatus, { every: 1000, priority: 3 }, ({ seconds }) => ({
    instance: 0,
    switches: switchesAt(seconds),
  })),
];

export const autopilotTalks: readonly Talk[] = [
  talk(rudder, { every: 100, priority: 2 }, ({ seconds }) => {
    const { rudder } = voyageAt(seconds);
    return { instance: 0, directionOrder: "No Order", angleOrderDeg: rudder, positionDeg: rudder };
  }),
  talk(headingTrackControl, { every: 250, priority: 2 }, ({ seconds }) => {
    const { navigation, rudder } = voyageAt(seconds);
    return {
      rudderLimitExceeded: 0,
      offHeadingExceeded: 0,
      offTrackExceeded: 0,
      override: 0,
      steeringMode: "Track Control",
      turnMode: 0,
      headingReference: "True",
      rudderDirection: 0,
      commandedRudderDeg: rudder,
      headingToSteerDeg: circle(navigation.bearing),
      commandedTrackDeg: circle(navigation.track),
    };
  }),
];

/** The chart plotter: where to, how far off, and what current that makes. */
export const plotterTalks: readonly Talk[] = [
  talk(crossTrackError, { every: 1000, priority: 3 }, (now) => ({
    sequenceId: sequenceId(now, 1000),
    xteMode: 0,
    xte: voyageAt(now.seconds).navigation.crossTrack,
  })),
  talk(navigationData, { every: 1000, priority: 3 }, (now) => {
    const { destination, distance, bearing, arrived, closing } = voyageAt(now.seconds).navigation;
    return {
      sequenceId: sequenceId(now, 1000),
      distanceToWaypoint: distance,
      bearingToWaypoint: circle(bearing),
      bearingReference: "True",
      arrivalStatus: arrived ? "Arrival Circle Entered" : "Not Arrived",
      waypointClosing: closing > 0,
      destinationLatitude: destination.latitude,
      destinationLongitude: destination.longitude,
      waypointId: destination.id,
    };
  }),
  talk(routeWaypointInformation, { every: 5000, priority: 6 }, () => ({
    startRps: 0,
    numberOfItems: waypoints.length,
    databaseId: 0,
    routeId: 1,
    direction: "Forward",
    supplementaryData: "Off",
    routeName: "ROUND THE BANK",
    waypoints: waypoints.map(({ id, name, latitude, longitude }) => ({ waypointId: id, name, latitude, longitude })),
  })),
  talk(setDriftRapidUpdate, { every: 1000, priority: 3 }, (now) => {
    const { set, drift } = voyageAt(now.seconds);
    return { sequenceId: sequenceId(now, 1000), setReference: "True", setDeg: circle(set), driftMs: drift };
  }),
  talk(directionData, { every: 1000, priority: 3 }, (now) => {
    const voyage = voyageAt(now.seconds);
    return {
      sequenceId: sequenceId(now, 1000),
      cogReference: 0,
      cog: circle(voyage.courseOverGround),
      sog: voyage.speedOverGround / KNOT,
      heading: circle(voyage.heading),
      speedThroughWater: voyage.speedThroughWater / KNOT,
      set: circle(voyage.set),
      drift: voyage.drift / KNOT,
    };
  }),
  talk(localTimeOffset, { every: 1000, priority: 3 }, (now) => ({ days: date(now), time: time(now), localOffset: 60 })),
];
