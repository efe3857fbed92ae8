/**
 * The polar of what was sailed: speeds through the water by the angle and the force of the true wind, from the lines of
 * tracks. Each line counts as a whole, or is left out for the first reason that applies. Sums are of a fixed size.
 */
import { beaufort, MAX_FORCE } from "../nav/beaufort.ts";
import { rounded } from "../util/rounded.ts";
import type { TrackLine } from "./lines.ts";

const ANGLE_STEP = 10;
const ANGLES = 180 / ANGLE_STEP + 1;
/** A helmsman's yaw in waves is less. */
const TURN_DEGREES = 30;
const LEAST_SECONDS = 30;

/** Why a line is left out, in the order in which reasons are asked: a row each. */
const reasons = [
  ["at rest", ({ restSeconds = 0 }) => restSeconds > 0],
  ["engine on", ({ engineSeconds = {} }) => Object.values(engineSeconds).some((seconds) => seconds > 0)],
  ["no true wind", ({ windSpeed, windAngle }) => windSpeed === undefined || windAngle === undefined],
  ["no speed through the water", ({ stw }) => stw === undefined],
  ["no heading", ({ turned }) => turned === undefined],
  ["turning", ({ turned = 0 }) => turned > TURN_DEGREES],
  ["too few seconds", ({ seconds = 0 }) => seconds < LEAST_SECONDS],
] as const satisfies readonly (readonly [reason: string, applies: (line: TrackLine) => boolean])[];

export type LeftOutReason = (typeof reasons)[number][0];

export interface PolarCell {
  /** Of the true wind off the bow, the middle of ten degrees, both sides together. */
  readonly angle: number;
  /** Beaufort. */
  readonly force: number;
  readonly seconds: number;
  /** Mean through the water, and the greatest of a line: knots. */
  readonly knots: number;
  readonly greatest: number;
}

export interface Polar {
  readonly cells: readonly PolarCell[];
  readonly leftOut: readonly { readonly reason: LeftOutReason; readonly seconds: number }[];
}

interface Sum {
  seconds: number;
  knotSeconds: number;
  greatest: number;
}

export class PolarSums {
  readonly #sums: readonly Sum[] = Array.from({ length: ANGLES * (MAX_FORCE + 1) }, () => ({
    ...{ seconds: 0, knotSeconds: 0, greatest: 0 },
  }));
  readonly #leftOut = new Map<LeftOutReason, number>();

  add(line: TrackLine): void {
    const { seconds = 0, windAngle = 0, windSpeed = 0, stw = 0 } = line;
    const [reason] = reasons.find(([, applies]) => applies(line)) ?? [];
    if (reason !== undefined) {
      this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + seconds);
      return;
    }
    const angle = Math.min(ANGLES - 1, Math.round(Math.abs(windAngle) / ANGLE_STEP));
    const sum = this.#sums[angle * (MAX_FORCE + 1) + beaufort(windSpeed)]!;
    sum.seconds += seconds;
    sum.knotSeconds += seconds * stw;
    sum.greatest = Math.max(sum.greatest, stw);
  }

  get polar(): Polar {
    const cells = this.#sums.flatMap(({ seconds, knotSeconds, greatest }, at) => {
      if (seconds === 0) return [];
      const [angle, force] = [ANGLE_STEP * Math.floor(at / (MAX_FORCE + 1)), at % (MAX_FORCE + 1)];
      return [{ angle, force, seconds: rounded(seconds, 1), knots: rounded(knotSeconds / seconds, 2), greatest }];
    });
    const leftOut = reasons.flatMap(([reason]) => {
      const seconds = this.#leftOut.get(reason) ?? 0;
      return seconds === 0 ? [] : [{ reason, seconds: rounded(seconds, 1) }];
    });
    return { cells, leftOut };
  }
}
