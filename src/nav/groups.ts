/**
 * From the sources in use to the groups of the report: values put together, turned and rounded. A group is there when one
 * of its quantities has a source; an optional member without a value is left out, a required one is null.
 */
import { dateText, timeText } from "../n2k/date.ts";
import { rounded, roundedBearing, roundedRelative } from "./angles.ts";
import { type Heading, headingOf, type MagneticModel } from "./heading.ts";
import { type Position, positionAt } from "./position.ts";
import type { Picture } from "./quantities.ts";
import { type NavigationData, type NavSourceInfo, PUBLISH_DEPRECATED_WIND } from "./report.ts";
import type { Chosen, Origin } from "./sources.ts";
import {
  type ApparentWind,
  BOAT_OVER_WATER,
  computedTrueWind,
  type Motion,
  measuredTrueWind,
  type TrueWind,
} from "./wind.ts";

export interface Circumstances {
  /** Monotonic clock, milliseconds. */
  readonly now: number;
  /** Wall clock, milliseconds since 1970. */
  readonly wall: number;
  /** Set when the settings ask for the variation of a model. */
  readonly magneticModel: MagneticModel | undefined;
  readonly friendlyNameOf: (device: Origin["device"]) => string | undefined;
}

type Group<Name extends keyof NavigationData> = NavigationData[Name];

/** The variation in use, and the model if it comes from one. */
interface UsedVariation {
  readonly degrees: number | undefined;
  readonly model: string | undefined;
}

const METRES_PER_SECOND = 1852 / 3600;

/** For values that may be missing. */
const maybe =
  (round: (value: number) => number) =>
  (value: number | undefined): number | undefined =>
    value === undefined ? undefined : round(value);

const toBearing = maybe(roundedBearing);
const toRelative = maybe(roundedRelative);
const toHundredths = maybe((value) => rounded(value, 2));
const toThousandths = maybe((value) => rounded(value, 3));
const toCoordinate = maybe((value) => rounded(value, 7));
const toTenths = maybe((value) => rounded(value, 1));
const knotsToMetresPerSecond = maybe((value) => rounded(value * METRES_PER_SECOND, 2));

export function navigationData(picture: Picture, circumstances: Circumstances): NavigationData {
  const describe: Describe = (origin) => origin && describeSource(origin, circumstances);

  const position = picture.position && positionAt(picture.position.value, circumstances.now);
  const variation = variationInUse(picture, position, circumstances);
  const heading = picture.heading && headingOf(picture.heading.value, variation.degrees);
  const trueWind = trueWindOf(picture, {
    headingTrue: heading?.headingTrue,
    headingMagnetic: heading?.headingMagnetic,
    variation: variation.degrees,
    speedThroughWater: picture.speed?.value,
    leeway: picture.leeway?.value,
  });
  return {
    position: picture.position && position && positionGroup(picture.position, position, picture.datum, describe),
    speed_course: speedCourseGroup(picture, heading, variation, describe),
    wind_apparent: picture.apparentWind && windApparentGroup(picture.apparentWind, describe),
    wind_true: trueWind && windTrueGroup(trueWind, describe),
    wind: PUBLISH_DEPRECATED_WIND && trueWind ? deprecatedWindGroup(picture, trueWind, describe) : undefined,
    depth_water: depthWaterGroup(picture, describe),
    date: picture.date && {
      date: dateText(picture.date.value.days),
      time: timeText(picture.date.value.time),
      timeSource: picture.date.value.timeSource,
      source: describe(picture.date),
    },
  };
}

type Describe = (origin: Origin | undefined) => NavSourceInfo | undefined;

function describeSource(
  { device, pgn, arrived, received }: Origin,
  { now, friendlyNameOf }: Circumstances,
): NavSourceInfo {
  return {
    name: device.digits,
    friendlyName: friendlyNameOf(device),
    pgn,
    rxTimestamp: Math.floor(received / 1000),
    age: Math.max(0, rounded((now - arrived) / 1000, 3)),
  };
}

/**
 * One value wherever it is needed. The model comes first where it is asked for and the place is known; then the compass
 * in use, then the variation in use.
 */
function variationInUse(
  { heading, variation }: Picture,
  position: Position | undefined,
  { magneticModel, wall }: Circumstances,
): UsedVariation {
  if (magneticModel !== undefined && position?.latitude !== undefined && position.longitude !== undefined) {
    const modelled = magneticModel(position.latitude, position.longitude, wall);
    if (modelled !== undefined) return modelled;
  }
  return { degrees: heading?.value.variation ?? variation?.value.degrees, model: undefined };
}

