/**
 * The quantities of the report: the messages that carry each, the time until a value expires, and the quality by which
 * sources are compared.
 */
import { SystemTimeSource } from "../n2k/lookups.ts";
import { WindDamper } from "./damping.ts";
import type { Device } from "./devices.ts";
import { FrozenReceivers, type Receiver } from "./frozen-receivers.ts";
import { type CompassReading, compassReading, variationQuality } from "./heading.ts";
import type { NavigatorMessage } from "./messages.ts";
import { canBe, plausibleRanges, type Range } from "./plausible.ts";
import { fixIn, MAX_POSITION_AGE_MS, positionAt, positionQuality, type ReceiverState, stateAfter } from "./position.ts";
import {
  CompassSaid,
  type Course,
  CourseSaid,
  type Depth,
  DepthSaid,
  MAX_COURSE_AGE_MS,
  MAX_DEPTH_AGE_MS,
  MAX_HEADING_AGE_MS,
  MAX_WIND_AGE_MS,
  type Said,
  WindSaid,
} from "./said.ts";
import type { PriorityKey } from "./settings.ts";
import { type Origin, type RankOf, SECOND_RATE, Selection, type Source } from "./sources.ts";
import { APPARENT, type ApparentWind, BOAT_OVER_GROUND, BOAT_OVER_WATER } from "./wind.ts";

export interface Variation {
  readonly source: number | undefined;
  readonly degrees: number;
}

export interface DateAndTime {
  /** Since 1970-01-01; undefined: the source has no date, or none that can be. */
  readonly days: number | undefined;
  /** Days that were added because the weeks of GPS have rolled over in the receiver. */
  readonly correctedDays?: number | undefined;
  /** Seconds since midnight, UTC. */
  readonly time: number;
  readonly timeSource: string | undefined;
}

/** The chosen source of each quantity. */
export interface ChosenSources {
  readonly position: Source<ReceiverState> | undefined;
  readonly course: Source<Course> | undefined;
  readonly heading: Source<CompassReading> | undefined;
  readonly speed: Source<number> | undefined;
  readonly rateOfTurn: Source<number> | undefined;
  readonly variation: Source<Variation> | undefined;
  readonly leeway: Source<number> | undefined;
  /** Damped wind; the variant of the true wind is the code of its reference. */
  readonly apparentWind: Source<ApparentWind> | undefined;
  readonly trueWind: Source<ApparentWind> | undefined;
  /** The true winds of other references that the device of `trueWind` measures. */
  readonly otherTrueWinds: readonly Source<ApparentWind>[];
  readonly depth: Source<Depth> | undefined;
  readonly waterTemperature: Source<number> | undefined;
  readonly outsideTemperature: Source<number> | undefined;
  readonly pressure: Source<number> | undefined;
  readonly date: Source<DateAndTime> | undefined;
  /** Name of the chosen receiver's datum. */
  readonly datum: string | undefined;
}

export const MAX_DATE_AGE_MS = 5000;
/** The number of the week of GPS has ten bits. */
const ROLLOVER_DAYS = 7168;
/** A corrected date is at most so long after the build; a later one is a guess. */
const MAX_CORRECTED_DAYS = 5 * 365;
/** Difference of the qualities of a date and a corrected one, and one of a crystal. */
const CORRECTED = 10;
const OF_CRYSTAL = 20;
/** 129044 is sent every ten seconds. */
const MAX_DATUM_AGE_MS = 30_000;

/** Quality of a magnetic heading that no variation makes a true one, which the direction of the wind needs. */
const WITHOUT_NORTH = 1;

/** Variant of a message without its instance. */
const NO_INSTANCE = 255;

/** Both messages of a position are one source. */
const RECEIVER = 129029;
const COURSE = 129026;

/** Quality by PGN, the first one best, one that is not in the order last. */
const inOrder =
  (...pgns: readonly number[]) =>
  (_value: unknown, { pgn }: Origin): number =>
    pgns.includes(pgn) ? pgns.indexOf(pgn) : pgns.length;

const dateOrder = inOrder(126992, 129029, 129033);

