/**
 * Simplification of a track while it is sailed: fixes that a straight line between their neighbours replaces within
 * `TOLERANCE_METRES` are left out.
 */
import { radians } from "../nav/angles.ts";
import type { Position } from "../nav/great-circle.ts";

/**
 * Below the five metres that the documentation promises: distances are measured along the kept fixes, and lose a
 * thousandth with a tolerance of one metre where a boat turns every five minutes.
 */
const TOLERANCE_METRES = 0.5;
/** Maximum fixes between two that are kept, so that each fix costs a bounded time. */
const MAX_WINDOW = 300;
const METRES_PER_DEGREE = 111_195;

export interface Fix extends Position {
  readonly time: number;
}

/** Metres from a place to the line between two others, on a plane that is right for the few miles of a window. */
export function metresToLine(from: Position, to: Position, place: Position): number {
  const cosine = Math.cos(radians(from.latitude));
  const east = (each: Position): number => {
    const turned = each.longitude - from.longitude;
    return (turned - 360 * Math.round(turned / 360)) * METRES_PER_DEGREE * cosine;
  };
  const north = (each: Position): number => (each.latitude - from.latitude) * METRES_PER_DEGREE;
  const [x, y, px, py] = [east(to), north(to), east(place), north(place)];
  const squared = x * x + y * y;
  const along = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * x + py * y) / squared));
  return Math.hypot(px - along * x, py - along * y);
}

export class SimplifiedTrack {
  #from: Fix | undefined;
  #window: Fix[] = [];

  /** Takes the next fix; returns the fixes that are kept now. */
  add(fix: Fix): readonly Fix[] {
    if (this.#from === undefined) {
      this.#from = fix;
      return [fix];
    }
    const from = this.#from;
    const last = this.#window.at(-1);
    const isStraight =
      this.#window.length < MAX_WINDOW &&
      this.#window.every((each) => metresToLine(from, fix, each) <= TOLERANCE_METRES);
    if (last === undefined || isStraight) {
      this.#window.push(fix);
      return [];
    }
    this.#from = last;
    this.#window = [fix];
    return [last];
  }

  /** The last fix, which is kept from now on; none if it is kept already. */
  finish(): readonly Fix[] {
    const last = this.#window.at(-1);
    if (last === undefined) return [];
    this.#from = last;
    this.#window = [];
    return [last];
  }
}
