/**
 * Members of a quantity in the messages of a device, each member with its own age: a message that lacks a member does
 * not unsay it. Every member is an object of one class, so that reading one costs no more than a property.
 */
import type { CompassReading } from "./heading.ts";
import type { ApparentWind } from "./wind.ts";

/** Greatest difference in time of two members that mean something only together, such as angle and speed of a wind. */
const TOGETHER_MS = 1500;
export const MAX_COURSE_AGE_MS = 3000;
export const MAX_HEADING_AGE_MS = 3000;
export const MAX_DEPTH_AGE_MS = 5000;
export const MAX_WIND_AGE_MS = 3000;

export class Member<Value> {
  readonly #maxAgeMs: number;
  #value: Value | undefined;
  /** Monotonic time at which it came. */
  #arrived = Number.NEGATIVE_INFINITY;

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** Takes what a message has; undefined: it lacks this member. */
  hear(value: Value | undefined, arrived: number): void {
    if (value === undefined) return;
    this.#value = value;
    this.#arrived = arrived;
  }

  /** The value, unless it has expired. */
  at(now: number): Value | undefined {
    return now - this.#arrived <= this.#maxAgeMs ? this.#value : undefined;
  }

  /** The value if it means something only beside another one: undefined if that came much later. */
  beside(other: Member<unknown>, now: number): Value | undefined {
    return other.#arrived - this.#arrived > TOGETHER_MS ? undefined : this.at(now);
  }
}

/** Members of a quantity of a device. */
export interface Said<Values> {
  /** Takes the members that a message has. False: it says nothing of the quantity. */
  hear(values: Values, arrived: number): boolean;
}

export interface Course {
  readonly reference: "true" | "magnetic";
  readonly cog: number | undefined;
  /** Knots. */
  readonly sog: number | undefined;
}

interface CourseValues {
  readonly trueCog: number | undefined;
  readonly magneticCog: number | undefined;
  readonly sog: number | undefined;
}

export class CourseSaid implements Said<CourseValues> {
  readonly trueCog = new Member<number>(MAX_COURSE_AGE_MS);
  readonly magneticCog = new Member<number>(MAX_COURSE_AGE_MS);
  readonly sog = new Member<number>(MAX_COURSE_AGE_MS);

  hear({ trueCog, magneticCog, sog }: CourseValues, arrived: number): boolean {
    this.trueCog.hear(trueCog, arrived);
    this.magneticCog.hear(magneticCog, arrived);
    this.sog.hear(sog, arrived);
    return (trueCog ?? magneticCog ?? sog) !== undefined;
  }

  at(now: number): Course {
    const [trueCog, magneticCog] = [this.trueCog.at(now), this.magneticCog.at(now)];
    const reference = trueCog === undefined && magneticCog !== undefined ? "magnetic" : "true";
    return { reference, cog: trueCog ?? magneticCog, sog: this.sog.at(now) };
  }
}

export class CompassSaid implements Said<CompassReading> {
  readonly #headingTrue = new Member<number>(MAX_HEADING_AGE_MS);
  readonly #headingMagnetic = new Member<number>(MAX_HEADING_AGE_MS);
  readonly #deviation = new Member<number>(MAX_HEADING_AGE_MS);
  readonly #variation = new Member<number>(MAX_HEADING_AGE_MS);

  hear({ headingTrue, headingMagnetic, deviation, variation }: CompassReading, arrived: number): boolean {
    this.#headingTrue.hear(headingTrue, arrived);
    this.#headingMagnetic.hear(headingMagnetic, arrived);
    this.#deviation.hear(deviation, arrived);
    this.#variation.hear(variation, arrived);
    return (headingTrue ?? headingMagnetic ?? deviation ?? variation) !== undefined;
  }

  hasHeading(now: number): boolean {
    return (this.#headingTrue.at(now) ?? this.#headingMagnetic.at(now)) !== undefined;
  }

  at(now: number): CompassReading | undefined {
    if (!this.hasHeading(now)) return undefined;
    return {
      headingTrue: this.#headingTrue.at(now),
      headingMagnetic: this.#headingMagnetic.at(now),
      deviation: this.#deviation.beside(this.#headingMagnetic, now),
      variation: this.#variation.at(now),
    };
  }
}

export class WindSaid implements Said<ApparentWind> {
  readonly #speed = new Member<number>(MAX_WIND_AGE_MS);
  readonly #angle = new Member<number>(MAX_WIND_AGE_MS);

  hear({ speed, angle }: ApparentWind, arrived: number): boolean {
    this.#speed.hear(speed, arrived);
    this.#angle.hear(angle, arrived);
    return (speed ?? angle) !== undefined;
  }

  at(now: number): ApparentWind {
    return { speed: this.#speed.beside(this.#angle, now), angle: this.#angle.beside(this.#speed, now) };
  }
}

export interface Depth {
  readonly depth: number;
  readonly offset: number | undefined;
}

interface DepthValues {
  readonly depth: number | undefined;
  readonly offset: number | undefined;
}

export class DepthSaid implements Said<DepthValues> {
  readonly depth = new Member<number>(MAX_DEPTH_AGE_MS);
  readonly #offset = new Member<number>(MAX_DEPTH_AGE_MS);

  hear({ depth, offset }: DepthValues, arrived: number): boolean {
    if (depth === undefined) return false;
    this.depth.hear(depth, arrived);
    this.#offset.hear(offset, arrived);
    return true;
  }

  at(now: number): Depth | undefined {
    const depth = this.depth.at(now);
    return depth === undefined ? undefined : { depth, offset: this.#offset.beside(this.depth, now) };
  }
}
