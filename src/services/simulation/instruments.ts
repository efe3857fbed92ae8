/**
 * The messages of each instrument on board. Messages have their published periods, if there is one; the heading sensors
 * report as often as an autopilot needs.
 */

import { arrivalOf } from "../../core/n2k/arrival.ts";
import { pgn } from "../../core/n2k/definition.ts";
import {
  batteryConfigurationStatus,
  batteryStatus,
  binarySwitchBankStatus,
  chargerStatus,
  dcDetailedStatus,
  fluidLevel,
} from "../../core/n2k/pgns/electrical.ts";
import {
  actualPressure,
  environmentalParametersDeprecated,
  humidity,
  temperature,
  temperatureExtendedRange,
  windData,
} from "../../core/n2k/pgns/environment.ts";
import {
  cogSogRapidUpdate,
  datum,
  directionData,
  gnssDops,
  gnssPositionData,
  localTimeOffset,
  positionRapidUpdate,
  systemTime,
} from "../../core/n2k/pgns/gnss.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  transmissionParametersDynamic,
  tripParametersVessel,
} from "../../core/n2k/pgns/propulsion.ts";
import { crossTrackError, navigationData, setDriftRapidUpdate } from "../../core/n2k/pgns/route.ts";
import { routeWaypointInformation } from "../../core/n2k/pgns/routes.ts";
import {
  attitude,
  headingTrackControl,
  magneticVariation,
  rateOfTurn,
  rudder,
  vesselHeading,
} from "../../core/n2k/pgns/steering.ts";
import { distanceLog, nauticalLeeway, speedWaterReferenced, waterDepth } from "../../core/n2k/pgns/water.ts";
import { angle, code, counter, decimal, integer, repeat, skip } from "../../core/n2k/verbs.ts";
import { s16, u4, u8, u16 } from "../../core/n2k/wire.ts";
import {
  BATTERY_CAPACITY,
  chargerStateAt,
  engineAt,
  houseBatteryAt,
  starterBatteryAt,
  switchesAt,
  tanksAt,
} from "./machinery.ts";
import { heading360, type Instant, measurement, type PeriodicMessage, sequenceId } from "./periodic-message.ts";
import { full, plus, toCoordinates } from "./plane.ts";
import { type Fix, TRANSDUCER_DEPTH, voyageAt, waypoints, weatherAt } from "./voyage.ts";

const DAY = 86_400_000;
const KNOT = 1852 / 3600;

const date = ({ wall }: Instant) => Math.floor(wall / DAY);
const time = ({ wall }: Instant) => (wall % DAY) / 1000;

/** The wind sensor at the masthead, and the weather station in it. */
export const mastheadMessages: readonly PeriodicMessage[] = [
  measurement(windData, { periodMs: 100, priority: 2 }, (now) => {
    const { speed, angle } = voyageAt(now.seconds).apparentWind;
    return {
      windSpeedMs: speed,
      windAngleDeg: heading360(angle),
      reference: "Apparent",
    };
  }),
  measurement(environmentalParametersDeprecated, { periodMs: 500, priority: 5 }, (now) => {
    const { air, humidity, pressure } = weatherAt(now.seconds);
    return {
      tempSource: "Outside Temperature",
      humiditySource: "Outside",
      temperatureC: air,
      humidityPercent: humidity,
      pressurePa: pressure,
    };
  }),
  measurement(temperature, { periodMs: 2000, priority: 5 }, (now) => ({
    instance: 1,
    source: "Outside Temperature",
    actualTempC: weatherAt(now.seconds).air,
  })),
  measurement(humidity, { periodMs: 2000, priority: 5 }, (now) => ({
    instance: 1,
    source: "Outside",
    actualHumidityPercent: weatherAt(now.seconds).humidity,
  })),
  measurement(actualPressure, { periodMs: 2000, priority: 5 }, (now) => ({
    instance: 0,
    source: "Atmospheric",
    pressurePa: weatherAt(now.seconds).pressure,
  })),
];

const attitudeMessage = (periodMs: number): PeriodicMessage =>
  measurement(attitude, { periodMs, priority: 3 }, (now) => {
    const { pitch, roll, yaw } = voyageAt(now.seconds);
    return { yawDeg: yaw, pitchDeg: pitch, rollDeg: roll };
  });

