/**
 * What the report tells of, quantity by quantity: which messages speak of it, how long a value is good for, and which of
 * two sources is the better one by its nature.
 */
import { SystemTimeSource } from "../n2k/lookups.ts";
import { createDamper, type Damper } from "./damping.ts";
import type { Device } from "./devices.ts";
import { type CompassReading, compassReading, variationQuality } from "./heading.ts";
import type { NavigatorMessage } from "./messages.ts";
import { POSITION_LIMIT, type PositionHeard, positionQuality } from "./position.ts";
import type { PriorityKey } from "./settings.ts";
import { type Chosen, createSelection, type Origin, type Selection } from "./sources.ts";
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

/** The sources in use at a moment. */
export interface Picture {
  readonly position: Chosen<PositionHeard> | undefined;
  readonly course: Chosen<Course> | undefined;
  readonly heading: Chosen<CompassReading> | undefined;
  readonly speed: Chosen<number> | undefined;
  readonly rateOfTurn: Chosen<number> | undefined;
  readonly variation: Chosen<Variation> | undefined;
  readonly leeway: Chosen<number> | undefined;
  /** Damped; the variant of the true wind is the code of its reference. */
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

export interface Quantities {
  /** `origin` is that of the message, its variant 0; nothing of it is kept. */
  hear(message: NavigatorMessage, origin: Origin, windDamping: number): void;
  choose(now: number, places: Readonly<Record<PriorityKey, (device: Device) => number>>): Picture;
}

const WIND_LIMIT = 3000;
/** 129044 comes every ten seconds. */
const DATUM_LIMIT = 30_000;
/** A compass that speaks of both norths is two sources. */
const HEADING_REFERENCE: readonly unknown[] = ["True", "Magnetic"];
/** Of a message that leaves out its instance. */
const NO_INSTANCE = 255;

/** Both messages of a position are one source. */
const RECEIVER = 129029;

/** Quality by PGN, the first one best. */
const inOrder =
  (...pgns: readonly number[]) =>
  (_value: unknown, { pgn }: Origin): number =>
    pgns.indexOf(pgn);

/** Water before boat over ground before north, whichever north. */
const windQuality = (_value: unknown, { variant }: Origin): number =>
  variant === BOAT_OVER_WATER ? 0 : variant === BOAT_OVER_GROUND ? 1 : 2;

/** `firstDay`: days since 1970 before which no date is believed. */
export function createQuantities(firstDay: number): Quantities {
  const position = createSelection<PositionHeard>({
    limit: POSITION_LIMIT,
    quality: (heard, _origin, now) => positionQuality(heard, now),
  });
  const course = createSelection<Course>({ limit: 3000 });
  const heading = createSelection<CompassReading>({ limit: 3000 });
  const speed = createSelection<number>({ limit: 3000 });
  const rateOfTurn = createSelection<number>({ limit: 3000 });
  const leeway = createSelection<number>({ limit: 3000 });
  const variation = createSelection<Variation>({ limit: 120_000, quality: ({ source }) => variationQuality(source) });
  const apparentWind = dampedWind(createSelection<ApparentWind>({ limit: WIND_LIMIT }));
  const trueWind = dampedWind(createSelection<ApparentWind>({ limit: WIND_LIMIT, quality: windQuality }));
  const depth = createSelection<Depth>({ limit: 5000 });
  const temperatures = { limit: 15_000, quality: inOrder(130316, 130312, 130311, 130310) };
  const waterTemperature = createSelection<number>(temperatures);
  const outsideTemperature = createSelection<number>(temperatures);
  const pressure = createSelection<number>({ limit: 15_000, quality: inOrder(130314, 130311, 130310) });
  const date = createSelection<DateAndTime>({ limit: 5000, quality: inOrder(126992, 129029, 129033) });
  const datums = new WeakMap<Device, { readonly name: string | undefined; readonly arrived: number }>();

  const dateAndTime = (days?: number, time?: number, timeSource?: string): DateAndTime | undefined =>
    days === undefined || time === undefined || days < firstDay ? undefined : { days, time, timeSource };

  return {
    hear(message, origin, windDamping) {
      const { device, arrived, received } = origin;
      switch (message.pgn) {
        case 126992: {
          const source = message.source === undefined ? undefined : SystemTimeSource[message.source];
          return void date.hear(origin, dateAndTime(message.date, message.time, source));
        }
        case 127250: {
          const reference = HEADING_REFERENCE.indexOf(message.reference);
          return void heading.hear(origin, compassReading(message), reference);
        }
        case 127251:
          return void rateOfTurn.hear(origin, message.rateDegPerSec);
        case 127258: {
          const { source, variation: degrees } = message;
          return void variation.hear(origin, degrees === undefined ? undefined : { source, degrees });
        }
        case 128000:
          return void leeway.hear(origin, message.leewayDeg);
        case 128259:
          return void speed.hear(origin, message.speedWaterKnots);
        case 128267: {
          const { depthM, offsetM: offset } = message;
          return void depth.hear(origin, depthM === undefined ? undefined : { depth: depthM, offset });
        }
        case 129025: {
          const coordinates = { message, arrived, received };
          const fix = position.last(device, RECEIVER, 0)?.fix;
          return void position.hear(origin, { fix, coordinates }, 0, RECEIVER);
        }
        case 129026: {
          const reference = message.cogReference === "Magnetic" ? "magnetic" : "true";
          const cog = message.cogReference === undefined ? undefined : message.cogDeg;
          const sog = message.sogKnots;
          const isEmpty = cog === undefined && sog === undefined;
          const variant = reference === "magnetic" ? 1 : 0;
          return void course.hear(origin, isEmpty ? undefined : { reference, cog, sog }, variant);
        }
        case 129029: {
          const fix = { message, arrived, received };
          date.hear(origin, dateAndTime(message.days, message.time, "GNSS"));
          const coordinates = position.last(device, RECEIVER, 0)?.coordinates;
          return void position.hear(origin, { fix, coordinates }, 0, RECEIVER);
        }
        case 129033:
          return void date.hear(origin, dateAndTime(message.days, message.time, "Local Time"));
        case 129044:
          return void datums.set(device, { name: message.localDatum, arrived });
        case 130306: {
          const { reference, windSpeedKnots: speed, windAngleDeg: angle } = message;
          if (reference === undefined || reference > BOAT_OVER_WATER) return;
          const wind = reference === APPARENT ? apparentWind : trueWind;
          return wind.hear(origin, { speed, angle }, reference, windDamping);
        }
        case 130310:
          waterTemperature.hear(origin, message.waterTempC);
          outsideTemperature.hear(origin, message.outsideTempC);
          return void pressure.hear(origin, message.pressurePa);
        case 130311:
          if (message.tempSource === "Sea Temperature") waterTemperature.hear(origin, message.temperatureC);
          if (message.tempSource === "Outside Temperature") outsideTemperature.hear(origin, message.temperatureC);
          return void pressure.hear(origin, message.pressurePa);
        case 130312:
        case 130316: {
          const { instance = NO_INSTANCE } = message;
          if (message.source === "Sea Temperature") waterTemperature.hear(origin, message.actualTempC, instance);
          if (message.source === "Outside Temperature") outsideTemperature.hear(origin, message.actualTempC, instance);
          return;
        }
        case 130314:
          if (message.source !== "Atmospheric") return;
          return void pressure.hear(origin, message.pressurePa, message.instance ?? NO_INSTANCE);
      }
    },

    choose(now, places) {
      const receiver = position.choose(now, places.position);
      const datum = receiver && datums.get(receiver.device);
      return {
        position: receiver,
        course: course.choose(now, places.course),
        heading: heading.choose(now, places.heading),
        speed: speed.choose(now, places.speed),
        rateOfTurn: rateOfTurn.choose(now, places.rateOfTurn),
        variation: variation.choose(now, places.variation),
        leeway: leeway.choose(now, places.leeway),
        apparentWind: apparentWind.choose(now, places.wind),
        trueWind: trueWind.choose(now, places.wind),
        depth: depth.choose(now, places.depth),
        waterTemperature: waterTemperature.choose(now, places.environment),
        outsideTemperature: outsideTemperature.choose(now, places.environment),
        pressure: pressure.choose(now, places.environment),
        date: date.choose(now, places.date),
        datum: datum !== undefined && now - datum.arrived <= DATUM_LIMIT ? datum.name : undefined,
      };
    },
  };
}

interface DampedWind {
  hear(origin: Origin, wind: ApparentWind, variant: number, windDamping: number): void;
  choose(now: number, place: (device: Device) => number): Chosen<ApparentWind> | undefined;
}

/** A selection of winds whose chosen one is damped, from the moment on at which it was chosen. */
function dampedWind(selection: Selection<ApparentWind>): DampedWind {
  const damper: Damper = createDamper(WIND_LIMIT);
  let damped: Chosen<ApparentWind> | undefined;
  return {
    hear(origin, wind, variant, windDamping) {
      const isEmpty = wind.speed === undefined && wind.angle === undefined;
      const source = selection.hear(origin, isEmpty ? undefined : wind, variant);
      if (source !== undefined && source === damped) damper.step(wind, origin.arrived, windDamping);
    },
    choose(now, place) {
      const chosen = selection.choose(now, place);
      if (chosen !== damped && chosen !== undefined) damper.restart(chosen.value, chosen.arrived);
      damped = chosen;
      return chosen && { ...chosen, value: damper.wind() };
    },
  };
}
