/** Day and night colours by sunrise and sunset where the boat is. */
import { effect } from "@preact/signals";
import type { Position } from "../../../core/nav/great-circle.ts";
import { hasTurned, isNight } from "../../../core/nav/sun.ts";
import { secondTick } from "../data/frame-tick.ts";
import { hull } from "../data/hull.ts";
import { changeSettings, settings } from "../data/settings.ts";
import { boatClock, latest } from "../data/store.ts";

/** The last position, which is near enough for hours without one. */
let last: Position | undefined;

function follow(): void {
  const { bySun, chosenAt, light } = settings.value;
  const now = secondTick.value;
  const place = latest.read("place", now);
  if (place.kind === "live") last = place.value;
  if (!bySun || last === undefined) return;
  const { latitude, longitude } = last;
  const time = boatClock(now);
  // A choice by hand lasts until the sun rises or sets; it has the time of this device.
  if (!hasTurned(latitude, longitude, chosenAt + time - Date.now(), time)) return;
  const bySunNow = isNight(latitude, longitude, time) ? "night" : "day";
  if (light !== bySunNow) changeSettings({ light: bySunNow });
}

/** Ashore the sun of the boat is not that of the screen. */
export function startLightBySun(): void {
  if (hull === undefined) effect(follow);
}
