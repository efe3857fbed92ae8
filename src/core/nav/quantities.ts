/**
 * The quantities of the report: the messages that carry each, the time until a value expires, and the quality by which
 * sources are compared.
 */
import { SystemTimeSource } from "../n2k/lookups.ts";
import { WindDamper } from "./damping.ts";
import type { Device } from "./devices.ts";
import { type CompassReading, compassReading, variationQuality } from "./heading.ts";
import type { NavigatorMessage } from "./messages.ts";
import { canBe, plausibleRanges, type Range } from "./plausible.ts";
import { MAX_POSITION_AGE_MS, positionQuality, type ReceiverState } from "./position.ts";
import type { PriorityKey } from "./settings.ts";
import { type Chosen, type Origin, type RankOf, SECOND_RATE, Selection, type Source } from "./sources.ts";
import { APPARENT, type ApparentWind, BOAT_OVER_GROUND, BOAT_OVER_WATER } from "./wind.ts";

export interface Course {
  readonly reference: "true" | "magnetic";
  readonly cog: number | undefined;
  /** Knots. */
  readonly sog: number | undefined;
}

export interface Variation {
  readonly source: number | undefined;
  readonly degrees: number;
}

export interface Depth {
  readonly depth: number;
  readonly offset: number | undefined;
}

export interface DateAndTime {
  /** Since 1970-01-01. */
  readonly days: number;
  /** Seconds since midnight, UTC. */
  readonly time: number;
  readonly timeSource: string | undefined;
}

/** The chosen source of each quantity. */
export interface ChosenSources {
  readonly position: Chosen<ReceiverState> | undefined;
  readonly course: Chosen<Course> | undefined;
  readonly heading: Chosen<CompassReading> | undefined;
  readonly speed: Chosen<number> | undefined;
  readonly rateOfTurn: Chosen<number> | undefined;
  readonly variation: Chosen<Variation> | undefined;
  readonly leeway: Chosen<number> | undefined;
  /** Damped wind; the variant of the true wind is the code of its reference. */
  readonly apparentWind: Chosen<ApparentWind> | undefined;
  readonly trueWind: Chosen<ApparentWind> | undefined;
  readonly depth: Chosen<Depth> | undefined;
  readonly waterTemperature: Chosen<number> | undefined;
  readonly outsideTemperature: Chosen<number> | undefined;
  readonly pressure: Chosen<number> | undefined;
  readonly date: Chosen<DateAndTime> | undefined;
  /** Name of the chosen receiver's datum. */
  readonly datum: string | undefined;
}

const MAX_WIND_AGE_MS = 3000;
export const MAX_DATE_AGE_MS = 5000;
/** 129044 is sent every ten seconds. */
const MAX_DATUM_AGE_MS = 30_000;
/** A compass that sends headings of both references counts as two sources. */
const HEADING_REFERENCE: readonly unknown[] = ["True", "Magnetic"];
/** Variant of a message without its instance. */
const NO_INSTANCE = 255;

/** Both messages of a position are one source. */
const RECEIVER = 129029;

/** Quality by PGN, the first one best. */
const inOrder =
  (...pgns: readonly number[]) =>
  (_value: unknown, { pgn }: Origin): number =>
    pgns.indexOf(pgn);

/** Wind over water is better than over ground, which is better than wind from true or magnetic north. */
const windOrder = ({ variant }: Origin): number =>
  variant === BOAT_OVER_WATER ? 0 : variant === BOAT_OVER_GROUND ? 1 : 2;

const { boatKnots, windKnots, depthMetres, waterCelsius, airCelsius, airPascals } = plausibleRanges;

/** A source with an impossible value loses to any other source; alone, its value is published unchanged. */
const doubt = (value: number | undefined, range: Range): number => (canBe(value, range) ? 0 : SECOND_RATE);

/** The quality of a number: possible numbers come first, then those of the first PGN. */
const ofRange = (range: Range, ...pgns: readonly number[]) => {
  const order = inOrder(...pgns);
  return (value: number, origin: Origin): number => doubt(value, range) + order(value, origin);
};

const temperatureOf = (range: Range) => ({
  maxAgeMs: 15_000,
  quality: ofRange(range, 130316, 130312, 130311, 130310),
});