/** Whether a time is of a crystal, which is no better than the clock of a computer. */
export const isOfCrystal = ({ timeSource }: DateAndTime): boolean => timeSource === SystemTimeSource[5];

/** A date as it was sent is better than a corrected one, that than one of a crystal, and that than a time of day alone. */
const dateQuality = (value: DateAndTime, origin: Origin): number => {
  if (value.days === undefined) return SECOND_RATE;
  return (
    dateOrder(value, origin) + (isOfCrystal(value) ? OF_CRYSTAL : value.correctedDays === undefined ? 0 : CORRECTED)
  );
};

/** Wind over water is better than over ground, which is better than wind from true or magnetic north. */
const windOrder = ({ variant }: Origin): number =>
  variant === BOAT_OVER_WATER ? 0 : variant === BOAT_OVER_GROUND ? 1 : 2;

const { boatKnots, windKnots, depthMetres, waterCelsius, airCelsius, airPascals } = plausibleRanges;
const { turnDegreesPerSecond, leewayDegrees } = plausibleRanges;

/** A source with an impossible value loses to any other source; alone, its value is published unchanged. */
const doubt = (value: number | undefined, range: Range): number => (canBe(value, range) ? 0 : SECOND_RATE);

/** The quality of a number: possible numbers come first, then those of the first PGN. */
const ofRange = (range: Range, ...pgns: readonly number[]) => {
  const order = inOrder(...pgns);
  return (value: number, origin: Origin): number => doubt(value, range) + order(value, origin);
};

const motionIn = (range: Range) => ({ maxAgeMs: 3000, quality: (value: number) => doubt(value, range) });

const temperatureOf = (range: Range) => ({
  maxAgeMs: 15_000,
  quality: ofRange(range, 130316, 130312, 130311, 130310),
});

/** A wind with half of its values comes last. */
function windQuality(said: WindSaid, _origin: Origin, now: number): number {
  const { speed, angle } = said.at(now);
  return doubt(speed, windKnots) + (speed === undefined || angle === undefined ? SECOND_RATE : 0);
}

/** Adds what a message says to what its device has said before. */
function hearSaid<Values, Kept extends Said<Values>>(
  selection: Selection<Kept>,
  origin: Origin,
  message: Values,
  Empty: new () => Kept,
  variant = origin.variant,
): Source<Kept> | undefined {
  const said = selection.last(origin.device, origin.pgn, variant)?.value ?? new Empty();
  return selection.hear(origin, said.hear(message, origin.arrived) ? said : undefined, variant);
}

function valueAt<Value>(
  source: Source<{ at(now: number): Value | undefined }> | undefined,
  now: number,
): Source<Value> | undefined {
  if (source === undefined) return undefined;
  const { device, pgn, variant, arrived, received } = source;
  const value = source.value.at(now);
  return value && { device, pgn, variant, arrived, received, value };
}

