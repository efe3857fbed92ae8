/** The part of the surroundings that a plot shows, and where a place is on it. Pure. */

import { radians } from "../../../core/nav/angles.ts";
import type { Position } from "../../../core/nav/great-circle.ts";
import { offsetFrom, placeAt } from "../trend/own-track.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A part of the world. */
export interface Extent {
  readonly center: Position;
  /** Pixels a nautical mile. */
  readonly scale: number;
}

export interface View extends Extent {
  /** Degrees by which directions are turned clockwise: 0 for north up. */
  readonly turn: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels by which a view may move before its land and charts are drawn again. */
const LEAST_SHIFT = 0.5;

/** Where a place is, in pixels from the middle, to the right and down. */
export function pointOf({ center, scale, turn }: View, place: Position): Point {
  const { east, north } = offsetFrom(center, place);
  const [sine, cosine] = [Math.sin(radians(turn)), Math.cos(radians(turn))];
  return { x: (east * cosine + north * sine) * scale, y: (east * sine - north * cosine) * scale };
}

export function placeOf({ center, scale, turn }: View, { x, y }: Point): Position {
  const [sine, cosine] = [Math.sin(radians(turn)), Math.cos(radians(turn))];
  return placeAt(center, (x * cosine + y * sine) / scale, (x * sine - y * cosine) / scale);
}

/** The pixels of a degree to the east and of one to the north, as the first members of a matrix. */
export function degreesOf({ center, scale, turn }: View): readonly [number, number, number, number] {
  const [sine, cosine] = [Math.sin(radians(turn)), Math.cos(radians(turn))];
  const north = 60 * scale;
  const east = north * Math.cos(radians(center.latitude));
  return [east * cosine, east * sine, north * sine, -north * cosine];
}

/** Whether a picture of the surroundings would have other pixels. */
export function isMoved(before: View, after: View): boolean {
  const { width, height, scale, turn } = after;
  if (before.width !== width || before.height !== height || before.scale !== scale) return true;
  const { x, y } = pointOf(before, after.center);
  const turned = radians(Math.abs(turn - before.turn));
  return Math.hypot(x, y) >= LEAST_SHIFT || (turned * Math.hypot(width, height)) / 2 >= LEAST_SHIFT;
}
