/**
 * Makes the groups of the report from the sources in use. The report has a group when one of its quantities has a
 * source; an optional member without a value is undefined, a required one is null. Numbers are not rounded yet.
 */

import type { MagneticModel } from "../ports/magnetic-model.ts";
import { dateText, timeText } from "../text/date.ts";
import { type Heading, headingOf } from "./heading.ts";
import type { MadeGood } from "./made-good.ts";
import { type NavigationData, type NavSourceInfo, PUBLISH_DEPRECATED_WIND } from "./navigation-report.ts";
import type { Position } from "./position.ts";
import type { ChosenSources, DateAndTime } from "./quantities.ts";
import type { Origin, Source } from "./sources.ts";
import {
  type ApparentWind,
  BOAT_OVER_WATER,
  computedTrueWind,
  type Motion,
  measuredTrueWind,
  type TrueWind,
} from "./wind.ts";

export interface ReportContext {
  /** Monotonic clock, milliseconds. */
  readonly now: number;
  /** Wall clock, milliseconds since 1970. */
  readonly wall: number;
  /** The position of the chosen receiver. */
  readonly position: Position | undefined;
  /** The motion of its positions, where no receiver reports a speed. */
  readonly madeGood: MadeGood | undefined;
  /** Present if the settings ask for the variation of a model. */
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

const knotsToMetresPerSecond = (knots: number | undefined): number | undefined =>
  knots === undefined ? undefined : knots * METRES_PER_SECOND;

export function navigationDataOf(chosen: ChosenSources, context: ReportContext): NavigationData {
  const describe: Describe = (from) => from && describeSource(from, context);

  const { position, madeGood } = context;
  const fix = fixOf(chosen, position);
  const variation = variationInUse(chosen, position, context);
  const heading = chosen.heading && headingOf(chosen.heading.value, variation.degrees);
  const trueWind = trueWindOf(chosen, {
    headingTrue: heading?.headingTrue,
    headingMagnetic: heading?.headingMagnetic,
    variation: variation.degrees,
    speedThroughWater: chosen.speed?.value,
    leeway: chosen.leeway?.value,
  });
  return {
    position: position && positionGroup(chosen, position, context.now, describe(fix)),
    speed_course: speedCourseGroup(chosen, { heading, variation, madeGood, fix }, describe),
    wind_apparent: chosen.apparentWind && windApparentGroup(chosen.apparentWind, describe),
    wind_true: trueWind && windTrueGroup(trueWind, describe),
    wind: PUBLISH_DEPRECATED_WIND && trueWind ? deprecatedWindGroup(chosen, trueWind, describe) : undefined,
    depth_water: depthWaterGroup(chosen, describe),
    date: chosen.date && dateGroup(chosen.date, describeSource(chosen.date, context)),
  };
}

/** Device, message and time of a source. */
type SourceMessage = Omit<Origin, "variant">;

type Describe = (from: SourceMessage | undefined) => NavSourceInfo | undefined;

function describeSource(
  { device, pgn, arrived, received }: SourceMessage,
  { now, friendlyNameOf }: ReportContext,
): NavSourceInfo {
  return {
    name: device.digits,
    friendlyName: friendlyNameOf(device),
    pgn,
    rxTimestamp: Math.floor(received / 1000),
    age: Math.max(0, (now - arrived) / 1000),
  };
}

/**
 * The variation for all members: from the model if the settings ask for it and the position is known, or else from the
 * compass in use, or else from the chosen source.
 */
function variationInUse(
  { heading, variation }: ChosenSources,
  position: Position | undefined,
  { magneticModel, wall }: ReportContext,
): UsedVariation {
  if (magneticModel !== undefined && position?.latitude !== undefined && position.longitude !== undefined) {
    const modelled = magneticModel(position.latitude, position.longitude, wall);
    if (modelled !== undefined) return modelled;
  }
  return { degrees: heading?.value.variation ?? variation?.value.degrees, model: undefined };
}

/** Member by member: a spread costs V8 as much as the rest of the report. */
function dateGroup(
  { value: { days, time, timeSource, correctedDays } }: Source<DateAndTime>,
  { name, friendlyName, pgn, rxTimestamp, age }: NavSourceInfo,
): Group<"date"> {
  return {
    date: days === undefined ? undefined : dateText(days),
    time: timeText(time),
    fraction: time % 1 || undefined,
    timeSource,
    source: { name, friendlyName, pgn, rxTimestamp, age, correctedDays },
  };
}

/** Where the coordinates come from. */
function fixOf({ position: source }: ChosenSources, position: Position | undefined): SourceMessage | undefined {
  if (source === undefined || position === undefined) return undefined;
  const { arrived, received, message } = position.from;
  return { device: source.device, pgn: message.pgn, arrived, received };
}

function positionGroup(
  { position: source, datum }: ChosenSources,
  { hasFix, fixType, method, latitude, longitude }: Position,
  now: number,
  from: NavSourceInfo | undefined,
): Group<"position"> {
  const { details } = source!.value;
  return {
    hasFix,
    fixType,
    method,
    numSatellites: details.numberOfSatellites.at(now) ?? 0,
    latitude,
    longitude,
    altitude: details.altitude.at(now),
    hdop: details.hdop.at(now),
    pdop: details.pdop.at(now),
    geoidalSeparation: details.geoidalSeparation.at(now),
    integrity: details.integrity.at(now),
    datum,
    source: from,
  };
}

interface KnownMotion {
  readonly heading: Heading | undefined;
  readonly variation: UsedVariation;
  readonly madeGood: MadeGood | undefined;
  readonly fix: SourceMessage | undefined;
}

function speedCourseGroup(
  { course, heading: compass, speed, rateOfTurn, leeway }: ChosenSources,
  { heading, variation, madeGood, fix }: KnownMotion,
  describe: Describe,
): Group<"speed_course"> {
  const from = course ?? (madeGood && fix) ?? compass ?? speed;
  if ((from ?? rateOfTurn ?? leeway ?? variation.degrees) === undefined) return undefined;
  return {
    cog: trueCourse(course, variation.degrees) ?? madeGood?.cog ?? null,
    sog: course?.value.sog ?? madeGood?.sog ?? null,
    computed: madeGood && true,
    headingReference: heading?.reference,
    headingTrue: heading?.headingTrue,
    headingMagnetic: heading?.headingMagnetic,
    speedThroughWater: speed?.value,
    rateOfTurn: rateOfTurn?.value,
    deviation: heading?.deviation,
    variation: variation.degrees,
    variationSource: variation.model,
    leeway: leeway?.value,
    source: describe(from),
  };
}

function trueCourse(course: ChosenSources["course"], variation: number | undefined): number | undefined {
  if (course?.value.cog === undefined || course.value.reference === "true") return course?.value.cog;
  return variation === undefined ? undefined : course.value.cog + variation;
}

interface UsedTrueWind {
  readonly wind: TrueWind;
  readonly reference: "water" | "ground";
  readonly computed: boolean;
  readonly from: Source<unknown>;
}

const isWhole = ({ speed, angle, direction }: TrueWind): boolean =>
  speed !== undefined && (angle ?? direction) !== undefined;

/** The measured true wind, or else that computed from the apparent wind, before which half of a measured one gives way. */
function trueWindOf(chosen: ChosenSources, motion: Motion): UsedTrueWind | undefined {
  const measured = measuredIn(chosen, motion);
  if (measured !== undefined && isWhole(measured.wind)) return measured;
  const { apparentWind: from } = chosen;
  const wind = from && computedTrueWind(from.value, motion);
  if (from === undefined || wind === undefined || (measured !== undefined && !isWhole(wind))) return measured;
  return { wind, reference: "water", computed: true, from };
}

function measuredIn({ trueWind, otherTrueWinds }: ChosenSources, motion: Motion): UsedTrueWind | undefined {
  if (trueWind === undefined) return undefined;
  const [wind, ...others] = [trueWind, ...otherTrueWinds].map(({ variant, value }) =>
    measuredTrueWind(variant, value, motion),
  );
  return {
    wind: {
      speed: wind!.speed,
      angle: wind!.angle ?? others.find(({ angle }) => angle !== undefined)?.angle,
      direction: wind!.direction ?? others.find(({ direction }) => direction !== undefined)?.direction,
    },
    reference: trueWind.variant === BOAT_OVER_WATER ? "water" : "ground",
    computed: false,
    from: trueWind,
  };
}

function windApparentGroup(from: Source<ApparentWind>, describe: Describe): Group<"wind_apparent"> {
  return {
    speed: from.value.speed ?? null,
    angle: from.value.angle ?? null,
    source: describe(from),
  };
}

function windTrueGroup({ wind, reference, computed, from }: UsedTrueWind, describe: Describe): Group<"wind_true"> {
  return {
    speed: wind.speed ?? null,
    angle: wind.angle ?? null,
    direction: wind.direction ?? null,
    reference,
    computed,
    source: describe(from),
  };
}

function deprecatedWindGroup(
  { apparentWind, pressure }: ChosenSources,
  { wind, from }: UsedTrueWind,
  describe: Describe,
): Group<"wind"> {
  return {
    apparentSpeed: knotsToMetresPerSecond(apparentWind?.value.speed),
    apparentAngle: apparentWind?.value.angle,
    trueSpeed: knotsToMetresPerSecond(wind.speed),
    trueAngle: wind.angle,
    trueDirection: wind.direction,
    atmosphericPressure: pressure?.value,
    source: describe(apparentWind ?? from),
  };
}

function depthWaterGroup(
  { depth, waterTemperature, outsideTemperature, pressure }: ChosenSources,
  describe: Describe,
): Group<"depth_water"> {
  const from = depth ?? waterTemperature ?? outsideTemperature ?? pressure;
  if (from === undefined) return undefined;
  return {
    depth: depth?.value.depth,
    offset: depth?.value.offset,
    waterTemperature: waterTemperature?.value,
    outsideTemperature: outsideTemperature?.value,
    atmosphericPressure: pressure?.value,
    source: describe(from),
  };
}