export class Quantities {
  readonly #firstDay: number;
  readonly #position = new Selection<ReceiverState>({
    maxAgeMs: MAX_POSITION_AGE_MS,
    quality: (state, _origin, now) => positionQuality(state, now),
  });
  readonly #course = new Selection<Course>({
    maxAgeMs: 3000,
    quality: ({ cog, sog }) => (cog === undefined ? SECOND_RATE : 0) + doubt(sog, boatKnots),
  });
  readonly #heading = new Selection<CompassReading>({ maxAgeMs: 3000 });
  readonly #speed = new Selection<number>({ maxAgeMs: 3000, quality: (knots) => doubt(knots, boatKnots) });
  readonly #rateOfTurn = new Selection<number>({ maxAgeMs: 3000 });
  readonly #leeway = new Selection<number>({ maxAgeMs: 3000 });
  readonly #variation = new Selection<Variation>({
    maxAgeMs: 120_000,
    quality: ({ source }) => variationQuality(source),
  });
  readonly #apparentWind = new DampedWind(
    new Selection<ApparentWind>({ maxAgeMs: MAX_WIND_AGE_MS, quality: ({ speed }) => doubt(speed, windKnots) }),
  );
  readonly #trueWind = new DampedWind(
    new Selection<ApparentWind>({
      maxAgeMs: MAX_WIND_AGE_MS,
      quality: ({ speed }, origin) => doubt(speed, windKnots) + windOrder(origin),
    }),
  );
  /** See `Navigator`. */
  sounderHeardAt: number | undefined;
  readonly #depth = new Selection<Depth>({ maxAgeMs: 5000, quality: ({ depth }) => doubt(depth, depthMetres) });
  readonly #waterTemperature = new Selection<number>(temperatureOf(waterCelsius));
  readonly #outsideTemperature = new Selection<number>(temperatureOf(airCelsius));
  readonly #pressure = new Selection<number>({
    maxAgeMs: 15_000,
    quality: ofRange(airPascals, 130314, 130311, 130310),
  });
  readonly #date = new Selection<DateAndTime>({ maxAgeMs: MAX_DATE_AGE_MS, quality: inOrder(126992, 129029, 129033) });
  readonly #datums = new WeakMap<Device, { readonly name: string | undefined; readonly arrived: number }>();

  /** `firstDay`: days since 1970; earlier dates count as wrong. */
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
        this.#heading.hear(origin, compassReading(message), HEADING_REFERENCE.indexOf(message.reference));
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
        this.#depth.hear(origin, depth === undefined ? undefined : { depth, offset });
        return;
      }
      case 129025:
        return this.#hearPosition(origin, {
          coordinates: { message, arrived: origin.arrived, received: origin.received },
        });
      case 129026:
        return this.#hearCourse(message, origin);
      case 129029:
        this.#hearDate(origin, message.days, message.time, "GNSS");
        return this.#hearPosition(origin, { fix: { message, arrived: origin.arrived, received: origin.received } });
      case 129033:
        return this.#hearDate(origin, message.days, message.time, "Time & Date");
      case 129044:
        this.#datums.set(origin.device, { name: message.localDatum, arrived: origin.arrived });
        return;
      case 130306:
        return this.#hearWind(message, origin, windDamping);
      default:
        return this.#hearEnvironment(message, origin);
    }
  }

  /** The sources in use at `now`; `ranks` are the ranks of devices in the settings. */
  choose(now: number, ranks: Readonly<Record<PriorityKey, RankOf>>): ChosenSources {
    const position = this.#position.choose(now, ranks.position);
    const datum = position && this.#datums.get(position.device);
    return {
      position,
      course: this.#course.choose(now, ranks.course),
      heading: this.#heading.choose(now, ranks.heading),
      speed: this.#speed.choose(now, ranks.speed),
      rateOfTurn: this.#rateOfTurn.choose(now, ranks.rateOfTurn),
      variation: this.#variation.choose(now, ranks.variation),
      leeway: this.#leeway.choose(now, ranks.leeway),
      apparentWind: this.#apparentWind.choose(now, ranks.wind),
      trueWind: this.#trueWind.choose(now, ranks.wind),
      depth: this.#depth.choose(now, ranks.depth),
      waterTemperature: this.#waterTemperature.choose(now, ranks.environment),
      outsideTemperature: this.#outsideTemperature.choose(now, ranks.environment),
      pressure: this.#pressure.choose(now, ranks.environment),
      date: this.#date.choose(now, ranks.date),
      datum: datum !== undefined && now - datum.arrived <= MAX_DATUM_AGE_MS ? datum.name : undefined,
    };
  }

  /** All receivers of positions that are heard at `now`. */
  receivers(now: number): readonly Source<ReceiverState>[] {
    return this.#position.fresh(now);
  }

  #hearDate(origin: Origin, days?: number, time?: number, timeSource?: string): void {
    const isKnown = days !== undefined && time !== undefined && days >= this.#firstDay;
    this.#date.hear(origin, isKnown ? { days, time, timeSource } : undefined);
  }

  /** Each message replaces its part of the state of the receiver. */
  #hearPosition(origin: Origin, { fix, coordinates }: ReceiverState): void {
    const before = this.#position.last(origin.device, RECEIVER, 0);
    const state = { fix: fix ?? before?.fix, coordinates: coordinates ?? before?.coordinates };
    this.#position.hear(origin, state, 0, RECEIVER);
  }

  #hearCourse(
    { cogReference, cogDeg, sogKnots: sog }: Extract<NavigatorMessage, { pgn: 129026 }>,
    origin: Origin,
  ): void {
    const reference = cogReference === "Magnetic" ? "magnetic" : "true";
    const cog = cogReference === undefined ? undefined : cogDeg;
    const isEmpty = cog === undefined && sog === undefined;
    this.#course.hear(origin, isEmpty ? undefined : { reference, cog, sog }, reference === "magnetic" ? 1 : 0);
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
  readonly #selection: Selection<ApparentWind>;
  readonly #damper = new WindDamper(MAX_WIND_AGE_MS);
  #damped: Chosen<ApparentWind> | undefined;

  constructor(selection: Selection<ApparentWind>) {
    this.#selection = selection;
  }

  hear(origin: Origin, wind: ApparentWind, variant: number, windDamping: number): void {
    const isEmpty = wind.speed === undefined && wind.angle === undefined;
    const source = this.#selection.hear(origin, isEmpty ? undefined : wind, variant);
    if (source !== undefined && source === this.#damped) this.#damper.step(wind, origin.arrived, windDamping);
  }

  choose(now: number, rankOf: RankOf): Chosen<ApparentWind> | undefined {
    const chosen = this.#selection.choose(now, rankOf);
    if (chosen !== this.#damped && chosen !== undefined) this.#damper.restart(chosen.value, chosen.arrived);
    this.#damped = chosen;
    if (chosen === undefined) return undefined;
    const { device, pgn, variant, arrived, received } = chosen;
    return { device, pgn, variant, arrived, received, value: this.#damper.wind };
  }
}