export class Quantities {
  readonly #firstDay: number;
  readonly #position = new Selection<ReceiverState>({
    maxAgeMs: MAX_POSITION_AGE_MS,
    quality: (state, { device }, now) => positionQuality(state, now) + this.#doubtOf(device),
  });
  readonly #course = new Selection<CourseSaid>({
    maxAgeMs: MAX_COURSE_AGE_MS,
    quality: ({ trueCog, magneticCog, sog }, { device }, now) => {
      const cog = trueCog.beside(sog, now) ?? (this.#knowsNorth ? magneticCog.beside(sog, now) : undefined);
      return (cog === undefined ? SECOND_RATE : 0) + doubt(sog.at(now), boatKnots) + this.#doubtOf(device);
    },
  });
  readonly #frozen = new FrozenReceivers();
  readonly #heading = new Selection<CompassSaid>({
    maxAgeMs: MAX_HEADING_AGE_MS,
    quality: (said, _origin, now) => {
      const reading = said.at(now);
      if (reading === undefined) return 2 * SECOND_RATE;
      const { headingTrue, variation } = reading;
      return this.#hasVariation || (headingTrue ?? variation) !== undefined ? 0 : WITHOUT_NORTH;
    },
  });
  /** Whether a variation is known that is not of the compass itself. */
  #hasVariation = false;
  /** Whether a variation is known, also from the compass in use, that makes a magnetic course a true one. */
  #knowsNorth = false;
  readonly #speed = new Selection<number>(motionIn(boatKnots));
  readonly #rateOfTurn = new Selection<number>(motionIn(turnDegreesPerSecond));
  readonly #leeway = new Selection<number>(motionIn(leewayDegrees));
  readonly #variation = new Selection<Variation>({
    maxAgeMs: 120_000,
    quality: ({ source }) => variationQuality(source),
  });
  readonly #apparentWind = new DampedWind(new Selection<WindSaid>({ maxAgeMs: MAX_WIND_AGE_MS, quality: windQuality }));
  readonly #trueWind = new DampedWind(
    new Selection<WindSaid>({
      maxAgeMs: MAX_WIND_AGE_MS,
      quality: (said, origin, now) => windQuality(said, origin, now) + windOrder(origin),
    }),
  );
  /** See `Navigator`. */
  sounderHeardAt: number | undefined;
  readonly #depth = new Selection<DepthSaid>({
    maxAgeMs: MAX_DEPTH_AGE_MS,
    quality: (said, _origin, now) => doubt(said.depth.at(now), depthMetres),
  });
  readonly #waterTemperature = new Selection<number>(temperatureOf(waterCelsius));
  readonly #outsideTemperature = new Selection<number>(temperatureOf(airCelsius));
  readonly #pressure = new Selection<number>({
    maxAgeMs: 15_000,
    quality: ofRange(airPascals, 130314, 130311, 130310),
  });
  readonly #date = new Selection<DateAndTime>({ maxAgeMs: MAX_DATE_AGE_MS, quality: dateQuality });
  readonly #datums = new WeakMap<Device, { readonly name: string; readonly arrived: number }>();

  /** `firstDay`: days since 1970; earlier dates are corrected, see `#dateOf`. */
  constructor(firstDay: number) {
    this.#firstDay = firstDay;
  }

  /** Takes a message; `origin` is its origin with the variant 0. */
  hear(message: NavigatorMessage, origin: Origin, windDamping: number): void {
    switch (message.pgn) {
      case 126992: {
        const source = message.source === undefined ? undefined : SystemTimeSource[message.source];
        return this.#hearDate(origin, message.date, message.time, source);
      }
      case 127250:
        hearSaid(this.#heading, origin, compassReading(message), CompassSaid);
        return;
      case 127251:
        this.#rateOfTurn.hear(origin, message.rateDegPerSec);
        return;
      case 127258: {
        const { source, variation: degrees } = message;
        this.#variation.hear(origin, degrees === undefined ? undefined : { source, degrees });
        return;
      }
      case 128000:
        this.#leeway.hear(origin, message.leewayDeg);
        return;
      case 128259:
        this.#speed.hear(origin, message.speedWaterKnots);
        return;
      case 128267: {
        const { depthM: depth, offsetM: offset } = message;
        this.sounderHeardAt = origin.arrived;
        hearSaid(this.#depth, origin, { depth, offset }, DepthSaid);
        return;
      }
      case 129025:
        return this.#hearPosition(message, origin);
      case 129026:
        return this.#hearCourse(message, origin);
      case 129029:
        this.#hearDate(origin, message.days, message.time, "GNSS");
        return this.#hearPosition(message, origin);
      case 129033:
        return this.#hearDate(origin, message.days, message.time, "Time & Date");
      case 129044:
        if (message.localDatum !== undefined)
          this.#datums.set(origin.device, { name: message.localDatum, arrived: origin.arrived });
        return;
      case 130306:
        return this.#hearWind(message, origin, windDamping);
      default:
        return this.#hearEnvironment(message, origin);
    }
  }

  /**
   * The sources in use at `now`; `ranks` are the ranks of devices in the settings, `isModelled`: a model gives the
   * variation.
   */
  choose(now: number, ranks: Readonly<Record<PriorityKey, RankOf>>, isModelled: boolean): ChosenSources {
    const variation = this.#variation.choose(now, ranks.variation);
    this.#hasVariation = isModelled || variation !== undefined;
    const heading = valueAt(this.#heading.choose(now, ranks.heading), now);
    this.#knowsNorth = this.#hasVariation || heading?.value.variation !== undefined;
    this.#frozen.observe(now, () => this.#receivers(now));
    const position = this.#position.choose(now, ranks.position);
    const trueWind = this.#trueWind.choose(now, ranks.wind);
    const datum = position && this.#datums.get(position.device);
    return {
      position,
      course: valueAt(this.#course.choose(now, ranks.course), now),
      heading,
      speed: this.#speed.choose(now, ranks.speed),
      rateOfTurn: this.#rateOfTurn.choose(now, ranks.rateOfTurn),
      variation,
      leeway: this.#leeway.choose(now, ranks.leeway),
      apparentWind: this.#apparentWind.choose(now, ranks.wind),
      trueWind,
      otherTrueWinds: trueWind === undefined ? [] : this.#trueWind.othersOf(trueWind, now),
      depth: valueAt(this.#depth.choose(now, ranks.depth), now),
      waterTemperature: this.#waterTemperature.choose(now, ranks.environment),
      outsideTemperature: this.#outsideTemperature.choose(now, ranks.environment),
      pressure: this.#pressure.choose(now, ranks.environment),
      date: this.#date.choose(now, ranks.date),
      datum: datum !== undefined && now - datum.arrived <= MAX_DATUM_AGE_MS ? datum.name : undefined,
    };
  }

  /** Knots by which the wind in use is above its damped value. */
  gust(now: number): number {
    return (this.#trueWind.isInUse ? this.#trueWind : this.#apparentWind).gust(now);
  }

  /** The depths of the sounders that are not in use. */
  otherDepths(now: number): readonly Source<Depth>[] {
    return this.#depth.others(now).flatMap((source) => valueAt(source, now) ?? []);
  }

  /** The receivers that have a fix, with the speeds that they report. */
  #receivers(now: number): readonly Receiver[] {
    return this.#position.fresh(now).flatMap(({ device, value }) => {
      const fix = fixIn(positionAt(value, now));
      if (fix === undefined) return [];
      return [{ device, ...fix, sog: this.#course.last(device, COURSE, 0)?.value.sog.at(now) }];
    });
  }

  /** A receiver that is frozen loses to any other one. */
  #doubtOf(device: Device): number {
    return this.#frozen.isFrozen(device) ? SECOND_RATE : 0;
  }

  /** All receivers of positions that are heard at `now`. */
  receivers(now: number): readonly Source<ReceiverState>[] {
    return this.#position.fresh(now);
  }

  #hearDate(origin: Origin, days?: number, time?: number, timeSource?: string): void {
    if (time === undefined) {
      this.#date.hear(origin, undefined);
      return;
    }
    const before = this.#date.last(origin.device, origin.pgn, origin.variant);
    // A message without a date does not unsay the last one.
    if (days === undefined && before?.value.days !== undefined && origin.arrived - before.arrived <= MAX_DATE_AGE_MS)
      this.#date.hear(origin, undefined);
    else this.#date.hear(origin, this.#dateOf(days, time, timeSource ?? before?.value.timeSource));
  }

  /** The date and time of a number of days that was received. */
  #dateOf(days: number | undefined, time: number, timeSource: string | undefined): DateAndTime {
    if (days === undefined || days >= this.#firstDay) return { days, correctedDays: undefined, time, timeSource };
    const correctedDays = Math.ceil((this.#firstDay - days) / ROLLOVER_DAYS) * ROLLOVER_DAYS;
    const corrected = days + correctedDays;
    if (corrected > this.#firstDay + MAX_CORRECTED_DAYS)
      return { days: undefined, correctedDays: undefined, time, timeSource };
    return { days: corrected, correctedDays, time, timeSource };
  }

  #hearPosition(message: Extract<NavigatorMessage, { pgn: 129025 | 129029 }>, origin: Origin): void {
    const before = this.#position.last(origin.device, RECEIVER, 0);
    this.#position.hear(origin, stateAfter(message, origin, before?.value), 0, RECEIVER);
  }

  #hearCourse(
    { cogReference, cogDeg, sogKnots: sog }: Extract<NavigatorMessage, { pgn: 129026 }>,
    origin: Origin,
  ): void {
    const trueCog = cogReference === "True" ? cogDeg : undefined;
    const magneticCog = cogReference === "Magnetic" ? cogDeg : undefined;
    hearSaid(this.#course, origin, { trueCog, magneticCog, sog }, CourseSaid);
  }

  #hearWind(
    { reference, windSpeedKnots: speed, windAngleDeg: angle }: Extract<NavigatorMessage, { pgn: 130306 }>,
    origin: Origin,
    windDamping: number,
  ): void {
    if (reference === undefined || reference > BOAT_OVER_WATER) return;
    const wind = reference === APPARENT ? this.#apparentWind : this.#trueWind;
    wind.hear(origin, { speed, angle }, reference, windDamping);
  }

  #hearEnvironment(message: EnvironmentMessage, origin: Origin): void {
    switch (message.pgn) {
      case 130310:
        this.#waterTemperature.hear(origin, message.waterTempC);
        this.#outsideTemperature.hear(origin, message.outsideTempC);
        this.#pressure.hear(origin, message.pressurePa);
        return;
      case 130311:
        this.#temperatureOf(message.tempSource)?.hear(origin, message.temperatureC);
        this.#pressure.hear(origin, message.pressurePa);
        return;
      case 130312:
      case 130316:
        this.#temperatureOf(message.source)?.hear(origin, message.actualTempC, message.instance ?? NO_INSTANCE);
        return;
      case 130314:
        if (message.source === "Atmospheric")
          this.#pressure.hear(origin, message.pressurePa, message.instance ?? NO_INSTANCE);
    }
  }

  #temperatureOf(source: unknown): Selection<number> | undefined {
    if (source === "Sea Temperature") return this.#waterTemperature;
    return source === "Outside Temperature" ? this.#outsideTemperature : undefined;
  }
}

type EnvironmentMessage = Extract<NavigatorMessage, { pgn: 130310 | 130311 | 130312 | 130314 | 130316 }>;

/** A selection of winds; the chosen one is damped from the moment at which it was chosen. */
class DampedWind {
  readonly #selection: Selection<WindSaid>;
  readonly #damper = new WindDamper(MAX_WIND_AGE_MS);
  #damped: Source<WindSaid> | undefined;

  constructor(selection: Selection<WindSaid>) {
    this.#selection = selection;
  }

  get isInUse(): boolean {
    return this.#damped !== undefined;
  }

  hear(origin: Origin, wind: ApparentWind, variant: number, windDamping: number): void {
    const source = hearSaid(this.#selection, origin, wind, WindSaid, variant);
    if (source !== undefined && source === this.#damped && (wind.speed ?? wind.angle) !== undefined)
      this.#damper.step(source.value.at(origin.arrived), origin.arrived, windDamping);
  }

  choose(now: number, rankOf: RankOf): Source<ApparentWind> | undefined {
    const chosen = this.#selection.choose(now, rankOf);
    if (chosen !== this.#damped && chosen !== undefined)
      this.#damper.restart(chosen.value.at(chosen.arrived), chosen.arrived);
    this.#damped = chosen;
    if (chosen === undefined) return undefined;
    const { device, pgn, variant, arrived, received } = chosen;
    return { device, pgn, variant, arrived, received, value: this.#damper.wind };
  }

  /** Knots by which the last value is above the damped one. */
  gust(now: number): number {
    const [last, damped] = [this.#damped?.value.at(now).speed, this.#damper.wind.speed];
    return last === undefined || damped === undefined ? 0 : last - damped;
  }

  /** The winds of other references that a device measures. */
  othersOf({ device, variant }: Origin, now: number): readonly Source<ApparentWind>[] {
    return this.#selection
      .fresh(now)
      .flatMap((source) =>
        source.device === device && source.variant !== variant ? { ...source, value: source.value.at(now) } : [],
      );
  }
}
