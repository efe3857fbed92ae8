/**
 * The way to the destination that hub-link holds. As at the outlets of hub-link, it comes before the course of a chart
 * plotter while it is held.
 */
import { type GreatCircleLine, greatCircle } from "../../../core/nav/great-circle.ts";
import type { Reading } from "../data/freshness.ts";
import { latest, store } from "../data/store.ts";
import { say } from "../languages/say.ts";
import type { Instrument } from "./instrument.ts";

/** Undefined where hub-link holds no destination. */
function heldWay(now: number): Reading<GreatCircleLine> | undefined {
  const { destination } = store.course ?? {};
  if (destination === undefined) return undefined;
  const place = latest.read("place", now);
  return "value" in place ? { ...place, value: greatCircle(place.value, destination) } : place;
}

const NONE: Reading<number> = { kind: "none" };

/** An instrument of the plotter's course; `pick` takes its value from the way to a held destination, which may lack it. */
export const heldOr = (plotter: Instrument, pick?: (way: GreatCircleLine) => number): Instrument => ({
  ...plotter,
  read(now) {
    const way = heldWay(now);
    if (way === undefined) return plotter.read(now);
    if (pick === undefined) return NONE;
    return "value" in way ? { ...way, value: pick(way.value) } : way;
  },
  source(now) {
    const way = heldWay(now);
    if (way === undefined) return plotter.source(now);
    return "age" in way ? { name: say("computed"), age: way.age } : undefined;
  },
  // Directions of a great circle are true.
  ...(plotter.unit && { unit: (now) => (heldWay(now) === undefined ? plotter.unit!(now) : "°T") }),
});