const rateOfTurnMessage = (periodMs: number): PeriodicMessage =>
  measurement(rateOfTurn, { periodMs, priority: 2 }, (now) => ({
    rateDegPerSec: voyageAt(now.seconds).rateOfTurn,
  }));

/** The magnetic compass with its gyro; its deviation and the variation are configured. */
export const compassMessages: readonly PeriodicMessage[] = [
  measurement(vesselHeading, { periodMs: 50, priority: 2 }, (now) => {
    const { compass, deviation, variation } = voyageAt(now.seconds);
    return {
      headingDeg: heading360(compass),
      deviationDeg: deviation,
      variationDeg: variation,
      reference: "Magnetic" as const,
    };
  }),
  rateOfTurnMessage(50),
  attitudeMessage(100),
];

/** The compass of two GNSS antennas: true heading. */
export const satelliteCompassMessages: readonly PeriodicMessage[] = [
  measurement(vesselHeading, { periodMs: 50, priority: 2 }, (now) => ({
    headingDeg: heading360(voyageAt(now.seconds).heading),
    reference: "True" as const,
  })),
  rateOfTurnMessage(50),
  attitudeMessage(100),
];

/** 129540 with its satellites, which hub does not publish, but which make a good part of the load of a real bus. */
const satellitesInView = pgn(
  129540,
  "GNSS Satellites in View",
  {
    sequenceId: counter(integer(u8)),
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

/** Satellites that pass within twelve hours, `used` of them in the fix. */
const sky = (seconds: number, count: number, used: number) =>
  Array.from({ length: count }, (_, index) => {
    const turn = seconds / 43_080 + index / count;
    return {
      prn: 2 + ((index * 7) % 31),
      elevationDeg: 45 + 40 * Math.sin(2 * Math.PI * turn * 1.5 + index),
      azimuthDeg: heading360(full(360 * turn + 61 * index)),
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

/** A receiver; without a fix it goes on sending, with the method "no GNSS". */
export const gnssMessages = ({ fixAt, gnssType, satellitesInSight }: Receiver): readonly PeriodicMessage[] => [
  measurement(positionRapidUpdate, { periodMs: 100, priority: 2 }, ({ seconds }) => {
    const fix = fixAt(seconds);
    return fix.method === 0 ? {} : positionOf(fix, seconds);
  }),
  measurement(cogSogRapidUpdate, { periodMs: 250, priority: 2 }, (now) => {
    const { courseOverGround, speedOverGround } = voyageAt(now.seconds);
    return {
      sequenceId: sequenceId(now, 1000),
      cogReference: "True",
      ...(fixAt(now.seconds).method !== 0 && { cogDeg: heading360(courseOverGround), sogMs: speedOverGround }),
    };
  }),
  measurement(gnssPositionData, { periodMs: 1000, priority: 3 }, (now) => {
    const fix = fixAt(now.seconds);
    return {
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
  measurement(gnssDops, { periodMs: 1000, priority: 6 }, (now) => {
    const { method, hdop, pdop } = fixAt(now.seconds);
    const vdop = Math.sqrt(pdop ** 2 - hdop ** 2);
    return { ...(method !== 0 && { mode: 2 }), hdop, vdop, tdop: 0.6 * pdop };
  }),
  measurement(satellitesInView, { periodMs: 1000, priority: 6 }, (now) => ({
    numberOfSatellites: satellitesInSight,
    satellites: sky(now.seconds, satellitesInSight, fixAt(now.seconds).satellites),
  })),
  measurement(systemTime, { periodMs: 1000, priority: 3 }, (now) => ({
    source: 0,
    date: date(now),
    time: time(now),
  })),
  measurement(magneticVariation, { periodMs: 1000, priority: 7 }, (now) => ({
    source: "WMM 2020" as const,
    age: date(now),
    variation: voyageAt(now.seconds).variation,
  })),
  measurement(datum, { periodMs: 10_000, priority: 6 }, () => ({
    localDatum: "W84",
    deltaLatitude: 0,
    deltaLongitude: 0,
    deltaAltitude: 0,
    referenceDatum: "W84",
  })),
];

/** Depth, speed through the water, leeway, sea temperature, log. */
export const transducerMessages: readonly PeriodicMessage[] = [
  measurement(waterDepth, { periodMs: 1000, priority: 3 }, (now) => ({
    depthM: voyageAt(now.seconds).depth,
    offsetM: TRANSDUCER_DEPTH,
    rangeM: 100,
  })),
  measurement(speedWaterReferenced, { periodMs: 250, priority: 2 }, (now) => ({
    speedWaterMs: voyageAt(now.seconds).speedThroughWater,
    speedSensorType: "Electro Magnetic",
  })),
  measurement(nauticalLeeway, { periodMs: 250, priority: 4 }, (now) => ({
    leewayDeg: voyageAt(now.seconds).leeway,
  })),
  measurement(distanceLog, { periodMs: 1000, priority: 6 }, ({ seconds }) => {
    const { log } = voyageAt(seconds);
    return { totalLogM: 18_520_000 + log, tripLogM: log };
  }),
  measurement(temperatureExtendedRange, { periodMs: 2000, priority: 5 }, (now) => ({
    instance: 0,
    source: "Sea Temperature",
    actualTempC: weatherAt(now.seconds).sea,
  })),
];

export const engineMessages: readonly PeriodicMessage[] = [
  measurement(engineParametersRapid, { periodMs: 100, priority: 2 }, ({ seconds }) => {
    const { rpm, boostPressure } = engineAt(seconds);
    return { engineInstance: 0, engineSpeedRpm: rpm, boostPressureKpa: boostPressure };
  }),
  measurement(engineParametersDynamic, { periodMs: 500, priority: 2 }, ({ seconds }) => {
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
  measurement(transmissionParametersDynamic, { periodMs: 100, priority: 2 }, ({ seconds }) => {
    const { gear, oilPressure, oilTemperature } = engineAt(seconds);
    return {
      engineInstance: 0,
      gear,
      oilPressureKpa: 3 * oilPressure,
      oilTempC: 0.8 * oilTemperature,
      discreteStatus1: 0,
    };
  }),
  measurement(tripParametersVessel, { periodMs: 1000, priority: 5 }, ({ seconds }) => {
    const fuel = tanksAt(seconds)[0]!;
    const litres = (fuel.capacity * fuel.level) / 100;
    return { timeToEmptyHours: litres / 3, distanceToEmptyNm: (litres / 3) * 5.5, fuelRemainingL: litres };
  }),
  measurement(temperature, { periodMs: 2000, priority: 5 }, (now) => ({
    instance: 2,
    source: "Exhaust Gas Temperature",
    actualTempC: engineAt(now.seconds).exhaustTemperature,
  })),
];

const batteryTalk = (instance: number, batteryAt: typeof houseBatteryAt): PeriodicMessage =>
  measurement(batteryStatus, { periodMs: 1500, priority: 6 }, (now) => {
    const { voltage, current, temperature } = batteryAt(now.seconds);
    return {
      instance,
      voltageV: voltage,
      currentA: current,
      temperatureC: temperature,
    };
  });

/** The shunt of the house battery, with a wire to the starter battery. */
export const batteryMessages: readonly PeriodicMessage[] = [
  batteryTalk(0, houseBatteryAt),
  batteryTalk(1, starterBatteryAt),
  measurement(dcDetailedStatus, { periodMs: 1500, priority: 6 }, (now) => {
    const { charge, current } = houseBatteryAt(now.seconds);
    const hours = ((charge / 100) * BATTERY_CAPACITY) / Math.max(1, -current);
    return {
      instance: 0,
      dcType: "Battery",
      stateOfChargePercent: charge,
      stateOfHealthPercent: 96,
      ...(current < 0 && { timeRemainingMin: 60 * hours }),
      rippleVoltageV: 0.012,
      capacityRemainingAh: (charge / 100) * BATTERY_CAPACITY,
    };
  }),
  measurement(batteryConfigurationStatus, { periodMs: 60_000, priority: 6 }, () => ({
    instance: 0,
    batteryType: "AGM",
    supportsEqualization: "No",
    nominalVoltageV: 12,
    capacityAh: BATTERY_CAPACITY,
    temperatureCoefficientPct: 1,
  })),
];

export const chargerMessages: readonly PeriodicMessage[] = [
  measurement(chargerStatus, { periodMs: 1500, priority: 6 }, ({ seconds }) => ({
    chargerInstance: 0,
    batteryInstance: 0,
    operatingState: chargerStateAt(seconds),
    chargerMode: "Standalone",
    enabled: "On",
    equalizationPending: 0,
  })),
  measurement(temperature, { periodMs: 2000, priority: 5 }, (now) => ({
    instance: 3,
    source: "Main Cabin Temperature",
    actualTempC: weatherAt(now.seconds).cabin,
  })),
];

/** The tank senders, one after the other. */
export const tankMessages: readonly PeriodicMessage[] = tanksAt(0).map((_, index) =>
  measurement(fluidLevel, { periodMs: 2500, firstMs: 600 * index, priority: 6 }, ({ seconds }) => {
    const { instance, type, level, capacity } = tanksAt(seconds)[index]!;
    return { instance, fluidType: type, levelPercent: level, capacityLiters: capacity };
  }),
);

export const switchMessages: readonly PeriodicMessage[] = [
  measurement(binarySwitchBankStatus, { periodMs: 1000, priority: 3 }, ({ seconds }) => ({
    instance: 0,
    switches: switchesAt(seconds),
  })),
];

export const autopilotMessages: readonly PeriodicMessage[] = [
  measurement(rudder, { periodMs: 100, priority: 2 }, ({ seconds }) => {
    const { rudder } = voyageAt(seconds);
    return { instance: 0, directionOrder: "No Order", angleOrderDeg: rudder, positionDeg: rudder };
  }),
  measurement(headingTrackControl, { periodMs: 250, priority: 2 }, ({ seconds }) => {
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
      headingToSteerDeg: heading360(navigation.bearing),
      commandedTrackDeg: heading360(navigation.track),
    };
  }),
];

/** The chart plotter: route, cross track error, and the current it computes. */
export const plotterMessages: readonly PeriodicMessage[] = [
  measurement(crossTrackError, { periodMs: 1000, priority: 3 }, (now) => ({
    xteMode: 0,
    xte: voyageAt(now.seconds).navigation.crossTrack,
  })),
  measurement(navigationData, { periodMs: 1000, priority: 3 }, (now) => {
    const { destination, distance, bearing, arrived, closing } = voyageAt(now.seconds).navigation;
    return {
      distanceToWaypoint: distance,
      bearingToWaypoint: heading360(bearing),
      bearingReference: "True",
      arrivalStatus: arrivalOf({ isInCircle: arrived, isPassed: false }),
      waypointClosing: closing > 0,
      destinationLatitude: destination.latitude,
      destinationLongitude: destination.longitude,
      waypointId: destination.id,
    };
  }),
  measurement(routeWaypointInformation, { periodMs: 5000, priority: 6 }, () => ({
    startRps: 0,
    numberOfItems: waypoints.length,
    databaseId: 0,
    routeId: 1,
    direction: "Forward",
    supplementaryData: "Off",
    routeName: "ROUND THE BANK",
    waypoints: waypoints.map(({ id, name, latitude, longitude }) => ({ waypointId: id, name, latitude, longitude })),
  })),
  measurement(setDriftRapidUpdate, { periodMs: 1000, priority: 3 }, (now) => {
    const { set, drift } = voyageAt(now.seconds);
    return { setReference: "True", setDeg: heading360(set), driftMs: drift };
  }),
  measurement(directionData, { periodMs: 1000, priority: 3 }, (now) => {
    const voyage = voyageAt(now.seconds);
    return {
      cogReference: 0,
      cog: heading360(voyage.courseOverGround),
      sog: voyage.speedOverGround / KNOT,
      heading: heading360(voyage.heading),
      speedThroughWater: voyage.speedThroughWater / KNOT,
      set: heading360(voyage.set),
      drift: voyage.drift / KNOT,
    };
  }),
  measurement(localTimeOffset, { periodMs: 1000, priority: 3 }, (now) => ({
    days: date(now),
    time: time(now),
    localOffset: 60,
  })),
];