function positionGroup(
  receiver: Origin,
  { hasFix, fixType, method, fix, latitude, longitude, from }: Position,
  datum: string | undefined,
  describe: Describe,
): Group<"position"> {
  const { arrived, received, message } = from;
  return {
    hasFix,
    fixType,
    method,
    numSatellites: fix?.numberOfSatellites ?? 0,
    latitude: toCoordinate(latitude),
    longitude: toCoordinate(longitude),
    altitude: toHundredths(fix?.altitude),
    hdop: toHundredths(fix?.hdop),
    pdop: toHundredths(fix?.pdop),
    geoidalSeparation: toHundredths(fix?.geoidalSeparation),
    integrity: fix?.integrity,
    datum,
    source: describe({ ...receiver, pgn: message.pgn, arrived, received }),
  };
}

function speedCourseGroup(
  { course, heading: compass, speed, rateOfTurn, leeway }: Picture,
  heading: Heading | undefined,
  variation: UsedVariation,
  describe: Describe,
): Group<"speed_course"> {
  const from = course ?? compass ?? speed;
  if ((from ?? rateOfTurn ?? leeway ?? variation.degrees) === undefined) return undefined;
  return {
    cog: toBearing(trueCourse(course, variation.degrees)) ?? null,
    sog: toHundredths(course?.value.sog) ?? null,
    headingReference: heading?.reference,
    headingTrue: toBearing(heading?.headingTrue),
    headingMagnetic: toBearing(heading?.headingMagnetic),
    speedThroughWater: toHundredths(speed?.value),
    rateOfTurn: toThousandths(rateOfTurn?.value),
    deviation: toRelative(heading?.deviation),
    variation: toRelative(variation.degrees),
    variationSource: variation.model,
    leeway: toRelative(leeway?.value),
    source: describe(from),
  };
}

function trueCourse(course: Picture["course"], variation: number | undefined): number | undefined {
  if (course?.value.cog === undefined || course.value.reference === "true") return course?.value.cog;
  return variation === undefined ? undefined : course.value.cog + variation;
}

interface UsedTrueWind {
  readonly wind: TrueWind;
  readonly reference: "water" | "ground";
  readonly computed: boolean;
  readonly from: Chosen<unknown>;
}

/** Measured if anybody does, else computed from the apparent wind. */
function trueWindOf({ apparentWind, trueWind }: Picture, motion: Motion): UsedTrueWind | undefined {
  if (trueWind !== undefined) {
    return {
      wind: measuredTrueWind(trueWind.variant, trueWind.value, motion),
      reference: trueWind.variant === BOAT_OVER_WATER ? "water" : "ground",
      computed: false,
      from: trueWind,
    };
  }
  return (
    apparentWind && {
      wind: computedTrueWind(apparentWind.value, motion),
      reference: "water",
      computed: true,
      from: apparentWind,
    }
  );
}

function windApparentGroup(from: Chosen<ApparentWind>, describe: Describe): Group<"wind_apparent"> {
  return {
    speed: toHundredths(from.value.speed) ?? null,
    angle: toRelative(from.value.angle) ?? null,
    source: describe(from),
  };
}

function windTrueGroup({ wind, reference, computed, from }: UsedTrueWind, describe: Describe): Group<"wind_true"> {
  return {
    speed: toHundredths(wind.speed) ?? null,
    angle: toRelative(wind.angle) ?? null,
    direction: toBearing(wind.direction) ?? null,
    reference,
    computed,
    source: describe(from),
  };
}

function deprecatedWindGroup(
  { apparentWind, pressure }: Picture,
  { wind, from }: UsedTrueWind,
  describe: Describe,
): Group<"wind"> {
  return {
    apparentSpeed: knotsToMetresPerSecond(apparentWind?.value.speed),
    apparentAngle: toRelative(apparentWind?.value.angle),
    trueSpeed: knotsToMetresPerSecond(wind.speed),
    trueAngle: toRelative(wind.angle),
    trueDirection: toBearing(wind.direction),
    atmosphericPressure: toTenths(pressure?.value),
    source: describe(apparentWind ?? from),
  };
}

function depthWaterGroup(
  { depth, waterTemperature, outsideTemperature, pressure }: Picture,
  describe: Describe,
): Group<"depth_water"> {
  const from = depth ?? waterTemperature ?? outsideTemperature ?? pressure;
  if (from === undefined) return undefined;
  return {
    depth: toHundredths(depth?.value.depth),
    offset: toHundredths(depth?.value.offset),
    waterTemperature: toHundredths(waterTemperature?.value),
    outsideTemperature: toHundredths(outsideTemperature?.value),
    atmosphericPressure: toTenths(pressure?.value),
    source: describe(from),
  };
}
