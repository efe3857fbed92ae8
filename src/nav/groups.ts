/**
 * From the sources in use to the groups of the report: values put together, turned and rounded. A group is there when one
 * of its quantities has a source; an optional member without a value is left out, a required one is null.
 */
import { rounded, roundedBearing, roundedRelative } from "./angles.ts";
import { dateText, timeText } from "./date.ts";
import { type Heading, headingOf, type MagneticModel } from "./heading.ts";
import { type Position, positionAt } from "./position.ts";
import type { Picture } from "./quantities.ts";
import { type NavigationData, type NavSourceInfo, PUBLISH_DEPRECATED_WIND } from "./report.ts";
import type { Chosen, Origin } from "./sources.ts";
import { BOAT_OVER_WATER, computedTrueWind, type Motion, measuredTrueWind, type TrueWind } from "./wind.ts";

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
  const { now } = circumstances;
  const sourceInfo = (origin: Origin | undefined, message: Omit<Origin, "device" | "variant"> | undefined = origin) =>
    origin && message && describeSource(origin, message, circumstances);

  const position = picture.position && positionAt(picture.position.value, now);
  const used = variationInUse(picture, position, circumstances);
  const heading = picture.heading && headingOf(picture.heading.value, used.degrees);
  const motion: Motion = {
    headingTrue: heading?.headingTrue,
    headingMagnetic: heading?.headingMagnetic,
    variation: used.degrees,
    speedThroughWater: picture.speed?.value,
    leeway: picture.leeway?.value,
  };
  const trueWind = trueWindOf(picture, motion);
  const windSource = sourceInfo(picture.apparentWind ?? picture.trueWind);
  const coursePart = picture.course ?? picture.heading ?? picture.speed;
  const environment = picture.waterTemperature ?? picture.outsideTemperature ?? picture.pressure;

  return {
    position:
      position &&
      positionGroup(
        position,
        picture.datum,
        sourceInfo(picture.position, { ...position.from, pgn: position.from.message.pgn }),
      ),
    speed_course: speedCourseGroup(picture, heading, used, sourceInfo(coursePart)),
    wind_apparent: picture.apparentWind && {
      speed: toHundredths(picture.apparentWind.value.speed) ?? null,
      angle: toRelative(picture.apparentWind.value.angle) ?? null,
      source: sourceInfo(picture.apparentWind),
    },
    wind_true: trueWind && {
      speed: toHundredths(trueWind.wind.speed) ?? null,
      angle: toRelative(trueWind.wind.angle) ?? null,
      direction: toBearing(trueWind.wind.direction) ?? null,
      reference: trueWind.reference,
      computed: trueWind.computed,
      source: sourceInfo(trueWind.from),
    },
    wind:
      PUBLISH_DEPRECATED_WIND && trueWind
        ? {
            apparentSpeed: knotsToMetresPerSecond(picture.apparentWind?.value.speed),
            apparentAngle: toRelative(picture.apparentWind?.value.angle),
            trueSpeed: knotsToMetresPerSecond(trueWind.wind.speed),
            trueAngle: toRelative(trueWind.wind.angle),
            trueDirection: toBearing(trueWind.wind.direction),
            atmosphericPressure: toTenths(picture.pressure?.value),
            source: windSource,
          }
        : undefined,
    depth_water:
      picture.depth || environment
        ? {
            depth: toHundredths(picture.depth?.value.depth),
            offset: toHundredths(picture.depth?.value.offset),
            waterTemperature: toHundredths(picture.waterTemperature?.value),
            outsideTemperature: toHundredths(picture.outsideTemperature?.value),
            atmosphericPressure: toTenths(picture.pressure?.value),
            source: sourceInfo(picture.depth ?? environment),
          }
        : undefined,
    date: picture.date && {
      date: dateText(picture.date.value.days),
      time: timeText(picture.date.value.time),
      timeSource: picture.date.value.timeSource,
      source: sourceInfo(picture.date),
    },
  };
}

function describeSource(
  { device }: Origin,
  { pgn, arrived, received }: Omit<Origin, "device" | "variant">,
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
  { hasFix, fixType, method, fix, latitude, longitude }: Position,
  datum: string | undefined,
  source: NavSourceInfo | undefined,
): Group<"position"> {
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
    source,
  };
}

function speedCourseGroup(
  { course, speed, rateOfTurn, leeway }: Picture,
  heading: Heading | undefined,
  variation: UsedVariation,
  source: NavSourceInfo | undefined,
): Group<"speed_course"> {
  const isEmpty =
    source === undefined && rateOfTurn === undefined && leeway === undefined && variation.degrees === undefined;
  if (isEmpty) return undefined;
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
    source,
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
