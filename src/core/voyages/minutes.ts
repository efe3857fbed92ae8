/** Sums and means of the time between two kept lines of the track. */
import { bearing, degrees, radians, relative } from "../nav/angles.ts";
import { rounded } from "../util/rounded.ts";
import type { Means, Sums } from "./lines.ts";
import type { Conditions } from "./observation.ts";

const MS_PER_HOUR = 3_600_000;

/** The mean of directions: of unit vectors. */
class Direction {
  #east = 0;
  #north = 0;

  add(angle: number | undefined, weight: number): void {
    if (angle === undefined) return;
    this.#east += weight * Math.sin(radians(angle));
    this.#north += weight * Math.cos(radians(angle));
  }

  /** Undefined without a direction that predominates. */
  get mean(): number | undefined {
    if (Math.hypot(this.#east, this.#north) < 1e-6) return undefined;
    return degrees(Math.atan2(this.#east, this.#north));
  }
}

/** The range of directions: degrees between the extremes, at most 360. */
class Range {
  #first: number | undefined;
  #least = 0;
  #most = 0;

  add(angle: number | undefined): void {
    if (angle === undefined) return;
    this.#first ??= angle;
    const turned = relative(angle - this.#first);
    this.#least = Math.min(this.#least, turned);
    this.#most = Math.max(this.#most, turned);
  }

  get range(): number | undefined {
    return this.#first === undefined ? undefined : this.#most - this.#least;
  }
}

class Mean {
  #sum = 0;
  #weight = 0;
  most: number | undefined;

  add(value: number | undefined, weight: number): void {
    if (value === undefined) return;
    this.#sum += value * weight;
    this.#weight += weight;
    this.most = Math.max(this.most ?? value, value);
  }

  get mean(): number | undefined {
    return this.#weight > 0 ? this.#sum / this.#weight : undefined;
  }
}

export interface Span {
  readonly ms: number;
  readonly isUnderway: boolean;
  readonly conditions: Conditions;
  /** Instances of engines that run, with litres an hour where that is known. */
  readonly running: ReadonlyMap<string, number | undefined>;
}

const optional = <Name extends string>(
  name: Name,
  value: number | undefined,
  decimals = 2,
): Partial<Record<Name, number>> =>
  value === undefined ? {} : ({ [name]: rounded(value, decimals) } as Partial<Record<Name, number>>);

/** A line without its noughts: a boat writes half a million of them in a year. */
const unlessNought = <Name extends string>(
  name: Name,
  value: number,
  decimals: number,
): Partial<Record<Name, number>> => optional(name, rounded(value, decimals) === 0 ? undefined : value, decimals);

export class Minutes {
  #ms = 0;
  #restMs = 0;
  #sailMs = 0;
  #waterMiles = 0;
  #fuelLitres = 0;
  readonly #engineMs = new Map<string, number>();
  readonly #sog = new Mean();
  readonly #stw = new Mean();
  readonly #wind = new Mean();
  readonly #windDirection = new Direction();
  readonly #windAngle = new Direction();
  readonly #heading = new Range();

  add({ ms, isUnderway, conditions, running }: Span): void {
    const { sog, stw, heading, windSpeed, windDirection, windAngle } = conditions;
    this.#ms += ms;
    if (!isUnderway) this.#restMs += ms;
    else if (running.size === 0) this.#sailMs += ms;
    if (isUnderway) this.#waterMiles += ((stw ?? 0) * ms) / MS_PER_HOUR;
    for (const [engine, litresAnHour = 0] of running) {
      this.#engineMs.set(engine, (this.#engineMs.get(engine) ?? 0) + ms);
      this.#fuelLitres += (litresAnHour * ms) / MS_PER_HOUR;
    }
    this.#sog.add(sog, ms);
    this.#stw.add(stw, ms);
    this.#wind.add(windSpeed, ms);
    this.#windDirection.add(windDirection, ms);
    this.#windAngle.add(windAngle, ms);
    this.#heading.add(heading);
  }

  get sums(): Sums {
    const engineSeconds = Object.fromEntries(
      [...this.#engineMs].map(([engine, ms]) => [engine, rounded(ms / 1000, 1)]),
    );
    return {
      ...unlessNought("seconds", this.#ms / 1000, 1),
      ...unlessNought("restSeconds", this.#restMs / 1000, 1),
      ...unlessNought("sailSeconds", this.#sailMs / 1000, 1),
      ...unlessNought("waterMiles", this.#waterMiles, 6),
      ...(this.#engineMs.size > 0 && { engineSeconds }),
      ...unlessNought("fuelLitres", this.#fuelLitres, 4),
      ...optional("maxSog", this.#sog.most),
      ...optional("maxStw", this.#stw.most),
      ...optional("maxWind", this.#wind.most),
    };
  }

  get means(): Means {
    const direction = this.#windDirection.mean;
    return {
      ...optional("windSpeed", this.#wind.mean),
      ...optional("windDirection", direction === undefined ? undefined : bearing(direction), 0),
      ...optional("windAngle", this.#windAngle.mean, 0),
      ...optional("stw", this.#stw.mean),
      ...optional("turned", this.#heading.range, 0),
    };
  }
}
